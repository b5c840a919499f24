import type { Operation } from '../../../schema/operation.js';
import type { AccountState, State } from '../records/state.js';
import { type Cause, forbidden } from '../request/refusal.js';

/** A request whose parts all follow the operation's rules. */
export interface CheckedInput<Params = unknown, Query = unknown, Body = unknown> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Scheme and authority at which the sandbox was reached, for links in responses. */
  readonly origin: string;
}

/**
 * Returns the body of a 200, or throws a `Refusal`. Changes the state synchronously, so requests
 * never interleave. A promise means only that the response is known later.
 */
export interface Handler {
  readonly operation: Operation;
  answer(state: State, input: CheckedInput): unknown;
  /** Returns the name by which a person knows the resource with the id in the path. */
  nameOf?(id: string): string | undefined;
  /** Returns probable mistakes that break no rule. */
  warnings?(input: CheckedInput): Cause[];
}

/** Makes a handler. The cast is sound: the operation's own schemas have checked the input. */
export function handle<Params, Query = unknown, Body = unknown>(
  operation: Operation,
  answer: (state: State, input: CheckedInput<Params, Query, Body>) => unknown,
): Handler {
  return { operation, answer: (state, input) => answer(state, input as CheckedInput<Params, Query, Body>) };
}

export interface AccountParams {
  readonly account_id: string;
}

export interface UserParams {
  readonly user_id: string;
}

/** Returns the partner's account. Throws 403 for any other id, even for one that does not exist. */
export function accountOf(state: State, { account_id: id }: AccountParams): AccountState {
  const account = state.accounts.get(id);
  if (account === undefined) throw forbidden();
  if (state.enforceUserStatus) checkOwner(state, id);
  return account;
}

function checkOwner(state: State, accountId: string): void {
  const { state: status = 'ok' } = state.ownerOf(state, accountId)?.status ?? {};
  if (status !== 'ok') throw forbidden({ field: 'account_id', message: `belongs to a user who is ${status}` });
}
