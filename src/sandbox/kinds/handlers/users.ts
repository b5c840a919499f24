import {
  createHeadlessUser,
  createUser as createUserOperation,
  type HeadlessUserCreateBody,
  type UserCreateBody,
  type UserUpdateBody,
  updateUser,
} from '../../../resources/users/create.js';
import { getUser } from '../../../resources/users/users.js';
import {
  listVerifications,
  submitVerificationUrl,
  type VerificationUrlBody,
} from '../../../resources/users/verifications.js';
import type { State, UserState } from '../../core/records/state.js';
import { type Handler, handle, type UserParams } from '../../core/request/handler.js';
import { forbidden, notFound } from '../../core/request/refusal.js';
import { createUser, submitVerification, updateProfile } from '../lifecycles/users.js';

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
  handle<unknown, unknown, UserCreateBody>(createUserOperation, (state, { body }) => {
    const { external_reference: reference, ...profile } = body;
    return { data: createUser(state, reference, profile) };
  }),
  handle<unknown, unknown, HeadlessUserCreateBody>(createHeadlessUser, (state, { body }) => ({
    data: createUser(state, body.external_reference),
  })),
  handle<UserParams, unknown, UserUpdateBody>(updateUser, (state, { params, body }) => {
    updateProfile(state, userOf(state, params), body);
    return { data: 'success' };
  }),
  handle<UserParams>(listVerifications, (state, { params }) => ({
    data: { verifications: userOf(state, params).verifications },
  })),
  handle<UserParams, unknown, VerificationUrlBody>(submitVerificationUrl, (state, { params, body }) => ({
    data: { verification_id: submitVerification(state, userOf(state, params), body) },
  })),
];
