/** What one caller waits for. */
export interface Wish<T> {
  /** The answer, once there is one. Throws when there will be none. */
  ready(): T | undefined;
  /** The longest wait, in milliseconds: the same for all that wait here. */
  readonly timeout: number;
  /** Why there was no answer within it. */
  late(): Error;
  /** Who waits: all of a group can be refused together. */
  readonly group: unknown;
}

interface Waiter {
  readonly group: unknown;
  /** On the steady clock, in milliseconds. */
  readonly deadline: number;
  late(): Error;
  /** Answers the caller if that is possible now; with an error, in any case. */
  settle(error?: Error): void;
}

/**
 * Callers that wait, answered in order of arrival. One timer for all: thousands may have given up long before their
 * time.
 */
export class Waiters {
  readonly #waiters = new Set<Waiter>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  get size(): number {
    return this.#waiters.size;
  }

  add<T>({ ready, timeout, late, group }: Wish<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle = (error?: Error): void => {
        try {
          if (error !== undefined) throw error;
          const answer = ready();
          if (answer === undefined) return;
          resolve(answer);
        } catch (failure) {
          reject(failure);
        }
        this.#waiters.delete(waiter);
        if (this.#waiters.size === 0) this.#forget();
      };
      const waiter: Waiter = { group, late, deadline: performance.now() + timeout, settle };
      this.#waiters.add(waiter);
      this.#timer ??= this.#watch(timeout);
    });
  }

  /** Answers those that can be answered; with an error, all. */
  settle(error?: Error): void {
    for (const waiter of this.#waiters) waiter.settle(error);
  }

  /** Refuses all of the group. */
  refuse(group: unknown, error: Error): void {
    for (const waiter of this.#waiters) if (waiter.group === group) waiter.settle(error);
  }

  #watch(delay: number): ReturnType<typeof setTimeout> {
    // Whoever waits has a timer of its own, and Redis a socket: a caller that has given up keeps no process alive.
    return setTimeout(() => this.#refuseLate(), Math.max(1, Math.ceil(delay))).unref();
  }

  #refuseLate(): void {
    this.#forget();
    const now = performance.now();
    for (const waiter of this.#waiters) if (waiter.deadline <= now) waiter.settle(waiter.late());
    const [oldest] = this.#waiters;
    if (oldest !== undefined) this.#timer ??= this.#watch(oldest.deadline - now);
  }

  #forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
