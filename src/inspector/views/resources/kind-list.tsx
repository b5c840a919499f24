import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { ResourceKindInfo } from '../../../sandbox/drive/look/kinds.js';
import type { SandboxResource } from '../../../sandbox/drive/look/resources.js';
import { Forms } from '../../parts/forms/method-form.js';
import { useReading } from '../../parts/hooks.js';
import { hrefOf } from '../../parts/links/route.js';
import { useSandboxNow } from '../../parts/sandbox-now.js';
import { type Column, Table } from '../../parts/table.js';
import { Ago } from '../../parts/values/ago.js';
import { spanOf } from '../../parts/values/format.js';
import { KIND_FORMS } from './forms.js';
import { brief, labelOf, memberOf, toneOf } from './values.js';

/** Rows of the table. Older ones are a click away. */
const PAGE_ROWS = 100;

interface KindListProps {
  readonly info: ResourceKindInfo;
  /** The id of the one that is open. */
  readonly selected: string | undefined;
  readonly account: string;
  readonly status: string;
  readonly text: string;
}

/** The resources of a kind, newest first. */
export function KindList({ info, selected, account, status, text }: KindListProps) {
  const { kind, states } = info;
  const [after, setAfter] = useState<string>();
  useLayoutEffect(() => setAfter(undefined), [account, text, status]);
  const query = { accountId: account, status, q: text, after, limit: String(PAGE_ROWS) };
  const wanted = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const path = `resources/${kind}?${new URLSearchParams(wanted)}`;
  const { data: rows, problem, again } = useReading<readonly SandboxResource[]>(path);
  const now = useSandboxNow();
  const isDue = now !== undefined && (rows ?? []).some(({ next }) => next !== undefined && next.at <= now);
  useEffect(() => {
    if (isDue) again();
  }, [isDue, now, again]);
  const last = rows?.at(-1);
  return (
    <>
      <Forms key={account} specs={KIND_FORMS[kind]?.(account === '' ? {} : { account }) ?? []} onDone={again} />
      {problem !== undefined && <p class="note">{problem}</p>}
      {rows === undefined ? (
        <p class="empty">Loading …</p>
      ) : (
        <Table
          caption={labelOf(kind)}
          columns={columnsOf(kind, states !== undefined, now)}
          rows={rows}
          keyOf={({ id }) => id}
          isMarked={({ id }) => id === selected}
          empty={wanted.length > 1 ? 'Nothing matches the filters.' : `There are none yet. ${wayTo(kind)}`}
        />
      )}
      <p class="bar">
        {after !== undefined && (
          <button type="button" onClick={() => setAfter(undefined)}>
            Newest
          </button>
        )}
        {rows?.length === PAGE_ROWS && last !== undefined && (
          <button type="button" onClick={() => setAfter(last.id)}>
            Older
          </button>
        )}
      </p>
    </>
  );
}

const wayTo = (kind: string): string =>
  KIND_FORMS[kind] === undefined ? 'Create one by the API: see Try it.' : 'Create one above, or by the API.';

function columnsOf(kind: string, hasStates: boolean, now: number | undefined): Column<SandboxResource>[] {
  return [
    {
      title: 'id',
      cell: ({ id }) => (
        <a class="id" href={hrefOf('resources', kind, id)} title={id}>
          {id}
        </a>
      ),
    },
    ...(hasStates
      ? [
          {
            title: 'state',
            cell: ({ status = '' }: SandboxResource) => <span class={`badge tone-${toneOf(status)}`}>{status}</span>,
          },
          {
            title: 'next step',
            isMinor: true,
            cell: ({ next }: SandboxResource) =>
              next === undefined || now === undefined ? '–' : `in ${spanOf(Math.max(0, next.at - now))}`,
          },
        ]
      : []),
    ...(COLUMNS[kind] ?? []).map((column, index) => {
      const [path = '', title = path] = column.split(' ');
      return {
        title: title.replaceAll('_', ' '),
        isMinor: index > 0,
        cell: ({ record }: SandboxResource) => <Brief value={memberOf(record, path)} now={now} />,
      };
    }),
    ...(kind === 'users' || kind === 'accounts' || kind === 'assets' || kind === 'webhooks'
      ? []
      : [{ title: 'account', isMinor: true, cell: accountCell }]),
  ];
}

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** A value in a few words. A moment is relative; its tooltip has the exact time. */
function Brief({ value, now }: { readonly value: unknown; readonly now: number | undefined }) {
  const text = brief(value);
  if (!MOMENT.test(text)) return <>{text}</>;
  return <Ago at={Date.parse(text)} now={now} />;
}

function accountCell({ account, user }: SandboxResource) {
  if (account !== undefined) return <a href={hrefOf('resources', 'accounts', account)}>{account}</a>;
  return user === undefined ? '–' : <a href={hrefOf('resources', 'users', user)}>{user}</a>;
}

/**
 * The members of a record that its table shows, by kind: the path, and a title if it is another. A
 * narrow table has the first alone.
 */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  users: ['external_reference', 'type', 'accounts', 'created_at'],
  verifications: ['types', 'method', 'updated_at'],
  accounts: ['name', 'external_reference'],
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
  withdrawalAddresses: ['key', 'asset', 'address', 'tag', 'memo'],
  earn: ['earns'],
  limits: [
    'maximum_amount',
    'period_limits.0.period period',
    'period_limits.0.remaining remaining',
    'period_limits.0.maximum maximum',
  ],
  assets: [
    'name',
    'usd',
    'status.swap_trading.enabled swaps',
    'status.withdraw.enabled withdrawals',
    'status.deposit.enabled deposits',
  ],
  webhooks: ['url', 'events', 'created_at'],
};
