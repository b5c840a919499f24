import type { AssetListing } from '../../../resources/assets/listing.js';
import { Decimal } from '../../../schema/decimal.js';
import type { Wire } from '../../../schema/types.js';
import type { Changes } from '../basics/changes.js';
import { badRequest } from '../request/refusal.js';
import type { Price } from './prices.js';

export interface Asset {
  readonly symbol: string;
  readonly type: string;
  readonly name: string;
  /** Every figure that depends on a price is computed from it. */
  readonly price: Price;
  /** Current price of one unit in US dollars. */
  readonly usd: Decimal;
  /** Decimal places of amounts that are swapped. */
  readonly places: number;
  /** Entry in the asset list, without the members that depend on prices. */
  readonly listing: Omit<Wire<AssetListing>, PricedMember>;
  /** Absent for plain fiat. */
  readonly market: Market | undefined;
}

/** The uses of an asset. */
export type AssetStatus = Wire<AssetListing>['status'];

type PricedMember = 'price' | 'market_cap' | 'market_cap_rank' | 'price_change_percent' | 'ath';

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

/** Prices in a snapshot. */
export type SavedPrices = [asset: string, at: number, usd: string][];

/** The assets by symbol and type: several classes may have the same ticker. */
export class Catalogue {
  readonly assets: readonly Asset[];
  readonly #byKey: ReadonlyMap<string, Asset>;
  readonly #changes: Changes;
  /** The assets whose status was changed, with their status in the seed. */
  readonly #seeded = new Map<Asset, AssetStatus>();

  constructor(assets: readonly Asset[], changes: Changes) {
    this.assets = assets;
    this.#changes = changes;
    this.#byKey = new Map(assets.map((asset) => [assetKey(asset), asset]));
  }

  find(symbol: string, type: string): Asset | undefined {
    return this.#byKey.get(assetKey({ symbol, type }));
  }

  setPrice(asset: Asset, usd: Decimal): void {
    asset.price.set(usd);
    this.#changes.announce('prices');
  }

  setStatus(asset: Asset, status: AssetStatus): void {
    const before = asset.listing.status;
    if (!this.#seeded.has(asset)) this.#seeded.set(asset, before);
    asset.listing.status = status;
    this.#changes.announce('assets');
  }

  /** Returns the statuses that differ from the seed, by asset key. */
  saveStatuses(): [asset: string, status: AssetStatus][] {
    return Array.from(this.#seeded.keys(), (asset) => [assetKey(asset), asset.listing.status]);
  }

  /** Restores saved statuses. All other assets get their status of the seed. */
  restoreStatuses(saved: readonly (readonly [asset: string, status: AssetStatus])[]): void {
    for (const [asset, status] of this.#seeded) asset.listing.status = status;
    this.#seeded.clear();
    for (const [key, status] of saved) this.setStatus(this.keyed(key), status);
  }

  savePrices(): SavedPrices {
    return this.assets.flatMap((asset) =>
      asset.price.marks().map(({ at, usd }): SavedPrices[number] => [assetKey(asset), at, usd.toFixed()]),
    );
  }

  /** Restores saved prices. An asset without saved marks keeps its marks of the seed. */
  restorePrices(marks: Readonly<SavedPrices>): void {
    for (const asset of this.assets) {
      const own = marks.filter(([key]) => key === assetKey(asset));
      if (own.length > 0) asset.price.restore(own.map(([, at, usd]) => ({ at, usd: new Decimal(usd) })));
    }
  }

  /** Returns the asset with a key that is known to exist, for example `crypto:BTC`. */
  keyed(key: string): Asset {
    const [type = '', symbol = ''] = key.split(':');
    return this.get(symbol, type);
  }

  /** Returns the asset of a request, or throws 400 with the name of the member. */
  named(symbol: string, type: string, field: string): Asset {
    const asset = this.find(symbol, type);
    if (asset === undefined) throw badRequest({ field, message: `there is no ${type} asset ${symbol}` });
    return asset;
  }

  /** Returns the assets of all classes that have this symbol. Throws 400 if there are none. */
  withSymbol(symbol: string): Asset[] {
    const found = this.assets.filter((asset) => asset.symbol === symbol);
    if (found.length > 0) return found;
    throw badRequest({ field: 'asset_symbol', message: 'is not a symbol of the assets API' });
  }

  /** Returns an asset of the seed, which is known to exist. */
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
