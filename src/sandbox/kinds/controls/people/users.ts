import * as z from 'zod/mini';
import type { User } from '../../../../resources/users/users.js';
import type { Verification } from '../../../../resources/users/verifications.js';
import type { Wire } from '../../../../schema/types.js';
import { betweenTasks, checked, text, userNamed } from '../../../core/input.js';
import type { State } from '../../../core/records/state.js';
import { type Profile, profiles, setVerification, verificationNamed } from '../../lifecycles/users.js';
import { addUser, type SandboxUserInput } from './own-users.js';

/** `sandbox.users`: the end users of the partner. */
export interface SandboxUsers {
  /**
   * Adds a user in the state `ok` with one account, as the option `users` does. The balances come
   * from outside. Returns the user.
   *
   * @throws TypeError for wrong input. Error for an `external_reference` that another user has.
   */
  add(input: SandboxUserInput): Wire<User>;
  /** Returns all users, oldest first. The API cannot list them. */
  list(): User[];
  /**
   * Returns the personal data of a user as the partner gave and changed it. The API does not show
   * it. Empty for a user of the seed and for a headless one.
   *
   * @throws Error for an unknown user.
   */
  profile(userId: string): Profile;
  /**
   * Changes the status that `users.get` shows: `state` is any text, an element of
   * `required_actions` any JSON. With `enforceUserStatus` the user's accounts are closed (403)
   * while `state` is not `ok`. Returns the user.
   *
   * @throws TypeError for wrong input, Error for an unknown user.
   */
  setStatus(userId: string, status: Partial<User['status']>): User;
  /**
   * Sets the status of any verification at once, also of one that has ended: `pending`,
   * `completed`, `failed`. One that is `pending` again stays so until it is ended. A user who is
   * `pending` follows it: `ok` once it is completed, with a required action once it has failed.
   * Returns it.
   *
   * @param reasons Of a failure: at least one. Default `[{ code: 'unreadable' }]`.
   * @throws TypeError for wrong input, and for reasons of another status. Error for an unknown
   * verification, and for one that has the status already.
   */
  setVerification(
    verificationId: string,
    status: 'pending' | 'completed' | 'failed',
    reasons?: NonNullable<Verification['reasons']>,
  ): Wire<Verification>;
}

const userStatus = z.strictObject({ state: z.optional(text), required_actions: z.optional(z.array(z.json())) });
const failureReasons = z
  .array(z.strictObject({ code: text, details: z.optional(z.array(z.string())) }))
  .check(z.minLength(1));

const UNREADABLE: NonNullable<Verification['reasons']> = [{ code: 'unreadable' }];

export function userControls(state: State): SandboxUsers {
  return {
    add: (input) => betweenTasks(state, () => addUser(state, 'users.add', input).user),
    setVerification: (id, status, reasons) => betweenTasks(state, () => setStatusOf(state, id, status, reasons)),
    list() {
      state.clock.catchUp();
      return Array.from(state.users.values(), ({ user }) => structuredClone(user));
    },
    profile: (userId) => betweenTasks(state, () => profileOf(state, userId)),
    setStatus: (userId, status) => betweenTasks(state, () => setStatus(state, userId, status)),
  };
}

function profileOf(state: State, userId: string): Profile {
  return state.records.of(profiles).get(userNamed(state, 'users.profile', userId).user.id) ?? {};
}

function setStatus(state: State, userId: string, status: Partial<User['status']>): User {
  const given = checked('users.setStatus', userStatus, status);
  const { user } = userNamed(state, 'users.setStatus', userId);
  user.status.state = given.state ?? user.status.state;
  user.status.required_actions = given.required_actions ?? user.status.required_actions;
  return user;
}

function setStatusOf(
  state: State,
  given: string,
  status: string,
  reasons: NonNullable<Verification['reasons']> | undefined,
): Wire<Verification> {
  const METHOD = 'users.setVerification';
  const id = checked(METHOD, text, given);
  const chosen = checked(METHOD, z.enum(['pending', 'completed', 'failed']), status);
  if (reasons !== undefined && chosen !== 'failed') throw new TypeError(`${METHOD}: reasons are only for failed`);
  const why = checked(METHOD, failureReasons, reasons ?? UNREADABLE);
  const found = verificationNamed(state, id);
  if (found === undefined) throw new Error(`${METHOD}: there is no verification ${id}`);
  if (found.verification.status === chosen) throw new Error(`${METHOD}: the verification ${id} is ${chosen} already`);
  return setVerification(state, found, chosen, why);
}
