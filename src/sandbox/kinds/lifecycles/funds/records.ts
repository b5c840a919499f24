import * as z from 'zod/mini';
import type { StepTask } from '../../../core/clock/task.js';
import { assetKey } from '../../../core/market/catalogue.js';
import type { RecordKind } from '../../../core/records/records.js';
import { amountText, knownAsset } from '../../../core/records/saved-values.js';
import type { AccountState, State } from '../../../core/records/state.js';

/** A deposit or a withdrawal: a line of the ledger. */
export interface Funding {
  readonly ref_id: string;
  readonly type: 'deposit' | 'withdrawal';
  /** Its place in the ledger of all accounts: a newer one has a higher. */
  readonly sequence: number;
  /** In ms since the epoch. */
  readonly at: number;
  readonly symbol: string;
  readonly asset_type: string;
  /** The money that arrived from outside, or goes there. */
  readonly amount: string;
  /** Is taken from a deposit. A withdrawal costs it besides. */
  readonly fee: string;
  status: 'pending' | 'received' | 'credited' | 'sent' | 'completed' | 'failed';
  /** The withdrawal will fail. */
  fails: boolean;
  /** The method of a deposit. */
  readonly method_id?: string | undefined;
  /** Of the deposit, or the destination of the withdrawal. Absent for a bank transfer. */
  readonly address?: string | undefined;
  /** The name of the withdrawal's destination, when it began. */
  readonly key?: string | undefined;
}

/** Statuses that do not change any more. */
const ENDED: readonly string[] = ['credited', 'completed', 'failed'];
export const hasEnded = ({ status }: Funding): boolean => ENDED.includes(status);

const assetMembers = { symbol: z.string(), asset_type: z.string() };
const isOfSandbox = <T extends { symbol: string; asset_type: string }>() =>
  z.refine<T>(
    ({ symbol, asset_type: type }) => z.safeParse(knownAsset, assetKey({ symbol, type })).success,
    'is not of an asset of the sandbox',
  );

/** Deposits and withdrawals of one account, by `ref_id`, oldest first. */
export const fundings: RecordKind<Funding> = {
  name: 'fundings',
  schema: () =>
    z
      .object({
        ref_id: z.string(),
        type: z.enum(['deposit', 'withdrawal']),
        sequence: z.int(),
        at: z.number(),
        ...assetMembers,
        amount: amountText,
        fee: amountText,
        status: z.enum(['pending', 'received', 'credited', 'sent', 'completed', 'failed']),
        fails: z.boolean(),
        method_id: z.optional(z.string()),
        address: z.optional(z.string()),
        key: z.optional(z.string()),
      })
      .check(isOfSandbox()),
  holds: (funding) => {
    if (funding.type === 'deposit' || hasEnded(funding)) return [];
    const { symbol, asset_type: type, amount, fee } = funding;
    return [amount, fee].map((part) => ({ symbol, type, amount: part }));
  },
};

/** An address that takes deposits. */
export interface DepositAddressRecord {
  readonly sequence: number;
  readonly symbol: string;
  readonly asset_type: string;
  readonly method_id: string;
  readonly address: string;
  readonly tag: string | null;
  readonly memo: string | null;
  readonly expire_time: string | null;
}

/** Deposit addresses of one account, by address, oldest first. */
export const depositAddresses: RecordKind<DepositAddressRecord> = {
  name: 'depositAddresses',
  schema: () =>
    z
      .object({
        sequence: z.int(),
        ...assetMembers,
        method_id: z.string(),
        address: z.string(),
        tag: z.nullable(z.string()),
        memo: z.nullable(z.string()),
        expire_time: z.nullable(z.iso.datetime()),
      })
      .check(isOfSandbox()),
};

/** The highest sequence that was given out. */
export const sequences: RecordKind<{ readonly last: number }> = {
  name: 'fundsSequences',
  schema: () => z.object({ last: z.int().check(z.nonnegative()) }),
};

/** Returns a number above all earlier ones, also after a restart. */
export function nextSequence({ records }: State): number {
  const kept = records.of(sequences);
  const last = (kept.get('')?.last ?? 0) + 1;
  kept.set('', { last });
  return last;
}

/** Returns the deposit or withdrawal of a step, if both are still there. */
export function fundingOf(
  { accounts }: State,
  { account: id = '', id: refId }: StepTask,
): readonly [account: AccountState | undefined, funding: Funding | undefined] {
  const account = accounts.get(id);
  return [account, account?.records.of(fundings).get(refId)];
}

export function planStep(
  { clock }: State,
  { id: account }: AccountState,
  { ref_id: id }: Funding,
  step: string,
  ms: number,
): void {
  clock.plan(clock.now() + ms, { kind: 'step', step, id, account });
}
