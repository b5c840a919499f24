import {
  type EarnSettings,
  type EarnUpdateBody,
  getAccountEarn,
  updateAccountEarn,
} from '../../../resources/earn/account-earn.js';
import { type EarnAllocation, listEarnAllocations } from '../../../resources/earn/allocations.js';
import {
  type EarnAsset,
  type EarnAssetListParams,
  listAccountEarnAssets,
  listEarnAssets,
} from '../../../resources/earn/assets.js';
import type { EarnListParams } from '../../../resources/earn/common.js';
import { type EarnReward, listEarnRewards } from '../../../resources/earn/rewards.js';
import type { Decimal } from '../../../schema/decimal.js';
import type { Wire } from '../../../schema/types.js';
import { timestamp } from '../../core/clock/clock.js';
import { type Asset, assetKey, assetRef } from '../../core/market/catalogue.js';
import { Money, priceIn, written } from '../../core/money/money.js';
import type { State } from '../../core/records/state.js';
import { type AccountParams, accountOf, type Handler, handle } from '../../core/request/handler.js';
import type { WirePage } from '../../core/request/paging.js';
import {
  allocatedOf,
  changeEarn,
  type EarningAsset,
  earningAssets,
  earnOf,
  nextRewardAt,
  rewardedOf,
  rewardOf,
} from '../lifecycles/earn.js';
import { countryOf } from '../ramp/countries.js';

const VALUE_PLACES = 4;

export const earnHandlers: readonly Handler[] = [
  handle<unknown, EarnAssetListParams>(listEarnAssets, (state, { query }) => {
    const { country } = query;
    const assets = countryOf(country) === undefined ? [] : earningAssets(state);
    return assetPage(state, [listEarnAssets.name, country], assets, query);
  }),
  handle<AccountParams, EarnListParams>(listAccountEarnAssets, (state, { params, query }) => {
    const { id } = accountOf(state, params);
    return assetPage(state, [listAccountEarnAssets.name, id], earningAssets(state), query);
  }),
  handle<AccountParams>(getAccountEarn, (state, { params }): EarnSettings => {
    const { staking } = earnOf(accountOf(state, params));
    return { staking };
  }),
  handle<AccountParams, unknown, EarnUpdateBody>(updateAccountEarn, (state, { params, body }) => {
    const account = accountOf(state, params);
    if (body.staking !== undefined) changeEarn(state, account, body.staking === 'enabled' ? 'enabled' : 'disabled');
    return {};
  }),
  handle<AccountParams, EarnListParams>(listEarnAllocations, (state, { params, query }) => {
    const account = accountOf(state, params);
    const quote = quoteOf(state);
    const rows = earningAssets(state).flatMap(({ asset }): Wire<EarnAllocation>[] => {
      const allocated = allocatedOf(account, asset);
      if (allocated.isZero()) return [];
      const allocated_in_quote = valued(asset, allocated, quote);
      return [{ ...assetRef(asset), allocated: written(allocated, asset.places), allocated_in_quote }];
    });
    return {
      ...pageOf(state, [listEarnAllocations.name, account.id], rows, query),
      ...inQuote(quote),
      total_allocated_in_quote: sumOf(rows.map((row) => row.allocated_in_quote)),
    };
  }),
  handle<AccountParams, EarnListParams>(listEarnRewards, (state, { params, query }) => {
    const account = accountOf(state, params);
    const quote = quoteOf(state);
    const rows = earningAssets(state).flatMap((earning): Wire<EarnReward>[] => {
      const { asset } = earning;
      const [rewarded, next] = [rewardedOf(account, asset), rewardOf(earning, allocatedOf(account, asset))];
      if (rewarded.isZero() && next.isZero()) return [];
      return [
        {
          ...assetRef(asset),
          rewarded: written(rewarded, asset.places),
          rewarded_in_quote: valued(asset, rewarded, quote),
          estimated_next_reward: written(next, asset.places),
          estimated_next_reward_in_quote: valued(asset, next, quote),
        },
      ];
    });
    return {
      ...pageOf(state, [listEarnRewards.name, account.id], rows, query),
      ...inQuote(quote),
      total_rewarded_in_quote: sumOf(rows.map((row) => row.rewarded_in_quote)),
      ...(earnOf(account).earns ? { next_reward_date: timestamp(nextRewardAt(state)).slice(0, 10) } : {}),
    };
  }),
];

function assetPage(
  state: State,
  scope: readonly string[],
  assets: readonly EarningAsset[],
  query: EarnListParams,
): WirePage<Wire<EarnAsset>> {
  const items = assets.map(({ asset, apy }) => ({ ...assetRef(asset), yield_source: 'staking', apy }));
  return pageOf(state, scope, items, query);
}

/** A page of rows in the order of their assets. */
function pageOf<Row extends { symbol: string; type: string }>(
  { pager }: State,
  scope: readonly string[],
  items: readonly Row[],
  query: EarnListParams,
): WirePage<Row> {
  return pager.page({ scope, items, position: assetKey, isAfter: (row, position) => assetKey(row) > position }, query);
}

const quoteOf = ({ catalogue }: State): Asset => catalogue.get('USD', 'fiat');

const inQuote = ({ symbol, type }: Asset) => ({ quote_symbol: symbol, quote_type: type });

const valued = (asset: Asset, amount: Decimal, quote: Asset): string =>
  amount.times(priceIn(asset, quote)).toFixed(VALUE_PLACES);

/** The sum of what the rows show, so that it agrees with them to the last digit. */
const sumOf = (values: readonly (string | undefined)[]): string =>
  values.reduce((sum, value) => sum.plus(value ?? 0), new Money(0)).toFixed(VALUE_PLACES);
