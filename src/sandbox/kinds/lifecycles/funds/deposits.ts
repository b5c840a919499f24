import type { Decimal } from '../../../../schema/decimal.js';
import { DAY_MS, timestamp } from '../../../core/clock/clock.js';
import type { StepTask } from '../../../core/clock/task.js';
import type { Asset } from '../../../core/market/catalogue.js';
import { Money, written } from '../../../core/money/money.js';
import type { AccountState, State } from '../../../core/records/state.js';
import { NETWORKS, type NetworkId } from '../../shared/addresses/networks.js';
import { takeFromLimit } from './deposit-limits.js';
import { type DepositAddressRecord, depositAddresses, type Funding, nextSequence, planStep } from './records.js';
import { announce, keepFunding, moveOn, moveToEnd, type SandboxDeposit, settle, shownDeposit } from './settle.js';
import { depositFee, type Method } from './terms.js';

/**
 * Time until a deposit has the confirmations that the network needs, and from there until it is
 * credited.
 */
const CONFIRMING_MS = 30_000;
const CREDITING_MS = 30_000;

interface Arrival {
  readonly asset: Asset;
  /** As the caller wrote it. */
  readonly amount: string;
  readonly method: Method;
}

/** Money that came to an inbound has no method. */
type AnyArrival = Omit<Arrival, 'method'> & Partial<Pick<Arrival, 'method'>>;

/** Returns the address of a method that still takes deposits, or makes one. */
export function addressFor(
  state: State,
  account: AccountState,
  asset: Asset,
  method: Method & { readonly network: NetworkId },
): { readonly record: DepositAddressRecord; readonly isNew: boolean } {
  const present = liveAddresses(state, account).find(
    ({ method_id, asset_type }) => method_id === method.limit.method_id && asset_type === asset.type,
  );
  if (present !== undefined) return { record: present, isNew: false };
  const network: { form: (typeof NETWORKS)[NetworkId]['form']; mark?: 'memo' | 'tag' } = NETWORKS[method.network];
  const { clock, random } = state;
  const mark = String(random.integer(1, 4_294_967_295));
  const record: DepositAddressRecord = {
    ...{ sequence: nextSequence(state), symbol: asset.symbol, asset_type: asset.type },
    ...{ method_id: method.limit.method_id, address: network.form.make(random.bytes(32)) },
    tag: network.mark === 'tag' ? mark : null,
    memo: network.mark === 'memo' ? mark : null,
    expire_time: method.addressDays === undefined ? null : timestamp(clock.now() + method.addressDays * DAY_MS),
  };
  account.records.of(depositAddresses).set(record.address, record);
  return { record, isNew: true };
}

/** Returns the addresses that still take deposits, oldest first. */
export function liveAddresses({ clock }: State, { records }: AccountState): DepositAddressRecord[] {
  return [...records.of(depositAddresses).values()].filter(
    ({ expire_time: end }) => end === null || Date.parse(end) > clock.now(),
  );
}

/** Credits money at once and without a fee, and takes it from the limits of its method. */
export function creditAtOnce(state: State, account: AccountState, arrival: Arrival): void {
  const funding = newFunding(state, account, arrival, new Money(0), undefined);
  settle(state, account, funding);
  announce(state, account, funding, 'deposit.completed');
}

/**
 * Credits money that came to an inbound: no limit counts it, and it costs nothing. Returns its
 * `ref_id`.
 */
export function creditInbound(state: State, account: AccountState, asset: Asset, amount: Decimal): string {
  const funding = newFunding(state, account, { asset, amount: amount.toFixed() }, new Money(0), undefined);
  settle(state, account, funding);
  return funding.ref_id;
}

/**
 * Money arrives at an address: `pending`, and its way is planned. Takes it from the limits of its
 * method.
 */
export function arriveAt(state: State, account: AccountState, arrival: Arrival, address: string): SandboxDeposit {
  const fee = depositFee(arrival.method, arrival.asset, new Money(arrival.amount));
  const funding = newFunding(state, account, arrival, fee, address);
  announce(state, account, funding, 'deposit.status_updated');
  planStep(state, account, funding, 'deposit.receive', CONFIRMING_MS);
  return shownDeposit(state, account, funding);
}

/** `pending → received`. */
export function receiveDeposit(state: State, step: StepTask): void {
  moveOn(state, step, { from: 'pending', to: 'received', next: 'deposit.credit', ms: CREDITING_MS });
}

/** `received → credited`. */
export function creditDeposit(state: State, step: StepTask): void {
  moveToEnd(state, step, 'received');
}

function newFunding(
  state: State,
  account: AccountState,
  { asset, amount, method }: AnyArrival,
  fee: Decimal,
  address: string | undefined,
): Funding {
  if (method !== undefined) takeFromLimit(state, account, method.limit, new Money(amount));
  const funding: Funding = {
    ...{ ref_id: state.random.uuid(), type: 'deposit', sequence: nextSequence(state), at: state.clock.now() },
    ...{ symbol: asset.symbol, asset_type: asset.type, amount },
    ...{ fee: written(fee, asset.places), status: 'pending', fails: false },
    ...(method === undefined ? {} : { method_id: method.limit.method_id }),
    ...(address === undefined ? {} : { address }),
  };
  keepFunding(state, account, funding);
  return funding;
}
