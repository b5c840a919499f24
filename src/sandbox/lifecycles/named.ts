import { badRequest } from '../request/errors.js';
import type { Asset } from '../state/catalogue.js';
import type { State } from '../state/state.js';

/** An asset as who runs the sandbox names it. */
export interface NamedAsset {
  /** Ticker, for instance `BTC`. */
  readonly symbol: string;
  /** Class of the asset; default: the first that has the ticker (`fiat`, `crypto`, `stablecoin`, `xstock`). */
  readonly asset_type?: string | undefined;
}

/** The asset, or a `TypeError` in the name of the method that was given it. */
export function assetNamed({ catalogue }: State, method: string, { symbol, asset_type: type }: NamedAsset): Asset {
  const asset = catalogue.assets.find((one) => one.symbol === symbol && (type === undefined || one.type === type));
  if (asset === undefined)
    throw new TypeError(`${method}: there is no ${type ?? ''} asset ${symbol}`.replace('  ', ' '));
  return asset;
}

/** An asset named in the input, or 400 naming the member. */
export function assetOf(state: State, symbol: string, type: string, field: string): Asset {
  const asset = state.catalogue.find(symbol, type);
  if (asset === undefined) throw badRequest({ field, message: `there is no ${type} asset ${symbol}` });
  return asset;
}
