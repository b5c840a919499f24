import type { AssetListing } from '../../resources/assets/listing.js';
import type { Decimal } from '../../schema/decimal.js';
import type { Wire } from '../../schema/types.js';
import { badRequest } from '../refusal.js';

export interface Asset {
  readonly symbol: string;
  readonly type: string;
  readonly name: string;
  /** Price of one unit in US dollars. Every other price follows from it. */
  readonly usd: Decimal;
  /** Decimal places of amounts that are swapped. */
  readonly places: number;
  /** Its entry in the asset list, without the members that depend on the quote asset. */
  readonly listing: Omit<Wire<AssetListing>, 'price' | 'market_cap' | 'ath'>;
  /** Absent for plain fiat. */
  readonly market: Market | undefined;
}

export interface Market {
  readonly circulating: Decimal;
  readonly max: Decimal | undefined;
  readonly volumeUsd: Decimal;
  readonly athUsd: Decimal;
  readonly athTimestamp: string;
}

export interface WireAssetRef {
  symbol: string;
  type: string;
  name: string;
}

/** The assets by symbol and type: several classes may have the same ticker. */
export class Catalogue {
  readonly assets: readonly Asset[];
  readonly #byKey: ReadonlyMap<string, Asset>;

  constructor(assets: readonly Asset[]) {
    this.assets = assets;
    this.#byKey = new Map(assets.map((asset) => [assetKey(asset), asset]));
  }

  find(symbol: string, type: string): Asset | undefined {
    return this.#byKey.get(assetKey({ symbol, type }));
  }

  /** Returns the asset that a request names, or throws 400 naming the member. */
  named(symbol: string, type: string, field: string): Asset {
    const asset = this.find(symbol, type);
    if (asset === undefined) throw badRequest({ field, message: `there is no ${type} asset ${symbol}` });
    return asset;
  }

  /** Returns an asset that is known to exist: one of the seed. */
  get(symbol: string, type: string): Asset {
    const asset = this.find(symbol, type);
    if (asset === undefined) throw new Error(`the seed has no ${type} ${symbol}`);
    return asset;
  }
}

export const assetKey = ({ symbol, type }: { symbol: string; type: string }): string => `${type}:${symbol}`;

export const assetRef = ({ symbol, type, name }: Asset): WireAssetRef => ({ symbol, type, name });

export function canSwap(a: Asset, b: Asset): boolean {
  return acceptsSwapWith(a, b) && acceptsSwapWith(b, a);
}

function acceptsSwapWith(asset: Asset, other: Asset): boolean {
  const { enabled, disabled_against: refused } = asset.listing.status.swap_trading;
  return enabled && !refused.some(({ symbol, type }) => symbol === other.symbol && type === other.type);
}
