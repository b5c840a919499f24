import * as z from 'zod/mini';
import {
  cancelPriceTriggerSwap,
  getPriceTriggerSwap,
  type PriceTriggerSwap,
  type PriceTriggerSwapCreateBody,
} from '../../../resources/accounts/price-trigger-swaps.js';
import type { Decimal } from '../../../schema/decimal.js';
import type { Operation } from '../../../schema/operation.js';
import type { Wire } from '../../../schema/types.js';
import type { StepTask } from '../../core/clock/task.js';
import { type Asset, assetKey, assetRef, type WireAssetRef } from '../../core/market/catalogue.js';
import { MOVE_MS, minuteOf } from '../../core/market/prices.js';
import { NOTHING } from '../../core/money/ledger.js';
import { Money, priceIn, written } from '../../core/money/money.js';
import type { RecordKind } from '../../core/records/records.js';
import { answered, knownAssetRef } from '../../core/records/saved-values.js';
import type { AccountState, State } from '../../core/records/state.js';
import { badRequest, notFound, Refusal } from '../../core/request/refusal.js';
import { noteEntry } from '../shared/entries.js';
import { checkPartnerFee, moveSwap, priceSwap, type Swap } from '../shared/swaps.js';

type Side = WireAssetRef & { readonly amount?: string };

/** As the service shows it, without what it may leave out. */
type WireSwap = Wire<PriceTriggerSwap> & {
  status: string;
  trade: { from: Side; to: Side };
  readonly when: { readonly base: WireAssetRef; readonly quote: WireAssetRef };
};
type Body = Wire<PriceTriggerSwapCreateBody>;

export interface PriceTriggerRecord {
  /** With the amount of one side until it is made. */
  readonly swap: WireSwap;
  /** Rises with every swap of the account. */
  readonly sequence: number;
  readonly bps: number;
}

export const priceTriggerSwaps: RecordKind<PriceTriggerRecord> = {
  name: 'priceTriggerSwaps',
  schema: () =>
    z.object({
      swap: answered<WireSwap>(
        getPriceTriggerSwap,
        ['data'],
        z.looseObject({
          status: z.enum(['active', 'completed', 'cancelled']),
          trade: z.looseObject({ from: knownAssetRef, to: knownAssetRef }),
          when: z.looseObject({ base: knownAssetRef, quote: knownAssetRef }),
        }),
      ),
      sequence: z.int(),
      bps: z.number().check(z.nonnegative()),
    }),
};

/** The step of prices that move by themselves while swaps wait for them. */
const MOVE_STEP = 'prices.move';

/** Orders a swap: `active`, or made at once if the price is reached already. It holds no money. */
export function orderSwap(state: State, account: AccountState, { trade, when, external_reference }: Body): WireSwap {
  const bps = trade.fee?.bps ?? 0;
  checkPartnerFee('trade.fee.bps', bps);
  const { from, to } = priceSwap(state, trade.from, trade.to, bps, 'trade.');
  const [base, quote] = pairOf(state, when);
  const [direction, price] =
    when.drops_to === undefined ? (['rises_to', when.rises_to] as const) : (['drops_to', when.drops_to] as const);
  if (!new Money(price ?? 0).gt(0)) throw badRequest({ field: `when.${direction}`, message: 'must be above 0' });
  const swap: WireSwap = {
    id: state.random.uuid(),
    ...(external_reference === undefined ? {} : { external_reference }),
    trade: {
      from: { ...assetRef(from), ...(trade.from.amount === undefined ? {} : { amount: trade.from.amount }) },
      to: { ...assetRef(to), ...(trade.to.amount === undefined ? {} : { amount: trade.to.amount }) },
    },
    when: { base, quote, [direction]: price },
    status: 'active',
  };
  const records = account.records.of(priceTriggerSwaps);
  const sequence = (records.newest()?.sequence ?? 0) + 1;
  const record = { swap, sequence, bps };
  for (const forgotten of records.set(swap.id, record)) activeIn(state).delete(forgotten.swap.id);
  activeIn(state).set(swap.id, { account, record, waits: waitingOf(state, swap) });
  makeReached(state);
  return swap;
}

function pairOf({ catalogue }: State, { base, quote }: Body['when']): [WireAssetRef, WireAssetRef] {
  const pair = [
    catalogue.named(base.symbol, base.type, 'when.base.symbol'),
    catalogue.named(quote.symbol, quote.type, 'when.quote.symbol'),
  ] as const;
  if (pair[0] === pair[1]) throw badRequest({ field: 'when.quote.symbol', message: 'is the same asset as base' });
  return [assetRef(pair[0]), assetRef(pair[1])];
}

/** Returns the swap as it is now, or throws 404. */
export function findSwap(
  account: AccountState,
  id: string,
  operation: Operation = getPriceTriggerSwap,
): PriceTriggerRecord {
  const record = account.records.of(priceTriggerSwaps).get(id);
  if (record === undefined) throw notFound(operation);
  return record;
}

/** `active → cancelled`, by the partner. */
export function cancelSwap(state: State, account: AccountState, id: string): void {
  const { swap } = findSwap(account, id, cancelPriceTriggerSwap);
  if (swap.status !== 'active') {
    const cause = { field: 'id', message: `is ${swap.status} already` };
    throw new Refusal(409, 'price_trigger_swap_not_cancellable', [cause]);
  }
  end(state, swap, 'cancelled', 'cancelled_by_partner');
  state.events.emit('price_trigger_swap.cancelled', swap);
  planNextMove(state);
}

/** Makes all swaps whose price is reached, in the order in which they were made. */
export function makeReached(state: State): void {
  const prices = new Map<string, Decimal>();
  for (const { account, record, waits } of [...activeIn(state).values()]) {
    let price = prices.get(waits.pair);
    if (price === undefined) {
      price = priceIn(waits.base, waits.quote);
      prices.set(waits.pair, price);
    }
    if (waits.rises ? price.gte(waits.limit) : price.lte(waits.limit)) execute(state, account, record);
  }
  planNextMove(state);
}

export const PRICE_STEPS: Readonly<Record<string, (state: State, step: StepTask) => void>> = {
  [MOVE_STEP]: makeReached,
};

/** Prices that move are looked at by each minute, but only while a swap waits for them. */
function planNextMove(state: State): void {
  const { clock, catalogue } = state;
  clock.drop((task) => task.kind === 'step' && task.step === MOVE_STEP);
  if (!catalogue.pricesMove || activeIn(state).size === 0) return;
  clock.plan((minuteOf(clock.now()) + 1) * MOVE_MS, { kind: 'step', step: MOVE_STEP, id: 'all' });
}

/** Lets prices move or stand still from now on. */
export function letPricesMove(state: State, moves: boolean): void {
  if (moves === state.catalogue.pricesMove) return;
  state.catalogue.letPricesMove(moves);
  planNextMove(state);
}

interface Active {
  readonly account: AccountState;
  readonly record: PriceTriggerRecord;
  readonly waits: Waiting;
}

/** The condition of a swap. All swaps of one pair are compared with one price. */
interface Waiting {
  readonly pair: string;
  readonly base: Asset;
  readonly quote: Asset;
  readonly rises: boolean;
  readonly limit: Decimal;
}

const active = new WeakMap<State, Map<string, Active>>();

/** Forgets which swaps wait: another state is in place. */
export function forgetActive(state: State): void {
  active.delete(state);
}

/** The active swaps of all accounts by id, oldest first. */
function activeIn(state: State): Map<string, Active> {
  let found = active.get(state);
  if (found === undefined) {
    const waiting = [...state.accounts.values()].flatMap((account) =>
      [...account.records.of(priceTriggerSwaps).values()].flatMap((record): [string, Active][] =>
        record.swap.status === 'active'
          ? [[record.swap.id, { account, record, waits: waitingOf(state, record.swap) }]]
          : [],
      ),
    );
    found = new Map(waiting);
    active.set(state, found);
  }
  return found;
}

function waitingOf({ catalogue }: State, { when }: WireSwap): Waiting {
  const [base, quote] = [
    catalogue.get(when.base.symbol, when.base.type),
    catalogue.get(when.quote.symbol, when.quote.type),
  ];
  const rises = when.drops_to === undefined;
  const limit = new Money(when.drops_to ?? when.rises_to ?? 0);
  return { pair: `${assetKey(base)} ${assetKey(quote)}`, base, quote, rises, limit };
}

/** Makes a swap whose price is not reached. */
export function triggerSwap(state: State, account: AccountState, record: PriceTriggerRecord): void {
  execute(state, account, record);
  planNextMove(state);
}

/** Why a swap is not made when its price is reached. */
export const SWAP_FAILURES = ['cannot_be_executed', 'insufficient_funds'] as const;
export type SwapFailure = (typeof SWAP_FAILURES)[number];

/** `active → cancelled`, although it could be made. */
export function failSwap(state: State, account: AccountState, { swap }: PriceTriggerRecord, code: SwapFailure): void {
  fail(state, account, swap, code);
  planNextMove(state);
}

/** `active → completed`, or `cancelled` if it cannot be made. */
function execute(state: State, account: AccountState, { swap, bps }: PriceTriggerRecord): void {
  const made = priced(state, swap, bps);
  const available = made === undefined ? undefined : account.holdings.available(made.from);
  if (made === undefined || available?.lt(made.fromAmount) === true) {
    fail(state, account, swap, made === undefined ? 'cannot_be_executed' : 'insufficient_funds');
    return;
  }
  const movement = moveSwap(state, account, made, swap.id);
  noteEntry(state, account, { ...movement, type: 'price_trigger_swap', reference: swap.id });
  const { from, to, fromAmount, toAmount, fee, rate } = made;
  swap.trade = {
    from: { ...assetRef(from), amount: fromAmount },
    to: { ...assetRef(to), amount: toAmount },
    fees: { trade: { ...assetRef(from), amount: written(fee, from.places) } },
    rate: { base: assetRef(rate.base), quote: assetRef(rate.quote), price: rate.price.toFixed() },
  };
  end(state, swap, 'completed');
  state.events.emit('price_trigger_swap.executed', swap);
}

function fail(state: State, account: AccountState, swap: WireSwap, code: SwapFailure): void {
  const { from, to } = swap.trade;
  const sides = {
    spend: { asset: state.catalogue.get(from.symbol, from.type), total: NOTHING },
    receive: { asset: state.catalogue.get(to.symbol, to.type), total: NOTHING },
  };
  noteEntry(state, account, { ...sides, type: 'price_trigger_swap_failed', status: 'failed', reference: swap.id });
  end(state, swap, 'cancelled', code);
  state.events.emit('price_trigger_swap.execution_failed', swap);
}

/** Undefined if the amount is too small at this price, or the assets cannot be swapped. */
function priced(state: State, { trade }: WireSwap, bps: number): Swap | undefined {
  try {
    return priceSwap(state, trade.from, trade.to, bps);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

function end(state: State, swap: WireSwap, status: 'completed' | 'cancelled', code?: string): void {
  swap.status = status;
  if (code !== undefined) swap.cancelled_reason = { code };
  activeIn(state).delete(swap.id);
}
