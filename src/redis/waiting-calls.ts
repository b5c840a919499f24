import { atLimit } from '../util/platform.js';
import { notGiven } from './failures.js';

interface Waiter<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/**
 * Calls that wait for the same thing, settled in order of arrival. Their timers keep no process
 * alive, because a call that has ended stays here until its time is over.
 */
export class WaitingCalls<T> {
  readonly #result: () => T | undefined;
  readonly #timeout: number;
  readonly #waiters = new Set<Waiter<T>>();

  /**
   * @param result Returns the result for one call, undefined while there is none.
   * @param timeout The longest wait, in ms.
   */
  constructor(result: () => T | undefined, timeout: number) {
    this.#result = result;
    this.#timeout = timeout;
  }

  get size(): number {
    return this.#waiters.size;
  }

  add(): Promise<T> {
    return new Promise((resolve, reject) => {
      const giveUp = () => this.#remove(waiter).reject(notGiven(this.#timeout));
      const timer = setTimeout(() => atLimit(giveUp), this.#timeout);
      timer.unref?.();
      const waiter: Waiter<T> = { resolve, reject, timer };
      this.#waiters.add(waiter);
    });
  }

  /** Settles the calls for which there is a result. */
  settle(): void {
    for (const waiter of this.#waiters) {
      const value = this.#result();
      if (value === undefined) return;
      this.#remove(waiter).resolve(value);
    }
  }

  refuse(error: Error): void {
    for (const waiter of this.#waiters) this.#remove(waiter).reject(error);
  }

  #remove(waiter: Waiter<T>): Waiter<T> {
    clearTimeout(waiter.timer);
    this.#waiters.delete(waiter);
    return waiter;
  }
}
