import * as z from 'zod/mini';
import { text } from '../core/basics/checked.js';
import { amountAboveZero, assetNamed } from '../core/input.js';
import type { GroupOf } from '../core/kind/group.js';
import type { Asset } from '../core/market/catalogue.js';
import { Money } from '../core/money/money.js';
import type { State } from '../core/records/state.js';
import { makeReached } from './price-trigger-swaps.js';

/** The current price of one asset. */
export interface SandboxPrice {
  readonly symbol: string;
  /** Class: `fiat`, `crypto`, `stablecoin` or `xstock`. */
  readonly type: string;
  /** Price of one unit in US dollars, as a decimal string. */
  readonly usd: string;
}

/** `sandbox.prices`: the prices that quotes, portfolio, assets and rates share. */
export interface SandboxPrices {
  /** Returns the current price of every asset. */
  list(): SandboxPrice[];
  /**
   * Sets the price of one unit in US dollars. Price-trigger swaps that wait for it are executed
   * immediately.
   *
   * @param usd US dollars per unit, as a decimal string above 0.
   * @param assetType Class: `crypto`, `stablecoin` or `xstock`. Default: the first with the ticker.
   * @throws TypeError for an unknown asset, for US dollars, and for a price that is not a decimal
   * string above 0.
   */
  set(symbol: string, usd: string, assetType?: string): SandboxPrice;
}

/** The prices of all assets. */
export const prices: GroupOf<State, SandboxPrices> = {
  name: 'prices',
  methods: {
    list: { run: ({ catalogue }) => catalogue.assets.map(shown) },
    set: { takes: { symbol: text, usd: amountAboveZero, assetType: z.optional(text) }, run: setPrice },
  },
};

function setPrice(state: State, symbol: string, usd: string, asset_type?: string): SandboxPrice {
  const asset = assetNamed(state, 'prices.set', { symbol, asset_type });
  if (asset.type === 'fiat' && asset.symbol === 'USD') {
    throw new TypeError('prices.set: US dollars are the unit of all prices');
  }
  state.catalogue.setPrice(asset, new Money(usd));
  makeReached(state);
  return shown(asset);
}

const shown = ({ symbol, type, usd }: Asset): SandboxPrice => ({ symbol, type, usd: usd.toFixed() });
