import type { ApiPromise, ListOptions, PagedList, RequestOptions, UnkeyedRequestOptions } from '../call/caller.js';
import { type Polling, pollingOfStatus } from '../call/wait/poll.js';
import type { KnownStatus, WaitOptions } from '../call/wait/poll-options.js';
import type { Decimal } from '../schema/decimal.js';
import * as s from '../schema/schema.js';
import * as z from '../schema/zod.js';
import { type Inbound, inbound } from './accounts/deposits.js';
import type { QuoteStatus } from './accounts/quote.js';
import {
  type AssetInput,
  type AssetLabel,
  type AssetQuantity,
  type AssetRef,
  assetLabel,
  assetQuantity,
  assetRefInput,
  CONVERTED_ASSETS,
  type PageParams,
  quoteSideInput,
  type WithStatus,
} from './common.js';
import { ACCOUNT, defineList, defineOperation } from './define-operation.js';
import { Resource } from './resource.js';

/** `pending_deposit → converting → settling → completed`, or `failed`. The set is open. */
export type ConversionStatus = 'pending_deposit' | 'converting' | 'settling' | 'completed' | 'failed' | (string & {});

/** A conversion of an account's money, or of money that arrives, which goes to a destination. */
export interface Conversion {
  id: string;
  status?: ConversionStatus | undefined;
  /** The money that is converted. */
  from?: { asset?: ConversionAsset | undefined; source?: ConversionSource | undefined } | undefined;
  /** What the money is converted to, and its destination. */
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
  /** The rule that started the conversion. */
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
 * The conversion to create. All other members are sent unchanged, at any depth, because the service
 * has further kinds of sources whose members are not known.
 */
export interface ConversionCreateBody {
  from?: ({ asset?: (AssetInput & More) | undefined; source?: ConversionSource | undefined } & More) | undefined;
  to?:
    | ({ asset?: (AssetRef & More) | undefined; destination?: (ConversionDestination & More) | undefined } & More)
    | undefined;
  /** Id of the quote that sets the price. Default: the current price. */
  swap_quote_id?: string | undefined;
  transaction_id?: string | undefined;
  [member: string]: unknown;
}

/** Filters and page of the list of conversions. */
export interface ConversionListParams extends PageParams {
  /** Only conversions that this rule started. */
  conversion_rule_id?: string | undefined;
  /** Only conversions of this status. */
  status?: ConversionStatus | undefined;
}

const conversionAsset = () => z.looseObject({ ...assetLabel().shape, amount: s.optionalAmount() });
const source = () => z.looseObject({ type: s.optionalText(), via: s.optionalText() });

const destination = () =>
  z.looseObject({ type: s.optionalText(), wallet_id: s.optionalText(), user_id: s.optionalText() });

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
  query: s.input<ConversionListParams>()(() =>
    z.object({ conversion_rule_id: s.optionalText(), status: s.optionalText(), ...s.paging() }),
  ),
  answer: s.page(conversion),
});

/** `client.accounts.conversions`: creates and lists conversions. `client.conversions` reads one. */
export class AccountConversions extends Resource {
  /**
   * Starts a conversion. If it waits for a deposit, its `inbound` says where to send the money.
   * Sent with an `Idempotency-Key`. `client.conversions.waitFor` polls until it has finished.
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

/** Only `active` rules convert. The set is open. */
export type ConversionRuleStatus = 'active' | 'paused' | (string & {});

/** A standing order that converts the money that arrives at its `inbound`. */
export interface ConversionRule {
  id: string;
  name?: string | undefined;
  status?: ConversionRuleStatus | undefined;
  /** Number of conversions that the rule started. */
  current_uses?: number | undefined;
  /** The money that arrives. */
  from?: { asset?: ConversionAsset | undefined; via?: string | undefined } | undefined;
  /** What the money is converted to, and its destination. */
  to?: { asset?: ConversionAsset | undefined; destination?: ConversionDestination | undefined } | undefined;
  /** Send the money here. */
  inbound?: Inbound | undefined;
  /** ISO 8601, UTC. */
  created_at?: string | undefined;
  /** ISO 8601, UTC. */
  updated_at?: string | undefined;
}

/** The rule to create. */
export interface ConversionRuleCreateBody {
  /** The money that will arrive. `via` is a network or rail, for example `bitcoin`, `sepa`. */
  from: { asset: AssetInput; via: string };
  to: { asset: AssetRef; destination: ConversionDestination };
  /** At most 256 characters. */
  name?: string | undefined;
  /** Default `active`. */
  status?: ConversionRuleStatus | undefined;
}

const conversionRule = s.output<ConversionRule>()(() =>
  z.looseObject({
    id: z.string(),
    name: s.optionalText(),
    status: s.optionalText(),
    current_uses: z.optional(z.number()),
    from: z.optional(z.looseObject({ asset: z.optional(conversionAsset()), via: s.optionalText() })),
    to: z.optional(z.looseObject({ asset: z.optional(conversionAsset()), destination: z.optional(destination()) })),
    inbound: z.optional(inbound()),
    created_at: s.optionalText(),
    updated_at: s.optionalText(),
  }),
);

export const createConversionRule = defineOperation(
  'accounts.conversionRules.create',
  `POST ${ACCOUNT}/conversion-rules`,
  {
    body: s.input<ConversionRuleCreateBody>()(() =>
      z.object({
        from: z.object({ asset: quoteSideInput(), via: z.string() }),
        to: z.object({ asset: assetRefInput(), destination: z.object(destination().shape) }),
        name: z.optional(s.text(0, 256)),
        status: s.withDefault('active', s.oneOf(['active', 'paused'])),
      }),
    ),
    answer: s.data(conversionRule),
    correlation: CONVERTED_ASSETS,
    retrySafety: 'keyed',
  },
);

/** `client.accounts.conversionRules`: standing orders that convert money when it arrives. */
export class ConversionRules extends Resource {
  /**
   * Creates a rule, which converts the money that you send to its `inbound`. Sent with an
   * `Idempotency-Key`. The service does not document how to read or change a rule.
   *
   * @example
   * const body = {
   *   from: { asset: { symbol: 'USD', type: 'fiat' }, via: 'sepa' },
   *   to: { asset: { symbol: 'BTC', type: 'crypto' }, destination: { type: 'balance' } },
   * };
   * const idempotencyKey = idempotencyKeyFor('savings', 'accounts.conversionRules.create', accountId);
   * const rule = await client.accounts.conversionRules.create(accountId, body, { idempotencyKey });
   * console.log(rule.inbound?.routing?.iban);
   *
   * @stability documented
   * @param accountId 14 to 42 characters.
   * @throws RequestValidationError when a value breaks a rule, and the errors of every call.
   */
  create(accountId: string, body: ConversionRuleCreateBody, options?: RequestOptions): ApiPromise<ConversionRule> {
    return this.api.call(createConversionRule, [accountId, body], options);
  }
}

export const getConversion = defineOperation('conversions.get', 'GET /v1/conversions/{conversion_id}', {
  answer: s.data(conversion),
  correlation: [{ member: ['id'], param: 'conversion_id' }],
  waitFor: true,
});

/** The final statuses of a conversion. */
const TERMINAL = ['completed', 'failed'] as const;
type TerminalConversionStatus = (typeof TERMINAL)[number];

const polling: Polling<Conversion> = pollingOfStatus(getConversion, TERMINAL);

/** `client.conversions`: reads the conversions of all accounts. */
export class Conversions extends Resource {
  /**
   * Reads one conversion. `waitFor` polls it until it has finished.
   *
   * @example
   * const { status, inbound } = await client.conversions.get(conversionId);
   * if (status === 'pending_deposit') console.log(inbound?.address, inbound?.routing);
   *
   * @stability documented
   * @param conversionId At least one character.
   * @throws NotFoundError, and the errors of every call.
   */
  get(conversionId: string, options?: UnkeyedRequestOptions): ApiPromise<Conversion> {
    return this.api.call(getConversion, [conversionId], options);
  }

  /**
   * Polls `get` until the conversion is `completed` or `failed`, or until `until` is met. An
   * unknown status does not end the wait. A deposit may take days, so choose `timeout` accordingly.
   * For the rest, see `accounts.quotes.waitFor`.
   *
   * @example
   * const end = await client.conversions.waitFor(conversionId, { timeout: 600_000 });
   * if (end.status === 'completed') console.log(end.to?.asset?.amount?.toFixed());
   *
   * @stability documented
   * @param conversionId At least one character.
   * @throws TimeoutError when the wait takes longer than its `timeout` (default 60 s).
   *   AbortedError, and the errors of `get`.
   */
  waitFor(
    conversionId: string,
    options?: WaitOptions<Conversion, never>,
  ): ApiPromise<WithStatus<Conversion, TerminalConversionStatus>>;
  /** If `until` is one or several statuses, the result has a final status or one of these. */
  waitFor<const Status extends KnownStatus<Conversion>>(
    conversionId: string,
    options: WaitOptions<Conversion, Status | readonly Status[]>,
  ): ApiPromise<WithStatus<Conversion, TerminalConversionStatus | Status>>;
  /** With a function as `until`, the result may have any status. */
  waitFor(conversionId: string, options: WaitOptions<Conversion> | undefined): ApiPromise<Conversion>;
  waitFor(conversionId: string, options?: WaitOptions<Conversion>): ApiPromise<Conversion> {
    return this.api.waitFor(polling, [conversionId], options);
  }
}
