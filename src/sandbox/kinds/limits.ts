import * as z from 'zod/mini';
import { type DepositLimit, type DepositLimitListParams, listDepositLimits } from '../../resources/funds/deposits.js';
import type { Decimal } from '../../schema/decimal.js';
import type { Wire } from '../../schema/types.js';
import { text } from '../core/basics/checked.js';
import { excerpt } from '../core/basics/excerpt.js';
import type { Random } from '../core/basics/random.js';
import { isStep, type StepData } from '../core/clock/task.js';
import { accountNamed, amount, assetNamed, type NamedAsset, namedAsset } from '../core/input.js';
import { find, recordsOf } from '../core/kind/find.js';
import { type AccountParams, accountOf, handle } from '../core/kind/handler.js';
import type { Found, Kind } from '../core/kind/kind.js';
import { NO_STATE } from '../core/kind/states.js';
import { DEPOSIT_METHODS } from '../core/market/asset-rows.js';
import { type Asset, assetKey, assetRef } from '../core/market/catalogue.js';
import { Money, worth, written } from '../core/money/money.js';
import { scheduleStep } from '../core/moves.js';
import { change } from '../core/mutations.js';
import { answered } from '../core/records/saved-values.js';
import type { AccountState, State } from '../core/records/state.js';
import { inOrderOf } from '../core/request/paging.js';
import { networksOf } from './shared/addresses/networks.js';

export type WireDepositLimit = Wire<DepositLimit>;
type PeriodLimit = WireDepositLimit['period_limits'][number];

/** Deposit limits to set: at least one of the last three members, as decimal strings. */
export interface LimitInput extends NamedAsset {
  /** Only this deposit method. Default: all methods of the asset. */
  readonly method_id?: string | undefined;
  /** Only this period, for example `daily`. Default: all periods. */
  readonly period?: string | undefined;
  /** Amount that remains for the period. */
  readonly remaining?: string | undefined;
  /** Limit of the period. `remaining` becomes the same, unless it is given. */
  readonly maximum?: string | undefined;
  /** Limit of one deposit. */
  readonly maximum_amount?: string | undefined;
}

const optional = z.optional(amount);

export const limitInput = z
  .strictObject({
    ...namedAsset,
    method_id: z.optional(text),
    period: z.optional(text),
    remaining: optional,
    maximum: optional,
    maximum_amount: optional,
  })
  .check(
    z.refine(
      ({ remaining, maximum, maximum_amount }) => (remaining ?? maximum ?? maximum_amount) !== undefined,
      'must have remaining, maximum or maximum_amount',
    ),
  );

/** `sandbox.limits`: sets the limits of deposits. */
export interface SandboxLimits {
  /**
   * Sets deposit limits of an account. The amounts of earlier deposits are not restored later.
   * Returns the limits that were set.
   *
   * @throws TypeError for wrong input and for an unknown asset. Error if the account is unknown, if
   * the asset has no such deposit method or period, or if `remaining` is more than the maximum.
   */
  set(accountId: string, limits: LimitInput): WireDepositLimit[];
}

/** The limits of deposit methods, by method: those of one symbol in the order of their ids. */
export const limits: Kind<WireDepositLimit> = {
  name: 'limits',
  noun: 'deposit limit',
  owner: 'account',
  schema: () => answered<WireDepositLimit>(listDepositLimits, ['data', 0]),
  shown: (limit) => limit,
  steps: {
    'limit.restore': {
      from: [NO_STATE],
      effect: (id) => `The limit of deposit method ${id} gets back what a deposit took.`,
      run: restoreUsed,
    },
  },
  methods: { set: { takes: { accountId: text, limits: limitInput }, run: set } },
  operations: [
    handle<AccountParams & { asset_symbol: string }, DepositLimitListParams>(
      listDepositLimits,
      (state, { params, query }) => {
        const account = accountOf(state, params);
        const { asset_symbol: symbol } = params;
        state.catalogue.withSymbol(symbol);
        const scope = [listDepositLimits.name, account.id, symbol];
        const items = limitsWhere(state, account, (of) => of.symbol === symbol);
        return state.pager.page(
          { scope, items, ...inOrderOf<WireDepositLimit>((limit) => limit.method_id), sizeInToken: true },
          query,
        );
      },
    ),
  ],
  choices: { [listDepositLimits.name]: 'Answers 400 to an unknown symbol.' },
};

/** Returns the limits of the deposit methods of an asset, in the order of their ids. */
export const limitsOf = (state: State, account: AccountState, asset: Asset): WireDepositLimit[] =>
  limitsWhere(state, account, (of) => assetKey(of) === assetKey(asset));

function limitsWhere(
  state: State,
  account: AccountState,
  isWanted: (of: WireDepositLimit['maximum_amount']) => boolean,
): WireDepositLimit[] {
  return [...recordsOf(state, limits, account).values()].filter(({ maximum_amount: of }) => isWanted(of));
}

export function hasRoom({ maximum_amount, period_limits }: WireDepositLimit, amount: Decimal): boolean {
  return amount.lte(maximum_amount.amount) && period_limits.every(({ remaining }) => amount.lte(remaining));
}

/** Counts a deposit against the limits of its method, for the length of each period. */
export function takeFromLimit(state: State, account: AccountState, methodId: string, amount: Decimal): void {
  const found = find(state, limits, methodId, account.id);
  if (found === undefined) return;
  const { record } = found;
  change(
    state,
    limits,
    found,
    withPeriods(record, (period) => changed(period, amount.neg())),
  );
  for (const { period, period_seconds } of record.period_limits) {
    scheduleStep(state, 'limit.restore', found, period_seconds * 1000, { period, amount: amount.toFixed() });
  }
}

function restoreUsed(state: State, found: Found<WireDepositLimit>, { period, amount }: StepData): void {
  const restored = withPeriods(found.record, (one) =>
    one.period === period ? changed(one, new Money(amount ?? 0)) : one,
  );
  change(state, limits, found, restored);
}

const withPeriods = (limit: WireDepositLimit, next: (period: PeriodLimit) => PeriodLimit): WireDepositLimit => {
  return { ...limit, period_limits: limit.period_limits.map(next) };
};

function changed(period: PeriodLimit, by: Decimal): PeriodLimit {
  const remaining = written(new Money(period.remaining).plus(by), decimalsOf(period.maximum));
  return { ...period, remaining };
}

const decimalsOf = (text: string): number => text.split('.')[1]?.length ?? 0;

const METHOD = 'limits.set';

function set(state: State, accountId: string, input: LimitInput): WireDepositLimit[] {
  const account = accountNamed(state, METHOD, accountId);
  const asset = assetNamed(state, METHOD, input);
  const { method_id, period: name, remaining, maximum } = input;
  const wanted = limitsOf(state, account, asset).filter(
    (limit) => method_id === undefined || limit.method_id === method_id,
  );
  if (wanted.length === 0) throw new Error(`${METHOD}: ${asset.symbol} has no such deposit method`);
  const next = wanted.map((limit) => nextLimit(limit, asset, input));
  for (const limit of next) {
    const found = find(state, limits, limit.method_id, account.id);
    if (found === undefined) continue;
    change(state, limits, found, limit);
    if (remaining !== undefined || maximum !== undefined) dropRestores(state, found.id, name);
  }
  return next;
}

/** Cancels what would be restored: in one period, by default in all. */
function dropRestores({ clock }: State, id: string, period: string | undefined): void {
  const isOf = (data: StepData = {}): boolean => period === undefined || data['period'] === period;
  clock.dropAll((task) => isStep(task, 'limit.restore', id) && task.kind === 'step' && isOf(task.data));
}

/** Returns the new limit. Throws if the input does not fit, before anything changes. */
function nextLimit(limit: WireDepositLimit, { places }: Asset, input: LimitInput): WireDepositLimit {
  const { period: name, maximum_amount } = input;
  const { maximum_amount: most, period_limits } = limit;
  const isWanted = ({ period }: PeriodLimit): boolean => name === undefined || period === name;
  if (!period_limits.some(isWanted)) throw new Error(`${METHOD}: the deposit method has no period ${excerpt(name)}`);
  const next = withPeriods(limit, (period) => (isWanted(period) ? nextPeriod(period, places, input) : period));
  if (maximum_amount === undefined) return next;
  return { ...next, maximum_amount: { ...most, amount: written(new Money(maximum_amount), places) } };
}

function nextPeriod(present: PeriodLimit, places: number, { remaining, maximum }: LimitInput): PeriodLimit {
  const next = { remaining: remaining ?? maximum ?? present.remaining, maximum: maximum ?? present.maximum };
  if (new Money(next.remaining).gt(next.maximum)) {
    throw new Error(
      `${METHOD}: the remaining ${excerpt(next.remaining)} is more than the maximum ${excerpt(next.maximum)}`,
    );
  }
  if (remaining === undefined && maximum === undefined) return present;
  return {
    ...present,
    remaining: written(new Money(next.remaining), places),
    maximum: written(new Money(next.maximum), places),
  };
}

/** Returns the unused limits of a new account: one method for each asset that has methods. */
export function newLimits({ catalogue }: State, random: Random): [id: string, limit: WireDepositLimit][] {
  return seedLimits(catalogue.assets, random, 1).map(([id, limit]) => {
    return [id, withPeriods(limit, (period) => ({ ...period, remaining: period.maximum }))];
  });
}

/** `most`: maximum number of methods per asset. */
export function seedLimits(
  assets: readonly Asset[],
  random: Random,
  most: number = Number.POSITIVE_INFINITY,
): [id: string, limit: WireDepositLimit][] {
  const bySymbol = new Map<string, WireDepositLimit[]>();
  for (const asset of assets) {
    const [count, stream] = methodCount(asset, random);
    const made = Array.from({ length: Math.min(count, most) }, () => seedLimit(asset, stream));
    bySymbol.set(asset.symbol, [...(bySymbol.get(asset.symbol) ?? []), ...made].sort(byMethod));
  }
  return [...bySymbol.values()].flat().map((limit) => [limit.method_id, limit]);
}

/** An asset outside the table has one method for each of its networks. */
function methodCount(asset: Asset, random: Random): [count: number, random: Random] {
  const { symbol, type, listing } = asset;
  const count = DEPOSIT_METHODS[symbol];
  if (count !== undefined) return [count, random];
  const isTaken = listing.status.deposit.enabled && (type === 'crypto' || type === 'stablecoin');
  return [isTaken ? networksOf(asset).length : 0, random.fork(`deposit methods ${assetKey(asset)}`)];
}

const byMethod = (a: WireDepositLimit, b: WireDepositLimit): number => (a.method_id < b.method_id ? -1 : 1);

function seedLimit(asset: Asset, random: Random): WireDepositLimit {
  const dollars = (amount: number): string => worth(amount * 100, asset).toFixed(asset.places);
  const perDay = random.integer(10, 500) * 1000;
  const left = random.integer(0, perDay);
  const { symbol, type } = asset;
  return {
    method_id: random.uuid(),
    maximum_amount: { ...assetRef(asset), amount: dollars(perDay / 2) },
    period_limits: [
      {
        type: 'amount',
        period: 'daily',
        period_seconds: 86_400,
        asset: { symbol, type },
        remaining: dollars(left),
        maximum: dollars(perDay),
      },
    ],
  };
}
