import type { ListOptions, PagedList } from '../../call/caller.js';
import type { Decimal } from '../../schema/decimal.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import { type AssetLabel, type AssetType, assetLabel } from '../common.js';
import { ACCOUNT, defineList } from '../define-operation.js';
import { Resource } from '../resource.js';
import { type EarnListParams, earnAccountParams, earnListParams, MAX_EARN_TOKEN_LENGTH } from './common.js';

/** The quantity of an asset that earns. */
export interface EarnAllocation extends AssetLabel {
  /** In the asset. */
  allocated?: Decimal | undefined;
  /** Valued in the quote asset (`page.meta.quote_symbol`). */
  allocated_in_quote?: Decimal | undefined;
}

/** Valuation asset and sum of the allocations, as `page.meta` has them. */
export interface EarnAllocationPageMeta {
  quote_symbol?: string | undefined;
  quote_type?: AssetType | undefined;
  /** The value of all allocations. */
  total_allocated_in_quote?: Decimal | undefined;
}

const allocation = s.output<EarnAllocation>()(() =>
  z.looseObject({ ...assetLabel().shape, allocated: s.optionalAmount(), allocated_in_quote: s.optionalAmount() }),
);

const allocationPageMeta = s.output<EarnAllocationPageMeta>()(() =>
  z.looseObject({
    quote_symbol: s.optionalText(),
    quote_type: s.optionalText(),
    total_allocated_in_quote: s.optionalAmount(),
  }),
);

export const listEarnAllocations = defineList(
  'accounts.earn.auto.allocations.list',
  `GET ${ACCOUNT}/earn/auto/allocations`,
  {
    params: earnAccountParams,
    query: earnListParams,
    answer: s.page(allocation, allocationPageMeta, MAX_EARN_TOKEN_LENGTH),
  },
);

/** `client.accounts.earn.auto.allocations`: the quantities that earn at present. */
export class EarnAllocations extends Resource {
  /**
   * Lists what earns at present in an account. `page.meta` has the valuation asset and the sum.
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
