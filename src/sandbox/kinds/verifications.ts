import * as z from 'zod/mini';
import {
  listVerifications,
  submitVerificationUrl,
  type Verification,
  type VerificationUrlBody,
} from '../../resources/users/verifications.js';
import type { Wire } from '../../schema/types.js';
import { text } from '../core/basics/checked.js';
import type { Random } from '../core/basics/random.js';
import { DAY_MS, timestamp } from '../core/clock/clock.js';
import { all, find } from '../core/kind/find.js';
import { handle, type UserParams } from '../core/kind/handler.js';
import type { Found, Kind, Moves } from '../core/kind/kind.js';
import { dropStep, scheduleStep } from '../core/moves.js';
import { change, drop, move, put } from '../core/mutations.js';
import { neverRuns, outcomesOf, slow, toMade } from '../core/outcomes.js';
import { answered } from '../core/records/saved-values.js';
import type { State } from '../core/records/state.js';
import { groupedId } from './shared/addresses/generate.js';
import { type FoundUser, type SandboxUsers, SUBMIT_IDENTITY, setUserStatus, userOf, users } from './users.js';

/** Time in ms that a verification takes. */
const VERIFYING_MS = 60_000;

/** The URLs of each type of a verification. The first is that of each submission. */
const DOCUMENTS = {
  proof_of_identity: ['front_url', 'back_url'],
  proof_of_address: ['document_url'],
  proof_of_liveness: ['center_url', 'left_url', 'right_url'],
} as const;

/** Maximum number of verifications kept of a user; the oldest are dropped first. */
const MAX_VERIFICATIONS = 1_000;

/** A document whose URL has one of these words in its last part fails, for that reason. */
const FAILING_DOCUMENTS: readonly string[] = ['unreadable', 'wrong_side'];

const DEFAULT_REASON = 'unreadable';

interface VerificationRecord {
  readonly verification: Wire<Verification>;
  /** Id of the user. */
  readonly user: string;
  /** Reasons if it will fail. */
  readonly fails?: readonly string[] | undefined;
}

type FoundVerification = Found<VerificationRecord, undefined>;

const STATES = ['pending', 'completed', 'failed'] as const;
type Status = (typeof STATES)[number];

const othersThan = (status: string): Status[] => STATES.filter((one) => one !== status);

type Reasons = NonNullable<Wire<Verification>['reasons']>;

const failureReasons = z
  .array(z.strictObject({ code: text, details: z.optional(z.array(z.string())) }))
  .check(z.minLength(1));

/** The verifications of all users, oldest first. */
export const verifications: Kind<VerificationRecord, undefined> = {
  name: 'verifications',
  noun: 'verification',
  owner: 'partner',
  scope: 'users',
  limit: Number.POSITIVE_INFINITY,
  schema: () =>
    z.object({
      verification: answered<Wire<Verification>>(listVerifications, ['data', 'verifications', 0], {
        status: z.enum(STATES),
      }),
      user: z.string(),
      fails: z.optional(z.readonly(z.array(z.string()))),
    }),
  shown: ({ verification }) => verification,
  userId: ({ user }) => user,
  stateOf: ({ verification }) => verification.status,
  inState: (record, status, now) => ({
    ...record,
    verification: { ...record.verification, status, updated_at: timestamp(now) },
  }),
  initial: ['pending'],
  steps: {
    'verification.finish': {
      from: ['pending'],
      to: 'completed',
      after: { 'a bad document': 'failed' },
      effect: (id) => `Verification ${id} is completed, or fails.`,
      run(state, found) {
        const reasons = (found.record.fails ?? []).map((code) => ({ code }));
        setStatus(state, found, reasons.length > 0 ? 'failed' : 'completed', reasons);
      },
    },
  },
  group: users.name,
  idName: 'verificationId',
  moves: {
    setVerification: {
      from: STATES,
      takes: { status: z.enum(STATES), reasons: z.optional(failureReasons) },
      choices: othersThan,
      run(state, found, status: Status, reasons: Reasons | undefined) {
        const METHOD = 'users.setVerification';
        if (reasons !== undefined && status !== 'failed') {
          throw new TypeError(`${METHOD}: reasons are only for failed`);
        }
        if (found.record.verification.status === status) {
          throw new Error(`${METHOD}: the verification ${found.id} is ${status} already`);
        }
        return setStatus(state, found, status, reasons ?? [{ code: DEFAULT_REASON }]);
      },
    },
  } satisfies Moves<keyof Pick<SandboxUsers, 'setVerification'>, VerificationRecord, undefined>,
  transitions: STATES.flatMap((from) => othersThan(from).map((to) => ({ from, to }))),
  operations: [
    handle<UserParams>(listVerifications, (state, { params }) => ({
      data: { verifications: ofUser(state, userOf(state, params)).map(({ record }) => record.verification) },
    })),
    handle<UserParams, unknown, VerificationUrlBody>(submitVerificationUrl, (state, { params, body }) => ({
      data: { verification_id: submit(state, userOf(state, params), body) },
    })),
  ],
  outcomes: [
    outcomesOf(submitVerificationUrl, 'verification_id', {
      failed: {
        summary: 'The verification fails with `reason`, by default `unreadable`.',
        takes: ['reason'],
        apply: toMade(
          () => verifications,
          (state, found, reason = DEFAULT_REASON) =>
            change(state, verifications, found, { ...found.record, fails: [reason] }),
        ),
      },
      pending: neverRuns(
        'The verification stays pending until you call `users.setVerification`.',
        'verification.finish',
        () => verifications,
      ),
      slow: slow('The verification finishes', 'verification.finish'),
    }),
  ],
  choices: {
    [submitVerificationUrl.name]:
      'Fetches no document. A minute later the verification is `completed` and its user is `ok`. If the last part of one of its URLs contains the word `unreadable` or `wrong_side`, the verification is `failed`, with that word as the reason. `types` follow from the documents, and a document without `proof_of_identity` does not change the user.',
  },
};

const ofUser = (state: State, { id }: FoundUser): FoundVerification[] =>
  all(state, verifications).filter(({ record }) => record.user === id);

/** Creates a verification, `pending` for one minute. */
function submit(state: State, owner: FoundUser, body: Wire<VerificationUrlBody>): string {
  const now = timestamp(state.clock.now());
  const documents = documentsOf(body);
  const verification: Wire<Verification> = {
    verification_id: groupedId('PV', state.random),
    types: documents.map(({ type }) => type),
    method: 'url',
    status: 'pending',
    created_at: now,
    updated_at: now,
  };
  const files = documents.flatMap(({ urls }) => urls.map((url) => new URL(url).pathname.split('/').at(-1) ?? ''));
  const fails = FAILING_DOCUMENTS.filter((reason) => files.some((file) => file.includes(reason)));
  const record = { verification, user: owner.id, ...(fails.length === 0 ? {} : { fails }) };
  const found = { account: undefined, id: verification.verification_id, record };
  put(state, verifications, found);
  for (const { id } of ofUser(state, owner).slice(0, -MAX_VERIFICATIONS)) forget(state, id);
  if (decides(verification, owner)) setUserStatus(state, owner, { required_actions: [] });
  scheduleStep(state, 'verification.finish', found, VERIFYING_MS);
  return found.id;
}

/** Returns the documents of a body: below the name of their type, or in the body itself. */
function documentsOf(body: Wire<VerificationUrlBody>) {
  return Object.entries(DOCUMENTS).flatMap(([type, names]) => {
    const given: Partial<Record<string, unknown>> = body[type as keyof typeof DOCUMENTS] ?? body;
    const urls = names.map((name) => given[name]).filter((url) => typeof url === 'string');
    return given[names[0]] === undefined ? [] : [{ type, urls }];
  });
}

/** True if the state of the user follows the verification. */
const decides = ({ types }: Wire<Verification>, owner: FoundUser): boolean =>
  types.includes(SUBMIT_IDENTITY.verification) && owner.record.user.status.state === 'pending';

function forget(state: State, id: string): void {
  dropStep(state, 'verification.finish', id);
  drop(state, verifications, undefined, id);
}

/**
 * Changes the state of a verification. One that is `pending` again stays so until a call ends it.
 * The state of its user follows only while that is `pending`, and only a `proof_of_identity`.
 */
function setStatus(state: State, found: FoundVerification, status: Status, given: Reasons): Wire<Verification> {
  dropStep(state, 'verification.finish', found.id);
  const { verification } = move(state, verifications, found, status, ({ fails: _, ...record }) => {
    const { reasons: _before, ...kept } = record.verification;
    return { ...record, verification: status === 'failed' ? { ...kept, reasons: given } : kept };
  });
  const owner = find(state, users, found.record.user);
  if (owner !== undefined && decides(verification, owner)) setUserStatus(state, owner, userStatusAfter(status));
  return verification;
}

function userStatusAfter(status: Status) {
  if (status === 'completed') return { state: 'ok', required_actions: [] };
  return { required_actions: status === 'failed' ? [SUBMIT_IDENTITY] : [] };
}

/** Returns the verifications of a user of the seed, who was created at `created`. */
export function seedVerifications(index: number, random: Random, created: number): Wire<Verification>[] {
  const at = (days: number): string => timestamp(created + days * DAY_MS + random.integer(0, 3_600_000));
  const made = (day: number, status: string, types: string[], method: string, more = {}): Wire<Verification> => ({
    verification_id: groupedId('PV', random),
    types,
    method,
    status,
    ...more,
    created_at: at(day),
    updated_at: at(day + 1),
  });
  const reasons = [{ code: 'unreadable', details: ['the second page is cut off'] }, { code: 'wrong_side' }];
  const completed = made(0, 'completed', ['proof_of_identity', 'proof_of_liveness'], 'hosted');
  const failed = made(2, 'failed', ['proof_of_address'], 'url', { reasons });
  const pending = made(4, 'pending', ['proof_of_address'], 'url');
  if (index === 0) return [completed, failed, pending];
  return index === 5 ? [] : [completed];
}
