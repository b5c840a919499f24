import { all, atMoment, resourceId } from '../../core/kind/find.js';
import type { AnyKind, Owner } from '../../core/kind/kind.js';
import type { RecordKind } from '../../core/records/records.js';
import type { AccountState, State } from '../../core/records/state.js';
import { KINDS } from '../../kinds/index.js';
import { accountConversions } from '../../kinds/lifecycles/inbound/conversion-record.js';
import { expectedDeposits } from '../../kinds/lifecycles/inbound/deposits.js';
import { conversionRules } from '../../kinds/lifecycles/inbound/rules.js';
import type { WebhookHost } from '../../webhooks/host.js';

/** A resource as its kind finds it. */
export interface Found {
  readonly id: string;
  /** Undefined: it belongs to no account. */
  readonly account?: string | undefined;
  /** Undefined: the user of the account. */
  readonly user?: string | undefined;
  /** `''` for a kind without states. */
  readonly status: string;
  /** As the API or the sandbox shows it. */
  readonly record: unknown;
}

/** A map of records, of which the inspector learns what is set and deleted. */
export interface RecordMap<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): unknown;
  delete(key: string): unknown;
  entries(): Iterable<readonly [string, Value]>;
}

/** A member that has the state of a record. */
export interface StateMember {
  readonly owner: object;
  readonly name: string;
}

/** Resources of accounts that are in a map. */
export interface AccountKind {
  mapOf(account: AccountState): RecordMap<never>;
  /** The kind of a record: deposits and withdrawals share a map. */
  kindOf(record: never): string;
  /** The member that has the state. Undefined: the record is replaced as a whole. */
  member(record: never): StateMember | undefined;
  statusOf(record: never): string;
  shown(record: never): unknown;
}

interface Stateful {
  status: string;
}

/** A kind whose records have their state in an object that the API shows. */
function inMap<Value>(
  kind: string | ((record: Value) => string),
  mapOf: (account: AccountState) => RecordMap<Value>,
  holderOf: (record: Value) => Stateful,
): AccountKind {
  return {
    mapOf,
    kindOf: typeof kind === 'string' ? () => kind : kind,
    member: (record: Value) => ({ owner: holderOf(record), name: 'status' }),
    statusOf: (record: Value) => holderOf(record).status,
    shown: holderOf,
  } as unknown as AccountKind;
}

const inRecords = <Value>(kind: string, of: RecordKind<Value>, holderOf: (record: Value) => Stateful): AccountKind =>
  inMap(kind, ({ records }) => records.of(of), holderOf);

/** The kinds whose states change. */
export const ACCOUNT_KINDS: readonly AccountKind[] = [
  inMap(
    'onDemandConversions',
    ({ conversions }) => conversions,
    ({ conversion }) => conversion,
  ),
  inRecords('conversions', accountConversions, ({ conversion }) => conversion),
  inRecords('conversionRules', conversionRules, ({ rule }) => rule),
  inRecords('expectedDeposits', expectedDeposits, (deposit) => deposit),
];

type Finder = (host: WebhookHost) => Found[];

/** The kinds that are looked up in other ways. */
const OTHER_KINDS: Readonly<Record<string, Finder>> = {
  webhooks: ({ webhooks }) =>
    webhooks.subscriptions.list().map(({ subscription }) => ({
      ...{ id: subscription.id, status: subscription.disabled === true ? 'disabled' : 'enabled' },
      record: subscription,
    })),
};

/** Returns all resources of a kind as they are now, oldest first. */
export function resourcesOf(host: WebhookHost, kind: string): Found[] {
  const finder = OTHER_KINDS[kind];
  if (finder !== undefined) return finder(host);
  const defined = KINDS.find(({ name }) => name === kind);
  if (defined !== undefined) return foundOf(host.state, defined);
  return [...host.state.accounts.values()].flatMap((account) => [...foundIn(account, kind)]);
}

const foundOf = (state: State, kind: AnyKind): Found[] =>
  all(state, kind).map(({ account, id, record: kept }) => {
    const record = atMoment(kind, kept, state.clock.now());
    const status = kind.stateOf?.(record) ?? '';
    const of = { id: resourceId(kind, account, id), account: (account as Owner)?.id, user: kind.userId?.(record) };
    return { ...of, status, record: kind.shown(record, state, account) };
  });

/**
 * Returns how many resources of each kind there are. It builds none: limits are many.
 */
export function countsOf(host: WebhookHost): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (kind: string, count: number): Map<string, number> => counts.set(kind, (counts.get(kind) ?? 0) + count);
  for (const account of host.state.accounts.values()) {
    for (const of of ACCOUNT_KINDS) {
      for (const [, value] of of.mapOf(account).entries()) add(of.kindOf(value), 1);
    }
  }
  for (const kind of KINDS) counts.set(kind.name, all(host.state, kind).length);
  for (const [kind, finder] of Object.entries(OTHER_KINDS)) counts.set(kind, finder(host).length);
  return counts;
}

function* foundIn(account: AccountState, kind: string): Generator<Found> {
  for (const of of ACCOUNT_KINDS) {
    for (const [id, value] of of.mapOf(account).entries()) {
      if (of.kindOf(value) !== kind) continue;
      yield { id, account: account.id, status: of.statusOf(value), record: of.shown(value) };
    }
  }
}
