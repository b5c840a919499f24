import * as z from 'zod/mini';
import type { Decimal } from '../../../schema/decimal.js';
import { type Asset, assetKey } from '../../core/market/catalogue.js';
import { NOTHING } from '../../core/money/ledger.js';
import { keep } from '../../core/mutations.js';
import type { RecordKind } from '../../core/records/records.js';
import { amountText, decimalText, knownAsset, milliseconds } from '../../core/records/saved-values.js';
import type { AccountState, State } from '../../core/records/state.js';

/** One side of a movement: the asset, its amounts as text, and the account's balance afterwards. */
export interface EntrySide {
  /** For example `crypto:BTC`. */
  readonly asset: string;
  /** Amount without the fee. */
  readonly sub_total: string;
  readonly fee: string;
  /** Amount that left the account, or was received. */
  readonly total: string;
  /** The account's balance of the asset after the movement. */
  readonly balance: string;
  /** Cost or proceeds of the total in US dollars. */
  readonly value_usd: string;
}

/** A movement of an account's money, or a failed order, which moves nothing. */
export interface LedgerEntry {
  /** Unique among all accounts. */
  readonly id: string;
  /** Position among the account's entries: the oldest is 1. */
  readonly sequence: number;
  /** In ms since the epoch. */
  readonly at: number;
  /** For example `simple_order`, `deposit`, `withdrawal`, `transfer`. */
  readonly type: string;
  readonly status: 'completed' | 'failed';
  /** Id of the quote, deposit, withdrawal, … that caused it. */
  readonly reference: string;
  readonly spend?: EntrySide | undefined;
  readonly receive?: EntrySide | undefined;
}

/** Maximum number kept per account. Times before them show the balances of the oldest. */
const MAX_ENTRIES = 100_000;

/** Entries of one account, oldest first. */
export const entries: RecordKind<LedgerEntry> = {
  name: 'entries',
  limit: MAX_ENTRIES,
  schema: () => {
    const side = z.object({
      asset: knownAsset,
      sub_total: amountText,
      fee: amountText,
      total: amountText,
      balance: amountText,
      value_usd: decimalText,
    });
    return z.object({
      id: z.string(),
      sequence: z.int(),
      at: milliseconds,
      type: z.string(),
      status: z.enum(['completed', 'failed']),
      reference: z.string(),
      spend: z.optional(side),
      receive: z.optional(side),
    });
  },
};

/** One side of a new movement. */
interface Moved {
  readonly asset: Asset;
  /** Amount that left the account, or was received. */
  readonly total: Decimal;
  /** Fee: included in a spent total, not included in a received total. Default: none. */
  readonly fee?: Decimal | undefined;
  /** Cost or proceeds in US dollars, as posted. Default: the market value without the fee. */
  readonly valueUsd?: Decimal | undefined;
}

/** A new movement. */
export interface Movement extends Pick<LedgerEntry, 'type' | 'reference'> {
  /** Default `completed`. A failed movement has the amount 0, since nothing moved. */
  readonly status?: LedgerEntry['status'];
  readonly spend?: Moved | undefined;
  readonly receive?: Moved | undefined;
}

/** Adds an entry for a movement that has been posted. Its balances are those after the movement. */
export function noteEntry(state: State, account: AccountState, movement: Movement): LedgerEntry {
  const { type, reference, status = 'completed', spend, receive } = movement;
  const sequence = (account.records.of(entries).newest()?.sequence ?? 0) + 1;
  const sideOf = (moved: Moved, direction: -1 | 1) =>
    written(account, status === 'failed' ? { asset: moved.asset, total: NOTHING } : moved, direction);
  const entry: LedgerEntry = {
    id: `${account.id}-${sequence}`,
    sequence,
    at: state.clock.now(),
    type,
    status,
    reference,
    ...(spend === undefined ? {} : { spend: sideOf(spend, -1) }),
    ...(receive === undefined ? {} : { receive: sideOf(receive, 1) }),
  };
  keep(state, entries, account, entry.id, entry);
  return entry;
}

export function noteFailure(
  state: State,
  account: AccountState,
  { from, to, ...failure }: Pick<Movement, 'type' | 'reference'> & { readonly from: Asset; readonly to: Asset },
): void {
  const [spend, receive] = [from, to].map((asset) => ({ asset, total: NOTHING }));
  noteEntry(state, account, { ...failure, status: 'failed', spend, receive });
}

/** @param direction -1: the fee is a part of the total. 1: the fee was subtracted before. */
function written({ holdings }: AccountState, moved: Moved, direction: -1 | 1): EntrySide {
  const { asset, total, fee = NOTHING, valueUsd = asset.usd.times(direction < 0 ? total.minus(fee) : total) } = moved;
  return {
    asset: assetKey(asset),
    sub_total: (direction < 0 ? total.minus(fee) : total.plus(fee)).toFixed(),
    fee: fee.toFixed(),
    total: total.toFixed(),
    balance: holdings.total(asset).toFixed(),
    value_usd: valueUsd.toFixed(),
  };
}
