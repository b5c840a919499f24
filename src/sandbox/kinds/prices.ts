import * as z from 'zod/mini';
import { amount, assetNamed, checked, text } from '../core/input.js';
import type { Group, Methods } from '../core/kind/kind.js';
import type { Asset } from '../core/market/catalogue.js';
import { Money } from '../core/money/money.js';
import type { State } from '../core/records/state.js';
import { makeReached } from './price-trigger-swaps.js';

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
   * once.
   *
   * @param usd US dollars per unit: decimal text above 0.
   * @param assetType Class: `crypto`, `stablecoin` or `xstock`. Default: the first with the ticker.
   * @throws TypeError for an unknown asset, for US dollars, and for a price that is not decimal
   * text above 0.
   */
  set(symbol: string, usd: string, assetType?: string): SandboxPrice;
}

const assetNames = { symbol: text, asset_type: z.optional(text) };
const setting = z.strictObject({ ...assetNames, usd: amount });
/** The prices of all assets. */
export const prices: Group = {
  name: 'prices',
  methods: {
    list: { takes: [], run: ({ catalogue }) => catalogue.assets.map(shown) },
    set: {
      takes: ['symbol', 'usd', 'assetType?'],
      run: (state, symbol: unknown, usd: unknown, asset_type: unknown) => setPrice(state, { symbol, usd, asset_type }),
    },
  } satisfies Methods<keyof SandboxPrices>,
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

function pricedAsset(state: State, method: string, named: { symbol: string; asset_type?: string | undefined }): Asset {
  const asset = assetNamed(state, method, named);
  if (asset.type !== 'fiat' || asset.symbol !== 'USD') return asset;
  throw new TypeError(`${method}: US dollars are the unit of all prices`);
}

const shown = ({ symbol, type, usd }: Asset): SandboxPrice => ({ symbol, type, usd: usd.toFixed() });
