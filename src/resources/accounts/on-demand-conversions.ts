import type { ListOptions, PagedList } from '../../call/caller.js';
import type { Decimal } from '../../schema/decimal.js';
import * as s from '../../schema/schema.js';
import type { Unrecognized } from '../../schema/types.js';
import * as z from '../../schema/zod.js';
import { type PageParams, type SymbolAmount, symbolAmount } from '../common.js';
import { ACCOUNT, defineList } from '../define-operation.js';
import { Resource } from '../resource.js';

/** A conversion between bank accounts, balances and wallets. */
export interface OnDemandConversion {
  /** UUID. */
  id: string;
  /**
   * `converting`: in progress; `settling`: being delivered; then `completed` or `failed`. The
   * service may add others.
   */
  status: 'converting' | 'settling' | 'failed' | 'completed' | (string & {});
  /** The source of the value. Its `type` says which kind it is. */
  from: ConversionEndpoint;
  /** The destination of the value. Its `type` says which kind it is. */
  to: ConversionEndpoint;
  /** `price`: one unit of `base` in `quote`. */
  rate: { base: { symbol: string }; quote: { symbol: string }; price: Decimal };
  /** Costs of the conversion. */
  fees: {
    /** Funding or deposit fee on the source side. */
    from: SymbolAmount;
    /** The platform's conversion fee. */
    trade: SymbolAmount;
    /** Withdrawal or payout fee on the destination side. */
    to: SymbolAmount;
  };
  /** References of the delivery, when available. */
  transaction_references?:
    | { to?: { transaction_id?: string | undefined; blockchain_transaction_id?: string | undefined } | undefined }
    | undefined;
  /** ISO 8601, UTC. */
  created_at: string;
  /** ISO 8601, UTC. */
  updated_at: string;
}

/**
 * One end of a conversion: `if (c.from.type === 'wallet') c.from.wallet.via`. The type of a single
 * kind is, for example, `Extract<ConversionEndpoint, { type: 'wallet' }>`.
 */
export type ConversionEndpoint = BalanceEndpoint | WalletEndpoint | BankEndpoint | UnrecognizedEndpoint;

/** The account's balance. */
type BalanceEndpoint = EndpointAmount & { type: 'balance' };

/** A wallet on a network. */
type WalletEndpoint = EndpointAmount & {
  type: 'wallet';
  wallet: {
    /** Network or rail. */
    via: string;
    address: string;
    memo?: string | undefined;
    tag?: string | undefined;
  };
};

type EndpointAmount = SymbolAmount & {
  /** `settled` is the only value seen. */
  status: 'settled' | (string & {});
};

/**
 * A linked bank account. The service does not document its further members. A bank that pays stays
 * pending for days while it funds the conversion.
 */
type BankEndpoint = { type: 'bank' };

/** An endpoint of a kind that this version does not know, with all its members. */
type UnrecognizedEndpoint = {
  type: Unrecognized;
  readonly [member: string]: unknown;
};

/** Page of the list of on-demand conversions. */
export interface OnDemandConversionListParams extends PageParams {
  /** 1 to 25; the service's default is 20. */
  page_size?: number | undefined;
}

const endpoint = s.output<ConversionEndpoint>()(() => {
  const money = { ...symbolAmount().shape, status: z.string() };
  return z.union([
    z.looseObject({ type: z.literal('balance'), ...money }),
    z.looseObject({
      type: z.literal('wallet'),
      ...money,
      wallet: z.looseObject({
        via: z.string(),
        address: z.string(),
        memo: s.optionalText(),
        tag: s.optionalText(),
      }),
    }),
    z.looseObject({ type: z.literal('bank') }),
    s.unrecognized<UnrecognizedEndpoint>(['balance', 'wallet', 'bank']),
  ]);
});

const conversion = s.output<OnDemandConversion>()(() =>
  z.looseObject({
    id: z.string(),
    status: z.string(),
    from: endpoint(),
    to: endpoint(),
    rate: z.looseObject({
      base: z.looseObject({ symbol: z.string() }),
      quote: z.looseObject({ symbol: z.string() }),
      price: s.amount(),
    }),
    fees: z.looseObject({ from: symbolAmount(), trade: symbolAmount(), to: symbolAmount() }),
    transaction_references: z.optional(
      z.looseObject({
        to: z.optional(
          z.looseObject({ transaction_id: s.optionalText(), blockchain_transaction_id: s.optionalText() }),
        ),
      }),
    ),
    created_at: z.string(),
    updated_at: z.string(),
  }),
);

export const listOnDemandConversions = defineList(
  'accounts.onDemandConversions.list',
  `GET ${ACCOUNT}/on-demand-conversions`,
  {
    query: s.input<OnDemandConversionListParams>()(() => z.object(s.paging({ max: 25, default: 20 }))),
    answer: s.page(conversion),
  },
);

/** `client.accounts.onDemandConversions`: conversions between banks, balances and wallets. */
export class OnDemandConversions extends Resource {
  /**
   * Lists all on-demand conversions of an account, newest first.
   *
   * @example
   * for await (const { id, status, rate } of client.accounts.onDemandConversions.list(accountId)) {
   *   console.log(id, status, rate.price.toFixed());
   * }
   *
   * @stability specified
   * @param accountId 14 to 42 characters.
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  list(accountId: string, params?: OnDemandConversionListParams, options?: ListOptions): PagedList<OnDemandConversion> {
    return this.api.list(listOnDemandConversions, [accountId, params], options);
  }
}
