import * as z from 'zod/mini';
import {
  type EarnAllocation,
  type EarnAsset,
  type EarnAssetListParams,
  type EarnListParams,
  type EarnReward,
  type EarnSettings,
  type EarnUpdateBody,
  getAccountEarn,
  listAccountEarnAssets,
  listEarnAllocations,
  listEarnAssets,
  listEarnRewards,
  updateAccountEarn,
} from '../../resources/earn.js';
import type { Decimal } from '../../schema/decimal.js';
import type { Wire } from '../../schema/types.js';
import { DAY_MS, timestamp } from '../core/clock/clock.js';
import { recordsOf } from '../core/kind/find.js';
import { type AccountParams, accountOf, handle } from '../core/kind/handler.js';
import type { Found, Kind, Moves } from '../core/kind/kind.js';
import { type Asset, assetKey, assetRef, type WireAssetRef } from '../core/market/catalogue.js';
import { NOTHING, type Sum } from '../core/money/ledger.js';
import { dividedDown, Money, priceIn, written } from '../core/money/money.js';
import { dropStep, runNow, scheduleStep } from '../core/moves.js';
import { keep, move, post } from '../core/mutations.js';
import type { RecordKind } from '../core/records/records.js';
import { amountText } from '../core/records/saved-values.js';
import type { AccountState, State } from '../core/records/state.js';
import { inOrderOf, type WirePage } from '../core/request/paging.js';
import { countryOf } from './shared/countries.js';
import { noteEntry } from './shared/entries.js';
import { quoteOf, quoteRef, sumOf, VALUE_PLACES } from './shared/valuation.js';

/** The crypto assets that earn by staking: ticker, and annual yield in percent. */
const STAKING: readonly (readonly [symbol: string, apy: string])[] = [
  ['ADA', '2.40'],
  ['ATOM', '14.25'],
  ['AVAX', '5.60'],
  ['DOT', '11.50'],
  ['ETH', '3.10'],
  ['NEAR', '7.80'],
  ['SOL', '6.25'],
  ['TRX', '3.75'],
];

/** Time in ms until a change of the settings takes effect. */
const PENDING_MS = 60_000;

const STATUSES = ['enabled', 'disabled', 'pending_enabled', 'pending_disabled'] as const;

interface EarnRecord {
  readonly staking: (typeof STATUSES)[number];
  /** True while rewards are paid, including the time until a requested end takes effect. */
  readonly earns: boolean;
}

const OFF: EarnRecord = { staking: 'disabled', earns: false };

/** The reward that an account received for an asset. */
export interface SandboxReward extends WireAssetRef {
  /** A decimal string. */
  readonly amount: string;
}

/** `sandbox.earn`: automatic earning of accounts (`accounts.earn.auto`). */
export interface SandboxEarn {
  /** Enables earning for an account: `staking` is `enabled` immediately. */
  enable(accountId: string): void;
  /** Disables earning for an account: `staking` is `disabled` immediately. */
  disable(accountId: string): void;
  /**
   * Credits the rewards of one day to an account that earns, in addition to those at midnight.
   * Returns them; an allocation that is too small earns nothing.
   */
  creditRewards(accountId: string): SandboxReward[];
}

/** Total rewards of an account, by asset key. */
const rewards: RecordKind<{ readonly rewarded: string }> = {
  name: 'earnRewards',
  schema: () => z.object({ rewarded: amountText }),
};

/** The earning settings of an account: one record, whose id is that of the account. */
export const earn: Kind<EarnRecord> = {
  name: 'earn',
  noun: 'auto earn of the account',
  owner: 'account',
  schema: () => z.object({ staking: z.enum(STATUSES), earns: z.boolean() }),
  more: [rewards],
  shown: (settings) => settings,
  stateOf: ({ staking }) => staking,
  inState: (settings, staking) => ({ ...settings, staking: staking as EarnRecord['staking'] }),
  initial: ['disabled'],
  steps: {
    'earn.settle': {
      from: ['pending_enabled', 'pending_disabled'],
      effect: () => 'The change of the earn settings takes effect.',
      run: settle,
    },
    'earn.reward': {
      from: ['pending_enabled', 'enabled', 'pending_disabled'],
      effect: () => 'The account receives the rewards of a day.',
      run(state, found) {
        creditRewards(state, found.account);
        planReward(state, found);
      },
    },
  },
  idName: 'accountId',
  moves: {
    enable: {
      from: ['disabled', 'pending_enabled', 'pending_disabled'],
      run: (state, { account }) => changeNow(state, account, 'enabled'),
    },
    disable: {
      from: ['pending_enabled', 'enabled', 'pending_disabled'],
      run: (state, { account }) => changeNow(state, account, 'disabled'),
    },
    creditRewards: {
      from: ['enabled', 'pending_disabled'],
      run: (state, { account }): SandboxReward[] =>
        creditRewards(state, account).map(({ asset, amount }) => ({ ...assetRef(asset), amount: amount.toFixed() })),
    },
  } satisfies Moves<keyof SandboxEarn, EarnRecord>,
  transitions: [
    { from: 'disabled', to: 'pending_enabled', by: updateAccountEarn.name },
    { from: 'pending_enabled', to: 'enabled' },
    { from: 'pending_enabled', to: 'pending_disabled', by: updateAccountEarn.name },
    { from: 'enabled', to: 'pending_disabled', by: updateAccountEarn.name },
    { from: 'pending_disabled', to: 'disabled' },
    { from: 'pending_disabled', to: 'pending_enabled', by: updateAccountEarn.name },
  ],
  operations: [
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
      const { staking } = settingsOf(state, accountOf(state, params)).record;
      return { staking };
    }),
    handle<AccountParams, unknown, EarnUpdateBody>(updateAccountEarn, (state, { params, body }) => {
      const account = accountOf(state, params);
      if (body.staking !== undefined) begin(state, account, body.staking === 'enabled' ? 'enabled' : 'disabled');
      return {};
    }),
    handle<AccountParams, EarnListParams>(listEarnAllocations, (state, { params, query }) => {
      const account = accountOf(state, params);
      const quote = quoteOf(state, {});
      const rows = earningAssets(state).flatMap(({ asset }): Wire<EarnAllocation>[] => {
        const allocated = allocatedOf(state, account, asset);
        if (allocated.isZero()) return [];
        const allocated_in_quote = valued(asset, allocated, quote);
        return [{ ...assetRef(asset), allocated: written(allocated, asset.places), allocated_in_quote }];
      });
      return {
        ...state.pager.page({ scope: [listEarnAllocations.name, account.id], items: rows, ...inOrder }, query),
        ...quoteRef(quote),
        total_allocated_in_quote: sumOf(rows.flatMap((row) => row.allocated_in_quote ?? [])).toFixed(VALUE_PLACES),
      };
    }),
    handle<AccountParams, EarnListParams>(listEarnRewards, (state, { params, query }) => {
      const account = accountOf(state, params);
      const quote = quoteOf(state, {});
      const rows = earningAssets(state).flatMap((earning): Wire<EarnReward>[] => {
        const { asset } = earning;
        const [rewarded, next] = [rewardedOf(account, asset), rewardOf(earning, allocatedOf(state, account, asset))];
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
        ...state.pager.page({ scope: [listEarnRewards.name, account.id], items: rows, ...inOrder }, query),
        ...quoteRef(quote),
        total_rewarded_in_quote: sumOf(rows.flatMap((row) => row.rewarded_in_quote ?? [])).toFixed(VALUE_PLACES),
        ...(settingsOf(state, account).record.earns
          ? { next_reward_date: timestamp(nextRewardAt(state)).slice(0, 10) }
          : {}),
      };
    }),
  ],
  choices: {
    [updateAccountEarn.name]: 'Applies the change one minute later. Before the first change, `staking` is `disabled`.',
    [listEarnAssets.name]:
      'Returns eight assets for the countries of `ramp.countries.list`, and none for other countries. `user_cap` is absent.',
    [listEarnAllocations.name]:
      'Allocates everything that no order holds, as long as the account earns, and values it in US dollars.',
    [listEarnRewards.name]:
      'Pays rewards at midnight UTC: the allocation at that moment × `apy` / 365, rounded down. `next_reward_date` is a date such as `2025-01-31`, and is absent while the account does not earn. `other_assets` is always absent.',
  },
};

/** Returns the settings of a new account, which earns nothing. */
export const newEarn = ({ id }: Pick<AccountState, 'id'>): [id: string, record: EarnRecord] => [id, OFF];

function settingsOf(state: State, account: AccountState): Found<EarnRecord> {
  const { id } = account;
  return { account, id, record: recordsOf(state, earn, account).get(id) ?? OFF };
}

/** Starts a change of the settings, which is pending for a minute. */
function begin(state: State, account: AccountState, wanted: 'enabled' | 'disabled'): void {
  const found = settingsOf(state, account);
  const { staking } = found.record;
  if (staking === wanted || staking === `pending_${wanted}`) return;
  dropStep(state, 'earn.settle', found.id);
  move(state, earn, found, `pending_${wanted}`);
  scheduleStep(state, 'earn.settle', found, PENDING_MS);
}

function changeNow(state: State, account: AccountState, wanted: 'enabled' | 'disabled'): void {
  begin(state, account, wanted);
  runNow(state, earn, 'earn.settle', settingsOf(state, account));
}

/** `pending_enabled → enabled`, `pending_disabled → disabled`. */
function settle(state: State, found: Found<EarnRecord>): void {
  const { staking, earns } = found.record;
  const willEarn = staking === 'pending_enabled';
  move(state, earn, found, willEarn ? 'enabled' : 'disabled', (settings) => ({ ...settings, earns: willEarn }));
  if (willEarn && !earns) planReward(state, found);
  if (!willEarn) dropStep(state, 'earn.reward', found.id);
}

const planReward = (state: State, found: Found<EarnRecord>): void =>
  scheduleStep(state, 'earn.reward', found, nextRewardAt(state) - state.clock.now());

/** Returns the next midnight, UTC: rewards are paid then. */
const nextRewardAt = ({ clock }: State): number => (Math.floor(clock.now() / DAY_MS) + 1) * DAY_MS;

/** Credits the rewards of one day to the account. Returns the reward for each asset. */
function creditRewards(state: State, account: AccountState): Sum[] {
  const credited: Sum[] = [];
  for (const earning of earningAssets(state)) {
    const { asset } = earning;
    const amount = rewardOf(earning, allocatedOf(state, account, asset));
    if (amount.isZero()) continue;
    const reference = state.random.uuid();
    post(state, { asset, amount }, state.books.outside, account.holdings, reference);
    const rewarded = rewardedOf(account, asset).plus(amount).toFixed();
    keep(state, rewards, account, assetKey(asset), { rewarded });
    noteEntry(state, account, { type: 'earn_reward', reference, receive: { asset, total: amount } });
    credited.push({ asset, amount });
  }
  return credited;
}

interface EarningAsset {
  readonly asset: Asset;
  /** Annual yield in percent. */
  readonly apy: string;
}

/** Returns the assets that earn, in the order of their keys. */
const earningAssets = ({ catalogue }: State): EarningAsset[] =>
  STAKING.map(([symbol, apy]) => ({ asset: catalogue.get(symbol, 'crypto'), apy }));

const rewardedOf = ({ records }: AccountState, asset: Asset): Decimal =>
  new Money(records.of(rewards).get(assetKey(asset))?.rewarded ?? 0);

/** Returns the amount of an asset that earns: its available balance. */
const allocatedOf = (state: State, account: AccountState, asset: Asset): Decimal =>
  settingsOf(state, account).record.earns ? account.holdings.available(asset) : NOTHING;

/** Returns the reward of one day, rounded down to the decimal places of the asset. */
const rewardOf = ({ asset, apy }: EarningAsset, allocated: Decimal): Decimal =>
  dividedDown(allocated.times(apy), new Money(100 * 365), asset.places);

function assetPage(
  state: State,
  scope: readonly string[],
  assets: readonly EarningAsset[],
  query: EarnListParams,
): WirePage<Wire<EarnAsset>> {
  const items = assets.map(({ asset, apy }) => ({ ...assetRef(asset), yield_source: 'staking', apy }));
  return state.pager.page({ scope, items, ...inOrder }, query);
}

const inOrder = inOrderOf<Pick<WireAssetRef, 'symbol' | 'type'>>(assetKey);

const valued = (asset: Asset, amount: Decimal, quote: Asset): string =>
  amount.times(priceIn(asset, quote)).toFixed(VALUE_PLACES);
