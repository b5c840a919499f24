import type { ApiPromise, RequestOptions } from '../../call/caller.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import { type AssetQuantity, assetQuantity, assetRefInput, type FixedQuoteSide, unpromisedAsset } from '../common.js';
import { ACCOUNT, defineOperation } from '../define-operation.js';
import { Resource } from '../resource.js';

/** A place that takes money from outside: an account number of a bank rail, or an address. */
export interface Inbound {
  id: string;
  /** Network or rail, for example `bitcoin`, `sepa`. */
  via?: string | undefined;
  status?: 'active' | (string & {}) | undefined;
  lifecycle?: 'reusable' | (string & {}) | undefined;
  /** The account number of a bank rail. */
  routing?: InboundRouting | undefined;
  /** The address on a network. */
  address?: string | undefined;
  /** Include it in each payment to `address`. */
  memo?: string | undefined;
  /** The rule that converts what arrives. */
  conversion_rule_id?: string | undefined;
  /** ISO 8601, UTC. */
  created_at?: string | undefined;
}

/** An account number, in the form of its rail. There may be other members. */
export interface InboundRouting {
  iban?: string | undefined;
  bic?: string | undefined;
  routing_number?: string | undefined;
  account_number?: string | undefined;
  beneficiary_name?: string | undefined;
  readonly [member: string]: unknown;
}

export const inbound = () =>
  z.looseObject({
    id: z.string(),
    via: s.optionalText(),
    status: s.optionalText(),
    lifecycle: s.optionalText(),
    routing: z.optional(
      z.looseObject({
        iban: s.optionalText(),
        bic: s.optionalText(),
        routing_number: s.optionalText(),
        account_number: s.optionalText(),
        beneficiary_name: s.optionalText(),
      }),
    ),
    address: s.optionalText(),
    memo: s.optionalText(),
    conversion_rule_id: s.optionalText(),
    created_at: s.optionalText(),
  });

/** A deposit that is announced before it arrives. */
export interface ExpectedDeposit {
  id: string;
  /** `pending → received → credited`, or `expired`. The set is open. */
  status?: 'pending' | 'received' | 'credited' | 'expired' | (string & {}) | undefined;
  /** Id of the account. */
  account?: string | undefined;
  asset?: AssetQuantity | undefined;
  reference?: string | undefined;
  /** Send the money here. */
  inbound?: Inbound | undefined;
  /** ISO 8601, UTC. */
  created_at?: string | undefined;
}

/** The deposit to expect. */
export interface ExpectedDepositCreateBody {
  asset: FixedQuoteSide;
  /** Network or rail, for example `bitcoin`, `sepa`. */
  via: string;
}

const expectedDeposit = s.output<ExpectedDeposit>()(() =>
  z.looseObject({
    id: z.string(),
    status: s.optionalText(),
    account: s.optionalText(),
    asset: z.optional(assetQuantity()),
    reference: s.optionalText(),
    inbound: z.optional(inbound()),
    created_at: s.optionalText(),
  }),
);

export const createExpectedDeposit = defineOperation('accounts.deposits.create', `POST ${ACCOUNT}/deposits`, {
  body: s.input<ExpectedDepositCreateBody>()(() =>
    z.object({ asset: z.object({ ...assetRefInput().shape, amount: s.amountInput() }), via: z.string() }),
  ),
  answer: s.data(expectedDeposit),
  correlation: unpromisedAsset('asset'),
  retrySafety: 'keyed',
});

/** `client.accounts.deposits`: deposits that are announced before they arrive. */
export class ExpectedDeposits extends Resource {
  /**
   * Announces a deposit. Its `inbound` says where to send the money. Sent with an
   * `Idempotency-Key`. The service documents no read of it, so the webhooks
   * `deposit.status_updated` and `deposit.completed` report its status.
   *
   * @example
   * const body = { asset: { symbol: 'BTC', type: 'crypto', amount: '0.5' }, via: 'bitcoin' };
   * const idempotencyKey = idempotencyKeyFor('shop', 'accounts.deposits.create', accountId, orderId);
   * const deposit = await client.accounts.deposits.create(accountId, body, { idempotencyKey });
   * console.log(deposit.inbound?.address, deposit.inbound?.memo);
   *
   * @stability documented
   * @param accountId 14 to 42 characters.
   * @throws RequestValidationError when a value breaks a rule, and the errors of every call.
   */
  create(accountId: string, body: ExpectedDepositCreateBody, options?: RequestOptions): ApiPromise<ExpectedDeposit> {
    return this.api.call(createExpectedDeposit, [accountId, body], options);
  }
}
