import { getUser } from '../../resources/users/users.js';
import { listVerifications } from '../../resources/users/verifications.js';
import { forbidden, notFound } from '../refusal.js';
import type { State, UserState } from '../state/state.js';
import { type Handler, handle, type UserParams } from './handler.js';

/** Throws 403 for an unknown user. Only `Get user` declares 404. */
export function userOf(state: State, { user_id: id }: UserParams): UserState {
  const user = state.users.get(id);
  if (user === undefined) throw forbidden();
  return user;
}

export const userHandlers: readonly Handler[] = [
  handle<UserParams>(getUser, (state, { params }) => {
    const found = state.users.get(params.user_id);
    if (found === undefined) throw notFound(getUser);
    return { data: found.user };
  }),
  handle<UserParams>(listVerifications, (state, { params }) => ({
    data: { verifications: userOf(state, params).verifications },
  })),
];
