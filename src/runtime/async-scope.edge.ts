import type { AsyncScope } from './async-scope.js';

export type { AsyncScope };

type Snapshot = () => <T>(run: () => T) => T;

/** Its possible places: a global of Vercel, a module of workerd with `nodejs_compat`. */
interface Platform {
  readonly AsyncLocalStorage?: { readonly snapshot: Snapshot };
  readonly process?: { getBuiltinModule?(name: 'async_hooks'): Platform | undefined };
}

export function currentScope(): AsyncScope | undefined {
  const platform = globalThis as Platform;
  const from = platform.AsyncLocalStorage ? platform : platform.process?.getBuiltinModule?.('async_hooks');
  const runInAsyncScope = from?.AsyncLocalStorage?.snapshot();
  return runInAsyncScope && { runInAsyncScope };
}
