import { AsyncResource } from 'node:async_hooks';

/** An asynchronous context, to run functions in later. */
export interface AsyncScope {
  runInAsyncScope<T>(run: () => T): T;
}

/** Returns the current asynchronous context; undefined where the runtime has none. */
export const currentScope = (): AsyncScope | undefined => new AsyncResource('PARTNER_SDK_ATTEMPT');
