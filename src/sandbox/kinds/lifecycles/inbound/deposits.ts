import * as z from 'zod/mini';
import {
  createExpectedDeposit,
  type ExpectedDeposit,
  type ExpectedDepositCreateBody,
} from '../../../../resources/accounts/deposits.js';
import type { Inbound } from '../../../../resources/accounts/inbound.js';
import type { Wire } from '../../../../schema/types.js';
import { DAY_MS, timestamp } from '../../../core/clock/clock.js';
import type { StepTask } from '../../../core/clock/task.js';
import { assetRef } from '../../../core/market/catalogue.js';
import { Money } from '../../../core/money/money.js';
import { ALPHABETS } from '../../../core/random.js';
import { findRecord } from '../../../core/records/find-record.js';
import type { RecordKind } from '../../../core/records/records.js';
import { answered, assetSide } from '../../../core/records/saved-values.js';
import type { AccountState, State } from '../../../core/records/state.js';
import { positive } from '../../shared/amounts.js';
import { credit, openInbound } from './inbounds.js';

/** Time from the arrival of the money to its credit. */
const CREDITING_MS = 30_000;
/** A deposit that has not arrived by then is `expired`. */
const EXPIRY_MS = 7 * DAY_MS;
const EXPIRY_STEP = 'expected_deposit.expire';

/** An expected deposit in the service's form, with the members that the sandbox always writes. */
type WireDeposit = Wire<Omit<ExpectedDeposit, 'status' | 'asset' | 'inbound'>> & {
  status: string;
  /** The expected asset; once it has arrived, the arrived one. */
  readonly asset: { readonly symbol: string; readonly type: string; readonly name: string; amount: string };
  readonly inbound: Wire<Inbound>;
};

/** Expected deposits of one account, oldest first. */
export const expectedDeposits: RecordKind<WireDeposit> = {
  name: 'expectedDeposits',
  schema: () =>
    answered<WireDeposit>(
      createExpectedDeposit,
      ['data'],
      z.looseObject({
        status: z.enum(['pending', 'received', 'credited', 'expired']),
        ...{ asset: assetSide, inbound: z.looseObject({ id: z.string() }) },
      }),
    ),
};

export function expectDeposit(
  state: State,
  account: AccountState,
  { asset: wanted, via }: Wire<ExpectedDepositCreateBody>,
): WireDeposit {
  const asset = state.catalogue.named(wanted.symbol, wanted.type, 'asset.symbol');
  positive(wanted.amount, 'asset.amount');
  const deposit: WireDeposit = {
    ...{ id: state.random.uuid(), status: 'pending', account: account.id },
    asset: { ...assetRef(asset), amount: wanted.amount },
    reference: state.random.text(10, ALPHABETS.upper),
    inbound: openInbound(state, { asset, via, lifecycle: 'single_use', field: 'via' }),
    created_at: timestamp(state.clock.now()),
  };
  for (const forgotten of account.records.of(expectedDeposits).set(deposit.id, deposit)) {
    if (forgotten.status === 'received') finish(state, account, forgotten);
  }
  plan(state, account, deposit, EXPIRY_STEP, EXPIRY_MS);
  return deposit;
}

/** `pending → received`. `amount`: what has arrived. */
export function receiveDeposit(state: State, account: AccountState, deposit: WireDeposit, amount: string): void {
  state.clock.drop((task) => task.kind === 'step' && task.step === EXPIRY_STEP && task.id === deposit.id);
  deposit.asset.amount = amount;
  change(state, deposit, 'received');
  plan(state, account, deposit, 'expected_deposit.credit', CREDITING_MS);
}

/** `received → credited`. */
export function creditDeposit(state: State, step: StepTask): void {
  const { account, record } = findRecord(state, expectedDeposits, step.id) ?? {};
  if (account !== undefined && record?.status === 'received') finish(state, account, record);
}

/** `pending → expired`. */
export function expireDeposit(state: State, step: StepTask): void {
  const { record } = findRecord(state, expectedDeposits, step.id) ?? {};
  if (record?.status === 'pending') change(state, record, 'expired');
}

function finish(state: State, account: AccountState, deposit: WireDeposit): void {
  const { symbol, type, amount } = deposit.asset;
  change(state, deposit, 'credited');
  const asset = state.catalogue.get(symbol, type);
  credit(state, account, { asset, amount: new Money(amount), reference: deposit.id });
}

function change(state: State, deposit: WireDeposit, status: string): void {
  deposit.status = status;
  state.events.emit('deposit.status_updated', deposit);
}

function plan(state: State, account: AccountState, { id }: WireDeposit, step: string, ms: number): void {
  state.clock.plan(state.clock.now() + ms, { kind: 'step', step, id, account: account.id });
}
