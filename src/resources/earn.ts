import type { ApiPromise, ListOptions, PagedList, UnkeyedRequestOptions } from '../call/caller.js';
import type { Decimal } from '../schema/decimal.js';
import { once } from '../schema/operation.js';
import * as s from '../schema/schema.js';
import * as z from '../schema/zod.js';
import { type AssetLabel, assetLabel, type Valuation, valuation } from './common.js';
import { ACCOUNT, defineList, defineOperation } from './define-operation.js';
import { Resource } from './resource.js';

/** Longest page token of the earn lists, as a parameter and in a response. */
const MAX_EARN_TOKEN_LENGTH = 64;

const earnPaging = () => s.paging({ max: 200, maxTokenLength: MAX_EARN_TOKEN_LENGTH });

/** Page of a list about what an account earns. */
export interface EarnListParams {
  /** 1 to 200. The service documents no default. */
  page_size?: number | undefined;
  /** `nextPageToken` of an earlier page, 1 to 64 characters. Default: from the beginning. */
  page_token?: string | undefined;
}

const earnListParams = s.input<EarnListParams>()(() => z.object(earnPaging()));

/** Account ids of 5 to 42 characters: the earn operations accept shorter ones than all others. */
const earnAccountParams = once(() => z.object({ account_id: s.text(5, 42) }));

/** An asset that earns rewards by itself while it is held. */
export interface EarnAsset extends AssetLabel {
  /** The origin of the yield, for example `staking`. */
  yield_source?: string | undefined;
  /** Yearly yield in percent: `12.50` is 12.5 %. */
  apy?: Decimal | undefined;
  /** The limit of one user. Its asset is not documented. */
  user_cap?: Decimal | undefined;
}

/** Country and page of the assets that earn. */
export interface EarnAssetListParams extends EarnListParams {
  /** ISO 3166-1 alpha-2, two capital letters, for example `DE`. */
  country: string;
}

const earnAsset = s.output<EarnAsset>()(() =>
  z.looseObject({
    ...assetLabel().shape,
    yield_source: s.optionalText(),
    apy: s.optionalAmount(),
    user_cap: s.optionalAmount(),
  }),
);

const earnAssets = s.page(earnAsset, { maxTokenLength: MAX_EARN_TOKEN_LENGTH });

export const listEarnAssets = defineList('earn.auto.assets.list', 'GET /v1/earn/auto/assets', {
  query: s.input<EarnAssetListParams>()(() =>
    z.object({
      country: z.string().check(z.regex(/^[A-Z]{2}$/, 'must be two capital letters, such as "DE"')),
      ...earnPaging(),
    }),
  ),
  answer: earnAssets,
});

export const listAccountEarnAssets = defineList('accounts.earn.auto.assets.list', `GET ${ACCOUNT}/earn/auto/assets`, {
  params: earnAccountParams,
  query: earnListParams,
  answer: earnAssets,
});

/** `client.earn.auto.assets`: the assets that earn in a country. */
export class EarnAssets extends Resource {
  /**
   * Lists the assets that earn rewards in a country.
   *
   * @example
   * for await (const { symbol, apy } of client.earn.auto.assets.list({ country: 'DE' })) {
   *   console.log(symbol, apy?.toFixed());
   * }
   *
   * @stability documented
   * @param params `country` is required.
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  list(params: EarnAssetListParams, options?: ListOptions): PagedList<EarnAsset> {
    return this.api.list(listEarnAssets, [params], options);
  }
}

/** `client.accounts.earn.auto.assets`: the assets that earn in one account. */
export class AccountEarnAssets extends Resource {
  /**
   * Lists the assets that can earn rewards in an account.
   *
   * @example
   * for await (const { symbol, apy } of client.accounts.earn.auto.assets.list(accountId)) {
   *   console.log(symbol, apy?.toFixed());
   * }
   *
   * @stability documented
   * @param accountId 5 to 42 characters.
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  list(accountId: string, params?: EarnListParams, options?: ListOptions): PagedList<EarnAsset> {
    return this.api.list(listAccountEarnAssets, [accountId, params], options);
  }
}

/** The quantity of an asset that earns. */
export interface EarnAllocation extends AssetLabel {
  /** In the asset. */
  allocated?: Decimal | undefined;
  /** Valued in the quote asset (`page.meta.quote_symbol`). */
  allocated_in_quote?: Decimal | undefined;
}

/** Valuation asset and sum of the allocations, as `page.meta` has them. */
export interface EarnAllocationPageMeta extends Valuation {
  /** The value of all allocations. */
  total_allocated_in_quote?: Decimal | undefined;
}

const allocation = s.output<EarnAllocation>()(() =>
  z.looseObject({ ...assetLabel().shape, allocated: s.optionalAmount(), allocated_in_quote: s.optionalAmount() }),
);

const allocationPageMeta = s.output<EarnAllocationPageMeta>()(() =>
  z.looseObject({
    ...valuation(),
    total_allocated_in_quote: s.optionalAmount(),
  }),
);

export const listEarnAllocations = defineList(
  'accounts.earn.auto.allocations.list',
  `GET ${ACCOUNT}/earn/auto/allocations`,
  {
    params: earnAccountParams,
    query: earnListParams,
    answer: s.page(allocation, { echoes: allocationPageMeta, maxTokenLength: MAX_EARN_TOKEN_LENGTH }),
  },
);

/** `client.accounts.earn.auto.allocations`: the quantities that earn at present. */
export class EarnAllocations extends Resource {
  /**
   * Lists the quantities that currently earn rewards in an account. `page.meta` contains the
   * valuation asset and the sum.
   *
   * @example
   * const page = await client.accounts.earn.auto.allocations.list(accountId);
   * for (const { symbol, allocated } of page) console.log(symbol, allocated?.toFixed());
   * console.log(page.meta.total_allocated_in_quote?.toFixed(2), page.meta.quote_symbol);
   *
   * @stability documented
   * @param accountId 5 to 42 characters.
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  list(
    accountId: string,
    params?: EarnListParams,
    options?: ListOptions,
  ): PagedList<EarnAllocation, EarnAllocationPageMeta> {
    return this.api.list(listEarnAllocations, [accountId, params], options);
  }
}

/** The rewards of an asset so far, and the next one. */
export interface EarnReward extends AssetLabel {
  /** In the asset. */
  rewarded?: Decimal | undefined;
  /** Valued in the quote asset (`page.meta.quote_symbol`). */
  rewarded_in_quote?: Decimal | undefined;
  /** In the asset. */
  estimated_next_reward?: Decimal | undefined;
  /** Valued in the quote asset. */
  estimated_next_reward_in_quote?: Decimal | undefined;
  /** Rewards in other assets, unchanged: their form is not documented. */
  other_assets?: unknown;
}

/** Valuation asset, sum and next date of the rewards, as `page.meta` has them. */
export interface EarnRewardPageMeta extends Valuation {
  /** The value of all rewards. */
  total_rewarded_in_quote?: Decimal | undefined;
  /** The date of the next rewards. Whether it has a time is not documented. */
  next_reward_date?: string | null | undefined;
}

const reward = s.output<EarnReward>()(() =>
  z.looseObject({
    ...assetLabel().shape,
    rewarded: s.optionalAmount(),
    rewarded_in_quote: s.optionalAmount(),
    estimated_next_reward: s.optionalAmount(),
    estimated_next_reward_in_quote: s.optionalAmount(),
    other_assets: z.optional(z.unknown()),
  }),
);

const rewardPageMeta = s.output<EarnRewardPageMeta>()(() =>
  z.looseObject({
    ...valuation(),
    total_rewarded_in_quote: s.optionalAmount(),
    next_reward_date: z.nullish(z.string()),
  }),
);

export const listEarnRewards = defineList('accounts.earn.auto.rewards.list', `GET ${ACCOUNT}/earn/auto/rewards`, {
  params: earnAccountParams,
  query: earnListParams,
  answer: s.page(reward, { echoes: rewardPageMeta, maxTokenLength: MAX_EARN_TOKEN_LENGTH }),
});

/** `client.accounts.earn.auto.rewards`: rewards so far, and the next. */
export class EarnRewards extends Resource {
  /**
   * Lists what each asset of an account has earned. `page.meta` has the valuation asset, the sum
   * and the date of the next rewards.
   *
   * @example
   * const page = await client.accounts.earn.auto.rewards.list(accountId);
   * for (const { symbol, rewarded } of page) console.log(symbol, rewarded?.toFixed());
   * console.log(page.meta.next_reward_date);
   *
   * @stability documented
   * @param accountId 5 to 42 characters.
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  list(accountId: string, params?: EarnListParams, options?: ListOptions): PagedList<EarnReward, EarnRewardPageMeta> {
    return this.api.list(listEarnRewards, [accountId, params], options);
  }
}

/** The state of automatic earning. A change takes effect later; until then it is pending. */
export type EarnStatus = 'enabled' | 'disabled' | 'pending_enabled' | 'pending_disabled' | (string & {});

/** Automatic earning of an account, by the kind of earning. */
export interface EarnSettings {
  staking?: EarnStatus | undefined;
}

/** The kinds of earning to change. A kind that you leave out stays unchanged. */
export interface EarnUpdateBody {
  staking?: 'enabled' | 'disabled' | (string & {}) | undefined;
}

const settings = s.output<EarnSettings>()(() => z.looseObject({ staking: s.optionalText() }));

export const getAccountEarn = defineOperation('accounts.earn.auto.get', `GET ${ACCOUNT}/earn/auto`, {
  params: earnAccountParams,
  // The whole body, because it has no `data`.
  answer: s.answer(settings, (body) => body),
});

export const updateAccountEarn = defineOperation('accounts.earn.auto.update', `PATCH ${ACCOUNT}/earn/auto`, {
  params: earnAccountParams,
  body: s.input<EarnUpdateBody>()(() => z.object({ staking: z.optional(s.oneOf(['enabled', 'disabled'])) })),
  answer: s.nothingBut(() => z.looseObject({})),
});

/** `client.accounts.earn.auto`: assets that earn rewards by themselves while they are held. */
export class AccountEarnAuto extends Resource {
  readonly assets = new AccountEarnAssets(this.api);
  readonly allocations = new EarnAllocations(this.api);
  readonly rewards = new EarnRewards(this.api);

  /**
   * Reads whether the account earns.
   *
   * @example
   * const { staking } = await client.accounts.earn.auto.get(accountId);
   * if (staking === 'pending_enabled') console.log('earning begins soon');
   *
   * @stability documented
   * @param accountId 5 to 42 characters.
   * @throws NotFoundError, and the errors of every call.
   */
  get(accountId: string, options?: UnkeyedRequestOptions): ApiPromise<EarnSettings> {
    return this.api.call(getAccountEarn, [accountId], options);
  }

  /**
   * Enables or disables earning. The change takes effect later; until then, `get` shows
   * `pending_enabled` or `pending_disabled`. The operation takes no `Idempotency-Key`. If its
   * outcome is `unknown`, `get` shows what is set, and the same update may be retried.
   *
   * The sources of this API differ about the method: this is the PATCH, but one page says PUT.
   *
   * @example
   * await client.accounts.earn.auto.update(accountId, { staking: 'enabled' });
   * const { staking } = await client.accounts.earn.auto.get(accountId);
   * console.log(staking); // at first: pending_enabled
   *
   * @stability documented
   * @param accountId 5 to 42 characters.
   * @throws RequestValidationError when a value breaks a rule, and the errors of every call.
   */
  update(accountId: string, body: EarnUpdateBody, options?: UnkeyedRequestOptions): ApiPromise<void> {
    return this.api.call(updateAccountEarn, [accountId, body], options);
  }
}

/** `client.accounts.earn`: rewards for the assets of one account. */
export class AccountEarn extends Resource {
  readonly auto = new AccountEarnAuto(this.api);
}

/** `client.earn.auto`: assets that earn rewards by themselves while they are held. */
export class EarnAuto extends Resource {
  readonly assets = new EarnAssets(this.api);
}

/** `client.earn`: rewards for assets. `client.accounts.earn` has those of one account. */
export class Earn extends Resource {
  readonly auto = new EarnAuto(this.api);
}
