import { framesOf } from '../util/run-safely.js';

/** A frame of the platform's own code, for example of `Promise.all`. */
const OF_PLATFORM = /\(<anonymous>\)$|\(node:internal\//;

/** The callers of a function at one moment. V8 builds the stack's string only if it is read. */
export interface CallSite {
  readonly stack?: string;
}

/** False in an engine without this interface of V8. */
const canCapture = typeof Error.captureStackTrace === 'function';

/** Remembers who calls a function of this package now. */
export function callSite(of: (...given: never[]) => unknown): CallSite {
  const site: CallSite = {};
  if (canCapture) Error.captureStackTrace(site, of);
  return site;
}

/**
 * True for the function that `await` passes to the `then` of an object, which V8 created without a
 * name. V8 finds the caller behind `await` by itself. To remember it here, too, would cost 5 % of a
 * page's CPU (`npm run bench -- --cells page:64`).
 */
export function isOfAwait(handler: unknown): boolean {
  return typeof handler === 'function' && handler.name === '' && String(handler).endsWith('{ [native code] }');
}

/**
 * Makes the stack of an error begin at the caller of a function that is running. V8 keeps ten
 * frames, of which more than a few of this package would leave none for the application.
 */
export function leaveOut(inner: (...given: never[]) => unknown, error: Error): void {
  if (canCapture) Error.captureStackTrace(error, inner);
}

/** Errors whose stack already has its callers. Only the first handler of an error adds them. */
const completed = new WeakSet<object>();

/** The second argument of a `then` whose caller is remembered. */
type OnRejected<T> = ((reason: unknown) => T | PromiseLike<T>) | null | undefined;

/** Returns the handler of a rejection, which receives the error with the remembered callers. */
export function withCallers<T>(site: CallSite, onrejected: OnRejected<T>): (error: unknown) => T | PromiseLike<T> {
  return (error) => {
    addCallers(error, site);
    if (typeof onrejected !== 'function') throw error;
    return onrejected(error);
  };
}

/** Appends the remembered callers to an error's stack, unless the first is already there. */
function addCallers(error: unknown, site: CallSite): void {
  if (!(error instanceof Error) || completed.has(error)) return;
  const callers = framesOf(site).filter((frame) => !OF_PLATFORM.test(frame));
  const [first] = callers;
  if (first === undefined || typeof error.stack !== 'string') return;
  completed.add(error);
  const isKnown = framesOf(error).map(functionOf).includes(functionOf(first));
  if (!isKnown) error.stack = [error.stack, ...callers].join('\n');
}

/** Returns function and file of a frame. If the function has no name, its line identifies it. */
function functionOf(frame: string): string {
  const place = frame.replace(/^\s+at (async )?/, '');
  return place.endsWith(')') ? place.replace(/(:\d+)+\)$/, '') : place;
}
