import * as z from 'zod/mini';
import {
  cancelPriceTriggerSwap,
  createPriceTriggerSwap,
  getPriceTriggerSwap,
  listPriceTriggerSwaps,
  type PriceTriggerSwap,
  type PriceTriggerSwapCreateBody,
  type PriceTriggerSwapListParams,
} from '../../resources/accounts/price-trigger-swaps.js';
import type { Decimal } from '../../schema/decimal.js';
import type { Operation } from '../../schema/operation.js';
import type { Wire } from '../../schema/types.js';
import { find, newest, recordsOf } from '../core/kind/find.js';
import { type AccountParams, accountOf, handle } from '../core/kind/handler.js';
import type { Found, Kind, Moves, SampleSource } from '../core/kind/kind.js';
import { statesOf } from '../core/kind/states.js';
import { type Asset, assetKey, assetRef, type WireAssetRef } from '../core/market/catalogue.js';
import { MOVE_MS, minuteOf } from '../core/market/prices.js';
import { NOTHING } from '../core/money/ledger.js';
import { Money, priceIn, written } from '../core/money/money.js';
import { move, put } from '../core/mutations.js';
import { answered, knownAssetRef } from '../core/records/saved-values.js';
import type { AccountState, State } from '../core/records/state.js';
import { newestFirst } from '../core/request/paging.js';
import { badRequest, notFound, Refusal } from '../core/request/refusal.js';
import { noteEntry } from './shared/entries.js';
import { checkPartnerFee, moveSwap, priceSwap, type Swap } from './shared/swaps.js';

type Side = WireAssetRef & { readonly amount?: string };

/** A swap as the service shows it, with all members that the sandbox sets. */
type WireSwap = Wire<PriceTriggerSwap> & {
  readonly status: string;
  readonly trade: { readonly from: Side; readonly to: Side };
  readonly when: { readonly base: WireAssetRef; readonly quote: WireAssetRef };
};
type Body = Wire<PriceTriggerSwapCreateBody>;

interface PriceTriggerRecord {
  /** Has the amount of one side until it is executed. */
  readonly swap: WireSwap;
  /** Position among the account's swaps: a newer one is higher. */
  readonly sequence: number;
  readonly bps: number;
}

/** Step that compares moving prices with waiting swaps. */
export const MOVE_STEP = 'prices.move';

/** Reasons why a swap is cancelled when its price is reached. */
const SWAP_FAILURES = ['cannot_be_executed', 'insufficient_funds'] as const;
export type SwapFailure = (typeof SWAP_FAILURES)[number];

/** `sandbox.priceTriggerSwaps`: executes or cancels swaps that wait for a price. */
export interface SandboxPriceTriggerSwaps {
  /**
   * Executes an active swap now, at the current price, as if its trigger price was reached. It is
   * `completed`, or `cancelled` if the balance is too low or the price leaves nothing.
   *
   * @throws TypeError for an id that is not text. Error for an unknown swap, and for one that is
   * not `active`.
   */
  trigger(swapId: string): Wire<PriceTriggerSwap>;
  /**
   * Cancels an active swap, as the partner does by the API.
   *
   * @throws TypeError for an id that is not text. Error for an unknown swap, and for one that is
   * not `active`.
   */
  cancel(swapId: string): Wire<PriceTriggerSwap>;
  /**
   * Makes an active swap fail now, as if its trigger price was reached: it is `cancelled`.
   *
   * @param reason Its `cancelled_reason.code`. Default `cannot_be_executed`.
   * @throws TypeError for wrong input. Error for an unknown swap, and for one that is not `active`.
   */
  fail(swapId: string, reason?: SwapFailure): Wire<PriceTriggerSwap>;
}

/** The price-trigger swaps of an account, oldest first. */
export const priceTriggerSwaps: Kind<PriceTriggerRecord> = {
  name: 'priceTriggerSwaps',
  noun: 'price-trigger swap',
  owner: 'account',
  scope: 'trade',
  schema: () =>
    z.object({
      swap: answered<WireSwap>(
        getPriceTriggerSwap,
        ['data'],
        z.looseObject({
          status: z.enum(statesOf(priceTriggerSwaps)),
          trade: z.looseObject({ from: knownAssetRef, to: knownAssetRef }),
          when: z.looseObject({ base: knownAssetRef, quote: knownAssetRef }),
        }),
      ),
      sequence: z.int(),
      bps: z.number().check(z.nonnegative()),
    }),
  replaced: (state) => active.delete(state),
  shown: ({ swap }) => swap,
  stateOf: ({ swap }) => swap.status,
  inState: (record, status) => ({ ...record, swap: { ...record.swap, status } }),
  initial: ['active'],
  idName: 'swapId',
  moves: {
    trigger: {
      ...{ from: ['active'], to: 'completed' },
      run: (state, found) => moved(state, execute(state, found)),
    },
    cancel: {
      ...{ from: ['active'], to: 'cancelled' },
      run: (state, found) => moved(state, cancel(state, found)),
    },
    fail: {
      ...{ from: ['active'], to: 'cancelled', takes: { reason: z.optional(z.enum(SWAP_FAILURES)) } },
      run: (state, found, reason: SwapFailure | undefined) => moved(state, fail(state, found, reason)),
    },
  } satisfies Moves<keyof SandboxPriceTriggerSwaps, PriceTriggerRecord>,
  transitions: [
    { from: 'active', to: 'completed', by: 'the price is reached' },
    { from: 'active', to: 'cancelled', by: cancelPriceTriggerSwap.name },
  ],
  operations: [
    handle<AccountParams, unknown, Body>(createPriceTriggerSwap, (state, { params, body }) => ({
      data: { id: order(state, accountOf(state, params), body) },
    })),
    handle<SwapParams>(getPriceTriggerSwap, (state, { params }) => ({
      data: named(state, params, getPriceTriggerSwap).record.swap,
    })),
    handle<AccountParams, PriceTriggerSwapListParams>(listPriceTriggerSwaps, (state, { params, query }) => {
      const account = accountOf(state, params);
      const { statuses = [] } = query;
      const all = [...recordsOf(state, priceTriggerSwaps, account).values()].reverse();
      const items = statuses.length === 0 ? all : all.filter(({ swap }) => statuses.includes(swap.status));
      const scope = [listPriceTriggerSwaps.name, account.id, statuses];
      const page = state.pager.page({ scope, items, ...newestFirst }, query);
      return { ...page, data: page.data.map(({ swap }) => swap) };
    }),
    handle<SwapParams>(cancelPriceTriggerSwap, (state, { params }) => {
      const found = named(state, params, cancelPriceTriggerSwap);
      const { status } = found.record.swap;
      if (status !== 'active') {
        const cause = { field: 'id', message: `is ${status} already` };
        throw new Refusal(409, 'price_trigger_swap_not_cancellable', [cause]);
      }
      moved(state, cancel(state, found));
    }),
  ],
  outcomes: [
    {
      ...{ operation: createPriceTriggerSwap, id: 'id' },
      outcomes: {
        failed: {
          summary: 'The swap is cancelled at once, for `reason`, by default `cannot_be_executed`.',
          takes: ['reason'],
          reasons: SWAP_FAILURES,
          apply({ state, id, reason }) {
            const found = find(state, priceTriggerSwaps, id);
            if (found?.record.swap.status !== 'active') return false;
            const code = SWAP_FAILURES.find((one) => one === reason);
            moved(state, fail(state, found, code));
            return true;
          },
        },
      },
    },
  ],
  choices: [
    {
      operation: createPriceTriggerSwap.name,
      choice:
        'Holds no money. The swap is made at once when the price is reached, at the price of that moment, also if it is reached already. `when` may name any two assets. `fee.bps` is from 0 to 5,000.',
    },
    {
      operation: getPriceTriggerSwap.name,
      choice:
        'Has the codes `cancelled_by_partner`, `insufficient_funds` and `cannot_be_executed` as `cancelled_reason`. The side without an amount has one when the swap is made.',
    },
    { operation: listPriceTriggerSwaps.name, choice: 'Gives the newest first.' },
  ],
  events: {
    'price_trigger_swap.executed': (source) => sample(source, { status: 'completed' }),
    'price_trigger_swap.execution_failed': (source) =>
      sample(source, { status: 'cancelled', cancelled_reason: { code: 'insufficient_funds' } }),
    'price_trigger_swap.cancelled': (source) =>
      sample(source, { status: 'cancelled', cancelled_reason: { code: 'cancelled_by_partner' } }),
  },
};

interface SwapParams extends AccountParams {
  readonly id: string;
}

/** Returns a swap, or throws 404. */
function named(state: State, { id, ...params }: SwapParams, operation: Operation): Found<PriceTriggerRecord> {
  const found = find(state, priceTriggerSwaps, id, accountOf(state, params).id);
  if (found === undefined) throw notFound(operation);
  return found;
}

/**
 * Creates a swap: `active`, or executed at once if the price is reached already. It holds no money.
 * Returns its id.
 */
function order(state: State, account: AccountState, { trade, when, external_reference }: Body): string {
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
  const { id } = swap;
  const sequence = (recordsOf(state, priceTriggerSwaps, account).newest()?.sequence ?? 0) + 1;
  for (const dropped of put(state, priceTriggerSwaps, { account, id, record: { swap, sequence, bps } })) {
    activeIn(state).delete(dropped.swap.id);
  }
  activeIn(state).set(id, { account: account.id, waits: waitingOf(state, swap) });
  makeReached(state);
  return id;
}

function pairOf({ catalogue }: State, { base, quote }: Body['when']): [WireAssetRef, WireAssetRef] {
  const pair = [
    catalogue.named(base.symbol, base.type, 'when.base.symbol'),
    catalogue.named(quote.symbol, quote.type, 'when.quote.symbol'),
  ] as const;
  if (pair[0] === pair[1]) throw badRequest({ field: 'when.quote.symbol', message: 'is the same asset as base' });
  return [assetRef(pair[0]), assetRef(pair[1])];
}

/** Executes all swaps whose price is reached, oldest first. */
export function makeReached(state: State): void {
  const prices = new Map<string, Decimal>();
  for (const [id, { account, waits }] of [...activeIn(state)]) {
    let price = prices.get(waits.pair);
    if (price === undefined) {
      price = priceIn(waits.base, waits.quote);
      prices.set(waits.pair, price);
    }
    if (!(waits.rises ? price.gte(waits.limit) : price.lte(waits.limit))) continue;
    const found = find(state, priceTriggerSwaps, id, account);
    if (found !== undefined) execute(state, found);
  }
  planNextMove(state);
}

/** Schedules the next comparison of moving prices, each minute, but only while a swap waits. */
function planNextMove(state: State): void {
  const { clock, catalogue } = state;
  clock.drop((task) => task.kind === 'step' && task.step === MOVE_STEP);
  if (!catalogue.pricesMove || activeIn(state).size === 0) return;
  clock.schedule((minuteOf(clock.now()) + 1) * MOVE_MS, { kind: 'step', step: MOVE_STEP, id: 'all' });
}

/** Starts or stops the movement of prices. */
export function letPricesMove(state: State, moves: boolean): void {
  if (moves === state.catalogue.pricesMove) return;
  state.catalogue.letPricesMove(moves);
  planNextMove(state);
}

interface Active {
  /** Id of the account. */
  readonly account: string;
  readonly waits: Waiting;
}

/** The condition of a swap. All swaps of one pair are compared with the same price. */
interface Waiting {
  readonly pair: string;
  readonly base: Asset;
  readonly quote: Asset;
  readonly rises: boolean;
  readonly limit: Decimal;
}

/** Index of waiting swaps: prices change often, and most swaps have ended. */
const active = new WeakMap<State, Map<string, Active>>();

/** Returns the active swaps of all accounts by id, oldest first. */
function activeIn(state: State): Map<string, Active> {
  let found = active.get(state);
  if (found === undefined) {
    const waiting = [...state.accounts.values()].flatMap((account) =>
      [...recordsOf(state, priceTriggerSwaps, account).entries()].flatMap(([id, { swap }]): [string, Active][] =>
        swap.status === 'active' ? [[id, { account: account.id, waits: waitingOf(state, swap) }]] : [],
      ),
    );
    found = new Map(waiting);
    active.set(state, found);
  }
  return found;
}

function waitingOf({ catalogue }: State, { when }: WireSwap): Waiting {
  const base = catalogue.get(when.base.symbol, when.base.type);
  const quote = catalogue.get(when.quote.symbol, when.quote.type);
  const limit = new Money(when.drops_to ?? when.rises_to ?? 0);
  return { pair: `${assetKey(base)} ${assetKey(quote)}`, base, quote, rises: when.drops_to === undefined, limit };
}

/** Schedules the next comparison after a control call has ended a swap. Returns the swap. */
function moved(state: State, swap: WireSwap): WireSwap {
  planNextMove(state);
  return swap;
}

/** `active → completed`, or `cancelled` if it cannot be executed. */
function execute(state: State, found: Found<PriceTriggerRecord>): WireSwap {
  const { account, id, record } = found;
  const made = priced(state, record);
  const available = made === undefined ? undefined : account.holdings.available(made.from);
  if (made === undefined || available?.lt(made.fromAmount) === true) {
    return fail(state, found, made === undefined ? 'cannot_be_executed' : 'insufficient_funds');
  }
  const movement = moveSwap(state, account, made, id);
  noteEntry(state, account, { ...movement, type: 'price_trigger_swap', reference: id });
  const { from, to, fromAmount, toAmount, fee, rate } = made;
  const trade = {
    from: { ...assetRef(from), amount: fromAmount },
    to: { ...assetRef(to), amount: toAmount },
    fees: { trade: { ...assetRef(from), amount: written(fee, from.places) } },
    rate: { base: assetRef(rate.base), quote: assetRef(rate.counter), price: rate.price.toFixed() },
  };
  const swap = end(state, found, 'completed', { trade });
  state.events.emit('price_trigger_swap.executed', swap);
  return swap;
}

/** `active → cancelled`, by the partner. */
function cancel(state: State, found: Found<PriceTriggerRecord>): WireSwap {
  const swap = end(state, found, 'cancelled', { cancelled_reason: { code: 'cancelled_by_partner' } });
  state.events.emit('price_trigger_swap.cancelled', swap);
  return swap;
}

/** `active → cancelled`, because it cannot be executed. */
function fail(state: State, found: Found<PriceTriggerRecord>, code: SwapFailure = 'cannot_be_executed'): WireSwap {
  const { account, id, record } = found;
  const { from, to } = record.swap.trade;
  const sides = {
    spend: { asset: state.catalogue.get(from.symbol, from.type), total: NOTHING },
    receive: { asset: state.catalogue.get(to.symbol, to.type), total: NOTHING },
  };
  noteEntry(state, account, { ...sides, type: 'price_trigger_swap_failed', status: 'failed', reference: id });
  const swap = end(state, found, 'cancelled', { cancelled_reason: { code } });
  state.events.emit('price_trigger_swap.execution_failed', swap);
  return swap;
}

/** Returns undefined if the amount is too small at this price, or the assets cannot be swapped. */
function priced(state: State, { swap: { trade }, bps }: PriceTriggerRecord): Swap | undefined {
  try {
    return priceSwap(state, trade.from, trade.to, bps);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

function end(
  state: State,
  found: Found<PriceTriggerRecord>,
  status: 'completed' | 'cancelled',
  members: Partial<WireSwap>,
): WireSwap {
  activeIn(state).delete(found.id);
  const withMembers = (record: PriceTriggerRecord) => ({ ...record, swap: { ...record.swap, ...members } });
  return move(state, priceTriggerSwaps, found, status, withMembers).swap;
}

function sample({ state, random }: SampleSource, swapEnd: object): object {
  const [btc, usd] = [state.catalogue.get('BTC', 'crypto'), state.catalogue.get('USD', 'fiat')];
  const [base, quote] = [assetRef(btc), assetRef(usd)];
  const price = priceIn(btc, usd);
  const made = {
    id: random.uuid(),
    trade: {
      from: { ...quote, amount: '100.00' },
      to: { ...base, amount: written(priceIn(usd, btc).times(100), btc.places) },
    },
    when: { base, quote, drops_to: written(price, usd.places) },
  };
  return { ...made, ...newest(state, priceTriggerSwaps)?.swap, ...swapEnd };
}
