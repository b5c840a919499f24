import * as z from 'zod/mini';
import type { User } from '../../../resources/users/users.js';
import type { Verification } from '../../../resources/users/verifications.js';
import { endVerification, type Profile, profiles } from '../../lifecycles/users.js';
import type { State, UserState } from '../../state/state.js';
import { change, checked, text } from '../input.js';

/** `sandbox.users`: the end users of the partner. */
export interface SandboxUsers {
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
   * Completes a verification at once. Its user is `ok` then, unless the state was set otherwise.
   *
   * @throws Error for an id of which no verification is under way.
   */
  approveVerification(verificationId: string): void;
  /**
   * Lets a verification fail at once. `reasons` are shown in its list: at least one; default
   * `[{ code: 'unreadable' }]`. Its user has to submit another.
   *
   * @throws TypeError for wrong reasons, Error for an id of which no verification is under way.
   */
  rejectVerification(verificationId: string, reasons?: NonNullable<Verification['reasons']>): void;
}

const userStatus = z.strictObject({ state: z.optional(text), required_actions: z.optional(z.array(z.json())) });
const failureReasons = z
  .array(z.strictObject({ code: text, details: z.optional(z.array(z.string())) }))
  .check(z.minLength(1));

export function userControls(state: State): SandboxUsers {
  return {
    list() {
      state.clock.catchUp();
      return Array.from(state.users.values(), ({ user }) => structuredClone(user));
    },
    profile: (userId) => change(state, () => profileOf(state, userId)),
    setStatus: (userId, status) => change(state, () => setStatus(state, userId, status)),
    approveVerification: (id) => change(state, () => end(state, 'users.approveVerification', id, [])),
    rejectVerification(id, reasons = [{ code: 'unreadable' }]) {
      const given = checked('users.rejectVerification', failureReasons, reasons);
      change(state, () => end(state, 'users.rejectVerification', id, given));
    },
  };
}

function userNamed({ users }: State, method: string, userId: string): UserState {
  const found = users.get(userId);
  if (found === undefined) throw new Error(`${method}: there is no user ${userId}`);
  return found;
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

function end(state: State, method: string, id: string, reasons: NonNullable<Verification['reasons']>): void {
  if (!endVerification(state, id, reasons)) throw new Error(`${method}: no verification ${id} is under way`);
}
