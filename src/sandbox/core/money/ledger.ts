import { Decimal } from '../../../schema/decimal.js';
import { type Asset, assetKey } from '../market/catalogue.js';
import { Money } from './money.js';

export interface Sum {
  readonly asset: Asset;
  readonly amount: Decimal;
  /** Cost or proceeds in US dollars, as the deal defines them. Default: the market value. */
  readonly valueUsd?: Decimal | undefined;
}

export const NOTHING: Decimal = new Money(0);

const NO_PROFIT = new Decimal(0);

/**
 * Returns the buyer's cost in US dollars, fee included. Undefined for a source asset with a profit
 * of its own: the fee lowers that profit and must not count twice.
 */
export function costUsd(source: Asset, paid: Decimal): Decimal | undefined {
  return source.type === 'fiat' ? paid.times(source.usd) : undefined;
}

/** A party that pays or receives. Only `post` moves money between parties. */
export interface Party {
  /** Id of an account, or name of a book. */
  readonly name: string;
  total(asset: Asset): Decimal;
  pay(sum: Sum): void;
  receive(sum: Sum): void;
}

/** Amounts that one counterparty received since the sandbox's start, by asset. */
export class Book implements Party {
  readonly name: string;
  readonly sums: Map<string, Decimal>;

  constructor(name: string, sums: Iterable<readonly [string, Decimal]> = []) {
    this.name = name;
    this.sums = new Map(sums);
  }

  total(asset: Asset): Decimal {
    return this.sums.get(assetKey(asset)) ?? NOTHING;
  }

  pay({ asset, amount }: Sum): void {
    this.receive({ asset, amount: amount.neg() });
  }

  receive({ asset, amount }: Sum): void {
    this.sums.set(assetKey(asset), this.total(asset).plus(amount));
  }

  toJSON(): Record<string, string> {
    return Object.fromEntries(Array.from(this.sums, ([asset, sum]) => [asset, sum.toFixed()]));
  }
}

/** `exchange` is the counterparty of swaps, `fees` of fees, `outside` of deposits and payouts. */
export const BOOK_NAMES = ['exchange', 'fees', 'outside'] as const;
export type BookName = (typeof BOOK_NAMES)[number];
export type Books = Readonly<Record<BookName, Book>>;

export const emptyBooks = (): Books => ({
  exchange: new Book('exchange'),
  fees: new Book('fees'),
  outside: new Book('outside'),
});

export interface Holding {
  readonly asset: Asset;
  readonly total: Decimal;
  /** The part of the total that open orders hold. */
  readonly held: Decimal;
  /** Average cost of one unit in US dollars. Meaningless for fiat. */
  readonly entryUsd: Decimal;
  readonly realizedUsd: Decimal;
}

function emptyHolding(asset: Asset): Holding {
  return { asset, total: NOTHING, held: NOTHING, entryUsd: asset.usd, realizedUsd: NO_PROFIT };
}

/** Significant digits of an average price. It is not an amount of money, so it may be rounded. */
const ENTRY_DIGITS = 30;

/** The holdings of one account, in the order in which it received the assets. */
export class Holdings implements Party {
  readonly name: string;
  readonly #byAsset: Map<string, Holding>;

  /** `name`: the id of the account. */
  constructor(name: string, holdings: Iterable<Holding>) {
    this.name = name;
    this.#byAsset = new Map(Array.from(holdings, (holding) => [assetKey(holding.asset), exact(holding)]));
  }

  list(): Holding[] {
    return [...this.#byAsset.values()];
  }

  total(asset: Asset): Decimal {
    return this.#of(asset).total;
  }

  available(asset: Asset): Decimal {
    const { total, held } = this.#of(asset);
    return total.minus(held);
  }

  /** Holds an amount for an order. Returns false, and holds nothing, if less is available. */
  hold({ asset, amount }: Sum): boolean {
    if (this.available(asset).lt(amount)) return false;
    const holding = this.#of(asset);
    this.#set({ ...holding, held: holding.held.plus(amount) });
    return true;
  }

  release({ asset, amount }: Sum): void {
    const holding = this.#of(asset);
    this.#set({ ...holding, held: holding.held.minus(amount) });
  }

  pay({ asset, amount, valueUsd = asset.usd.times(amount) }: Sum): void {
    const holding = this.#of(asset);
    const profit = valueUsd.minus(holding.entryUsd.times(amount));
    this.#set({
      ...holding,
      total: holding.total.minus(amount),
      realizedUsd: holding.realizedUsd.plus(profit).toSignificantDigits(ENTRY_DIGITS),
    });
  }

  receive({ asset, amount, valueUsd = asset.usd.times(amount) }: Sum): void {
    const holding = this.#of(asset);
    const total = holding.total.plus(amount);
    const cost = holding.entryUsd.times(holding.total).plus(valueUsd);
    const entryUsd = total.isZero() ? asset.usd : cost.div(total).toSignificantDigits(ENTRY_DIGITS);
    this.#set({ ...holding, total, entryUsd });
  }

  #of(asset: Asset): Holding {
    return this.#byAsset.get(assetKey(asset)) ?? emptyHolding(asset);
  }

  #set(holding: Holding): void {
    this.#byAsset.set(assetKey(holding.asset), holding);
  }
}

/** An account's holding of an asset, in the form in which it is saved. */
export interface SavedHolding {
  /** For example `crypto:BTC`. */
  readonly asset: string;
  readonly total: string;
  readonly held: string;
  readonly entryUsd: string;
  readonly realizedUsd: string;
}

export const savedHolding = ({ asset, total, held, entryUsd, realizedUsd }: Holding): SavedHolding => ({
  asset: assetKey(asset),
  total: total.toFixed(),
  held: held.toFixed(),
  entryUsd: entryUsd.toFixed(),
  realizedUsd: realizedUsd.toFixed(),
});

/** Keeps all digits of amounts, and 30 of averages and profits. */
function exact({ asset, total, held, entryUsd, realizedUsd }: Holding): Holding {
  const sums = { total: new Money(total), held: new Money(held) };
  return { asset, ...sums, entryUsd: new Decimal(entryUsd), realizedUsd: new Decimal(realizedUsd) };
}
