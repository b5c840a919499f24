import * as z from 'zod/mini';
import {
  type AssetGetParams,
  type AssetRateListParams,
  getAsset,
  listAssetRates,
  listAssets,
} from '../../../resources/assets/assets.js';
import type { AssetListParams } from '../../../resources/assets/listing.js';
import { listSwapAssets, type SwapAssetListParams } from '../../../resources/swap.js';
import { listUserAssets } from '../../../resources/users/users.js';
import type { Operation } from '../../../schema/operation.js';
import { text } from '../../core/basics/checked.js';
import { amount, assetNamed, type NamedAsset, namedAsset } from '../../core/input.js';
import type { Method } from '../../core/kind/group.js';
import { handle, type UserParams } from '../../core/kind/handler.js';
import type { Kind } from '../../core/kind/kind.js';
import { type Asset, type AssetStatus, assetKey, assetRef } from '../../core/market/catalogue.js';
import { drop, keep } from '../../core/mutations.js';
import type { State } from '../../core/records/state.js';
import { existing } from '../../core/request/refusal.js';
import { pairKey, type TradeLimits, tradeLimits } from '../shared/trade-terms.js';
import { quoteOf, quoteRef } from '../shared/valuation.js';
import { userOf } from '../users.js';
import { type AssetSelection, listingIn, marketOf, selected, selectionOf, swappable } from './market.js';
import { ratesOf } from './rates.js';

const USES = ['swap_trading', 'withdraw', 'deposit'] as const;

/** A use of an asset, named as in the list of assets. */
export type AssetUse = (typeof USES)[number];

/** The uses of an asset to disable or enable. */
export interface AssetOptions {
  /** Class: `fiat`, `crypto`, `stablecoin` or `xstock`. Default: the first with the ticker. */
  readonly asset_type?: string | undefined;
  /** The uses to disable or enable. Default: all three, or only `swap_trading` with `against`. */
  readonly uses?: readonly AssetUse[] | undefined;
  /**
   * Only swaps for this asset, which `disabled_against` of the asset list then contains.
   *
   * @example
   * sandbox.assets.disable('BTC', { against: { symbol: 'USD' } }); // no quote between the two
   */
  readonly against?: NamedAsset | undefined;
}

/** Minimum and maximum amount of an asset as the source of one quote. */
export interface TradeLimitInput extends TradeLimits {
  /** Class: `fiat`, `crypto`, `stablecoin` or `xstock`. Default: the first with the ticker. */
  readonly asset_type?: string | undefined;
  /**
   * Only quotes with this destination. Default: all quotes.
   *
   * @example
   * sandbox.assets.setTradeLimits('USD', { minimum: '10', to: { symbol: 'BTC' } });
   */
  readonly to?: NamedAsset | undefined;
}

/** The current uses of an asset. */
export interface SandboxAsset {
  readonly symbol: string;
  readonly type: string;
  readonly name: string;
  readonly status: AssetStatus;
}

/** Trade limits that were set. */
export interface SandboxTradeLimits extends TradeLimits {
  /** The source asset of a quote, for example `fiat:USD`. */
  readonly from: string;
  /** The destination asset. Absent if the limits apply to every destination. */
  readonly to?: string | undefined;
}

/** `sandbox.assets`: enables and disables assets, and sets trade limits. */
export interface SandboxAssets {
  /** Returns all assets. */
  list(): SandboxAsset[];
  /**
   * Disables an asset: new quotes, conversions, withdrawals and deposit addresses are rejected, and
   * the list of assets shows it. What has already started continues.
   */
  disable(symbol: string, options?: AssetOptions): SandboxAsset;
  /** Enables an asset again, even one that is disabled in the seed. */
  enable(symbol: string, options?: AssetOptions): SandboxAsset;
  /** The trade limits that were set. A new sandbox has none. */
  readonly tradeLimits: readonly SandboxTradeLimits[];
  /**
   * Sets the minimum and maximum amount, as decimal strings, of an asset as the source of one
   * quote. They replace earlier limits. A quote beyond them gets 400. Without both members the
   * limits are removed. Limits with `to` have priority over those without.
   */
  setTradeLimits(symbol: string, limits: TradeLimitInput): void;
}

export const assetOptions = z
  .strictObject({
    asset_type: z.optional(text),
    uses: z.optional(z.array(z.enum(USES)).check(z.minLength(1))),
    against: z.optional(z.strictObject(namedAsset)),
  })
  .check(
    z.refine(({ uses = [], against }) => against === undefined || uses.every((use) => use === 'swap_trading'), {
      path: ['against'],
      message: 'is only for swap_trading',
    }),
  );

export const tradeLimitInput = z.strictObject({
  asset_type: z.optional(text),
  to: z.optional(z.strictObject(namedAsset)),
  minimum: z.optional(amount),
  maximum: z.optional(amount),
});

interface AssetParams {
  readonly asset_type: string;
  readonly asset_symbol: string;
}

/** The assets of the platform. All exist from the start, so they are not records. */
export const assets: Kind<Asset, undefined> = {
  name: 'assets',
  noun: 'asset',
  owner: 'partner',
  schema: () => z.never(),
  resources: ({ catalogue }) =>
    catalogue.assets.map((record) => ({ account: undefined, id: assetKey(record), record })),
  shown: ({ symbol, type, name, usd, listing: { status } }) => ({ symbol, type, name, usd: usd.toFixed(), status }),
  moreOfPartner: [tradeLimits],
  operations: [
    handle<UserParams, AssetListParams>(listUserAssets, (state, { params, query }) => {
      const { user } = userOf(state, params).record;
      return listed(state, [listUserAssets.name, user.id], query);
    }),
    handle<unknown, AssetListParams>(listAssets, (state, { query }) => listed(state, [listAssets.name], query)),
    handle<AssetParams, AssetGetParams>(getAsset, (state, { params, query }) => ({
      data: listingIn(assetOf(state, getAsset, params), quoteOf(state, query), marketOf(state)),
    })),
    handle<AssetParams, AssetRateListParams>(listAssetRates, (state, { params, query }) =>
      ratesOf(state, assetOf(state, listAssetRates, params), quoteOf(state, query), query),
    ),
    handle<unknown, SwapAssetListParams>(listSwapAssets, (state, { query }) => {
      const page = state.pager.page({ scope: [listSwapAssets.name], ...swappable(state) }, query);
      const data = page.data.map(({ asset }) => ({ ...assetRef(asset), supported_rails: railsOf(asset) }));
      return { ...page, data };
    }),
  ],
  methods: {
    list: { run: ({ catalogue }) => catalogue.assets.map(shown) },
    disable: {
      takes: { symbol: text, options: z.optional(assetOptions) },
      run: (state, symbol: string, options?: AssetOptions) => setStatus(state, 'assets.disable', symbol, options),
    },
    enable: {
      takes: { symbol: text, options: z.optional(assetOptions) },
      run: (state, symbol: string, options?: AssetOptions) => setStatus(state, 'assets.enable', symbol, options),
    },
    setTradeLimits: { takes: { symbol: text, limits: tradeLimitInput }, run: setTradeLimits },
  } satisfies Record<Exclude<keyof SandboxAssets, 'tradeLimits'>, Method<State>>,
  members: { tradeLimits: tradeLimitsOf },
  choices: {
    [getAsset.name]:
      'Answers 404 to an unknown asset. Values can be in an asset of any class; the default is US dollars.',
    [listAssetRates.name]:
      'Returns the prices at multiples of the interval, oldest first, from the listing of the asset until now. The default is one price per hour for the last 100 hours. A documented interval is accepted in any spelling (`PT24H` for `P1D`); the sandbox answers 400 to any other interval.',
    [listSwapAssets.name]:
      'Returns the list as `data`, and each asset with `symbol`, `type` and `name`. `supported_rails` has names that whitelisting accepts as `via`.',
    [listUserAssets.name]:
      'Interprets `width` and `height` of a `logo` as pixels. Like every list of assets, it keeps the order of the first page on all following pages, even while prices change.',
  },
};

function tradeLimitsOf({ records }: State): SandboxTradeLimits[] {
  return Array.from(records.of(tradeLimits).entries(), ([pair, limits]) => {
    const [from = '', to] = pair.split(' ');
    return { from, ...(to === undefined ? {} : { to }), ...limits };
  });
}

const shown = (asset: Asset): SandboxAsset => ({ ...assetRef(asset), status: structuredClone(asset.listing.status) });

function setStatus(
  state: State,
  method: 'assets.disable' | 'assets.enable',
  symbol: string,
  { asset_type, uses, against }: AssetOptions = {},
): SandboxAsset {
  const enabled = method === 'assets.enable';
  const asset = assetNamed(state, method, { symbol, asset_type });
  if (against === undefined) {
    const changes = Object.fromEntries((uses ?? USES).map((use) => [use, { ...asset.listing.status[use], enabled }]));
    state.catalogue.setStatus(asset, { ...asset.listing.status, ...changes });
    return shown(asset);
  }
  const other = assetNamed(state, method, against);
  const { swap_trading, ...status } = asset.listing.status;
  const rest = swap_trading.disabled_against.filter((one) => one.symbol !== other.symbol || one.type !== other.type);
  const disabled_against = enabled ? rest : [...rest, assetRef(other)];
  state.catalogue.setStatus(asset, { ...status, swap_trading: { ...swap_trading, disabled_against } });
  return shown(asset);
}

function setTradeLimits(state: State, symbol: string, { asset_type, to, minimum, maximum }: TradeLimitInput): void {
  const METHOD = 'assets.setTradeLimits';
  const from = assetNamed(state, METHOD, { symbol, asset_type });
  const key = pairKey(from, to === undefined ? undefined : assetNamed(state, METHOD, to));
  drop(state, tradeLimits, undefined, key);
  state.changes.announce('assets');
  if (minimum === undefined && maximum === undefined) return;
  keep(state, tradeLimits, undefined, key, {
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  });
}

function listed(state: State, owner: readonly string[], query: AssetListParams) {
  const quote = quoteOf(state, query);
  const selection = selectionOf(query);
  const market = marketOf(state);
  const page = state.pager.page({ scope: [...owner, selection], ...selected(state, selection, market) }, query);
  const data = page.data.map(({ asset }) => listingIn(asset, quote, market));
  return { ...page, data, ...quoteRef(quote), page_size: query.page_size ?? 20, ...echoes(selection) };
}

/** A filter that is false is not applied, so the response does not repeat it. */
function echoes({ type, swap_trading, withdraw, deposit, sort, sort_direction }: AssetSelection) {
  return {
    sort,
    sort_direction,
    type,
    ...(swap_trading ? { swap_trading } : {}),
    ...(withdraw ? { withdraw } : {}),
    ...(deposit ? { deposit } : {}),
  };
}

function assetOf(state: State, operation: Operation, { asset_symbol, asset_type }: AssetParams): Asset {
  return existing(operation, state.catalogue.find(asset_symbol, asset_type));
}

/** Rails and networks by symbol. All other assets have those of their class. */
const BY_SYMBOL: Readonly<Record<string, readonly string[]>> = {
  USD: ['ach', 'fedwire', 'swift'],
  EUR: ['sepa', 'swift'],
  GBP: ['fps', 'swift'],
  BTC: ['bitcoin'],
  ETH: ['ethereum', 'arbitrum'],
  SOL: ['solana'],
  TRX: ['tron'],
  ARB: ['arbitrum'],
  XRP: ['xrp'],
  XLM: ['xlm'],
  ATOM: ['cosmos'],
  USDC: ['ethereum', 'solana', 'polygon', 'arbitrum'],
  USDT: ['ethereum', 'tron', 'polygon'],
};

const BY_TYPE: Readonly<Record<string, readonly string[]>> = {
  fiat: ['swift'],
  stablecoin: ['ethereum'],
  xstock: ['ethereum', 'solana'],
};

/** Returns the values of `via` that are accepted when a wallet is whitelisted for the asset. */
const railsOf = ({ symbol, type }: Asset): readonly string[] =>
  (type === 'xstock' ? undefined : BY_SYMBOL[symbol]) ?? BY_TYPE[type] ?? [];
