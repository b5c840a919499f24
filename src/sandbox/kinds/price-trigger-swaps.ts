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
import type { Wire } from '../../schema/types.js';
import { find, newest, recordsOf } from '../core/kind/find.js';
import type { Found, Kind, Moves, SampleSource } from '../core/kind/kind.js';
import { statesOf } from '../core/kind/states.js';
import { assetKey, assetRef, type WireAssetRef } from '../core/market/catalogue.js';
import { priceIn, written } from '../core/money/money.js';
import { dropStep, scheduleStep } from '../core/moves.js';
import { change, move, put } from '../core/mutations.js';
import { outcomesOf, toMade } from '../core/outcomes.js';
import { handleCreation, handleNamed, listNewest, showNamed } from '../core/reading.js';
import { answered, knownAssetRef } from '../core/records/saved-values.js';
import type { AccountState, State } from '../core/records/state.js';
import { Refusal } from '../core/request/refusal.js';
import { noteEntry, noteFailure } from './shared/entries.js';
import { checkedCondition, conditionOf, isReached, type PriceCondition } from './shared/price-conditions.js';
import { checkPartnerFee, moveSwap, priceSwap, type Swap, shownSwap } from './shared/swaps.js';

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
  /** Number of tries to execute it that have failed. */
  readonly failures: number;
  /** True from a failed try until the time of the next one. */
  readonly isResting: boolean;
  /** True if every try fails. */
  readonly fails: boolean;
}

/** Time in ms from a failed try to execute a swap until the next one. */
const RETRY_MS = 60_000;

/** Number of failed tries after which a swap is cancelled. */
const TRIES = 3;

/** `sandbox.priceTriggerSwaps`: executes or cancels swaps that wait for a price. */
export interface SandboxPriceTriggerSwaps {
  /**
   * Executes an active swap now, at the current price, as if its trigger price was reached. The
   * swap is `completed`, unless the balance is too low or the price leaves nothing to receive: then
   * it fails as with `fail`.
   */
  trigger(swapId: string): Wire<PriceTriggerSwap>;
  /** Cancels an active swap, as the partner does by the API. */
  cancel(swapId: string): Wire<PriceTriggerSwap>;
  /**
   * Tries to execute an active swap now, and fails. The swap stays `active`, and the sandbox tries
   * again a minute later if the price is reached then. The third failure cancels the swap.
   */
  fail(swapId: string): Wire<PriceTriggerSwap>;
}

/** The price-trigger swaps of an account, oldest first. */
export const priceTriggerSwaps: Kind<PriceTriggerRecord> = {
  name: 'priceTriggerSwaps',
  noun: 'price-trigger swap',
  owner: 'account',
  scope: 'trade',
  schema: () =>
    z.object({
      swap: answered<WireSwap>(getPriceTriggerSwap, ['data'], {
        status: z.enum(statesOf(priceTriggerSwaps)),
        trade: z.looseObject({ from: knownAssetRef, to: knownAssetRef }),
        when: z.looseObject({ base: knownAssetRef, quote: knownAssetRef }),
      }),
      sequence: z.int(),
      bps: z.number().check(z.nonnegative()),
      failures: z.int().check(z.nonnegative()),
      isResting: z.boolean(),
      fails: z.boolean(),
    }),
  replaced: (state) => active.delete(state),
  shown: ({ swap }) => swap,
  stateOf: ({ swap }) => swap.status,
  inState: (record, status) => ({ ...record, swap: { ...record.swap, status } }),
  initial: ['active'],
  idName: 'swapId',
  moves: {
    trigger: { from: ['active'], to: 'completed', run: execute },
    cancel: { from: ['active'], to: 'cancelled', run: (state, found) => cancel(state, found, 'user_request') },
    fail: { from: ['active'], run: fail },
  } satisfies Moves<keyof SandboxPriceTriggerSwaps, PriceTriggerRecord>,
  steps: {
    'price_trigger_swap.retry': {
      from: ['active'],
      effect: (id) => `Price-trigger swap ${id} is tried again, if its price is reached.`,
      run(state, found) {
        const record = change(state, priceTriggerSwaps, found, { ...found.record, isResting: false });
        if (record.fails) fail(state, { ...found, record });
        else makeReached(state);
      },
    },
  },
  transitions: [
    { from: 'active', to: 'completed' },
    { from: 'active', to: 'cancelled', by: cancelPriceTriggerSwap.name },
  ],
  operations: [
    handleCreation<Body>(createPriceTriggerSwap, order),
    showNamed(getPriceTriggerSwap, () => priceTriggerSwaps),
    listNewest<PriceTriggerSwapListParams, PriceTriggerRecord>(
      listPriceTriggerSwaps,
      () => priceTriggerSwaps,
      ({ statuses = [] }) => ({
        filters: [statuses],
        isWanted: ({ swap }) => statuses.length === 0 || statuses.includes(swap.status),
      }),
    ),
    handleNamed(
      cancelPriceTriggerSwap,
      () => priceTriggerSwaps,
      (state, found) => {
        const { status } = found.record.swap;
        if (status !== 'active') {
          const cause = { field: 'id', message: `is ${status} already` };
          throw new Refusal(409, 'price_trigger_swap_not_cancellable', [cause]);
        }
        cancel(state, found, 'user_request');
      },
    ),
  ],
  outcomes: [
    outcomesOf(createPriceTriggerSwap, 'id', {
      failed: {
        summary: 'Each attempt to execute the swap fails: at once, then once a minute. The third failure cancels it.',
        apply: toMade(
          () => priceTriggerSwaps,
          (state, found) => fail(state, { ...found, record: { ...found.record, fails: true } }),
          'active',
        ),
      },
    }),
  ],
  choices: {
    [createPriceTriggerSwap.name]:
      'Holds no money. When the trigger price is reached, or if it already is, the sandbox executes the swap immediately at the price of that moment. `when` can name any two assets. `fee.bps` is from 0 to 5,000.',
    [getPriceTriggerSwap.name]:
      'Fails to execute the swap if the balance is too low or the price leaves nothing to receive. The sandbox tries again a minute later if the trigger price is reached then, and cancels the swap after the third failure. Each failure is an entry in `portfolio.transactions`. The side without an amount gets its amount when the swap is executed.',
    [listPriceTriggerSwaps.name]: 'Lists the newest swap first.',
  },
  events: {
    'price_trigger_swap.executed': (source) => sample(source, { status: 'completed' }),
    'price_trigger_swap.execution_failed': (source) => sample(source, { status: 'active' }),
    'price_trigger_swap.cancelled': (source) =>
      sample(source, { status: 'cancelled', cancelled_reason: { code: 'user_request' } }),
  },
};

/** Creates a swap, which is executed at once if the price is reached. It holds no money. */
function order(state: State, account: AccountState, { trade, when, external_reference }: Body): { id: string } {
  const bps = trade.fee?.bps ?? 0;
  checkPartnerFee('trade.fee.bps', bps);
  const { from, to } = priceSwap(state, trade.from, trade.to, bps, 'trade.');
  const condition = checkedCondition(state, when);
  const swap: WireSwap = {
    id: state.random.uuid(),
    ...(external_reference === undefined ? {} : { external_reference }),
    trade: {
      from: { ...assetRef(from), ...(trade.from.amount === undefined ? {} : { amount: trade.from.amount }) },
      to: { ...assetRef(to), ...(trade.to.amount === undefined ? {} : { amount: trade.to.amount }) },
    },
    when: condition,
    status: 'active',
  };
  const { id } = swap;
  const sequence = (recordsOf(state, priceTriggerSwaps, account).newest()?.sequence ?? 0) + 1;
  const record = { swap, sequence, bps, failures: 0, isResting: false, fails: false };
  for (const dropped of put(state, priceTriggerSwaps, { account, id, record })) stopWaiting(state, dropped);
  activeIn(state).set(id, { account: account.id, waits: conditionOf(state, swap.when) });
  makeReached(state);
  return { id };
}

/** Executes all swaps whose price is reached, oldest first. */
export function makeReached(state: State): void {
  const prices = new Map<string, Decimal>();
  for (const [id, { account, waits }] of [...activeIn(state)]) {
    if (!isReached(waits, prices)) continue;
    const found = find(state, priceTriggerSwaps, id, account);
    if (found !== undefined && !found.record.isResting) execute(state, found);
  }
}

interface Active {
  /** Id of the account. */
  readonly account: string;
  readonly waits: PriceCondition;
}

/** Index of waiting swaps: prices change often, and most swaps have ended. */
const active = new WeakMap<State, Map<string, Active>>();

/** Returns the active swaps of all accounts by id, oldest first. */
function activeIn(state: State): Map<string, Active> {
  let found = active.get(state);
  if (found === undefined) {
    const waiting = [...state.accounts.values()].flatMap((account) =>
      [...recordsOf(state, priceTriggerSwaps, account).entries()].flatMap(([id, { swap }]): [string, Active][] =>
        swap.status === 'active' ? [[id, { account: account.id, waits: conditionOf(state, swap.when) }]] : [],
      ),
    );
    found = new Map(waiting);
    active.set(state, found);
  }
  return found;
}

/** `active → completed`, unless it cannot be executed. */
function execute(state: State, found: Found<PriceTriggerRecord>): WireSwap {
  const { account, id, record } = found;
  const made = record.fails ? undefined : priced(state, record);
  if (made === undefined || account.holdings.available(made.from).lt(made.fromAmount)) return fail(state, found);
  const movement = moveSwap(state, account, made, id);
  noteEntry(state, account, { ...movement, type: 'price_trigger_swap', reference: id });
  const swap = end(state, found, 'completed', { trade: shownSwap(made) });
  state.events.emit('price_trigger_swap.executed', swap);
  return swap;
}

/** `active → cancelled`, by the partner or by the service. */
function cancel(state: State, found: Found<PriceTriggerRecord>, code: 'user_request' | 'system'): WireSwap {
  const swap = end(state, found, 'cancelled', { cancelled_reason: { code } });
  state.events.emit('price_trigger_swap.cancelled', swap);
  return swap;
}

/** A try has failed: the swap stays `active` and is tried again, unless this was the last try. */
function fail(state: State, found: Found<PriceTriggerRecord>): WireSwap {
  const { account, id } = found;
  const failures = found.record.failures + 1;
  const record = change(state, priceTriggerSwaps, found, { ...found.record, failures, isResting: true });
  const { trade } = record.swap;
  const [from, to] = [state.catalogue.keyed(assetKey(trade.from)), state.catalogue.keyed(assetKey(trade.to))];
  noteFailure(state, account, { type: 'price_trigger_swap_failed', reference: id, from, to });
  state.events.emit('price_trigger_swap.execution_failed', record.swap);
  if (failures >= TRIES) return cancel(state, { ...found, record }, 'system');
  dropStep(state, 'price_trigger_swap.retry', id);
  scheduleStep(state, 'price_trigger_swap.retry', found, RETRY_MS);
  return record.swap;
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

/** The swap waits neither for its price nor for a next try. */
function stopWaiting(state: State, { swap: { id }, isResting }: PriceTriggerRecord): void {
  activeIn(state).delete(id);
  if (isResting) dropStep(state, 'price_trigger_swap.retry', id);
}

function end(
  state: State,
  found: Found<PriceTriggerRecord>,
  status: 'completed' | 'cancelled',
  members: Partial<WireSwap>,
): WireSwap {
  stopWaiting(state, found.record);
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
