import type { ComponentChildren } from 'preact';
import { Forms } from '../../parts/forms/method-form.js';
import { useReading } from '../../parts/hooks.js';
import { useHolders } from '../../parts/links/holder.js';
import { List, Row } from '../../parts/list.js';
import { ReadingState } from '../../parts/pane.js';
import { useSandboxNow } from '../../parts/sandbox-now.js';
import { Ago, spanOf } from '../../parts/values/times.js';
import { addressed, hrefHere, step } from '../../wire/address.js';
import type { ResourceKindInfo, SandboxResource } from '../../wire/sandbox.js';
import { KIND_FORMS } from './forms.js';
import { State, useDue } from './states.js';
import { brief, labelOf, memberOf } from './values.js';

/** Rows at first, and that each click adds. */
const PAGE_ROWS = 100;

const most = addressed('most', String(PAGE_ROWS));

interface KindListProps {
  readonly info: ResourceKindInfo;
  /** The id of the one that is open. */
  readonly selected: string | undefined;
  /** An empty text sets no limit. */
  readonly filter: Readonly<Record<'accountId' | 'status' | 'q', string>>;
}

/** The resources of a kind, newest first. */
export function KindList({ info, selected, filter }: KindListProps) {
  const { kind } = info;
  const wanted = Object.entries(filter).filter(([, value]) => value !== '');
  const query = new URLSearchParams([...wanted, ['limit', most.value]]);
  const reading = useReading<readonly SandboxResource[]>(`resources/${kind}?${query}`);
  const { data: rows = [], again } = reading;
  const now = useSandboxNow();
  const columns = useColumns(info, now);
  useDue(rows, now, again);
  return (
    <>
      <div class="kind-forms">
        <Forms specs={KIND_FORMS[kind] ?? []} onDone={again} />
      </div>
      <ReadingState reading={reading} />
      {reading.data?.length === 0 && (
        <p class="empty">
          {wanted.length > 0 ? 'Nothing matches the filters.' : 'There are none yet. See Try a call.'}
        </p>
      )}
      {rows.length > 0 && (
        <div class="row resource" aria-hidden="true">
          <Cells of={columns.map(([title]) => title)} />
        </div>
      )}
      <List
        items={rows}
        label={`${labelOf(kind)}, newest first`}
        keyOf={({ id }) => id}
        selected={selected}
        onStep={({ id }) => step(kind, id)}
        row={(one, state) => (
          <Row key={one.id} href={hrefHere(kind, one.id)} look="resource" {...state}>
            <Cells of={columns.map(([, cellOf]) => cellOf(one))} />
          </Row>
        )}
      />
      {rows.length === Number(most.value) && (
        <p class="bar">
          <button type="button" onClick={() => most.set(String(rows.length + PAGE_ROWS))}>
            Show older
          </button>
        </p>
      )}
    </>
  );
}

type Column = readonly [title: string, cellOf: (one: SandboxResource) => ComponentChildren];

function useColumns({ kind, states }: ResourceKindInfo, now: number | undefined): readonly Column[] {
  const holders = useHolders();
  const members = (COLUMNS[kind] ?? []).map((column): Column => {
    const [path = '', title = path] = column.split(' ');
    return [title.replaceAll('_', ' '), ({ record }) => <Value value={memberOf(record, path)} now={now} />];
  });
  const all: readonly (Column | false)[] = [
    // The account that an id begins with has a column of its own.
    ['id', ({ id, account }) => <code title={id}>{id.replace(`${account}:`, '')}</code>],
    states !== undefined && ['state', ({ status = '' }) => <State of={status} />],
    ...members,
    states !== undefined && ['next step', ({ next }) => next && now && `in ${spanOf(Math.max(0, next.at - now))}`],
    !WITHOUT_HOLDER.includes(kind) && ['holder', ({ account = '' }) => holders.get(account)],
  ];
  return all.filter((one) => one !== false);
}

/** Kinds that belong to no account. */
const WITHOUT_HOLDER: readonly string[] = ['users', 'assets', 'webhooks'];

/** The cells of a row. Where there is little room, the first three are left. */
function Cells({ of }: { readonly of: readonly ComponentChildren[] }) {
  return of.map((cell, index) => (
    <span key={index} class={index < 3 ? '' : 'minor'}>
      {cell}
    </span>
  ));
}

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** A value in a few words. A moment is relative; its tooltip has the exact time. */
function Value({ value, now }: { readonly value: unknown; readonly now: number | undefined }) {
  const text = brief(value);
  return MOMENT.test(text) ? <Ago at={Date.parse(text)} now={now} /> : text;
}

/** The members of a record that its list shows, by kind: the path, and a title if it is another. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  users: ['external_reference', 'type', 'accounts.length accounts', 'created_at'],
  verifications: ['types', 'method', 'updated_at'],
  quotes: ['from', 'to', 'rate.price price', 'expires_at'],
  onchainQuotes: ['from', 'to', 'expires_at'],
  priceTriggerSwaps: ['trade.from from', 'trade.to to', 'when.drops_to drops_to', 'when.rises_to rises_to'],
  onDemandConversions: ['from', 'to', 'created_at'],
  conversions: ['from.asset from', 'to.asset to', 'inbound.via via', 'created_at'],
  conversionRules: ['from.asset from', 'to.asset to', 'current_uses', 'created_at'],
  deposits: ['amount', 'symbol', 'fee', 'address'],
  expectedDeposits: ['asset', 'reference', 'inbound.via via', 'created_at'],
  withdrawals: ['amount', 'symbol', 'fee', 'key', 'address'],
  transfers: ['from.asset from', 'to', 'created_at'],
  wallets: ['via', 'address', 'created_at'],
  bankLinks: ['institution.name institution', 'account_links.length accounts', 'linked_at'],
  withdrawalAddresses: ['asset', 'address', 'tag', 'memo'],
  earn: ['earns'],
  limits: ['maximum_amount', ...['period', 'remaining', 'maximum'].map((name) => `period_limits.0.${name} ${name}`)],
  assets: ['name', 'usd', ...['swap_trading', 'withdraw', 'deposit'].map((name) => `status.${name}.enabled ${name}`)],
  webhooks: ['url', 'events', 'created_at'],
};
