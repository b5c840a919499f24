import * as z from 'zod/mini';
import type { ApiPromise, UnkeyedRequestOptions } from '../../call/caller.js';
import { defineOperation, type Operation } from '../../schema/operation.js';
import { data, input, output } from '../../schema/schema.js';
import {
  type AssetAmount,
  accountParams,
  assetAmount,
  BOTH_SIDES,
  type ComputedQuoteSide,
  type FixedQuoteSide,
  quoteSideInput,
  quoteSidesInput,
} from '../common.js';
import { Resource } from '../resource.js';

/** A quote that a wallet funds. Your application submits its execution on-chain. */
export interface OnchainQuote {
  id: string;
  /** `offered` when created. Open. */
  status: 'pending' | 'offered' | 'executing' | 'executed' | 'expired' | 'failed' | (string & {});
  /** ISO 8601, UTC. */
  expires_at: string;
  /** The wallet gives this. */
  from: AssetAmount;
  /** The wallet receives this. */
  to: AssetAmount;
  execution_details: OnchainExecutionDetails;
}

/** The data to submit on-chain. Amounts are base units in signed data, so they stay strings. */
export interface OnchainExecutionDetails {
  chain_id: string;
  /** On-chain address of the proxy contract. */
  proxy_address: string;
  proxy_swap_message: {
    atomic_message: {
      quote_id: string;
      /** Unix time, seconds. */
      expiration: number;
      incoming_transfer: OnchainTransfer;
      outgoing_transfer: OnchainTransfer;
    };
    /** Hex. */
    atomic_signature: string;
    /** Hex. */
    signature: string;
    client_address: string;
  };
}

/** One transfer of the atomic message. */
type OnchainTransfer = {
  /** Address. */
  from: string;
  /** Address. */
  to: string;
  /** Address of the token's contract. */
  token: string;
  /** Integer in base units: signed data, so text and not a `Decimal`. */
  amount: string;
};

/** The on-chain quote to ask for. Exactly one of `from.amount` and `to.amount` is set. */
export type OnchainQuoteCreateBody =
  | { from: FixedQuoteSide & FromWallet; to: ComputedQuoteSide }
  | { from: ComputedQuoteSide & FromWallet; to: FixedQuoteSide };

type FromWallet = {
  /** The wallet that funds the quote. `network` is, for example, `ethereum`. */
  wallet: { address: string; network: string };
};

const onchainQuoteCreateBody = input<OnchainQuoteCreateBody>()(() =>
  quoteSidesInput(
    z.extend(quoteSideInput(), { wallet: z.object({ address: z.string(), network: z.string() }) }),
    quoteSideInput(),
    {},
  ),
);

const transfer = () => z.looseObject({ from: z.string(), to: z.string(), token: z.string(), amount: z.string() });

const onchainQuote = output<OnchainQuote>()(() =>
  z.looseObject({
    id: z.string(),
    status: z.string(),
    expires_at: z.string(),
    from: assetAmount(),
    to: assetAmount(),
    execution_details: z.looseObject({
      chain_id: z.string(),
      proxy_address: z.string(),
      proxy_swap_message: z.looseObject({
        atomic_message: z.looseObject({
          quote_id: z.string(),
          expiration: z.number(),
          incoming_transfer: transfer(),
          outgoing_transfer: transfer(),
        }),
        atomic_signature: z.string(),
        signature: z.string(),
        client_address: z.string(),
      }),
    }),
  }),
);

export const createOnchainQuote: Operation<OnchainQuote> = defineOperation({
  name: 'accounts.onchainQuotes.create',
  title: 'Create on-chain quote',
  stability: 'specified',
  route: 'POST /v1/accounts/{account_id}/onchain-quotes',
  params: accountParams,
  body: onchainQuoteCreateBody,
  answer: data(onchainQuote),
  correlation: BOTH_SIDES,
  // It takes no key, and needs none: a second offer moves nothing.
  retrySafety: 'always',
});

/** `client.accounts.onchainQuotes`: wallet-funded quotes for tokenised stock and stablecoins. */
export class OnchainQuotes extends Resource {
  /**
   * Asks for a price that a wallet funds. Your application submits the execution on-chain, with
   * `execution_details`. The call takes no idempotency key. A lost call is retried all the same,
   * since a second offer moves nothing.
   *
   * @param accountId 14 to 42 characters.
   * @param body Exactly one of `from.amount` and `to.amount` is set.
   * @throws RequestValidationError when a value breaks a rule, and the errors of every call.
   */
  create(accountId: string, body: OnchainQuoteCreateBody, options?: UnkeyedRequestOptions): ApiPromise<OnchainQuote> {
    return this.caller.call(createOnchainQuote, { params: { account_id: accountId }, body }, options);
  }
}
