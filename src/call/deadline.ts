import { type AbortListener, type AbortSubscription, onAbort } from '../util/abort.js';
import { atLimit, type Signal } from '../util/platform.js';

/** The reason why a call ended before its response: the caller's signal, or its `timeout`. */
export type CancelReason =
  | { readonly kind: 'aborted'; readonly error: unknown }
  | { readonly kind: 'timed_out'; readonly error?: undefined };

const TIMED_OUT: CancelReason = { kind: 'timed_out' };

/** `Deadline.wait` rejects with it when the call ends first. */
export class CallEnded {
  constructor(readonly reason: CancelReason) {}
}

export interface CancelListener {
  /**
   * True while a response may already be in a socket. Then `timeout` ends the call only after Node
   * has read its sockets.
   */
  readonly awaitsResponse?: boolean;
  onCancelled(reason: CancelReason): void;
}

/** Ends a call at its `timeout`, or when a signal aborts. `close()` removes timer and listeners. */
export class Deadline implements AbortListener {
  /** On the scale of `performance.now()`. */
  readonly dueAt: number;
  readonly #timer: ReturnType<typeof setTimeout>;
  #subscription: AbortSubscription | undefined;
  /** Undefined while the call has not been ended. */
  reason: CancelReason | undefined;
  #listener: CancelListener | undefined;
  /** True while `timeout` has passed and the sockets are being read: nothing new may begin. */
  #overdue = false;

  /** @param abandon Ends the call as its caller's signal does. */
  constructor(timeout: number, signal: Signal | undefined, begun: number = performance.now(), abandon?: Signal) {
    this.dueAt = begun + timeout;
    this.#timer = setTimeout(() => this.#onTimer(), timeout);
    if (signal !== undefined || abandon !== undefined) this.#follow([signal, abandon]);
  }

  /** Time in ms that is left, 0 or more. */
  remaining(): number {
    return Math.max(0, this.dueAt - performance.now());
  }

  /** Sets the one listener, or removes it. It is called at once if the call has already ended. */
  onCancel(listener: CancelListener | undefined): void {
    if (listener !== undefined && this.#overdue) this.#end(TIMED_OUT);
    this.#listener = listener;
    if (this.reason !== undefined) listener?.onCancelled(this.reason);
  }

  /** Resolves after the time, or when the call ends. */
  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      const onCancelled = () => {
        clearTimeout(timer);
        resolve();
      };
      this.onCancel({ onCancelled });
    });
  }

  /** Settles like `work`, or rejects with `CallEnded` when the call ends first. */
  wait<T>(work: PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.onCancel({ onCancelled: (reason) => reject(new CallEnded(reason)) });
      work.then(resolve, reject);
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#overdue = false;
    this.#listener = undefined;
    this.#subscription?.cancel();
  }

  onAborted({ reason }: Signal): void {
    this.#end({ kind: 'aborted', error: reason });
  }

  #onTimer(): void {
    if (this.#listener?.awaitsResponse !== true) {
      this.#end(TIMED_OUT);
      return;
    }
    this.#overdue = true;
    atLimit(() => {
      if (this.#overdue) this.#end(TIMED_OUT);
    });
  }

  #follow(given: readonly (Signal | undefined)[]): void {
    const signals = given.filter((signal) => signal !== undefined);
    const aborted = signals.find((signal) => signal.aborted);
    if (aborted === undefined) this.#subscription = onAbort(signals, this);
    else this.onAborted(aborted);
  }

  #end(reason: CancelReason): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    const listener = this.#listener;
    this.close();
    listener?.onCancelled(reason);
  }
}
