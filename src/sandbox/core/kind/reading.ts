import type { Operation } from '../../../schema/operation.js';
import { findNow } from '../mutations.js';
import type { State } from '../records/state.js';
import { newestFirst, type PageQuery } from '../request/paging.js';
import { existing } from '../request/refusal.js';
import { atMoment, recordsOf } from './find.js';
import { type AccountParams, accountOf, type Handler, handle } from './handler.js';
import type { Found, Kind } from './kind.js';

/** Returns a resource of the account as it is now, or throws the 404 of the operation. */
export const ofAccount = <R>(
  state: State,
  kind: Kind<R>,
  operation: Operation,
  params: AccountParams,
  id: string,
): Found<R> => existing(operation, findNow(state, kind, id, accountOf(state, params).id));

/** Returns a resource of any of the partner's accounts as it is now, or throws the 404. */
export function ofAnyAccount<R>(state: State, kind: Kind<R>, operation: Operation, id: string): Found<R> {
  const found = existing(operation, findNow(state, kind, id));
  accountOf(state, { account_id: found.account.id });
  return found;
}

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
