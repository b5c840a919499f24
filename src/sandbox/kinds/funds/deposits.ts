import * as z from 'zod/mini';
import type { Decimal } from '../../../schema/decimal.js';
import { timestamp } from '../../core/clock/clock.js';
import type { Found, Kind, Moves, SampleSource } from '../../core/kind/kind.js';
import { type Asset, assetRef, type WireAssetRef } from '../../core/market/catalogue.js';
import { NOTHING, type Sum } from '../../core/money/ledger.js';
import { Money, written } from '../../core/money/money.js';
import { dropStep, scheduleStep } from '../../core/moves.js';
import { move, post, put } from '../../core/mutations.js';
import type { AccountState, State } from '../../core/records/state.js';
import { takeFromLimit } from '../limits.js';
import { noteEntry } from '../shared/entries.js';
import { depositAddressChoices, depositAddresses, depositAddressOperations } from './deposit-addresses.js';
import {
  announce,
  type Funding,
  fundingMembers,
  fundsSequences,
  isOfSandbox,
  madeUp,
  moneyOf,
  nextSequence,
  shownMoney,
} from './fundings.js';
import { depositFee, type Method } from './terms.js';

/** Time in ms until the network has confirmed a deposit, and from then until it is credited. */
const CONFIRMING_MS = 30_000;
const CREDITING_MS = 30_000;

const STATUSES = ['pending', 'received', 'credited'] as const;

interface DepositRecord extends Funding {
  readonly status: (typeof STATUSES)[number];
  readonly method_id?: string | undefined;
  /** Absent for money that arrived without a deposit address. */
  readonly address?: string | undefined;
}

const DEPOSIT_STEPS = ['deposit.receive', 'deposit.credit'] as const;

/** A deposit as events show it. */
export interface SandboxDeposit {
  readonly ref_id: string;
  readonly account: string;
  readonly status: string;
  readonly method_id: string;
  /** Absent for money that arrived without a deposit address. */
  readonly address?: string;
  /** The money that arrived, before the fee. */
  readonly asset: WireAssetRef & { readonly amount: string };
  readonly fee: string;
  readonly created_at: string;
}

/** Money that has arrived for an account, by `ref_id`, oldest first. */
export const deposits: Kind<DepositRecord> = {
  name: 'deposits',
  noun: 'deposit',
  owner: 'account',
  scope: 'funds',
  schema: () =>
    z
      .object({
        ...fundingMembers,
        status: z.enum(STATUSES),
        method_id: z.optional(z.string()),
        address: z.optional(z.string()),
      })
      .check(isOfSandbox()),
  more: [depositAddresses],
  moreOfPartner: [fundsSequences],
  shown: ({ ref_id, ...deposit }) => ({ ref_id, type: 'deposit', ...deposit }),
  returned: (deposit, state, account) => shownDeposit(state, account, deposit),
  stateOf: ({ status }) => status,
  inState: (deposit, status) => ({ ...deposit, status: status as DepositRecord['status'] }),
  initial: ['pending'],
  steps: {
    'deposit.receive': {
      from: ['pending'],
      to: 'received',
      effect: (id) => `Deposit ${id} is received.`,
      run(state, found) {
        const record = move(state, deposits, found, 'received');
        announce(state, shownDeposit(state, found.account, record), 'deposit.status_updated');
        scheduleStep(state, 'deposit.credit', found, CREDITING_MS);
      },
    },
    'deposit.credit': {
      from: ['received'],
      to: 'credited',
      effect: (id) => `Deposit ${id} is credited.`,
      run: finish,
    },
  },
  idName: 'refId',
  moves: {
    receive: { from: ['pending'], steps: ['deposit.receive'] },
    credit: { from: ['pending', 'received'], steps: DEPOSIT_STEPS },
  } satisfies Moves<'receive' | 'credit', DepositRecord>,
  transitions: [{ from: 'pending', to: 'credited' }],
  operations: depositAddressOperations,
  choices: depositAddressChoices,
  events: {
    'deposit.status_updated': (source) => sample(source, 'received'),
    'deposit.completed': (source) => sample(source, 'credited'),
  },
};

interface ArrivedMoney {
  readonly asset: Asset;
  /** Text of the amount as the caller wrote it. */
  readonly amount: string;
  /** Absent for money that arrived at an inbound. */
  readonly method?: Method;
}

/** Credits money at once without a fee, and counts it against the limits of its method. */
export function creditAtOnce(state: State, account: AccountState, arrived: Required<ArrivedMoney>): void {
  const record = credit(state, begin(state, account, arrived, NOTHING));
  announce(state, shownDeposit(state, account, record), 'deposit.completed');
}

/** Credits money of an inbound, without limits and fee. `reference` is the id of its purpose. */
export function creditInbound(state: State, account: AccountState, { asset, amount }: Sum, reference: string): void {
  const { ref_id } = credit(state, begin(state, account, { asset, amount: amount.toFixed() }, NOTHING));
  state.events.emit('deposit.completed', {
    ref_id,
    account: account.id,
    reference,
    asset: { ...assetRef(asset), amount: amount.toFixed() },
    created_at: timestamp(state.clock.now()),
  });
}

/** Adds a `pending` deposit at an address. It counts against the limits of its method at once. */
export function arriveAt(
  state: State,
  account: AccountState,
  arrived: Required<ArrivedMoney>,
  address: string,
): SandboxDeposit {
  const fee = depositFee(arrived.method, arrived.asset, new Money(arrived.amount));
  const found = begin(state, account, arrived, fee, address);
  const shown = shownDeposit(state, account, found.record);
  announce(state, shown, 'deposit.status_updated');
  scheduleStep(state, 'deposit.receive', found, CONFIRMING_MS);
  return shown;
}

/** Adds a `pending` deposit. An open one that the limit drops for it ends at once. */
function begin(
  state: State,
  account: AccountState,
  { asset, amount, method }: ArrivedMoney,
  fee: Decimal,
  address?: string,
): Found<DepositRecord> {
  if (method !== undefined) takeFromLimit(state, account, method.limit.method_id, new Money(amount));
  const record: DepositRecord = {
    ref_id: state.random.uuid(),
    sequence: nextSequence(state),
    at: state.clock.now(),
    symbol: asset.symbol,
    asset_type: asset.type,
    amount,
    fee: written(fee, asset.places),
    status: 'pending',
    ...(method === undefined ? {} : { method_id: method.limit.method_id }),
    ...(address === undefined ? {} : { address }),
  };
  const found = { account, id: record.ref_id, record };
  for (const dropped of put(state, deposits, found)) endDropped(state, account, dropped);
  return found;
}

/** `pending | received → credited`. The account gets the amount less the fee. */
function credit(state: State, found: Found<DepositRecord>): DepositRecord {
  const { account, id: reference } = found;
  const { outside, fees } = state.books;
  const { asset, amount, fee } = moneyOf(state, found.record);
  const total = amount.minus(fee);
  post(state, { asset, amount: total }, outside, account.holdings, reference);
  post(state, { asset, amount: fee }, outside, fees, reference);
  const record = move(state, deposits, found, 'credited');
  noteEntry(state, account, { type: 'deposit', reference, receive: { asset, total, fee } });
  return record;
}

/** Credits a deposit, and sends the events of its status and of its end. */
function finish(state: State, found: Found<DepositRecord>): void {
  const shown = shownDeposit(state, found.account, credit(state, found));
  announce(state, shown, 'deposit.status_updated', 'deposit.completed');
}

function endDropped(state: State, account: AccountState, record: DepositRecord): void {
  if (record.status === 'credited') return;
  for (const step of DEPOSIT_STEPS) dropStep(state, step, record.ref_id);
  finish(state, { account, id: record.ref_id, record });
}

function shownDeposit(state: State, { id }: AccountState, deposit: DepositRecord): SandboxDeposit {
  const { ref_id, status, method_id = '', address, at } = deposit;
  return {
    ref_id,
    account: id,
    status,
    method_id,
    ...(address === undefined ? {} : { address }),
    ...shownMoney(state, deposit),
    created_at: timestamp(at),
  };
}

function sample({ state, account, random, now }: SampleSource, status: DepositRecord['status']): object {
  const [method = ''] = state.payoutMethods.keys();
  const made = madeUp(state.catalogue.get('BTC', 'crypto'), random.uuid(), state.clock.now(), status);
  return { ...shownDeposit(state, account, { ...made, method_id: method }), updated_at: now };
}
