import type { Signal } from './platform.js';
import { forgetAbort, onAbort } from './signals.js';

/** Why a call ended before its answer: the caller's signal, or the total `timeout`. */
type Ending = { readonly kind: 'aborted'; readonly reason: unknown } | { readonly kind: 'deadline' };

/**
 * From the start of a call to its end: the total deadline and the caller's signals. At most one wait at a time listens (`onEnd`);
 * `close()` clears the timer and removes every listener.
 */
export class Lifetime {
  readonly #deadline: number;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #signals: readonly Signal[];
  readonly #abort: () => void;
  #ending: Ending | undefined;
  #onEnd: (() => void) | undefined;

  constructor(timeout: number, signals: readonly Signal[]) {
    this.#deadline = performance.now() + timeout;
    this.#signals = signals;
    this.#timer = setTimeout(() => this.#end({ kind: 'deadline' }), timeout);
    this.#abort = () => {
      const signal = signals.find(({ aborted }) => aborted);
      this.#end({ kind: 'aborted', reason: signal?.reason });
    };
    for (const signal of signals) {
      if (signal.aborted) this.#abort();
      else onAbort(signal, this.#abort);
    }
  }

  get ending(): Ending | undefined {
    return this.#ending;
  }

  /** Milliseconds left, never below 0. */
  remaining(): number {
    return Math.max(0, this.#deadline - performance.now());
  }

  /** Sets the one listener of the wait that goes on now; called at once when the call has ended already. */
  onEnd(listener: (() => void) | undefined): void {
    this.#onEnd = listener;
    if (this.#ending !== undefined) listener?.();
  }

  /** Waits that long; resolves early when the call ends. */
  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.onEnd(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Waits for the work; rejects with `ENDED` when the call ends first, and then drops whatever the work becomes. */
  wait<T>(work: PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.onEnd(() => reject(ENDED));
      work.then(resolve, reject);
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#onEnd = undefined;
    for (const signal of this.#signals) forgetAbort(signal, this.#abort);
  }

  #end(ending: Ending): void {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    const listener = this.#onEnd;
    this.close();
    listener?.();
  }
}

/** What `Lifetime.wait` rejects with when the call ended first. */
export const ENDED: unique symbol = Symbol('ended');
