import type { ApiPromise, RequestOptions } from '../../call/caller.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import { ownMember } from '../../util/members.js';
import { ACCOUNT, defineOperation } from '../define-operation.js';
import { Resource } from '../resource.js';

/** A wallet that conversions may pay to once it is approved. */
export interface WhitelistedWallet {
  /** Account id. */
  account: string;
  id: string;
  /** Rail or network. */
  via: WalletRail;
  address: string;
  /** `pending` until screening ends in `approved` or `rejected`. The set is open. */
  status: 'pending' | 'approved' | 'rejected' | (string & {});
  /** The partner's identifier of its end customer, when one was given. */
  external_user_id?: string | undefined;
  /** ISO 8601, UTC. */
  created_at: string;
}

/** Fiat rails and crypto networks that the service documents. The set is open. */
type WalletRail =
  | 'sepa'
  | 'fps'
  | 'fedwire'
  | 'ach'
  | 'swift'
  | 'bitcoin'
  | 'ethereum'
  | 'solana'
  | 'tron'
  | 'polygon'
  | 'arbitrum'
  | (string & {});

/** The wallet to whitelist. */
export interface WalletWhitelistBody {
  /** Rail or network, 1 to 32 characters. */
  via: WalletRail;
  /** 1 to 256 characters. */
  address: string;
  /**
   * At most 64 characters. Required for memo chains: XRP, XLM, EOS and Cosmos. This package
   * recognises them as `xrp`, `ripple`, `xrpl`, `xlm`, `stellar`, `eos`, `cosmos` and `cosmoshub`,
   * in lower or upper case. With any other `via`, a wallet without a memo is sent to the service.
   */
  memo?: string | undefined;
  /** The partner's identifier of its end customer, at most 128 characters. */
  external_user_id?: string | undefined;
}

/**
 * The names of the chains whose addresses need a memo. The service documents the chains, but not
 * how `via` spells them.
 */
const MEMO_CHAINS: readonly string[] = ['xrp', 'ripple', 'xrpl', 'xlm', 'stellar', 'eos', 'cosmos', 'cosmoshub'];

const whitelistedWallet = s.output<WhitelistedWallet>()(() =>
  z.looseObject({
    account: z.string(),
    id: z.string(),
    via: z.string(),
    address: z.string(),
    status: z.string(),
    external_user_id: s.optionalText(),
    created_at: z.string(),
  }),
);

export const whitelistWallet = defineOperation('accounts.wallets.whitelist', `POST ${ACCOUNT}/wallets/whitelist`, {
  body: s.input<WalletWhitelistBody>()(() =>
    z
      .object({
        via: s.text(1, 32),
        address: s.text(1, 256),
        memo: z.optional(z.string().check(z.maxLength(64))),
        external_user_id: z.optional(z.string().check(z.maxLength(128))),
      })
      .check(
        z.refine((wallet) => Boolean(ownMember(wallet, 'memo')) || !MEMO_CHAINS.includes(wallet.via.toLowerCase()), {
          path: ['memo'],
          message: 'is required on memo chains (XRP, XLM, EOS, Cosmos)',
        }),
      ),
  ),
  answer: s.data(whitelistedWallet),
  correlation: [
    { member: ['via'], isUnpromised: true },
    { member: ['address'], isUnpromised: true },
  ],
  retrySafety: 'keyed',
  otp: true,
});

/** `client.accounts.wallets`: external wallets that conversions may pay to. */
export class Wallets extends Resource {
  /**
   * Requests that a wallet be whitelisted; screening follows. Sent with an `Idempotency-Key`.
   *
   * The service documents no operation that reads a wallet. The webhook `wallet.whitelisted`
   * reports the result of the screening. A second call with the same idempotency key only returns
   * the first response again, which says `pending`.
   *
   * @example
   * const body = { via: 'bitcoin', address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' };
   * const idempotencyKey = idempotencyKeyFor('wallets', 'accounts.wallets.whitelist', accountId, body.address);
   * const options = { otp, idempotencyKey };
   * const { id, status } = await client.accounts.wallets.whitelist(accountId, body, options);
   *
   * @stability specified
   * @param accountId 14 to 42 characters.
   * @param options `otp` is required here, unless the client has one.
   * @throws RequestValidationError before sending when the OTP is missing or a value breaks a rule.
   *   The errors of every call.
   */
  whitelist(accountId: string, body: WalletWhitelistBody, options?: RequestOptions): ApiPromise<WhitelistedWallet> {
    return this.api.call(whitelistWallet, [accountId, body], options);
  }
}
