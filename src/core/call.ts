import type { Operation, OperationInput, PageBody, PageMeta } from './operation.js';
export interface CallOptions {
  signal?: AbortSignal | undefined;
}
export class ApiPromise<T> extends Promise<T> {}
export interface PagedList<T, M = PageMeta> {
  x: T;
  m: M;
}
export interface ListOptions extends CallOptions {
  prefetch?: boolean | undefined;
}
export interface Caller {
  call<T>(operation: Operation<T>, input: OperationInput, options?: CallOptions): ApiPromise<T>;
  list<T, M>(operation: Operation<PageBody<T, M>>, input: OperationInput, options?: ListOptions): PagedList<T, M>;
}
