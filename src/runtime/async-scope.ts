import { builtinModule } from './builtin-module.js';

/** An asynchronous context, to run functions in later. */
export interface AsyncScope {
  runInAsyncScope<T>(run: () => T): T;
}

/** A global of Vercel's edge functions, which have no modules of Node. */
interface EdgePlatform {
  readonly AsyncLocalStorage?: { snapshot(): <T>(run: () => T) => T };
}

/** Returns the current asynchronous context; undefined where the runtime has none. */
export function currentScope(): AsyncScope | undefined {
  const hooks = builtinModule('node:async_hooks');
  if (hooks !== undefined) return new hooks.AsyncResource('PARTNER_SDK_ATTEMPT');
  const runInAsyncScope = (globalThis as EdgePlatform).AsyncLocalStorage?.snapshot();
  return runInAsyncScope && { runInAsyncScope };
}
