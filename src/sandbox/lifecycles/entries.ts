import * as z from 'zod/mini';
import type { Decimal } from '../../schema/decimal.js';
import { type Asset, assetKey } from '../state/catalogue.js';
import { NOTHING } from '../state/ledger.js';
import type { RecordKind } from '../state/records.js';
import type { AccountState, State } from '../state/state.js';

/** One side of a movement: the asset, its amounts as text, and what the account has afterwards. */
interface EntrySide {
  /** For example `crypto:BTC`. */
  readonly asset: string;
  /** Without the fee. */
  readonly sub_total: string;
  readonly fee: string;
  /** What left the account, or came to it. */
  readonly total: string;
  /** The account's holding of the asset after the movement. */
  readonly balance: string;
}

/** A movement of an account's money, or a failed order. All movements since the seed are kept. */
export interface LedgerEntry {
  readonly id: string;
  /** In ms since the epoch. */
  readonly at: number;
  /** For example `simple_order`, `deposit`, `withdrawal`, `transfer`. */
  readonly type: string;
  readonly status: 'completed' | 'failed';
  /** The id of what caused it: a quote, deposit, withdrawal, … */
  readonly reference: string;
  readonly spend?: EntrySide | undefined;
  readonly receive?: EntrySide | undefined;
}

const side = z.object({
  asset: z.string(),
  sub_total: z.string(),
  fee: z.string(),
  total: z.string(),
  balance: z.string(),
});

/** Entries of one account, oldest first. */
export const entries: RecordKind<LedgerEntry> = {
  name: 'entries',
  schema: () =>
    z.object({
      id: z.string(),
      at: z.number(),
      type: z.string(),
      status: z.enum(['completed', 'failed']),
      reference: z.string(),
      spend: z.optional(side),
      receive: z.optional(side),
    }),
};

/** One side of a movement to note. */
interface Moved {
  readonly asset: Asset;
  /** What left the account, or came to it. */
  readonly total: Decimal;
  /** The part of a spent total that is a fee; beside a received total. Default: none. */
  readonly fee?: Decimal | undefined;
}

interface Movement extends Pick<LedgerEntry, 'type' | 'reference'> {
  /** Default `completed`. */
  readonly status?: LedgerEntry['status'];
  readonly spend?: Moved | undefined;
  readonly receive?: Moved | undefined;
}

/** Notes a movement, after `transfer` has made it: the balances are those of now. */
export function noteEntry(state: State, account: AccountState, movement: Movement): LedgerEntry {
  const { type, reference, status = 'completed', spend, receive } = movement;
  const entry: LedgerEntry = {
    ...{ id: nextId(account), at: state.clock.now(), type, status, reference },
    ...(spend === undefined ? {} : { spend: written(account, spend, spend.total.minus(spend.fee ?? NOTHING)) }),
    ...(receive === undefined
      ? {}
      : { receive: written(account, receive, receive.total.plus(receive.fee ?? NOTHING)) }),
  };
  account.records.of(entries).set(entry.id, entry);
  return entry;
}

/** Rises with each entry of the account, also after a restart. */
function nextId(account: AccountState): string {
  const last = [...account.records.of(entries).entries()].at(-1)?.[0] ?? 'le_0';
  return `le_${Number(last.slice(3)) + 1}`;
}

function written({ holdings }: AccountState, { asset, total, fee = NOTHING }: Moved, subTotal: Decimal): EntrySide {
  return {
    asset: assetKey(asset),
    sub_total: subTotal.toFixed(),
    fee: fee.toFixed(),
    total: total.toFixed(),
    balance: holdings.total(asset).toFixed(),
  };
}
