import type { ApiPromise, UnkeyedRequestOptions } from '../../call/caller.js';
import { type ItemPolling, pollingOfStatus, shownId } from '../../call/wait/poll.js';
import type { ItemWaitOptions, KnownStatus } from '../../call/wait/poll-options.js';
import { type LazySchema, once } from '../../schema/operation.js';
import * as s from '../../schema/schema.js';
import { validate } from '../../schema/validate/validate.js';
import * as z from '../../schema/zod.js';
import { ownMember } from '../../util/members.js';
import { isHttpsUrl, type WithStatus } from '../common.js';
import { defineOperation } from '../define-operation.js';
import { Resource } from '../resource.js';
import { birth, type SomeOf, type UserBirth } from './create.js';

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
        /** What is wrong, in words for people. */
        details?: string[] | undefined;
      }[]
    | undefined;
  /** ISO 8601, UTC, milliseconds. */
  created_at: string;
  /** ISO 8601, UTC, milliseconds. */
  updated_at: string;
}

/** The front and the back of an identity document. */
export interface IdentityDocument {
  /** An https URL of 1 to 4,096 characters. */
  front_url: string;
  /** An https URL of 1 to 4,096 characters. Passports have no back. */
  back_url?: string | undefined;
  metadata?: VerificationMetadata | undefined;
  [member: string]: unknown;
}

/** A document that shows where a user lives. */
export interface ResidenceDocument {
  /** An https URL of 1 to 4,096 characters. */
  document_url: string;
  metadata?: VerificationMetadata | undefined;
  [member: string]: unknown;
}

/** Three pictures of a user's face. */
export interface Selfie {
  /** An https URL of 1 to 4,096 characters, like the other two. */
  center_url: string;
  left_url: string;
  right_url: string;
  [member: string]: unknown;
}

/** All known members of a `VerificationUrlBody`. */
interface VerificationUrlMembers extends SomeOf<IdentityDocument>, SomeOf<ResidenceDocument>, SomeOf<Selfie> {
  /**
   * `identity_document` is the only value seen. The public reference requires `type` and `metadata`
   * in addition to `front_url`.
   */
  type?: 'identity_document' | (string & {}) | undefined;
  /** The response of the verifier. */
  verifier_response_url?: string | undefined;
  proof_of_identity?: IdentityDocument | undefined;
  proof_of_address?: ResidenceDocument | undefined;
  proof_of_liveness?: Selfie | undefined;
  [member: string]: unknown;
}

/**
 * Documents of a user, by URL: the `front_url` of an identity document, the `document_url` of a
 * document of the residence, or the three URLs of a selfie. They are in the body itself, as in the
 * public reference, or below the name of the verification's type. The latter is an assumption,
 * because only a third party's SDK does so. All other members are sent unchanged, at any depth.
 */
export type VerificationUrlBody = VerificationUrlMembers &
  (
    | { proof_of_identity: IdentityDocument }
    | { proof_of_address: ResidenceDocument }
    | { proof_of_liveness: Selfie }
    | { center_url: string; left_url: string; right_url: string }
    | { document_url: string }
    // The compiler's message about a body of none of these forms names the last one.
    | { front_url: string }
  );

/** Facts about a document. The service documents only parts of them. */
export interface VerificationMetadata {
  identity?: { full_name?: unknown; birth?: UserBirth | undefined; [member: string]: unknown } | undefined;
  /** The kind of an identity document, as a third party's SDK names it. */
  document_type?:
    | 'passport'
    | 'drivers_license'
    | 'id_card'
    | 'residence_card'
    | 'special_permanent_residence_card'
    | (string & {})
    | undefined;
  document_number?: string | undefined;
  issuing_country?: string | undefined;
  verifier?: unknown;
  verified_at?: string | undefined;
  verifier_response?: unknown;
  [member: string]: unknown;
}

/** A verification that was submitted. `verifications.waitFor` waits for its result. */
export interface SubmittedVerification {
  verification_id: string;
  [member: string]: unknown;
}

const MAX_DOCUMENT_URL_LENGTH = 4096;
const DOCUMENT_URL = `must be an https URL of 1 to ${MAX_DOCUMENT_URL_LENGTH} characters`;

const SELFIE = ['center_url', 'left_url', 'right_url'] as const;
const OTHERS = ['document_url', 'proof_of_identity', 'proof_of_address', 'proof_of_liveness'] as const;
const NO_FORM = `is missing, and so are ${SELFIE[0]}, ${OTHERS.join(', ')}: one of them is needed`;

const metadata = () =>
  z.optional(
    z.looseObject({
      identity: z.optional(z.looseObject({ full_name: z.optional(z.unknown()), birth: z.optional(birth()) })),
      document_type: s.optionalText(),
      document_number: s.optionalText(),
      issuing_country: s.optionalText(),
      verifier: z.optional(z.unknown()),
      verified_at: s.optionalText(),
      verifier_response: z.optional(z.unknown()),
    }),
  );

const urlBody = s.input<VerificationUrlMembers>()(() => {
  const url = z
    .string()
    .check(z.refine((text) => text.length <= MAX_DOCUMENT_URL_LENGTH && isHttpsUrl(text), DOCUMENT_URL));
  const facts = { metadata: metadata() };
  const identity = z.looseObject({ front_url: url, back_url: z.optional(url), ...facts });
  const residence = z.looseObject({ document_url: url, ...facts });
  const selfie = z.looseObject({ center_url: url, left_url: url, right_url: url });
  const members = z.looseObject({
    type: s.optionalText(),
    ...s.allOptional(identity).shape,
    ...s.allOptional(residence).shape,
    ...s.allOptional(selfie).shape,
    verifier_response_url: s.optionalText(),
    proof_of_identity: z.optional(identity),
    proof_of_address: z.optional(residence),
    proof_of_liveness: z.optional(selfie),
  });
  return members.check(({ value, issues }) => {
    const isMissing = (name: string) => ownMember(value, name) === undefined;
    const absent = SELFIE.filter(isMissing);
    const addIssue = (name: string, message: string) =>
      issues.push({ code: 'custom', path: [name], message, input: value });
    if (absent.length < SELFIE.length) for (const name of absent) addIssue(name, 'is missing');
    else if (isMissing('front_url') && OTHERS.every(isMissing)) addIssue('front_url', NO_FORM);
  });
}) as LazySchema<unknown, VerificationUrlBody>;

const submittedVerification = s.output<SubmittedVerification>()(() => z.looseObject({ verification_id: z.string() }));

export const submitVerificationUrl = defineOperation(
  'users.verifications.submitUrl',
  'POST /v1/users/{user_id}/verifications/url',
  { body: urlBody, answer: s.data(submittedVerification) },
);

const verification = s.output<Verification>()(() =>
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
  z.looseObject({ data: s.essential(z.looseObject({ verifications: s.essential(z.array(verification())) })) }),
);

export const listVerifications = defineOperation('users.verifications.list', 'GET /v1/users/{user_id}/verifications', {
  waitFor: true,
  answer: s.answer(verificationsBody, (body) => s.arrayOf<Verification>(body.data.verifications)),
});

/** The final statuses of a verification. */
const TERMINAL = ['completed', 'failed'] as const;
type TerminalVerificationStatus = (typeof TERMINAL)[number];

const waitParams = once(() => z.object({ verification_id: s.text(1, Number.POSITIVE_INFINITY) }));

// With `responseValidation: 'warn'` the list may have anything. The wait then continues.
const pollingOf = (id: string): ItemPolling<Verification, Verification[]> => ({
  ...pollingOfStatus<Verification, Verification[]>(listVerifications, TERMINAL),
  searched: shownId('verification_id', id),
  find: (list) => list.find((one) => one?.verification_id === id),
});

/** `client.users.verifications`: identity verification (KYC). */
export class Verifications extends Resource {
  /**
   * Returns all verifications of a user. The response is not paged.
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
   * Submits an identity document, a document of the residence or a selfie of a user by its URLs,
   * which the service fetches. `waitFor` polls until its verification has finished.
   *
   * It takes no idempotency key, and a second call creates a second verification. If its response
   * is lost, the error's `outcome` is `unknown`, so check `list` before you submit again.
   *
   * @example
   * const { verification_id } = await client.users.verifications.submitUrl(userId, {
   *   type: 'identity_document',
   *   front_url: 'https://documents.example/passport.jpg',
   *   metadata: { document_type: 'passport', issuing_country: 'GB' },
   * });
   *
   * @param userId 14 to 42 characters.
   * @stability partial
   * @throws RequestValidationError when there is no document, a URL of a document is not https or
   *   has more than 4,096 characters, or a selfie lacks a picture, and the errors of every call.
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
   * `failed` verification is not an error: it has `reasons`.
   *
   * A list without the verification counts as pending, and `onPoll` gets undefined, because the
   * service may show a new one late. An unknown status does not end the wait. A person may review
   * the documents, so choose `timeout` accordingly. For the rest, see `accounts.quotes.waitFor`.
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
  /** If `until` is one or several statuses, the result has a final status or one of these. */
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
