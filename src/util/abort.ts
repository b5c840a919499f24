import { Linked, LinkedList } from './linked-list.js';
import type { Signal } from './platform.js';

/** What is told when a signal aborts. */
export interface AbortListener {
  onAborted(signal: Signal): void;
}

/** Who waits for each signal. One listener per signal serves all calls: hundreds of listeners would look like a leak to Node. */
const waiting = new WeakMap<Signal, Waiters>();

interface Waiters {
  readonly signal: Signal;
  readonly calls: LinkedList<ListeningToOne>;
  readonly listener: () => void;
}

/** What ends being told of a signal. */
export interface Listening {
  forget(): void;
}

class ListeningToOne extends Linked<ListeningToOne> implements Listening {
  readonly listener: AbortListener;
  readonly #waiters: Waiters;

  constructor(waiters: Waiters, listener: AbortListener) {
    super();
    this.listener = listener;
    this.#waiters = waiters;
  }

  /** The last one to forget takes the listener off the signal. */
  forget(): void {
    const { signal, calls, listener } = this.#waiters;
    if (!calls.remove(this) || calls.size > 0) return;
    signal.removeEventListener('abort', listener);
    waiting.delete(signal);
  }
}

/** Tells the listener when one of the signals aborts, until it is forgotten; undefined when there is none. */
export function onAbort(signals: readonly Signal[], listener: AbortListener): Listening | undefined {
  const all = signals.map((signal) => listenTo(signal, listener));
  // Most calls have one at most: those that wait hold no more for it than they must.
  return all.length > 1 ? together(all) : all[0];
}

function together(all: readonly Listening[]): Listening {
  return {
    forget() {
      for (const each of all) each.forget();
    },
  };
}

function listenTo(signal: Signal, listener: AbortListener): ListeningToOne {
  let waiters = waiting.get(signal);
  if (waiters === undefined) {
    const calls = new LinkedList<ListeningToOne>();
    waiters = { signal, calls, listener: () => tellAll(calls, signal) };
    waiting.set(signal, waiters);
    signal.addEventListener('abort', waiters.listener);
  }
  const listening = new ListeningToOne(waiters, listener);
  waiters.calls.add(listening);
  return listening;
}

function tellAll(calls: Iterable<ListeningToOne>, signal: Signal): void {
  for (const { listener } of [...calls]) listener.onAborted(signal);
}
