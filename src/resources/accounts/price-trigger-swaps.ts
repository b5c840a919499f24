import type { ApiPromise, ListOptions, PagedList, RequestOptions, UnkeyedRequestOptions } from '../../call/caller.js';
import { type Polling, pollingOfStatus } from '../../call/wait/poll.js';
import type { KnownStatus, WaitOptions } from '../../call/wait/poll-options.js';
import type { Decimal } from '../../schema/decimal.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import { ownMember } from '../../util/members.js';
import {
  type AssetRef,
  assetRefInput,
  type PageParams,
  type PartialAssetRef,
  type PartnerFee,
  partialAssetRef,
  type QuoteSides,
  tradeInput,
  type WithStatus,
} from '../common.js';
import { ACCOUNT, defineList, defineOperation } from '../define-operation.js';
import { Resource } from '../resource.js';

const STATUSES = ['active', 'completed', 'cancelled'] as const;

/**
 * `active → completed | cancelled`. The set is open. If an execution fails, the swap stays `active`
 * and the service tries again, so the order remains open.
 */
export type PriceTriggerSwapStatus = (typeof STATUSES)[number] | (string & {});

/** A swap that the service executes when a price is reached: a limit order. */
export interface PriceTriggerSwap {
  id: string;
  /** The partner's own name for it. */
  external_reference?: string | undefined;
  trade?: PriceTriggerTrade | undefined;
  when?: PriceTriggerCondition | undefined;
  status?: PriceTriggerSwapStatus | undefined;
  /**
   * `user_request`: the partner cancelled the swap. `system`: the service did, because its attempts
   * to execute it are exhausted. The set is open.
   */
  cancelled_reason?: { code?: 'system' | 'user_request' | (string & {}) | undefined } | undefined;
}

/** The swap to execute. The service may know the computed side's amount only once it finishes. */
type PriceTriggerTrade = {
  /** What the account pays. */
  from?: TradeAmount | undefined;
  /** What the account receives. */
  to?: TradeAmount | undefined;
  fees?: { trade?: TradeAmount | undefined } | undefined;
  /** `price`: one unit of `base` in `quote`. */
  rate?:
    | { base?: PartialAssetRef | undefined; quote?: PartialAssetRef | undefined; price?: Decimal | undefined }
    | undefined;
};

type TradeAmount = PartialAssetRef & { amount?: Decimal | undefined };

/** The price at which the swap is executed: that of one unit of `base` in `quote`. */
type PriceTriggerCondition = {
  base?: PartialAssetRef | undefined;
  quote?: PartialAssetRef | undefined;
  /** The swap is executed at this price or below it. */
  drops_to?: Decimal | undefined;
  /** The swap is executed at this price or above it. */
  rises_to?: Decimal | undefined;
};

/**
 * The swap to execute, and the price to wait for. Exactly one of `trade.from.amount` and
 * `trade.to.amount` is set, and exactly one of `when.drops_to` and `when.rises_to`.
 */
export interface PriceTriggerSwapCreateBody {
  trade: {
    /** The partner's fee. Default: none. */
    fee?: PartnerFee | undefined;
  } & QuoteSides;
  when: { base: AssetRef; quote: AssetRef } & (
    | { drops_to: Decimal | string; rises_to?: undefined }
    | { drops_to?: undefined; rises_to: Decimal | string }
  );
  /** The partner's own name for it. */
  external_reference?: string | undefined;
  /** Only the sample in the public reference has this member. Its limits are not documented. */
  name?: string | undefined;
}

/** The response to a new price-trigger swap. `get` reads the rest. */
export interface CreatedPriceTriggerSwap {
  id: string;
}

/** Filter and page of the price-trigger swaps of an account. */
export interface PriceTriggerSwapListParams extends PageParams {
  /** Only these: `active`, `completed`, `cancelled`. Default: all. */
  statuses?: readonly PriceTriggerSwapStatus[] | undefined;
  /** 1 to 100; the service's default is 20. */
  page_size?: number | undefined;
}

/** Exactly one of `drops_to` and `rises_to` is set. */
const conditionInput = () => {
  const price = () => z.optional(s.amountInput());
  const condition = z.object({ base: assetRefInput(), quote: assetRefInput(), drops_to: price(), rises_to: price() });
  const checked = condition.check(({ value, issues }) => {
    s.exactlyOne({ drops_to: ownMember(value, 'drops_to'), rises_to: ownMember(value, 'rises_to') }, issues);
  });
  return checked as unknown as z.core.$ZodType<unknown, PriceTriggerSwapCreateBody['when']>;
};

const createdSwap = s.output<CreatedPriceTriggerSwap>()(() => z.looseObject({ id: z.string() }));

const swap = s.output<PriceTriggerSwap>()(() => {
  const asset = z.optional(partialAssetRef());
  const amount = z.optional(z.looseObject({ ...partialAssetRef().shape, amount: s.optionalAmount() }));
  return z.looseObject({
    id: z.string(),
    external_reference: s.optionalText(),
    trade: z.optional(
      z.looseObject({
        from: amount,
        to: amount,
        fees: z.optional(z.looseObject({ trade: amount })),
        rate: z.optional(z.looseObject({ base: asset, quote: asset, price: s.optionalAmount() })),
      }),
    ),
    when: z.optional(
      z.looseObject({ base: asset, quote: asset, drops_to: s.optionalAmount(), rises_to: s.optionalAmount() }),
    ),
    status: s.optionalText(),
    cancelled_reason: z.optional(z.looseObject({ code: s.optionalText() })),
  });
});

export const createPriceTriggerSwap = defineOperation(
  'accounts.priceTriggerSwaps.create',
  `POST ${ACCOUNT}/price-trigger-swaps`,
  {
    body: s.input<PriceTriggerSwapCreateBody>()(() =>
      z.object({
        trade: tradeInput(),
        when: conditionInput(),
        external_reference: s.optionalText(),
        name: s.optionalText(),
      }),
    ),
    answer: s.data(createdSwap),
    retrySafety: 'keyed',
  },
);

export const getPriceTriggerSwap = defineOperation(
  'accounts.priceTriggerSwaps.get',
  `GET ${ACCOUNT}/price-trigger-swaps/{id}`,
  { answer: s.data(swap), correlation: [{ member: ['id'], param: 'id' }], waitFor: true },
);

export const listPriceTriggerSwaps = defineList(
  'accounts.priceTriggerSwaps.list',
  `GET ${ACCOUNT}/price-trigger-swaps`,
  {
    query: s.input<PriceTriggerSwapListParams>()(() =>
      z.object({
        statuses: z.optional(s.readonlyList(z.array(s.oneOf(STATUSES)))),
        ...s.paging({ max: 100, default: 20 }),
      }),
    ),
    answer: s.page(swap),
  },
);

export const cancelPriceTriggerSwap = defineOperation(
  'accounts.priceTriggerSwaps.cancel',
  `POST ${ACCOUNT}/price-trigger-swaps/{id}/cancel`,
  { answer: s.nothing, retrySafety: 'keyed' },
);

/** The final statuses of a price-trigger swap. */
const TERMINAL = ['completed', 'cancelled'] as const;
type TerminalPriceTriggerSwapStatus = (typeof TERMINAL)[number];

const swapPolling: Polling<PriceTriggerSwap> = pollingOfStatus(getPriceTriggerSwap, TERMINAL);

/** `client.accounts.priceTriggerSwaps`: swaps that wait for a price. */
export class PriceTriggerSwaps extends Resource {
  /**
   * Orders a swap to execute when a price is reached. Sent with an `Idempotency-Key`.
   *
   * @example
   * const [base, quote] = [{ symbol: 'BTC', type: 'crypto' }, { symbol: 'USD', type: 'fiat' }];
   * const body = {
   *   trade: { from: { ...quote, amount: '100.00' }, to: base },
   *   when: { base, quote, drops_to: '60000' },
   * };
   * const create = 'accounts.priceTriggerSwaps.create';
   * const idempotencyKey = idempotencyKeyFor('shop', create, accountId, orderId);
   * const { id } = await client.accounts.priceTriggerSwaps.create(accountId, body, { idempotencyKey });
   *
   * @stability documented
   * @param accountId 14 to 42 characters.
   * @param body Exactly one amount in `trade`, and exactly one price in `when`.
   * @throws RequestValidationError when a value breaks a rule, and the errors of every call.
   */
  create(
    accountId: string,
    body: PriceTriggerSwapCreateBody,
    options?: RequestOptions,
  ): ApiPromise<CreatedPriceTriggerSwap> {
    return this.api.call(createPriceTriggerSwap, [accountId, body], options);
  }

  /**
   * Reads one price-trigger swap. `waitFor` polls it until its final status.
   *
   * @example
   * const swap = await client.accounts.priceTriggerSwaps.get(accountId, swapId);
   * if (swap.status === 'cancelled') console.log(swap.cancelled_reason?.code);
   *
   * @stability documented
   * @param accountId 14 to 42 characters.
   * @param id The `id` that `create` returned.
   * @throws NotFoundError, and the errors of every call.
   */
  get(accountId: string, id: string, options?: UnkeyedRequestOptions): ApiPromise<PriceTriggerSwap> {
    return this.api.call(getPriceTriggerSwap, [accountId, id], options);
  }

  /**
   * Lists the price-trigger swaps of an account.
   *
   * @example
   * const active = client.accounts.priceTriggerSwaps.list(accountId, { statuses: ['active'] });
   * for await (const { id, when } of active) console.log(id, when?.drops_to?.toFixed());
   *
   * @stability documented
   * @param accountId 14 to 42 characters.
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  list(accountId: string, params?: PriceTriggerSwapListParams, options?: ListOptions): PagedList<PriceTriggerSwap> {
    return this.api.list(listPriceTriggerSwaps, [accountId, params], options);
  }

  /**
   * Cancels an active price-trigger swap. Sent with an `Idempotency-Key`. To replace an order, wait
   * for the final status of the swap before you create another one, because it may have been
   * executed just before, and a swap whose execution failed is still active.
   *
   * @example
   * try {
   *   await client.accounts.priceTriggerSwaps.cancel(accountId, swapId);
   * } catch (error) {
   *   if (!isApiError(error, 'price_trigger_swap_not_cancellable')) throw error;
   * }
   *
   * @stability documented
   * @param accountId 14 to 42 characters.
   * @param id The `id` that `create` returned.
   * @throws ConflictError with code `price_trigger_swap_not_cancellable` when it is no longer
   *   active, and the errors of every call.
   */
  cancel(accountId: string, id: string, options?: RequestOptions): ApiPromise<void> {
    return this.api.call(cancelPriceTriggerSwap, [accountId, id], options);
  }

  /**
   * Polls `get` until the swap is `completed` or `cancelled`, or until `until` is met. It waits as
   * `quotes.waitFor` does, with the same options. A failed execution does not end the wait, because
   * the swap stays `active` and the service tries again. An order may wait for days. The webhooks
   * `price_trigger_swap.executed` and `price_trigger_swap.cancelled` need no polling.
   *
   * @example
   * await client.accounts.priceTriggerSwaps.cancel(accountId, swapId);
   * const end = await client.accounts.priceTriggerSwaps.waitFor(accountId, swapId);
   * if (end.status === 'completed') console.log(end.trade?.rate?.price?.toFixed());
   *
   * @stability documented
   * @param accountId 14 to 42 characters.
   * @param id The `id` that `create` returned.
   *
   * @throws TimeoutError when the wait takes longer than its `timeout` (default 60 s). Its `cause`
   *   is the last failure of a `get`, if one failed. AbortedError, and the errors of `get`.
   */
  waitFor(
    accountId: string,
    id: string,
    options?: WaitOptions<PriceTriggerSwap, never>,
  ): ApiPromise<WithStatus<PriceTriggerSwap, TerminalPriceTriggerSwapStatus>>;
  /** If `until` is one or several statuses, the result has a final status or one of these. */
  waitFor<const Status extends KnownStatus<PriceTriggerSwap>>(
    accountId: string,
    id: string,
    options: WaitOptions<PriceTriggerSwap, Status | readonly Status[]>,
  ): ApiPromise<WithStatus<PriceTriggerSwap, TerminalPriceTriggerSwapStatus | Status>>;
  /** With a function as `until`, the result may have any status. */
  waitFor(
    accountId: string,
    id: string,
    options: WaitOptions<PriceTriggerSwap> | undefined,
  ): ApiPromise<PriceTriggerSwap>;
  waitFor(accountId: string, id: string, options?: WaitOptions<PriceTriggerSwap>): ApiPromise<PriceTriggerSwap> {
    return this.api.waitFor(swapPolling, [accountId, id], options);
  }
}
