import * as z from 'zod/mini';
import type { ApiPromise, UnkeyedRequestOptions } from '../../call/caller.js';
import { defineOperation, type Operation, once } from '../../schema/operation.js';
import { answer, arrayOf, essential, output } from '../../schema/schema.js';
import { userParams } from '../common.js';
import { Resource } from '../resource.js';

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

export const listVerifications: Operation<Verification[]> = defineOperation({
  name: 'users.verifications.list',
  title: 'List verifications',
  stability: 'specified',
  route: 'GET /v1/users/{user_id}/verifications',
  params: userParams,
  answer: answer(verificationsBody, (body) => arrayOf(body.data.verifications)),
});

/** `client.users.verifications`: identity verification (KYC). */
export class Verifications extends Resource {
  /**
   * Returns all verifications of a user. The answer is not paged.
   *
   * @param userId 14 to 42 characters.
   * @throws RequestValidationError when `userId` is too short or too long, and the errors of every
   *   call.
   */
  list(userId: string, options?: UnkeyedRequestOptions): ApiPromise<Verification[]> {
    return this.caller.call(listVerifications, { params: { user_id: userId } }, options);
  }
}
