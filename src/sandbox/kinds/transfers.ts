import * as z from 'zod/mini';
import {
  cancelTransfer,
  createTransfer,
  getTransfer,
  listTransfers,
  type Transfer,
  type TransferCreateBody,
  type TransferListParams,
  type TransferRecipient,
} from '../../resources/transfers.js';
import type { Wire } from '../../schema/types.js';
import { text } from '../core/basics/checked.js';
import { timestamp } from '../core/clock/clock.js';
import { newest, recordsOf } from '../core/kind/find.js';
import type { Found, Kind, Moves, SampleSource } from '../core/kind/kind.js';
import { statesOf } from '../core/kind/states.js';
import { type Asset, assetRef, type WireAssetRef } from '../core/market/catalogue.js';
import type { Sum } from '../core/money/ledger.js';
import { Money } from '../core/money/money.js';
import { scheduleStep } from '../core/moves.js';
import { change, move, post, put } from '../core/mutations.js';
import { outcomesOf, slow, toMade } from '../core/outcomes.js';
import { handleCreation, handleNamed, listNewest, showNamed } from '../core/reading.js';
import { answered, assetSide } from '../core/records/saved-values.js';
import type { AccountState, State } from '../core/records/state.js';
import { badRequest, conflict } from '../core/request/refusal.js';
import { positive } from './shared/amounts.js';
import { noteEntry } from './shared/entries.js';

/** Time in ms for which a transfer is `pending` and can be cancelled, and then `processing`. */
const PENDING_MS = 5_000;
const PROCESSING_MS = 10_000;

const DEFAULT_REASON = 'rejected';

/** A transfer as the service shows it, with all members that the sandbox sets. */
type WireTransfer = Omit<Wire<Transfer>, 'status'> & {
  readonly id: string;
  readonly status: string;
  readonly from: { readonly account: string; readonly asset: WireAssetRef & { readonly amount: string } };
  readonly to: Wire<TransferRecipient>;
};

interface TransferRecord {
  readonly transfer: WireTransfer;
  /** Position among the account's transfers: the oldest is 1. */
  readonly sequence: number;
  /** Reason if it will fail. */
  readonly fails?: string | undefined;
}

/** `sandbox.transfers`: moves transfers to their next state. */
export interface SandboxTransfers {
  /** Starts to process a pending transfer now: `processing`. Completion is scheduled as usual. */
  process(transferId: string): Wire<Transfer>;
  /** Finishes an open transfer now: `completed`, or `failed` after `fail`. */
  complete(transferId: string): Wire<Transfer>;
  /**
   * Makes a transfer that is `pending` or `processing` end in `failed`.
   *
   * @param reason Its `failure_reason`. Default `rejected`.
   */
  fail(transferId: string, reason?: string): void;
}

/** The transfers that an account sends, oldest first. */
export const transfers: Kind<TransferRecord> = {
  name: 'transfers',
  noun: 'transfer',
  owner: 'account',
  scope: 'funds',
  schema: () =>
    z.object({
      transfer: answered<WireTransfer>(getTransfer, ['data'], {
        status: z.enum(statesOf(transfers)),
        from: z.looseObject({ asset: assetSide }),
        to: z.looseObject({}),
      }),
      sequence: z.int(),
      fails: z.optional(z.string()),
    }),
  shown: ({ transfer }) => transfer,
  stateOf: ({ transfer }) => transfer.status,
  inState: (record, status, now) => ({
    ...record,
    transfer: { ...record.transfer, status, updated_at: timestamp(now) },
  }),
  holds: ({ transfer: { status, from } }) => (isUnderWay(status) ? [from.asset] : []),
  initial: ['pending'],
  steps: {
    'transfer.process': {
      from: ['pending'],
      to: 'processing',
      effect: (id) => `Transfer ${id} is processed.`,
      run(state, found) {
        move(state, transfers, found, 'processing');
        scheduleStep(state, 'transfer.finish', found, PROCESSING_MS);
      },
    },
    'transfer.finish': {
      from: ['processing'],
      to: 'completed',
      after: { fail: 'failed' },
      effect: (id) => `Transfer ${id} is completed, or fails.`,
      run: finish,
    },
  },
  idName: 'transferId',
  moves: {
    process: { from: ['pending'], steps: ['transfer.process'] },
    complete: { from: ['pending', 'processing'], steps: ['transfer.process', 'transfer.finish'] },
    fail: {
      from: ['pending', 'processing'],
      takes: { reason: z.optional(text) },
      run: (state, found, reason: string | undefined) => willFail(state, found, reason),
    },
  } satisfies Moves<keyof SandboxTransfers, TransferRecord>,
  transitions: [{ from: 'pending', to: 'cancelled', by: cancelTransfer.name }],
  operations: [
    handleCreation<Wire<TransferCreateBody>>(createTransfer, create),
    listNewest<TransferListParams, TransferRecord>(listTransfers, () => transfers),
    showNamed(getTransfer, () => transfers),
    handleNamed(
      cancelTransfer,
      () => transfers,
      (state, found) => ({ data: cancel(state, found) }),
    ),
  ],
  outcomes: [
    outcomesOf(createTransfer, 'id', {
      failed: {
        summary: 'The transfer fails with `reason`, by default `rejected`.',
        takes: ['reason'],
        apply: toMade(() => transfers, willFail),
      },
      slow: slow('The transfer is processed', 'transfer.process'),
    }),
  ],
  choices: {
    [createTransfer.name]: [
      'Requires `symbol` and `amount` in `from.asset`. Without a `type`, it uses the first asset with the symbol.',
      "Keeps a transfer `pending` for 5 s and `processing` for 10 s. A `tag` or an `email` is a recipient outside the partner's accounts.",
    ],
    [listTransfers.name]: 'Lists the transfers that the account has sent, newest first, and ignores filters.',
    [cancelTransfer.name]: 'Returns the transfer, or answers 409 if it is not `pending`.',
  },
  events: {
    'transfer.completed': (source) => sample(source, { status: 'completed' }),
    'transfer.failed': (source) => sample(source, { status: 'failed', failure_reason: 'rejected_by_recipient' }),
  },
};

/** Creates a transfer as `pending`. The account holds the amount until it is sent. */
function create(state: State, account: AccountState, body: Wire<TransferCreateBody>): WireTransfer {
  const { asset, amount } = sumOf(state, body.from);
  checkRecipient(state, account, body.to);
  const sum = { asset, amount: positive(amount, 'from.asset.amount') };
  if (!account.holdings.hold(sum)) {
    throw badRequest({ field: 'from.asset.amount', message: 'is more than is available' });
  }
  const now = timestamp(state.clock.now());
  const transfer: WireTransfer = {
    id: state.random.uuid(),
    status: 'pending',
    to: { ...body.to },
    from: { account: account.id, asset: { ...assetRef(asset), amount } },
    created_at: now,
    updated_at: now,
  };
  const sequence = (recordsOf(state, transfers, account).newest()?.sequence ?? 0) + 1;
  const found = { account, id: transfer.id, record: { transfer, sequence } };
  for (const dropped of put(state, transfers, found)) endDropped(state, account, dropped);
  scheduleStep(state, 'transfer.process', found, PENDING_MS);
  return transfer;
}

/** Without a type, the symbol means the first asset that has it. */
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

/** `pending → cancelled`. */
function cancel(state: State, found: Found<TransferRecord>): WireTransfer {
  const { status } = found.record.transfer;
  if (status !== 'pending') throw conflict('transfer_id', `is ${status}, only a pending transfer can be cancelled`);
  found.account.holdings.release(held(state, found.record));
  return move(state, transfers, found, 'cancelled').transfer;
}

function willFail(state: State, found: Found<TransferRecord>, reason: string = DEFAULT_REASON): void {
  change(state, transfers, found, { ...found.record, fails: reason });
}

const isUnderWay = (status: string): boolean => status === 'pending' || status === 'processing';

/** `processing → completed | failed`. Moves the money, unless the transfer fails. */
function finish(state: State, found: Found<TransferRecord>): void {
  const { account, record } = found;
  const { fails, transfer } = record;
  account.holdings.release(held(state, record));
  if (fails === undefined) {
    send(state, account, record);
    state.events.emit('transfer.completed', move(state, transfers, found, 'completed').transfer);
  } else {
    const failed = { ...found, record: { ...record, transfer: { ...transfer, failure_reason: fails } } };
    state.events.emit('transfer.failed', move(state, transfers, failed, 'failed').transfer);
  }
}

/** Ends a transfer that was dropped because of the limit while it was open. */
function endDropped(state: State, account: AccountState, record: TransferRecord): void {
  if (isUnderWay(record.transfer.status)) finish(state, { account, id: record.transfer.id, record });
}

/** A recipient that is not an account of the partner is outside the ledger. */
function send(state: State, account: AccountState, record: TransferRecord): void {
  const { id: reference, to } = record.transfer;
  const sum = held(state, record);
  const recipient = to.account === undefined ? undefined : state.accounts.get(to.account);
  const moved = { asset: sum.asset, total: sum.amount };
  post(state, sum, account.holdings, recipient?.holdings ?? state.books.outside, reference);
  noteEntry(state, account, { type: 'transfer', reference, spend: moved });
  if (recipient !== undefined) noteEntry(state, recipient, { type: 'transfer', reference, receive: moved });
}

function held({ catalogue }: State, { transfer: { from } }: TransferRecord): Sum {
  return { asset: catalogue.get(from.asset.symbol, from.asset.type), amount: new Money(from.asset.amount) };
}

function sample({ state, account, random, now }: SampleSource, end: object): object {
  const dollar = state.catalogue.get('USD', 'fiat');
  const made = {
    id: random.uuid(),
    from: { account: account.id, asset: { ...assetRef(dollar), amount: '100.00' } },
    to: { tag: 'supplier' },
    created_at: now,
    updated_at: now,
  };
  return { ...made, ...newest(state, transfers)?.transfer, ...end };
}
