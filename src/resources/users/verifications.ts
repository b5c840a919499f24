import type { ApiPromise, UnkeyedRequestOptions } from '../../call/caller.js';
import type { ItemPolling } from '../../call/wait/item-search.js';
import { pollingOfStatus } from '../../call/wait/poll.js';
import type { ItemWaitOptions, KnownStatus } from '../../call/wait/poll-options.js';
import { type Operation, once } from '../../schema/operation.js';
import { answer, arrayOf, data, essential, input, optionalText, output, text } from '../../schema/schema.js';
import { validate } from '../../schema/validate/validate.js';
import * as z from '../../schema/zod.js';
import { isHttpsUrl, type WithStatus } from '../common.js';
import { defineOperation } from '../define-operation.js';
import { Resource } from '../resource.js';
import { birth, type UserBirth } from './create.js';

/** One identity verification of a user. */
export interface Verification {
  verification_id: string;
  types: ('proof_of_identity' | 'proof_of_address' | 'proof_of_liveness' | (string & {}))[];
  method: 'url' | 'hosted' | (string & {});
  status: 'completed' | 'pending' | 'failed' | (string & {});
  /** Reasons of the failure. Present when `status` is `failed`. */
  reasons?:
    | {
        /** For example `unreadable`, `wrong_side`. */
        code: 'unreadable' | 'wrong_side' | (string & {});
        details?: string[] | undefined;
      }[]
    | undefined;
  /** ISO 8601, UTC, milliseconds. */
  created_at: string;
  /** ISO 8601, UTC, milliseconds. */
  updated_at: string;
}

/**
 * Documents of a user, by URL. The service documents parts of it: all other members are sent as
 * they are, at any depth.
 */
export interface VerificationUrlBody {
  /** `identity_document` is the only value seen. */
  type?: 'identity_document' | (string & {}) | undefined;
  /** Facts about the document and its owner. */
  metadata?: VerificationMetadata | undefined;
  /** The front of the document: an https URL of 1 to 4,096 characters. */
  front_url: string;
  /** The back of the document. Passports have none. */
  back_url?: string | undefined;
  /** The answer of the verifier. */
  verifier_response_url?: string | undefined;
  [member: string]: unknown;
}

/** Facts about a document. The service does not document the values. */
export interface VerificationMetadata {
  identity?: { full_name?: unknown; birth?: UserBirth | undefined; [member: string]: unknown } | undefined;
  document_type?: string | undefined;
  document_number?: string | undefined;
  issuing_country?: string | undefined;
  verifier?: unknown;
  verified_at?: string | undefined;
  verifier_response?: unknown;
  [member: string]: unknown;
}

/** A verification that was submitted. `verifications.waitFor` waits for its end. */
export interface SubmittedVerification {
  verification_id: string;
  [member: string]: unknown;
}

const MAX_DOCUMENT_URL_LENGTH = 4096;
const DOCUMENT_URL = `must be an https URL of 1 to ${MAX_DOCUMENT_URL_LENGTH} characters`;

const urlBody = input<VerificationUrlBody>()(() =>
  z.looseObject({
    type: optionalText(),
    metadata: z.optional(
      z.looseObject({
        identity: z.optional(z.looseObject({ full_name: z.optional(z.unknown()), birth: z.optional(birth()) })),
        document_type: optionalText(),
        document_number: optionalText(),
        issuing_country: optionalText(),
        verifier: z.optional(z.unknown()),
        verified_at: optionalText(),
        verifier_response: z.optional(z.unknown()),
      }),
    ),
    front_url: z
      .string()
      .check(z.refine((url) => url.length <= MAX_DOCUMENT_URL_LENGTH && isHttpsUrl(url), DOCUMENT_URL)),
    back_url: optionalText(),
    verifier_response_url: optionalText(),
  }),
);

const submittedVerification = output<SubmittedVerification>()(() => z.looseObject({ verification_id: z.string() }));

export const submitVerificationUrl: Operation<SubmittedVerification> = defineOperation(
  'users.verifications.submitUrl',
  'POST /v1/users/{user_id}/verifications/url',
  {
    body: urlBody,
    answer: data(submittedVerification),
  },
);

const verification = output<Verification>()(() =>
  z.looseObject({
    verification_id: z.string(),
    types: z.array(z.string()),
    method: z.string(),
    status: z.string(),
    reasons: z.optional(z.array(z.looseObject({ code: z.string(), details: z.optional(z.array(z.string())) }))),
    created_at: z.string(),
    updated_at: z.string(),
  }),
);

const verificationsBody = once(() =>
  z.looseObject({ data: essential(z.looseObject({ verifications: essential(z.array(verification())) })) }),
);

export const listVerifications: Operation<Verification[]> = defineOperation(
  'users.verifications.list',
  'GET /v1/users/{user_id}/verifications',
  {
    waitFor: true,
    answer: answer(verificationsBody, (body) => arrayOf(body.data.verifications)),
  },
);

/** A verification keeps these statuses for good. */
type TerminalVerificationStatus = 'completed' | 'failed';

const TERMINAL: readonly TerminalVerificationStatus[] = ['completed', 'failed'];

const waitParams = once(() => z.object({ verification_id: text(1, Number.POSITIVE_INFINITY) }));

// With `responseValidation: 'warn'` the list may have anything. The wait goes on then.
const pollingOf = (id: string): ItemPolling<Verification, Verification[]> => ({
  ...pollingOfStatus<Verification, Verification[]>(listVerifications, TERMINAL),
  find: (list) => list.find((one) => one?.verification_id === id),
});

/** `client.users.verifications`: identity verification (KYC). */
export class Verifications extends Resource {
  /**
   * Returns all verifications of a user. The answer is not paged.
   *
   * @example
   * const verifications = await client.users.verifications.list(userId);
   * const failed = verifications.filter(({ status }) => status === 'failed');
   * for (const { types, reasons } of failed) console.log(types, reasons?.map(({ code }) => code));
   *
   * @param userId 14 to 42 characters.
   * @stability specified
   * @throws RequestValidationError when `userId` is too short or too long, and the errors of every
   *   call.
   */
  list(userId: string, options?: UnkeyedRequestOptions): ApiPromise<Verification[]> {
    return this.api.call(listVerifications, [userId], options);
  }

  /**
   * Submits a document of a user by its URL, which the service fetches. `waitFor` polls until its
   * verification has ended.
   *
   * It takes no idempotency key, and a second call is a second verification. If its answer is lost,
   * the error's `outcome` is `unknown`: look at `list` before you submit again.
   *
   * The service documents parts of the body. All other members are sent as they are.
   *
   * @example
   * const { verification_id } = await client.users.verifications.submitUrl(userId, {
   *   type: 'identity_document',
   *   front_url: 'https://documents.example/passport.jpg',
   * });
   *
   * @param userId 14 to 42 characters.
   * @stability partial
   * @throws RequestValidationError when `front_url` is not an https URL of 1 to 4,096 characters,
   *   and the errors of every call.
   */
  submitUrl(
    userId: string,
    body: VerificationUrlBody,
    options?: UnkeyedRequestOptions,
  ): ApiPromise<SubmittedVerification> {
    return this.api.call(submitVerificationUrl, [userId, body], options);
  }

  /**
   * Polls `list` until the verification is `completed` or `failed`, or until `until` is met. A
   * `failed` one is no error: it has `reasons`.
   *
   * A list without the verification counts as pending, and `onPoll` gets undefined: the service may
   * show a new one late. An unknown status does not end the wait. A person may look at the
   * documents: choose `timeout` accordingly. The rest is as for `accounts.quotes.waitFor`.
   *
   * @example
   * const { verifications } = client.users;
   * const end = await verifications.waitFor(userId, verificationId, { timeout: 600_000 });
   * if (end.status === 'failed') console.log(end.reasons?.map(({ code }) => code));
   *
   * @stability specified
   * @param userId 14 to 42 characters.
   * @param verificationId At least one character: `verification_id` of `submitUrl` or `list`.
   * @throws TimeoutError when the wait takes longer than its `timeout` (default 60 s).
   *   AbortedError, and the errors of `list`.
   */
  waitFor(
    userId: string,
    verificationId: string,
    options?: ItemWaitOptions<Verification, never>,
  ): ApiPromise<WithStatus<Verification, TerminalVerificationStatus>>;
  /** With one or several statuses as `until`, the result may also have one of them. */
  waitFor<const Status extends KnownStatus<Verification>>(
    userId: string,
    verificationId: string,
    options: ItemWaitOptions<Verification, Status | readonly Status[]>,
  ): ApiPromise<WithStatus<Verification, TerminalVerificationStatus | Status>>;
  /** With a function as `until`, the result may have any status. */
  waitFor(
    userId: string,
    verificationId: string,
    options: ItemWaitOptions<Verification> | undefined,
  ): ApiPromise<Verification>;
  waitFor(userId: string, verificationId: string, options?: ItemWaitOptions<Verification>): ApiPromise<Verification> {
    const issues = validate(waitParams, { verification_id: verificationId });
    return this.api.waitForItem(pollingOf(verificationId), [userId], options, issues);
  }
}
