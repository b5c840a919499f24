import { Linked, LinkedList } from './linked-list.js';
import type { Signal } from './platform.js';

export interface AbortListener {
  onAborted(signal: Signal): void;
}

const subscriptionsOf = new WeakMap<Signal, SignalSubscriptions>();

/** Calls a listener when one of its signals aborts, until it is cancelled. */
export interface AbortSubscription {
  cancel(): void;
}

/** Subscribes to several signals; undefined when there are none. */
export function onAbort(signals: readonly Signal[], listener: AbortListener): AbortSubscription | undefined {
  const all = signals.map((signal) => (subscriptionsOf.get(signal) ?? new SignalSubscriptions(signal)).add(listener));
  if (all.length <= 1) return all[0];
  return { cancel: () => all.forEach((each) => void each.cancel()) };
}

/** Calls that share a signal share one listener on it: Node warns of a signal with many. */
class SignalSubscriptions {
  readonly #signal: Signal;
  readonly #subscriptions = new LinkedList<Subscription>();
  readonly #onAbort = (): void => {
    for (const { listener } of [...this.#subscriptions]) listener.onAborted(this.#signal);
  };

  constructor(signal: Signal) {
    this.#signal = signal;
    subscriptionsOf.set(signal, this);
    signal.addEventListener('abort', this.#onAbort);
  }

  add(listener: AbortListener): AbortSubscription {
    const subscription = new Subscription(this, listener);
    this.#subscriptions.add(subscription);
    return subscription;
  }

  /** Removes a subscription. Removing the last one removes the listener from the signal. */
  remove(subscription: Subscription): void {
    if (!this.#subscriptions.remove(subscription) || this.#subscriptions.size > 0) return;
    this.#signal.removeEventListener('abort', this.#onAbort);
    subscriptionsOf.delete(this.#signal);
  }
}

/** One listener of a signal. */
class Subscription extends Linked<Subscription> implements AbortSubscription {
  readonly listener: AbortListener;
  readonly #subscriptions: SignalSubscriptions;

  constructor(subscriptions: SignalSubscriptions, listener: AbortListener) {
    super();
    this.#subscriptions = subscriptions;
    this.listener = listener;
  }

  cancel(): void {
    this.#subscriptions.remove(this);
  }
}
