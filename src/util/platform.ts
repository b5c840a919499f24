import { builtinModule } from '../runtime/builtin-module.js';

/**
 * Types of the platform's globals, from whatever declares them (`@types/node`, the DOM library). A
 * program without either compiles too, and sees the few members that are used here.
 */

export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Native } } ? Native : MinimalSignal;

interface MinimalSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export type PlatformRequest = typeof globalThis extends { Request: { prototype: infer Native } } ? Native : unknown;

export type PlatformResponse = typeof globalThis extends { Response: { prototype: infer Native } } ? Native : unknown;

export type Fetch = typeof globalThis extends { fetch: infer Native }
  ? Native
  : (url: string, init: unknown) => Promise<unknown>;

/**
 * Returns the one value of this name in the process. The ESM and the CJS copy of the package share
 * it. The name has the version of the package if two versions could disagree about the value.
 */
export function processWide<T>(name: string, create: () => T): T {
  const key = Symbol.for(`partner-sdk.${name}`);
  const registry = globalThis as unknown as Record<symbol, T | undefined>;
  let value = registry[key];
  if (value === undefined) {
    value = create();
    Object.defineProperty(registry, key, { value });
  }
  return value;
}

/**
 * Runs a function in a later microtask. Fake timers replace `queueMicrotask`, and nothing replaces
 * this.
 */
export function soon(run: () => void): void {
  void Promise.resolve().then(run);
}

/**
 * Node's own `setImmediate`, even where a test has replaced the global before this file was loaded.
 * Undefined where the runtime has none.
 */
const platformImmediate: ((run: () => void) => unknown) | undefined =
  builtinModule('node:timers')?.setImmediate ?? globalThis.setImmediate;

/**
 * Runs a function after Node has polled its sockets, in the next turn of the event loop. Fake
 * timers do not hold it up.
 */
export const afterPolling: (run: () => void) => void = platformImmediate ?? soon;

/**
 * Runs a function after Node has read its sockets at least once, whichever phase of the event loop
 * calls this, because Node polls its sockets between two turns of `setImmediate`. If a timer calls
 * this, Node has read them twice.
 */
export function afterReading(run: () => void): void {
  afterPolling(() => afterPolling(run));
}

/** The last global `setImmediate` that was seen to run what it was given. */
let runningImmediate = platformImmediate;

/**
 * Calls `run` if the global `setImmediate` runs what it is given, and `otherwise` if a test has
 * replaced it by one that waits for the test. One that is new, for example because a tracer wraps
 * it, is tried first. A fake one must not reach undici at all: undici would clear it later by
 * Node's own `clearImmediate`, and then Node runs no immediate of the process any more.
 */
export function ifImmediateRuns(run: () => void, otherwise: () => void): void {
  const current = globalThis.setImmediate;
  if (current === runningImmediate) {
    run();
    return;
  }
  let runs = false;
  current(() => {
    runs = true;
  });
  afterReading(() => {
    if (runs) runningImmediate = current;
    (runs ? run : otherwise)();
  });
}

const platformSetTimeout = setTimeout;

/**
 * Runs what a time limit decides, after Node has read its sockets. If the event loop was blocked or
 * the process was suspended, the timer fires first, although the response has long been in the
 * socket. A limit is extended by these two turns only, so a response that drips cannot outlive it.
 *
 * With fake timers it runs at once, because they may advance further meanwhile.
 */
export function atLimit(run: () => void): void {
  if (setTimeout === platformSetTimeout) afterReading(run);
  else run();
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
