import * as z from 'zod/mini';
import type { EventKind } from '../../core/basics/events.js';
import { timestamp } from '../../core/clock/clock.js';
import { type Asset, assetKey, assetRef } from '../../core/market/catalogue.js';
import { Money } from '../../core/money/money.js';
import { keep } from '../../core/mutations.js';
import type { RecordKind } from '../../core/records/records.js';
import { amountText, knownAsset } from '../../core/records/saved-values.js';
import type { State } from '../../core/records/state.js';

/* Common parts of deposits and withdrawals: both are entries of the funds ledger. */

/** An entry of the funds ledger. */
export interface Funding {
  readonly ref_id: string;
  /** Position in the ledger of all accounts: a newer entry has a higher one. */
  readonly sequence: number;
  /** In ms since the epoch. */
  readonly at: number;
  readonly symbol: string;
  readonly asset_type: string;
  /** The amount that arrived from outside, or leaves. */
  readonly amount: string;
  /** Fee: subtracted from a deposit, added to a withdrawal. */
  readonly fee: string;
  readonly status: string;
}

export const assetMembers = { symbol: z.string(), asset_type: z.string() };

/** Members of a saved entry without its status. */
export const fundingMembers = {
  ref_id: z.string(),
  sequence: z.int(),
  at: z.number(),
  ...assetMembers,
  amount: amountText,
  fee: amountText,
};

/** Rule for saved members: they must name an asset that the sandbox has. */
export const isOfSandbox = <T extends { symbol: string; asset_type: string }>() =>
  z.refine<T>(
    ({ symbol, asset_type: type }) => z.safeParse(knownAsset, assetKey({ symbol, type })).success,
    'is not of an asset of the sandbox',
  );

/** The highest sequence issued so far. */
export const fundsSequences: RecordKind<{ readonly last: number }> = {
  name: 'fundsSequences',
  schema: () => z.object({ last: z.int().check(z.nonnegative()) }),
};

/** Returns a sequence above all earlier ones, even after a restart. */
export function nextSequence(state: State): number {
  const last = (state.records.of(fundsSequences).get('')?.last ?? 0) + 1;
  keep(state, fundsSequences, undefined, '', { last });
  return last;
}

export function moneyOf({ catalogue }: State, { symbol, asset_type, amount, fee }: Funding) {
  return { asset: catalogue.get(symbol, asset_type), amount: new Money(amount), fee: new Money(fee) };
}

export function shownMoney({ catalogue }: State, { symbol, asset_type, amount, fee }: Funding) {
  return { asset: { ...assetRef(catalogue.get(symbol, asset_type)), amount }, fee };
}

/** Sends events about an entry, as it is shown now. */
export function announce(state: State, shown: object, ...kinds: readonly EventKind[]): void {
  const payload = { ...shown, updated_at: timestamp(state.clock.now()) };
  for (const kind of kinds) state.events.emit(kind, payload);
}

/** Returns a sample entry, in Bitcoin. */
export function madeUp<Status extends string>(
  bitcoin: Asset,
  ref_id: string,
  at: number,
  status: Status,
): Funding & { readonly status: Status } {
  const { symbol, type: asset_type } = bitcoin;
  return { ref_id, sequence: 1, at, symbol, asset_type, amount: '0.05', fee: '0.0001', status };
}
