import * as z from 'zod/mini';
import { amount, assetNamed, checked, text } from '../core/input.js';
import type { Group, Methods } from '../core/kind/kind.js';
import type { Asset } from '../core/market/catalogue.js';
import { Money } from '../core/money/money.js';
import type { State } from '../core/records/state.js';
import { letPricesMove, MOVE_STEP, makeReached } from './price-trigger-swaps.js';

/** The current price of one asset. */
export interface SandboxPrice {
  readonly symbol: string;
  /** Class: `fiat`, `crypto`, `stablecoin` or `xstock`. */
  readonly type: string;
  /** Price of one unit in US dollars, as decimal text. */
  readonly usd: string;
}

/** `sandbox.prices`: the prices that quotes, portfolio, assets and rates share. */
export interface SandboxPrices {
  /** Returns the current price of every asset. */
  list(): SandboxPrice[];
  /**
   * Sets the price of one unit in US dollars. Price-trigger swaps that wait for it are executed at
   * once. With `movingPrices` it moves on from there.
   *
   * @param usd US dollars per unit: decimal text above 0.
   * @param assetType Class: `crypto`, `stablecoin` or `xstock`. Default: the first with the ticker.
   * @throws TypeError for an unknown asset, for US dollars, and for a price that is not decimal
   * text above 0.
   */
  set(symbol: string, usd: string, assetType?: string): SandboxPrice;
  /**
   * Changes a price by a percentage, as `set` does: -5 is 5 % down. The price keeps 12 significant
   * digits.
   *
   * @param assetType Class: `crypto`, `stablecoin` or `xstock`. Default: the first with the ticker.
   * @param percent Above -100, at most 1,000,000.
   * @throws TypeError for an unknown asset, for US dollars, and for a number out of range.
   */
  drift(symbol: string, percent: number, assetType?: string): SandboxPrice;
  /** True if prices move by themselves, each minute of the clock. */
  readonly moving: boolean;
  /**
   * Starts or stops the movement of prices. The option `movingPrices` sets the initial value.
   *
   * @param moves True if prices move by themselves.
   * @throws TypeError for a value that is not a boolean.
   */
  setMoving(moves: boolean): void;
}

/** Number of significant digits of a price that `drift` has changed. */
const DRIFT_DIGITS = 12;

const assetNames = { symbol: text, asset_type: z.optional(text) };
const setting = z.strictObject({ ...assetNames, usd: amount });
const percentage = z
  .number()
  .check(z.gt(-100, 'must be above -100'), z.maximum(1_000_000, 'must be at most 1,000,000'));
const drifting = z.strictObject({ ...assetNames, percent: percentage });

/** The prices of all assets. Each follows from what was set and from the clock. */
export const prices: Group = {
  name: 'prices',
  methods: {
    list: { takes: [], run: ({ catalogue }) => catalogue.assets.map(shown) },
    set: {
      takes: ['symbol', 'usd', 'assetType?'],
      run: (state, symbol: unknown, usd: unknown, asset_type: unknown) => setPrice(state, { symbol, usd, asset_type }),
    },
    drift: {
      takes: ['symbol', 'percent', 'assetType?'],
      run: (state, symbol: unknown, percent: unknown, asset_type: unknown) =>
        drift(state, { symbol, percent, asset_type }),
    },
    setMoving: {
      takes: ['moves'],
      run: (state, moves: unknown) => letPricesMove(state, checked('prices.setMoving', z.boolean(), moves)),
    },
  } satisfies Methods<Exclude<keyof SandboxPrices, 'moving'>>,
  members: { moving: ({ catalogue }) => catalogue.pricesMove },
  timers: {
    [MOVE_STEP]: { effect: 'Prices move, and price-trigger swaps are looked at.', run: makeReached },
  },
};

function setPrice(state: State, given: object): SandboxPrice {
  const METHOD = 'prices.set';
  const input = checked(METHOD, setting, given);
  const asset = pricedAsset(state, METHOD, input);
  const price = new Money(input.usd);
  if (!price.gt(0)) throw new TypeError(`${METHOD}: usd must be above 0`);
  state.catalogue.setPrice(asset, price);
  makeReached(state);
  return shown(asset);
}

function drift(state: State, given: object): SandboxPrice {
  const METHOD = 'prices.drift';
  const input = checked(METHOD, drifting, given);
  const asset = pricedAsset(state, METHOD, input);
  const factor = new Money(input.percent).times('0.01').plus(1);
  state.catalogue.setPrice(asset, asset.usd.times(factor).toSignificantDigits(DRIFT_DIGITS));
  makeReached(state);
  return shown(asset);
}

function pricedAsset(state: State, method: string, named: { symbol: string; asset_type?: string | undefined }): Asset {
  const asset = assetNamed(state, method, named);
  if (asset.type !== 'fiat' || asset.symbol !== 'USD') return asset;
  throw new TypeError(`${method}: US dollars are the unit of all prices`);
}

const shown = ({ symbol, type, usd }: Asset): SandboxPrice => ({ symbol, type, usd: usd.toFixed() });
