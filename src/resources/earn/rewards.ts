import type { ListOptions, PagedList } from '../../call/caller.js';
import type { Decimal } from '../../schema/decimal.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import { type AssetLabel, type AssetType, assetLabel } from '../common.js';
import { ACCOUNT, defineList } from '../define-operation.js';
import { Resource } from '../resource.js';
import { type EarnListParams, earnAccountParams, earnListParams, MAX_EARN_TOKEN_LENGTH } from './common.js';

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
export interface EarnRewardPageMeta {
  quote_symbol?: string | undefined;
  quote_type?: AssetType | undefined;
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
    quote_symbol: s.optionalText(),
    quote_type: s.optionalText(),
    total_rewarded_in_quote: s.optionalAmount(),
    next_reward_date: z.nullish(z.string()),
  }),
);

export const listEarnRewards = defineList('accounts.earn.auto.rewards.list', `GET ${ACCOUNT}/earn/auto/rewards`, {
  params: earnAccountParams,
  query: earnListParams,
  answer: s.page(reward, rewardPageMeta, MAX_EARN_TOKEN_LENGTH),
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
