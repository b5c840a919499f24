import type { Decimal } from '../../../schema/decimal.js';
import { assetKey } from '../../core/market/catalogue.js';
import { NOTHING } from '../../core/money/ledger.js';
import type { AccountState } from '../../core/records/state.js';
import { type EntrySide, entries } from '../shared/entries.js';

/** Balances of an account at a time, after everything that happened until then. */
export interface PastBalances {
  /** In ms since the epoch. */
  readonly at: number;
  /** By asset, for example `crypto:BTC`. */
  readonly totals: ReadonlyMap<string, Decimal>;
  /** Cost of later receipts less the proceeds of later payments, by asset. */
  readonly laterCostsUsd: ReadonlyMap<string, Decimal>;
}

/**
 * Computes the balances at past times from the current holdings and the entries since then.
 *
 * @param moments Times in ascending order.
 */
export function pastBalances({ holdings, records }: AccountState, moments: readonly number[]): PastBalances[] {
  const totals = new Map(holdings.list().map(({ asset, total }) => [assetKey(asset), total]));
  const laterCostsUsd = new Map<string, Decimal>();
  const undo = ({ asset, total, value_usd }: EntrySide, sign: 1 | -1): void => {
    totals.set(asset, (totals.get(asset) ?? NOTHING).minus(NOTHING.plus(total).times(sign)));
    laterCostsUsd.set(asset, (laterCostsUsd.get(asset) ?? NOTHING).plus(NOTHING.plus(value_usd).times(sign)));
  };
  const rest = [...records.of(entries).values()];
  const past = moments.toReversed().map((at) => {
    for (let entry = rest.at(-1); entry !== undefined && entry.at > at; entry = rest.at(-1)) {
      if (entry.receive !== undefined) undo(entry.receive, 1);
      if (entry.spend !== undefined) undo(entry.spend, -1);
      rest.pop();
    }
    return { at, totals: new Map(totals), laterCostsUsd: new Map(laterCostsUsd) };
  });
  return past.reverse();
}
