import type { Operation } from '../../schema/operation.js';
import { atMoment, recordsOf } from './kind/find.js';
import { type AccountParams, accountOf, type Handler, handle } from './kind/handler.js';
import type { Found, Kind } from './kind/kind.js';
import { findNow } from './mutations.js';
import type { AccountState, State } from './records/state.js';
import { newestFirst, type PageQuery } from './request/paging.js';
import { existing, lastParameter } from './request/refusal.js';

/** The parameters of a path by name. */
type PathParams = Readonly<Record<string, string>>;

/**
 * Returns the resource that the end of a path names, as it is now: one of the account in the path,
 * or else of any of the partner's accounts. Throws the 404 of the operation if there is none.
 */
export function named<R>(state: State, kind: Kind<R>, operation: Operation, params: PathParams): Found<R> {
  const { account_id: of, [lastParameter(operation) ?? '']: id = '' } = params;
  if (of !== undefined) return existing(operation, findNow(state, kind, id, accountOf(state, { account_id: of }).id));
  const found = existing(operation, findNow(state, kind, id));
  accountOf(state, { account_id: found.account.id });
  return found;
}

/** Handles an operation on the resource that its path names. */
export const handleNamed = <R>(
  operation: Operation,
  kind: () => Kind<R>,
  answer: (state: State, found: Found<R>) => unknown,
): Handler =>
  handle<PathParams>(operation, (state, { params }) => answer(state, named(state, kind(), operation, params)));

/** Shows the resource that the path names. */
export const showNamed = <R>(operation: Operation, kind: () => Kind<R>): Handler =>
  handleNamed(operation, kind, (state, { record, account }) => ({ data: kind().shown(record, state, account) }));

/** Creates something for the account in the path. `create` returns the response's `data`. */
export const handleCreation = <Body>(
  operation: Operation,
  create: (state: State, account: AccountState, body: Body) => unknown,
): Handler =>
  handle<AccountParams, unknown, Body>(operation, (state, { params, body }) => ({
    data: create(state, accountOf(state, params), body),
  }));

/** The records that a query selects. */
interface Selection<R> {
  /** The filters as they are in the query, which tokens of pages contain. */
  readonly filters: readonly unknown[];
  readonly isWanted: (record: R) => boolean;
}

/** Lists the resources of an account as the API shows them, newest first. */
export function listNewest<Query extends PageQuery, R extends { readonly sequence: number }>(
  operation: Operation,
  kind: () => Kind<R>,
  select: (query: Query) => Selection<R> = () => ({ filters: [], isWanted: () => true }),
): Handler {
  return handle<AccountParams, Query>(operation, (state, { params, query }) => {
    const account = accountOf(state, params);
    const { filters, isWanted } = select(query);
    const items = [...recordsOf(state, kind(), account).values()].filter(isWanted).reverse();
    const scope = [operation.name, account.id, ...filters];
    const page = state.pager.page({ scope, items, ...newestFirst }, query);
    const shown = (record: R) => kind().shown(atMoment(kind(), record, state.clock.now()), state, account);
    return { ...page, data: page.data.map(shown) };
  });
}
