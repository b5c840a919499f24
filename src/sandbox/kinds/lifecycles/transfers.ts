import * as z from 'zod/mini';
import type { Transfer, TransferCreateBody, TransferRecipient } from '../../../resources/accounts/transfers.js';
import { type cancelTransfer, getTransfer } from '../../../resources/transfers.js';
import type { Wire } from '../../../schema/types.js';
import { timestamp } from '../../core/clock/clock.js';
import type { StepTask } from '../../core/clock/task.js';
import { post } from '../../core/door.js';
import { type Asset, assetRef, type WireAssetRef } from '../../core/market/catalogue.js';
import type { Sum } from '../../core/money/ledger.js';
import { Money } from '../../core/money/money.js';
import { type FoundRecord, findRecord } from '../../core/records/find-record.js';
import type { RecordKind } from '../../core/records/records.js';
import { answered, assetSide } from '../../core/records/saved-values.js';
import type { AccountState, State } from '../../core/records/state.js';
import { badRequest, conflict, notFound } from '../../core/request/refusal.js';
import { noteEntry } from '../shared/entries.js';
import { positive } from './inbound/inbounds.js';

/** Time in `pending`, in which a transfer can be cancelled, and in `processing`. */
const PENDING_MS = 5_000;
const PROCESSING_MS = 10_000;

/** A transfer in the service's form, with the members that the sandbox writes. */
type WireTransfer = Omit<Wire<Transfer>, 'status'> & {
  readonly id: string;
  status: string;
  readonly from: { readonly account: string; readonly asset: WireAssetRef & { readonly amount: string } };
  readonly to: Wire<TransferRecipient>;
  updated_at: string;
};

export interface TransferRecord {
  readonly transfer: WireTransfer;
  /** Its place among the account's transfers: the oldest is 1. */
  readonly sequence: number;
  /** The reason for which it will fail. */
  fails?: string | undefined;
}

const isUnderWay = (status: string): boolean => status === 'pending' || status === 'processing';

/** The transfers that an account sends, oldest first. */
export const transfers: RecordKind<TransferRecord> = {
  name: 'transfers',
  schema: () =>
    z.object({
      transfer: answered<WireTransfer>(
        getTransfer,
        ['data'],
        z.looseObject({
          status: z.enum(['pending', 'processing', 'completed', 'failed', 'cancelled']),
          from: z.looseObject({ asset: assetSide }),
          to: z.looseObject({}),
        }),
      ),
      ...{ sequence: z.int(), fails: z.optional(z.string()) },
    }),
  holds: ({ transfer: { status, from } }) => (isUnderWay(status) ? [from.asset] : []),
};

/** Sends money: `pending`. The account holds it until it is sent. */
export function createTransfer(state: State, account: AccountState, body: Wire<TransferCreateBody>): WireTransfer {
  const { asset, amount } = sumOf(state, body.from);
  checkRecipient(state, account, body.to);
  const sum = { asset, amount: positive(amount, 'from.asset.amount') };
  if (!account.holdings.hold(sum)) {
    throw badRequest({ field: 'from.asset.amount', message: 'is more than is available' });
  }
  const now = timestamp(state.clock.now());
  const transfer: WireTransfer = {
    ...{ id: state.random.uuid(), status: 'pending', to: { ...body.to } },
    from: { account: account.id, asset: { ...assetRef(asset), amount } },
    ...{ created_at: now, updated_at: now },
  };
  const kept = account.records.of(transfers);
  const record = { transfer, sequence: (kept.newest()?.sequence ?? 0) + 1 };
  // A forgotten one that is under way ends at once.
  for (const forgotten of kept.set(transfer.id, record)) finish(state, account, forgotten);
  plan(state, account, record, 'transfer.process', PENDING_MS);
  return transfer;
}

/**
 * Returns the asset and the amount of a request. A type that is not given is the first with the
 * symbol.
 */
function sumOf({ catalogue }: State, from: Wire<TransferCreateBody>['from']): { asset: Asset; amount: string } {
  const { symbol, type, amount } = from?.asset ?? {};
  if (symbol === undefined) throw badRequest({ field: 'from.asset.symbol', message: 'is needed' });
  if (amount === undefined) throw badRequest({ field: 'from.asset.amount', message: 'is needed' });
  const first = type ?? catalogue.assets.find((asset) => asset.symbol === symbol)?.type ?? 'fiat';
  return { asset: catalogue.named(symbol, first, 'from.asset.symbol'), amount };
}

function checkRecipient({ accounts }: State, { id }: AccountState, { account }: Wire<TransferRecipient>): void {
  if (account === undefined) return;
  if (account === id) throw badRequest({ field: 'to.account', message: 'is the account that sends' });
  if (!accounts.has(account)) throw badRequest({ field: 'to.account', message: 'is not an account of the partner' });
}

/** `pending → processing`. */
export function processTransfer(state: State, step: StepTask): void {
  const { account, record } = findRecord(state, transfers, step.id) ?? {};
  if (account === undefined || record?.transfer.status !== 'pending') return;
  change(state, record, 'processing');
  plan(state, account, record, 'transfer.finish', PROCESSING_MS);
}

/** `processing → completed | failed`. */
export function finishTransfer(state: State, step: StepTask): void {
  const { account, record } = findRecord(state, transfers, step.id) ?? {};
  if (account !== undefined && record !== undefined) finish(state, account, record);
}

/** `pending → cancelled`. */
export function cancel(state: State, { account, record }: FoundRecord<TransferRecord>): WireTransfer {
  const { status } = record.transfer;
  if (status !== 'pending') throw conflict('transfer_id', `is ${status}, only a pending transfer can be cancelled`);
  account.holdings.release(held(state, record));
  change(state, record, 'cancelled');
  return record.transfer;
}

/** Returns a transfer of any account, or throws 404. */
export function foundTransfer(
  state: State,
  id: string,
  operation: typeof getTransfer | typeof cancelTransfer,
): FoundRecord<TransferRecord> {
  const found = findRecord(state, transfers, id);
  if (found === undefined) throw notFound(operation);
  return found;
}

function finish(state: State, account: AccountState, record: TransferRecord): void {
  const { transfer, fails } = record;
  if (!isUnderWay(transfer.status)) return;
  const sum = held(state, record);
  account.holdings.release(sum);
  if (fails === undefined) {
    send(state, account, transfer, sum);
    change(state, record, 'completed');
    state.events.emit('transfer.completed', transfer);
  } else {
    Object.assign(transfer, { failure_reason: fails });
    change(state, record, 'failed');
    state.events.emit('transfer.failed', transfer);
  }
}

/** A recipient that is not an account of the partner is outside. */
function send(state: State, account: AccountState, { id: reference, to }: WireTransfer, sum: Sum): void {
  const recipient = to.account === undefined ? undefined : state.accounts.get(to.account);
  const moved = { asset: sum.asset, total: sum.amount };
  post(state, sum, account.holdings, recipient?.holdings ?? state.books.outside, reference);
  noteEntry(state, account, { type: 'transfer', reference, spend: moved });
  if (recipient !== undefined) noteEntry(state, recipient, { type: 'transfer', reference, receive: moved });
}

function held({ catalogue }: State, { transfer: { from } }: TransferRecord): Sum {
  return { asset: catalogue.get(from.asset.symbol, from.asset.type), amount: new Money(from.asset.amount) };
}

function change(state: State, { transfer }: TransferRecord, status: string): void {
  transfer.status = status;
  transfer.updated_at = timestamp(state.clock.now());
}

function plan(state: State, account: AccountState, { transfer }: TransferRecord, step: string, ms: number): void {
  state.clock.plan(state.clock.now() + ms, { kind: 'step', step, id: transfer.id, account: account.id });
}
