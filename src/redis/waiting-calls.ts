import { atLimit } from '../util/platform.js';

/** A call that waits for a result. */
export interface WaitingCall<T> {
  /** Returns the result, undefined while there is none. Throws if there will be none. */
  result(): T | undefined;
  /** The longest wait, in ms: the same for all calls that wait here. */
  readonly timeout: number;
  /** Returns the error for a wait that was too long. */
  late(): Error;
  /** All calls of a group can be refused together. */
  readonly group: unknown;
}

interface Waiter {
  readonly group: unknown;
  /** On the steady clock, in ms. */
  readonly deadline: number;
  late(): Error;
  /** Settles the call if it has a result; with an error, in any case. */
  settle(error?: Error): void;
}

/**
 * Calls that wait, settled in order of arrival. One timer serves them all. It is not the shared
 * timer of `util`: it keeps no process alive, since a call that has ended stays here until its time
 * is over.
 */
export class WaitingCalls {
  readonly #waiters = new Set<Waiter>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  get size(): number {
    return this.#waiters.size;
  }

  add<T>({ result, timeout, late, group }: WaitingCall<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle = (error?: Error): void => {
        try {
          if (error !== undefined) throw error;
          const value = result();
          if (value === undefined) return;
          resolve(value);
        } catch (failure) {
          reject(failure);
        }
        this.#waiters.delete(waiter);
        if (this.#waiters.size === 0) this.#stop();
      };
      const waiter: Waiter = { group, late, deadline: performance.now() + timeout, settle };
      this.#waiters.add(waiter);
      this.#timer ??= this.#start(timeout);
    });
  }

  /** Settles the calls that have a result; with an error, all. */
  settle(error?: Error): void {
    for (const waiter of this.#waiters) waiter.settle(error);
  }

  /** Refuses all calls of the group. */
  refuse(group: unknown, error: Error): void {
    for (const waiter of this.#waiters) if (waiter.group === group) waiter.settle(error);
  }

  #start(delay: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => atLimit(() => this.#refuseLate()), Math.max(1, Math.ceil(delay))).unref();
  }

  #refuseLate(): void {
    this.#stop();
    const now = performance.now();
    for (const waiter of this.#waiters) if (waiter.deadline <= now) waiter.settle(waiter.late());
    const [oldest] = this.#waiters;
    if (oldest !== undefined) this.#timer ??= this.#start(oldest.deadline - now);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
