import type { ApiPromise, ListOptions, PagedList, RequestOptions } from '../../call/caller.js';
import type { Decimal } from '../../schema/decimal.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import {
  type AssetInput,
  type AssetLabel,
  type AssetQuantity,
  type AssetRef,
  assetLabel,
  assetQuantity,
  assetRefInput,
  CONVERTED_ASSETS,
  quoteSideInput,
} from '../common.js';
import { ACCOUNT, defineList, defineOperation } from '../define-operation.js';
import { Resource } from '../resource.js';
import { type Inbound, inbound } from './inbound.js';
import type { QuoteStatus } from './quote.js';

/** `pending_deposit → converting → settling → completed`, or `failed`. The set is open. */
export type ConversionStatus = 'pending_deposit' | 'converting' | 'settling' | 'completed' | 'failed' | (string & {});

/** A conversion of money of an account, or of money that arrives, to a destination. */
export interface Conversion {
  id: string;
  status?: ConversionStatus | undefined;
  /** The money that is given. */
  from?: { asset?: ConversionAsset | undefined; source?: ConversionSource | undefined } | undefined;
  /** The money that it becomes, and its destination. */
  to?: { asset?: ConversionAsset | undefined; destination?: ConversionDestination | undefined } | undefined;
  fees?:
    | {
        /** The platform's fee. */
        trade?: AssetQuantity | undefined;
      }
    | undefined;
  /** Ids of the transactions on the networks, when known. */
  chain_references?: { deposit_txid?: string | undefined; withdraw_txid?: string | undefined } | undefined;
  /** The quote of `swap_quote_id`. The form of its `rate` is not documented here. */
  swap_quote?: { id?: string | undefined; status?: QuoteStatus | undefined; rate?: unknown } | undefined;
  /** Send the money here while the status is `pending_deposit`. */
  inbound?: Inbound | undefined;
  transaction_id?: string | undefined;
  /** The rule that has started the conversion. */
  conversion_rule_id?: string | undefined;
  /** ISO 8601, UTC. */
  created_at?: string | undefined;
  /** ISO 8601, UTC. */
  updated_at?: string | undefined;
}

/** One side of a conversion. */
export interface ConversionAsset extends AssetLabel {
  /** Exact quantity in the asset, when known. */
  amount?: Decimal | undefined;
}

/** The source of a conversion. */
export interface ConversionSource {
  /** The set is open: the service's guide mentions banks, too. */
  type?: 'balance' | 'external_wallet' | (string & {}) | undefined;
  /** Network or rail, for example `bitcoin`, `sepa`. */
  via?: string | undefined;
  /** Further members, for example of a bank. */
  [member: string]: unknown;
}

/** The destination of a conversion. The service does not document the kinds. */
export interface ConversionDestination {
  type?: string | undefined;
  /** Id of a whitelisted wallet. */
  wallet_id?: string | undefined;
  user_id?: string | undefined;
}

type More = { [member: string]: unknown };

/**
 * The conversion to create. All other members are sent unchanged, at any depth, because further
 * kinds of sources exist whose members are not known.
 */
export interface ConversionCreateBody {
  from?: ({ asset?: (AssetInput & More) | undefined; source?: ConversionSource | undefined } & More) | undefined;
  to?:
    | ({ asset?: (AssetRef & More) | undefined; destination?: (ConversionDestination & More) | undefined } & More)
    | undefined;
  /** Id of the quote to convert at. Default: the price of the moment. */
  swap_quote_id?: string | undefined;
  transaction_id?: string | undefined;
  [member: string]: unknown;
}

/** Filters and page of the list of conversions. */
export interface ConversionListParams {
  /** Only conversions that this rule has started. */
  conversion_rule_id?: string | undefined;
  /** Only conversions of this status. */
  status?: ConversionStatus | undefined;
  /** At least 1. The service documents neither a limit nor a default. */
  page_size?: number | undefined;
  /** `nextPageToken` of an earlier page, 1 to 256 characters. Default: from the beginning. */
  page_token?: string | undefined;
}

export const conversionAsset = () => z.looseObject({ ...assetLabel().shape, amount: s.optionalAmount() });
const source = () => z.looseObject({ type: s.optionalText(), via: s.optionalText() });

const ofDestination = () => ({
  type: s.optionalText(),
  wallet_id: s.optionalText(),
  user_id: s.optionalText(),
});
export const destination = () => z.looseObject(ofDestination());
export const destinationInput = () => z.object(ofDestination());

const createBody = s.input<ConversionCreateBody>()(() => {
  const given = z.looseObject({
    asset: z.optional(z.looseObject(quoteSideInput().shape)),
    source: z.optional(source()),
  });
  const wanted = z.looseObject({
    asset: z.optional(z.looseObject(assetRefInput().shape)),
    destination: z.optional(destination()),
  });
  return z.looseObject({
    from: z.optional(given),
    to: z.optional(wanted),
    swap_quote_id: s.optionalText(),
    transaction_id: s.optionalText(),
  });
});

const listParams = s.input<ConversionListParams>()(() =>
  z.object({ conversion_rule_id: s.optionalText(), status: s.optionalText(), ...s.paging() }),
);

export const conversion = s.output<Conversion>()(() =>
  z.looseObject({
    id: z.string(),
    status: s.optionalText(),
    from: z.optional(z.looseObject({ asset: z.optional(conversionAsset()), source: z.optional(source()) })),
    to: z.optional(z.looseObject({ asset: z.optional(conversionAsset()), destination: z.optional(destination()) })),
    fees: z.optional(z.looseObject({ trade: z.optional(assetQuantity()) })),
    chain_references: z.optional(z.looseObject({ deposit_txid: s.optionalText(), withdraw_txid: s.optionalText() })),
    swap_quote: z.optional(
      z.looseObject({ id: s.optionalText(), status: s.optionalText(), rate: z.optional(z.unknown()) }),
    ),
    inbound: z.optional(inbound()),
    transaction_id: s.optionalText(),
    conversion_rule_id: s.optionalText(),
    created_at: s.optionalText(),
    updated_at: s.optionalText(),
  }),
);

export const createConversion = defineOperation('accounts.conversions.create', `POST ${ACCOUNT}/conversions`, {
  body: createBody,
  answer: s.data(conversion),
  correlation: CONVERTED_ASSETS,
  retrySafety: 'keyed',
});

export const listConversions = defineList('accounts.conversions.list', `GET ${ACCOUNT}/conversions`, {
  query: listParams,
  answer: s.page(conversion),
});

/** `client.accounts.conversions`: creates and lists. `client.conversions` reads one. */
export class AccountConversions extends Resource {
  /**
   * Starts a conversion. If it waits for a deposit, its `inbound` says where to send the money.
   * Sent with an `Idempotency-Key`. `client.conversions.waitFor` polls until its end.
   *
   * @example
   * const body = {
   *   from: { asset: { symbol: 'USD', type: 'fiat', amount: '20.00' } },
   *   to: { asset: { symbol: 'BTC', type: 'crypto' } },
   * };
   * const idempotencyKey = idempotencyKeyFor('shop', 'accounts.conversions.create', accountId, orderId);
   * const { id } = await client.accounts.conversions.create(accountId, body, { idempotencyKey });
   *
   * @stability partial
   * @param accountId 14 to 42 characters.
   * @throws RequestValidationError when a value breaks a rule, and the errors of every call.
   */
  create(accountId: string, body: ConversionCreateBody, options?: RequestOptions): ApiPromise<Conversion> {
    return this.api.call(createConversion, [accountId, body], options);
  }

  /**
   * Lists the conversions of an account.
   *
   * @example
   * const completed = client.accounts.conversions.list(accountId, { status: 'completed' });
   * for await (const { id, to } of completed) console.log(id, to?.asset?.amount?.toFixed());
   *
   * @stability documented
   * @param accountId 14 to 42 characters.
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  list(accountId: string, params?: ConversionListParams, options?: ListOptions): PagedList<Conversion> {
    return this.api.list(listConversions, [accountId, params], options);
  }
}
