import type { Changed } from '../../core/basics/changes.js';
import { ApiKey, type SavedKey } from '../../core/keys/api-keys.js';
import type { SavedRecords } from '../../core/records/records.js';
import type { SavedState } from './keeping.js';
import type { WrittenAccount } from './snapshot-schema.js';

type Table<Value = unknown> = Map<string, Value>;

/** A saved state whose list items can be found by name. */
interface Draft {
  /** The members without lists of named items. */
  readonly rest: SavedState;
  readonly accounts: Table<{ readonly holdings: Table; readonly records: Table<Table> }>;
  readonly records: Table<Table>;
  readonly books: Table<Table>;
  readonly keys: Table<ApiKey>;
  readonly quotas: Table;
  readonly idempotency: Table;
  readonly statuses: Table;
  readonly deliveries: Table;
  /** Tasks by their numbers. */
  readonly tasks: Table<NumberedTask>;
  readonly marks: unknown[];
}

interface NumberedTask {
  readonly number: number;
  readonly at: number;
  readonly task: unknown;
}

/**
 * Applies stored changes, oldest first, to a saved state. The result must be checked, like every
 * state that was read.
 *
 * @throws Error for a change of an unknown part.
 */
export function replay(saved: SavedState, lines: Iterable<readonly Changed[]>): SavedState {
  let draft = draftOf(saved);
  for (const line of lines) {
    for (const [[list, ...names], value] of line) {
      if (list === 'whole') draft = draftOf(value as SavedState);
      else of(APPLY, list)(draft, names, value);
    }
  }
  return written(draft);
}

/** Changes an item. `names` are the names of its path after the list. */
type Apply = (draft: Draft, names: readonly string[], value: unknown) => void;

const CHANGES: Readonly<Record<string, Apply>> = {
  accounts: ({ accounts }, [id], value) => set(accounts, id, value && { holdings: new Map(), records: new Map() }),
  records(draft, [account = '', kind = '', id = ''], value) {
    setRecord(account === '' ? draft.records : of(draft.accounts, account).records, { kind, id }, value);
  },
  holdings: ({ accounts }, [account, asset], value) => set(of(accounts, account).holdings, asset, value),
  books: ({ books }, [name, asset], value) => set(of(books, name), asset, value),
  agenda: ({ tasks }, [number], value) => set(tasks, number, value),
  deliveries: ({ deliveries }, [id], value) => set(deliveries, id, value),
  keys: ({ keys }, [apiKey], value) => set(keys, apiKey, value && keyOf(value as SavedKey)),
  nonces({ keys }, [apiKey], value) {
    of(keys, apiKey).nonces.use(BigInt(value as string));
  },
  quotas: ({ quotas }, [apiKey], value) => set(quotas, apiKey, value),
  idempotency({ idempotency }, [key = ''], value) {
    idempotency.delete(key);
    set(idempotency, key, value);
  },
  assetStatuses: ({ statuses }, [asset], value) => set(statuses, asset, value),
  prices({ marks }, _, value) {
    if (value !== null) marks.push(value);
  },
  pricesMove: ({ rest }, _, value) => void Object.assign(rest.prices, { move: value }),
  subscriptions: ({ rest }, _, value) => void Object.assign(rest.webhooks, value),
  scenarios: ({ rest }, _, value) => void Object.assign(rest, { scenarios: value }),
  clock: ({ rest }, _, value) => void Object.assign(rest, { clock: value }),
};

const APPLY: Table<Apply> = new Map(Object.entries(CHANGES));

/** Sets an item of a table; `null` removes it. */
function set<Value>(table: Table<Value>, name = '', value: unknown = null): void {
  if (value === null) table.delete(name);
  else table.set(name, value as Value);
}

function setRecord(
  records: Table<Table>,
  { kind, id }: { readonly kind: string; readonly id: string },
  value: unknown,
): void {
  const table = records.get(kind) ?? new Map<string, unknown>();
  records.set(kind, table);
  if (value === null) {
    table.delete(id);
    return;
  }
  const { record, newest } = value as { readonly record: unknown; readonly newest: boolean };
  if (newest) table.delete(id);
  table.set(id, record);
}

function of<Value>(table: Table<Value>, name = ''): Value {
  const found = table.get(name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

function draftOf(saved: SavedState): Draft {
  const { accounts, records, books, keys, quotas, idempotency, assetStatuses, webhooks, prices, clock, tasks } = saved;
  return {
    rest: { ...saved, prices: { ...prices }, webhooks: { ...webhooks } },
    accounts: new Map(accounts.map((account) => [account.id, accountDraft(account)])),
    records: recordTables(records),
    books: new Map(Object.entries(books).map(([name, sums]) => [name, new Map(sums)])),
    keys: new Map(keys.map((key) => [key.apiKey, keyOf(key)])),
    quotas: new Map(quotas),
    idempotency: new Map(idempotency),
    statuses: new Map(assetStatuses),
    deliveries: new Map(webhooks.deliveries.map((delivery) => [delivery.id, delivery])),
    tasks: new Map(
      clock.agenda.map(({ at, task }, index) => {
        const number = tasks[index] ?? 0;
        return [String(number), { number, at, task }];
      }),
    ),
    marks: [...prices.marks],
  };
}

function accountDraft({ holdings, records }: WrittenAccount) {
  return { holdings: new Map(holdings.map((holding) => [holding.asset, holding])), records: recordTables(records) };
}

const recordTables = (records: SavedRecords): Table<Table> =>
  new Map(Object.entries(records).map(([kind, entries]) => [kind, new Map(entries)]));

const keyOf = (saved: SavedKey): ApiKey => ApiKey.restored(saved, (nonces) => nonces);

function written(draft: Draft): SavedState {
  const { rest } = draft;
  const agenda = [...draft.tasks.values()].sort((a, b) => a.at - b.at || a.number - b.number);
  const accounts = Array.from(draft.accounts, ([id, { holdings, records }]) => {
    return { id, holdings: [...holdings.values()], records: recordLists(records) };
  });
  return {
    ...rest,
    accounts,
    records: recordLists(draft.records),
    books: Object.fromEntries(Array.from(draft.books, ([name, sums]) => [name, [...sums]])),
    keys: Array.from(draft.keys.values(), (key) => key.save()),
    quotas: [...draft.quotas],
    idempotency: [...draft.idempotency],
    assetStatuses: [...draft.statuses],
    clock: { ...rest.clock, agenda: agenda.map(({ at, task }) => ({ at, task })) },
    tasks: agenda.map(({ number }) => number),
    prices: { ...rest.prices, marks: draft.marks },
    webhooks: { ...rest.webhooks, deliveries: [...draft.deliveries.values()] },
  } as unknown as SavedState;
}

function recordLists(records: Table<Table>): SavedRecords {
  const kept = [...records].filter(([, table]) => table.size > 0);
  return Object.fromEntries(kept.map(([kind, table]) => [kind, [...table]]));
}
