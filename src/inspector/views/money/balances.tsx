import { useRef } from 'preact/hooks';
import { useReading } from '../../parts/hooks.js';
import { ownerOf } from '../../parts/links/holder.js';
import { Verdict } from '../../parts/marks.js';
import { type Column, Table } from '../../parts/table.js';
import { Amount, grouped, placesIn } from '../../parts/values/amounts.js';
import { hrefHere, hrefOf } from '../../wire/address.js';
import type { AccountHolding, BooksCheck, SandboxResource } from '../../wire/sandbox.js';

/** Amounts that are drawn at most: the search leads to the other accounts. */
const MOST_CELLS = 500;

interface BalancesProps {
  readonly accounts: readonly SandboxResource[];
  /** For example `crypto:BTC`, a column each. */
  readonly assets: readonly string[];
  /** The account of which a balance is open. */
  readonly opened: string;
}

/** The balances of all accounts, a row each. A balance leads to how it came to be. */
export function Balances({ accounts, assets, opened }: BalancesProps) {
  const { data: check } = useReading<BooksCheck>('books/check');
  const holders = accounts.filter(({ holdings }) => holdings?.some(({ asset }) => assets.includes(asset)));
  const shown = holders.slice(0, Math.ceil(MOST_CELLS / Math.max(1, assets.length)));
  const name: Column<SandboxResource> = {
    title: 'account',
    cell: (one) => (
      <a href={hrefOf('resources', 'accounts', one.id)} title={one.id}>
        {ownerOf(one)}
      </a>
    ),
  };
  return (
    <div class="rows balances">
      {check !== undefined && <BooksVerdict check={check} />}
      <Table
        caption="Available, by account and asset"
        columns={[name, ...assets.map((asset) => columnOf(asset, shown))]}
        rows={shown}
        empty="No account fits the search."
        keyOf={({ id }) => id}
        isMarked={({ id }) => id === opened}
      />
      {shown.length < holders.length && (
        <p class="empty">
          {shown.length} of {holders.length} accounts. Search for another by its holder or id.
        </p>
      )}
    </div>
  );
}

const placeOf = ({ account, asset }: BooksCheck['negative'][number]): string => `${asset} of ${account}`;

/** Says whether money was made or lost. */
function BooksVerdict({ check: { isBalanced, assets, negative, unexplained } }: { readonly check: BooksCheck }) {
  const changed = assets.filter(({ change }) => change !== '0').map(({ asset, change }) => `${asset} by ${change}`);
  if (isBalanced)
    return (
      <Verdict tone="good" title="The books balance">
        Every posting has two sides, so the sum of each of the {assets.length} assets has not changed.
      </Verdict>
    );
  return (
    <Verdict tone="bad" title="The books do not balance">
      {changed.length > 0 && `Changed: ${changed.join(', ')}. `}
      {negative.length > 0 && `Below 0: ${negative.map(placeOf).join(', ')}. `}
      {unexplained.length > 0 && `Held by no order: ${unexplained.map(placeOf).join(', ')}.`}
    </Verdict>
  );
}

/** `BTC` of `crypto:BTC`. */
export const symbolOf = (asset: string): string => asset.slice(asset.indexOf(':') + 1);

const holdingOf = ({ holdings }: SandboxResource, asset: string): AccountHolding | undefined =>
  holdings?.find((one) => one.asset === asset);

function columnOf(asset: string, accounts: readonly SandboxResource[]): Column<SandboxResource> {
  const places = placesIn(accounts.map((one) => holdingOf(one, asset)?.available ?? ''));
  return {
    title: <span title={asset}>{symbolOf(asset)}</span>,
    isNumber: true,
    cell(one) {
      const holding = holdingOf(one, asset);
      if (holding === undefined) return null;
      const name = `${grouped(holding.available)} ${asset} of ${ownerOf(one)}`;
      return (
        <>
          <a key={asset} href={hrefHere(one.id, asset)} aria-label={name}>
            <ChangingAmount text={holding.available} places={places} />
          </a>
          {holding.held !== '0' && (
            <p class="soft">
              + <Held holding={holding} />
            </p>
          )}
        </>
      );
    },
  };
}

/** An amount that lights up for a moment when it changes. */
function ChangingAmount({ text, places }: Parameters<typeof Amount>[0]) {
  const last = useRef({ text, changes: 0 });
  if (last.current.text !== text) last.current = { text, changes: last.current.changes + 1 };
  const { changes } = last.current;
  // A new element begins the animation again.
  return (
    <span key={changes} class={changes > 0 ? 'is-changed' : undefined}>
      <Amount text={text} places={places} />
    </span>
  );
}

/** Orders that are named. */
const MOST_ORDERS = 3;

/** The amount that orders hold, and which orders. */
export function Held({ holding: { held, heldBy } }: { readonly holding: AccountHolding }) {
  return (
    <>
      {grouped(held)} held
      {heldBy.slice(0, MOST_ORDERS).map(({ resource, id }, index) => (
        <span key={id}>
          {index === 0 ? ' by ' : ', '}
          <a href={hrefOf('resources', resource, id)}>
            {resource} {id.slice(0, 8)}
          </a>
        </span>
      ))}
      {heldBy.length > MOST_ORDERS && ` and ${heldBy.length - MOST_ORDERS} more`}
    </>
  );
}
