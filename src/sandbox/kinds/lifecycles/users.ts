import * as z from 'zod/mini';
import type { CreatedUser, UserAccount, UserUpdateBody } from '../../../resources/users/create.js';
import type { Verification, VerificationUrlBody } from '../../../resources/users/verifications.js';
import type { Wire } from '../../../schema/types.js';
import { BoundedMap } from '../../../util/bounded-map.js';
import { isRecord } from '../../../util/options.js';
import { timestamp } from '../../core/clock/clock.js';
import type { StepTask } from '../../core/clock/task.js';
import { keep } from '../../core/door.js';
import { Holdings } from '../../core/money/ledger.js';
import { type RecordKind, Records } from '../../core/records/records.js';
import { type AccountState, MAX_RECORDS, type State, type UserState } from '../../core/records/state.js';
import { earn, newEarn } from '../earn.js';
import { limits, newLimits } from '../limits.js';
import { groupedId } from '../shared/addresses/made-up.js';

/** The personal data of a user as the partner gave it. */
export type Profile = Readonly<Record<string, unknown>>;

/** By user id. */
export const profiles: RecordKind<Profile> = {
  name: 'profiles',
  schema: () => z.record(z.string(), z.unknown()),
  limit: Number.POSITIVE_INFINITY,
};

/** A verification under way: its user, and the reasons for which it will fail, if it will. */
interface Submission {
  readonly user: string;
  readonly reasons: readonly string[];
}

/** By verification id. */
export const submissions: RecordKind<Submission> = {
  name: 'submissions',
  schema: () => z.object({ user: z.string(), reasons: z.readonly(z.array(z.string())) }),
  limit: Number.POSITIVE_INFINITY,
};

/** Time that a verification takes. */
const VERIFYING_MS = 60_000;

/** Verifications that a user keeps. Beyond it the oldest are forgotten. */
const MAX_VERIFICATIONS = 1_000;

/** A document with one of these words in the last part of its URL fails for that reason. */
const FAILING_DOCUMENTS: readonly string[] = ['unreadable', 'wrong_side'];

/** The required action of a user whose identity has not been verified. */
export const SUBMIT_IDENTITY = { type: 'submit_verification', verification: 'proof_of_identity' };

/** Returns what the service answers about a new user, or about the one with this reference. */
export function createUser(state: State, reference: string, profile?: Profile): CreatedUser {
  const { user } = withReference(state, reference) ?? openUser(state, reference, profile);
  return { id: user.id, accounts: user.accounts };
}

export function withReference({ users }: State, reference: string): UserState | undefined {
  for (const one of users.values()) if (one.user.external_reference === reference) return one;
  return undefined;
}

/** Makes a user with an empty account. Without personal data there is nothing to verify. */
export function openUser(state: State, reference: string, profile?: Profile): UserState {
  const { random, clock } = state;
  const account = emptyAccount(state);
  const isVerified = profile === undefined;
  const record: UserState = {
    user: {
      id: groupedId('AU', random),
      external_reference: reference,
      type: 'individual',
      status: { state: isVerified ? 'ok' : 'pending', required_actions: isVerified ? [] : [SUBMIT_IDENTITY] },
      created_at: timestamp(clock.now()),
      accounts: [{ id: account.id, name: 'main' }],
    },
    verifications: [],
  };
  beginRecords(state, account);
  state.accounts.set(account.id, account);
  state.users.set(record.user.id, record);
  if (profile !== undefined) state.records.of(profiles).set(record.user.id, profile);
  return record;
}

function emptyAccount({ random }: State): AccountState {
  const id = groupedId('AA', random);
  return {
    id,
    conversions: new Map(),
    wallets: new BoundedMap(MAX_RECORDS),
    holdings: new Holdings(id, []),
    records: new Records(),
  };
}

/** Puts the records that a new account begins with in place. */
function beginRecords(state: State, account: AccountState): void {
  const { id } = account;
  for (const [method, record] of newLimits(state, state.random.fork(id))) keep(state, limits, account, method, record);
  keep(state, earn, account, ...newEarn(account));
}

/** Members of an object change one by one, all others as a whole. What is left out stays. */
export function updateProfile(state: State, { user }: UserState, changes: UserUpdateBody): void {
  const kept = state.records.of(profiles).get(user.id) ?? {};
  const changed = Object.entries(changes).map(([name, value]) => {
    const before = kept[name];
    return [name, isRecord(value) && isRecord(before) ? { ...before, ...value } : value] as const;
  });
  state.records.of(profiles).set(user.id, { ...kept, ...Object.fromEntries(changed) });
}

/** `pending` until it is finished, a minute later. */
export function submitVerification(state: State, record: UserState, body: Wire<VerificationUrlBody>): string {
  const now = state.clock.now();
  const id = groupedId('PV', state.random);
  const verification: Wire<Verification> = {
    verification_id: id,
    types: [proofOf(body.type)],
    method: 'url',
    status: 'pending',
    created_at: timestamp(now),
    updated_at: timestamp(now),
  };
  const last = new URL(body.front_url).pathname.split('/').at(-1) ?? '';
  const reasons = FAILING_DOCUMENTS.filter((reason) => last.includes(reason));
  state.records.of(submissions).set(id, { user: record.user.id, reasons });
  record.verifications = [...record.verifications, verification].slice(-MAX_VERIFICATIONS);
  if (record.user.status.state === 'pending') record.user.status.required_actions = [];
  state.clock.plan(now + VERIFYING_MS, { kind: 'step', step: 'verification.finish', id });
  return id;
}

function proofOf(type = ''): string {
  return type.startsWith('proof_of_') ? type : 'proof_of_identity';
}

export const USER_STEPS = { 'verification.finish': finishVerification } as const;

/**
 * `pending → completed | failed`, and with it the user `pending → ok`. Any other state of a user
 * stays.
 */
function finishVerification(state: State, { id }: StepTask): void {
  const found = verificationNamed(state, id);
  if (found?.verification.status !== 'pending') return;
  const { reasons = [] } = state.records.of(submissions).get(id) ?? {};
  const status = reasons.length > 0 ? 'failed' : 'completed';
  setVerification(
    state,
    found,
    status,
    reasons.map((code) => ({ code })),
  );
}

type Reasons = NonNullable<Verification['reasons']>;

interface FoundVerification {
  readonly owner: UserState;
  readonly verification: Wire<Verification>;
}

export function verificationNamed({ users }: State, id: string): FoundVerification | undefined {
  for (const owner of users.values()) {
    const verification = owner.verifications.find((one) => one.verification_id === id);
    if (verification !== undefined) return { owner, verification };
  }
  return undefined;
}

/** Writes a state into a verification. One that is `pending` again stays so until it is ended. */
export function setVerification(
  state: State,
  { owner, verification }: FoundVerification,
  status: 'pending' | 'completed' | 'failed',
  given: Reasons,
): Wire<Verification> {
  const { verification_id: id } = verification;
  state.clock.drop((task) => task.kind === 'step' && task.step === 'verification.finish' && task.id === id);
  state.records.of(submissions).delete(id);
  const { reasons: _before, ...kept } = verification;
  const changed: Wire<Verification> = {
    ...{ ...kept, status, updated_at: timestamp(state.clock.now()) },
    ...(status === 'failed' ? { reasons: given } : {}),
  };
  owner.verifications = owner.verifications.map((one) => (one === verification ? changed : one));
  const { status: user } = owner.user;
  if (user.state !== 'pending') return changed;
  if (status === 'completed') Object.assign(user, { state: 'ok', required_actions: [] });
  else user.required_actions = status === 'failed' ? [SUBMIT_IDENTITY] : [];
  return changed;
}

/** Gives a user a further account, which is empty. */
export function openAccount(state: State, { user }: UserState, name: string): Wire<UserAccount> {
  const account = emptyAccount(state);
  beginRecords(state, account);
  state.accounts.set(account.id, account);
  const shown = { id: account.id, name };
  user.accounts = [...user.accounts, shown];
  return shown;
}
