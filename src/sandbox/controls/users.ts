import * as z from 'zod/mini';
import type { User } from '../../resources/users/users.js';
import type { State } from '../state/state.js';
import { change, checked, text } from './input.js';

export interface SandboxUsers {
  /**
   * Changes the status that `users.get` shows: `state` is any text, an element of
   * `required_actions` any JSON. With `enforceUserStatus` the user's accounts are closed (403)
   * while `state` is not `ok`. Returns the user.
   *
   * @throws TypeError for wrong input, Error for an unknown user.
   */
  setStatus(userId: string, status: Partial<User['status']>): User;
}

const userStatus = z.strictObject({ state: z.optional(text), required_actions: z.optional(z.array(z.json())) });

export function userControls(state: State): SandboxUsers {
  return { setStatus: (userId, status) => change(state, () => setStatus(state, userId, status)) };
}

function setStatus({ users }: State, userId: string, status: Partial<User['status']>): User {
  const given = checked('users.setStatus', userStatus, status);
  const { user } = users.get(userId) ?? {};
  if (user === undefined) throw new Error(`users.setStatus: there is no user ${userId}`);
  user.status.state = given.state ?? user.status.state;
  user.status.required_actions = given.required_actions ?? user.status.required_actions;
  return user;
}
