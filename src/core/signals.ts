import type { Signal } from './platform.js';

/** What is told when a signal aborts. */
export interface AbortListener {
  onAborted(signal: Signal): void;
}

/** Who waits for each signal. One listener per signal serves all calls: hundreds of listeners would look like a leak to Node. */
const waiting = new WeakMap<Signal, Waiters>();

interface Waiters {
  readonly calls: Set<AbortListener>;
  readonly listener: () => void;
}

/** Tells the listener when the signal aborts, until `forgetAbort`. */
export function onAbort(signal: Signal, listener: AbortListener): void {
  let waiters = waiting.get(signal);
  if (waiters === undefined) {
    const calls = new Set<AbortListener>();
    waiters = { calls, listener: () => tellAll(calls, signal) };
    waiting.set(signal, waiters);
    signal.addEventListener('abort', waiters.listener);
  }
  waiters.calls.add(listener);
}

/** The last one to forget takes the listener off the signal. */
export function forgetAbort(signal: Signal, listener: AbortListener): void {
  const waiters = waiting.get(signal);
  waiters?.calls.delete(listener);
  if (waiters === undefined || waiters.calls.size > 0) return;
  signal.removeEventListener('abort', waiters.listener);
  waiting.delete(signal);
}

function tellAll(calls: ReadonlySet<AbortListener>, signal: Signal): void {
  for (const call of [...calls]) call.onAborted(signal);
}
