import type { Decimal } from '../../../schema/decimal.js';
import { assetKey } from '../../core/market/catalogue.js';
import { BOOK_NAMES } from '../../core/money/ledger.js';
import { Money } from '../../core/money/money.js';
import type { AccountState, State } from '../../core/records/state.js';
import { ACCOUNT_RECORDS } from './derived.js';

/** An open order that holds a part of a balance. */
export interface HoldingOrder {
  /** Kind of the order, as in `resources.list(kind)`. */
  readonly resource: string;
  readonly id: string;
  readonly amount: string;
}

/** A balance of an account. Amounts are exact decimal strings. */
export interface AccountHolding {
  /** For example `crypto:BTC`. */
  readonly asset: string;
  readonly total: string;
  readonly available: string;
  /** Total less the available amount. */
  readonly held: string;
  /** The orders that hold it. */
  readonly heldBy: readonly HoldingOrder[];
}

/** The sum of one asset in all accounts and books. */
export interface AssetSum {
  /** For example `crypto:BTC`. */
  readonly asset: string;
  readonly accounts: string;
  readonly books: string;
  /** Change of the sum since the state was set. If it is not `0`, money was created or lost. */
  readonly change: string;
}

/** Result of the ledger check. */
export interface BooksCheck {
  /** True if each `change` is 0, no balance is below 0, and open orders explain what is held. */
  readonly isBalanced: boolean;
  readonly assets: readonly AssetSum[];
  /** Accounts and assets whose total or available amount is below 0. */
  readonly negative: readonly { readonly account: string; readonly asset: string }[];
  /** Accounts and assets whose held amount differs from the amounts that open orders hold. */
  readonly unexplained: readonly { readonly account: string; readonly asset: string }[];
}

export type Totals = ReadonlyMap<string, Decimal>;

type Held = HoldingOrder & { readonly asset: string };

export function holdingsOf(account: AccountState): AccountHolding[] {
  const orders = ordersOf(account);
  return account.holdings.list().map(({ asset, total, held }) => {
    const key = assetKey(asset);
    return {
      asset: key,
      total: total.toFixed(),
      available: total.minus(held).toFixed(),
      held: held.toFixed(),
      heldBy: orders.filter((order) => order.asset === key).map(({ asset: _, ...order }) => order),
    };
  });
}

function ordersOf(account: AccountState): Held[] {
  const found: Held[] = [];
  for (const kind of ACCOUNT_RECORDS) {
    for (const [id, record] of account.records.of(kind).entries()) {
      const parts = kind.holds?.(record) ?? [];
      const [first] = parts;
      if (first === undefined) continue;
      // Both parts of a record are in one asset: an amount and its fee.
      const amount = parts.reduce((sum, part) => sum.plus(part.amount), new Money(0)).toFixed();
      found.push({ resource: kind.name, id, asset: assetKey(first), amount });
    }
  }
  return found;
}

/** Returns the sums that must never change. */
export function totalsOf({ accounts, books }: State): Totals {
  const totals = new Map<string, Decimal>();
  const add = (asset: string, amount: Decimal): void => {
    totals.set(asset, (totals.get(asset) ?? new Money(0)).plus(amount));
  };
  for (const { holdings } of accounts.values())
    for (const { asset, total } of holdings.list()) add(assetKey(asset), total);
  for (const name of BOOK_NAMES) for (const [asset, sum] of books[name].sums) add(asset, sum);
  return totals;
}

/** Checks the ledger against the sums at the start. */
export function checkBooks(state: State, first: Totals): BooksCheck {
  const now = totalsOf(state);
  const assets = [...new Set([...first.keys(), ...now.keys()])].sort().map((asset) => {
    const total = now.get(asset) ?? new Money(0);
    const books = BOOK_NAMES.reduce((sum, name) => sum.plus(state.books[name].sums.get(asset) ?? 0), new Money(0));
    const change = total.minus(first.get(asset) ?? 0);
    return { asset, accounts: total.minus(books).toFixed(), books: books.toFixed(), change: change.toFixed() };
  });
  const places = [...state.accounts.values()].flatMap((account) =>
    holdingsOf(account).map(({ asset, total, available, held, heldBy }) => {
      const rest = heldBy.reduce((sum, { amount }) => sum.minus(amount), new Money(held));
      return { account: account.id, asset, rest, isNegative: total.startsWith('-') || available.startsWith('-') };
    }),
  );
  const place = ({ account, asset }: (typeof places)[number]) => ({ account, asset });
  const negative = places.filter(({ isNegative }) => isNegative).map(place);
  const unexplained = places.filter(({ rest }) => !rest.isZero()).map(place);
  const isBalanced = assets.every(({ change }) => change === '0') && negative.length + unexplained.length === 0;
  return { isBalanced, assets, negative, unexplained };
}
