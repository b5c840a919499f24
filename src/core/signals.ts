import type { Signal } from './platform.js';

/** Who waits for each signal. One listener per signal serves all calls: hundreds of listeners would look like a leak to Node. */
const waiting = new WeakMap<Signal, Waiters>();

interface Waiters {
  readonly calls: Set<() => void>;
  readonly listener: () => void;
}

/** Calls back when the signal aborts, until `forgetAbort`. */
export function onAbort(signal: Signal, callback: () => void): void {
  let waiters = waiting.get(signal);
  if (waiters === undefined) {
    const calls = new Set<() => void>();
    waiters = { calls, listener: () => callAll(calls) };
    waiting.set(signal, waiters);
    signal.addEventListener('abort', waiters.listener);
  }
  waiters.calls.add(callback);
}

/** The last one to forget takes the listener off the signal. */
export function forgetAbort(signal: Signal, callback: () => void): void {
  const waiters = waiting.get(signal);
  waiters?.calls.delete(callback);
  if (waiters === undefined || waiters.calls.size > 0) return;
  signal.removeEventListener('abort', waiters.listener);
  waiting.delete(signal);
}

function callAll(calls: ReadonlySet<() => void>): void {
  for (const call of [...calls]) call();
}
