import type { SandboxResource } from '../../../sandbox/drive/look/resources.js';
import type { AccountHolding } from '../../../sandbox/kinds/registry/books.js';
import { ownerOf } from '../../parts/links/holder.js';
import { hrefOf } from '../../parts/links/route.js';
import { type Column, Table } from '../../parts/table.js';
import { Amount } from '../../parts/values/amount.js';
import { grouped, placesIn } from '../../parts/values/decimal.js';

/** Accounts that are shown at most: the filter leads to the others. */
const MOST_ACCOUNTS = 20;

interface BalancesProps {
  readonly accounts: readonly SandboxResource[];
  /** For example `crypto:BTC`; all if it is empty. */
  readonly asset: string;
  /** US dollars of one unit, by assets like `crypto:BTC`. */
  readonly prices: ReadonlyMap<string, string>;
}

/** Accounts that are open at first: as many as a wide page shows side by side. */
const OPEN_ACCOUNTS = 2;

/** Balances of every account, each a table that folds. A balance leads to its story. */
export function Balances({ accounts, asset, prices }: BalancesProps) {
  const groups = accounts
    .map((account) => ({
      account,
      rows: (account.holdings ?? []).filter((one) => asset === '' || one.asset === asset),
    }))
    .filter(({ rows }) => rows.length > 0);
  if (groups.length === 0) return <p class="empty">No account holds this asset.</p>;
  const shown = groups.slice(0, MOST_ACCOUNTS);
  return (
    <div class="balances">
      {shown.map(({ account, rows }, index) => (
        <details key={account.id} class="account" open={index < OPEN_ACCOUNTS}>
          <summary>
            <b>{ownerOf(account)}</b> <span class="id">{account.id}</span>
            <span class="worth">{worthOf(rows, prices)}</span>
          </summary>
          <Holdings account={account.id} rows={rows} prices={prices} />
          <a class="way" href={hrefOf('resources', 'accounts', account.id)}>
            Account {account.id}
          </a>
        </details>
      ))}
      {groups.length > shown.length && (
        <p class="note">
          {shown.length} of {groups.length} accounts. Choose an account above to see another.
        </p>
      )}
    </div>
  );
}

/** Places of a value in US dollars. */
const CENTS = 2;

/** Undefined: the asset has no price. */
function usdOf({ asset, total }: AccountHolding, prices: BalancesProps['prices']): number | undefined {
  const price = prices.get(asset);
  return price === undefined ? undefined : Number(total) * Number(price);
}

const dollars = (value: number): string => grouped(value.toFixed(CENTS));

const valueText = (value: number | undefined): string => (value === undefined ? '–' : dollars(value));

function worthOf(rows: readonly AccountHolding[], prices: BalancesProps['prices']): string {
  if (prices.size === 0) return '';
  const sum = rows.reduce((before, row) => before + (usdOf(row, prices) ?? 0), 0);
  return `≈ ${dollars(sum)} USD`;
}

interface HoldingsProps extends Pick<BalancesProps, 'prices'> {
  readonly account: string;
  readonly rows: readonly AccountHolding[];
}

/** The balances of an account. */
function Holdings({ account, rows, prices }: HoldingsProps) {
  const places = placesIn(rows.flatMap(({ total, available }) => [total, available]));
  const columns: readonly Column<AccountHolding>[] = [
    { title: 'asset', cell: ({ asset }) => <AssetName asset={asset} /> },
    {
      title: 'total',
      isNumber: true,
      cell: ({ asset, total }) => (
        <a href={hrefOf('money', account, asset)} aria-label={`${grouped(total)} ${asset} of ${account}: every change`}>
          <Amount text={total} places={places} />
        </a>
      ),
    },
    {
      title: 'available',
      isNumber: true,
      isMinor: true,
      cell: ({ available }) => <Amount text={available} places={places} />,
    },
    { title: 'value in USD', isNumber: true, cell: (holding) => valueText(usdOf(holding, prices)) },
  ];
  const held: Column<AccountHolding> = { title: 'held', cell: (holding) => <HeldBy holding={holding} /> };
  return (
    <Table
      caption={`Balances of ${account}`}
      columns={rows.some((row) => row.held !== '0') ? [...columns, held] : columns}
      rows={rows}
      empty=""
      keyOf={({ asset }) => asset}
    />
  );
}

/** `crypto:BTC`; on a narrow page `BTC`. */
function AssetName({ asset }: { readonly asset: string }) {
  const end = asset.indexOf(':') + 1;
  return (
    <>
      <span class="type">{asset.slice(0, end)}</span>
      {asset.slice(end)}
    </>
  );
}

/** The amount that orders hold, and which. */
export function HeldBy({ holding: { held, heldBy } }: { readonly holding: AccountHolding }) {
  if (held === '0') return <>–</>;
  return (
    <>
      {grouped(held)}
      {heldBy.length > 0 && ' by '}
      {heldBy.slice(0, MOST_ORDERS).map(({ resource, id, amount }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <a href={hrefOf('resources', resource, id)}>
            {resource} {id.slice(0, 8)}
          </a>{' '}
          ({grouped(amount)})
        </span>
      ))}
      {heldBy.length > MOST_ORDERS && ` and ${heldBy.length - MOST_ORDERS} more`}
    </>
  );
}

/** Orders that are named. */
const MOST_ORDERS = 5;
