import type { ApiPromise, UnkeyedRequestOptions } from '../../call/caller.js';
import type { Polling } from '../../call/wait/poll.js';
import type { WaitOptions } from '../../call/wait/poll-options.js';
import { once } from '../../schema/operation.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import { ACCOUNT, defineOperation } from '../define-operation.js';
import { Resource } from '../resource.js';

/** Whether a bank account may move money, computed at every read. The set is open. */
type BankEligibility = 'eligible' | 'ineligible' | 'unknown' | (string & {});

/** A linked bank with its active accounts. */
export interface BankLink {
  /** Opaque, 4 to 128 characters. */
  bank_link_id: string;
  /** UUID. */
  method_id: string;
  /** `linked`. Unlinked links are not returned. The set is open. */
  status: 'linked' | (string & {});
  accounts_eligibility_status: BankEligibility;
  /** ISO 8601, UTC. */
  linked_at: string;
  institution: { name: string };
  /** Active links to single accounts. */
  account_links: AccountLink[];
  /** Bank accounts that could not be linked. */
  not_linked_accounts: {
    /** Last four characters of the account number. */
    account_last4: string;
    /** `missing_identity` is the only value seen. */
    reason: 'missing_identity' | (string & {});
  }[];
}

/** One linked bank account. */
export interface AccountLink {
  /** Opaque. Each linking of the same bank account creates a new one. */
  account_link_id: string;
  /** Last four characters of the account number. */
  account_last4: string;
  status: 'active' | (string & {});
  eligibility_status: BankEligibility;
  /** For example `ach`, `rtp`. Present when eligible. */
  eligible_rails?: ('ach' | 'rtp' | (string & {}))[] | undefined;
  /** For example `name_mismatch`. Present when ineligible. */
  ineligibility_reasons?: ('name_mismatch' | (string & {}))[] | undefined;
}

const bankLink = s.output<BankLink>()(() =>
  z.looseObject({
    bank_link_id: z.string(),
    method_id: z.string(),
    status: z.string(),
    accounts_eligibility_status: z.string(),
    linked_at: z.string(),
    institution: z.looseObject({ name: z.string() }),
    account_links: z.array(
      z.looseObject({
        account_link_id: z.string(),
        account_last4: z.string(),
        status: z.string(),
        eligibility_status: z.string(),
        eligible_rails: z.optional(z.array(z.string())),
        ineligibility_reasons: z.optional(z.array(z.string())),
      }),
    ),
    not_linked_accounts: z.array(z.looseObject({ account_last4: z.string(), reason: z.string() })),
  }),
);

export const getBankLink = defineOperation('funds.bankLinks.get', `GET ${ACCOUNT}/funds/bank-links/{bank_link_id}`, {
  params: once(() => z.object({ account_id: s.principalId(), bank_link_id: s.text(4, 128) })),
  answer: s.data(bankLink),
  correlation: [{ member: ['bank_link_id'], param: 'bank_link_id' }],
  waitFor: true,
});

const KNOWN: ReadonlySet<BankEligibility> = new Set<BankEligibility>(['eligible', 'ineligible']);

// With `responseValidation: 'warn'` a link may be anything. The wait then continues.
const polling: Polling<BankLink> = {
  operation: getBankLink,
  statusOf: (link) => link?.status,
  // The service computes the eligibility at each read, so no status is final.
  isTerminal: () => false,
  until: (link) => link?.status === 'linked' && KNOWN.has(link.accounts_eligibility_status),
};

/** `client.funds.bankLinks`: bank accounts linked through the hosted widget. */
export class BankLinks extends Resource {
  /**
   * Reads one bank link with its active accounts. Their eligibility is computed at each read.
   *
   * @example
   * const link = await client.funds.bankLinks.get(accountId, bankLinkId);
   * for (const account of link.account_links) {
   *   console.log(account.account_last4, account.eligibility_status, account.eligible_rails);
   * }
   *
   * @stability specified
   * @param accountId 14 to 42 characters.
   * @param bankLinkId 4 to 128 characters.
   * @throws NotFoundError with code `bank_link_not_found`, even for an unlinked link. The errors of
   *   every call.
   */
  get(accountId: string, bankLinkId: string, options?: UnkeyedRequestOptions): ApiPromise<BankLink> {
    return this.api.call(getBankLink, [accountId, bankLinkId], options);
  }

  /**
   * Polls `get` until the link is `linked` and its `accounts_eligibility_status` is known:
   * `eligible` or `ineligible`. With `until`, it polls until that is met: a status of the link, or
   * a function. For the rest, see `accounts.quotes.waitFor`.
   *
   * @example
   * const link = await client.funds.bankLinks.waitFor(accountId, bankLinkId);
   * if (link.accounts_eligibility_status === 'eligible') console.log(link.account_links);
   *
   * @stability specified
   * @param accountId 14 to 42 characters.
   * @param bankLinkId 4 to 128 characters.
   * @throws TimeoutError when the wait takes longer than its `timeout` (default 60 s).
   *   AbortedError, and the errors of `get`.
   */
  waitFor(accountId: string, bankLinkId: string, options?: WaitOptions<BankLink>): ApiPromise<BankLink> {
    return this.api.waitFor(polling, [accountId, bankLinkId], options);
  }
}
