import * as z from 'zod/mini';
import { makeReached } from '../../lifecycles/price-trigger-swaps.js';
import { Money } from '../../state/money.js';
import type { State } from '../../state/state.js';
import { amount, assetNamed, change, checked, text } from '../input.js';

/** The present price of one asset. */
export interface SandboxPrice {
  readonly symbol: string;
  /** Class: `fiat`, `crypto`, `stablecoin` or `xstock`. */
  readonly type: string;
  /** One unit in US dollars, as decimal text. */
  readonly usd: string;
}

/** `sandbox.prices`: the prices that quotes, portfolio, assets and rates share. */
export interface SandboxPrices {
  /** Returns the present price of every asset. */
  list(): SandboxPrice[];
  /**
   * Sets the price of one unit in US dollars. Price-trigger swaps that wait for it are made at once.
   * With `movingPrices` it moves on from there. `assetType` defaults to the first class with the
   * ticker.
   *
   * @throws TypeError for an unknown asset, for US dollars, and for a price that is not decimal
   * text above 0.
   */
  set(symbol: string, usd: string, assetType?: string): SandboxPrice;
}

const METHOD = 'prices.set';
const setting = z.strictObject({ symbol: text, usd: amount, asset_type: z.optional(text) });

export function priceControls(state: State): SandboxPrices {
  return {
    list: () => state.catalogue.assets.map(({ symbol, type, usd }) => ({ symbol, type, usd: usd.toFixed() })),
    set: (symbol, usd, assetType) => change(state, () => setPrice(state, { symbol, usd, asset_type: assetType })),
  };
}

function setPrice(state: State, given: object): SandboxPrice {
  const input = checked(METHOD, setting, given);
  const asset = assetNamed(state, METHOD, input);
  const { symbol, type } = asset;
  if (type === 'fiat' && symbol === 'USD') throw new TypeError(`${METHOD}: US dollars are the unit of all prices`);
  const price = new Money(input.usd);
  if (!price.gt(0)) throw new TypeError(`${METHOD}: usd must be above 0`);
  state.catalogue.setPrice(asset, price);
  makeReached(state);
  return { symbol, type, usd: asset.usd.toFixed() };
}
