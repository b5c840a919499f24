import type { ListOptions, RequestOptions, UnkeyedRequestOptions } from '../request/options.js';
import type { Operation, OperationInput, PageBody } from '../schema/operation.js';
import type { ApiPromise } from './api-promise.js';
import type { PagedList } from './list.js';
import type { Polling } from './poll.js';
import type { WaitOptions } from './poll-options.js';

export type { ApiPromise, ListOptions, PagedList, RequestOptions, UnkeyedRequestOptions };

/** What resource classes call: one operation, once, page by page, or until it shows what is waited for. */
export interface Caller {
  call<T>(operation: Operation<T>, input: OperationInput, options?: RequestOptions): ApiPromise<T>;
  list<T, Meta>(
    operation: Operation<PageBody<T, Meta>>,
    input: OperationInput,
    options?: ListOptions,
  ): PagedList<T, Meta>;
  waitFor<T>(polling: Polling<T>, input: OperationInput, options?: WaitOptions<T>): ApiPromise<T>;
}
