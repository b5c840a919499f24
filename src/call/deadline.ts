import { type AbortListener, type Listening, onAbort } from '../util/abort.js';
import type { Signal } from '../util/platform.js';
import { type Alarm, type Sleeper, setAlarm } from '../util/timers.js';

/** Why a call ended before its answer: the caller's signal, or the total `timeout`. */
type Ending = { readonly kind: 'aborted'; readonly reason: unknown } | { readonly kind: 'deadline' };

/** A wait of a call, told when the call ends first. */
export interface Wait {
  onCallEnded(): void;
}

/**
 * From the start of a call to its end: the total deadline and the caller's signals. At most one wait at a time is told (`during`);
 * `close()` clears the alarm and removes every listener.
 */
export class Lifetime implements AbortListener, Sleeper {
  readonly dueAt: number;
  readonly #timeout: number;
  readonly #alarm: Alarm;
  #listening: Listening | undefined;
  #ending: Ending | undefined;
  #wait: Wait | undefined;

  constructor(timeout: number, signals: readonly Signal[], begun: number = performance.now()) {
    this.dueAt = begun + timeout;
    this.#timeout = timeout;
    this.#alarm = setAlarm(timeout, this);
    const aborted = signals.find((signal) => signal.aborted);
    if (aborted === undefined) this.#listening = onAbort(signals, this);
    else this.onAborted(aborted);
  }

  get ending(): Ending | undefined {
    return this.#ending;
  }

  /** Milliseconds since the start. */
  elapsed(): number {
    return performance.now() - this.dueAt + this.#timeout;
  }

  /** Milliseconds left, never below 0. */
  remaining(): number {
    return Math.max(0, this.dueAt - performance.now());
  }

  /** Sets the one wait that goes on now; it is told at once when the call has ended already. */
  during(wait: Wait | undefined): void {
    this.#wait = wait;
    if (this.#ending !== undefined) wait?.onCallEnded();
  }

  /** Waits that long; resolves early when the call ends. */
  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      const onCallEnded = () => {
        clearTimeout(timer);
        resolve();
      };
      this.during({ onCallEnded });
    });
  }

  /** Waits for the work; rejects with `ENDED` when the call ends first, and then drops whatever the work becomes. */
  wait<T>(work: PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.during({ onCallEnded: () => reject(ENDED) });
      work.then(resolve, reject);
    });
  }

  close(): void {
    this.#alarm.off();
    this.#wait = undefined;
    this.#listening?.forget();
  }

  onAborted({ reason }: Signal): void {
    this.#end({ kind: 'aborted', reason });
  }

  onDue(): void {
    this.#end({ kind: 'deadline' });
  }

  #end(ending: Ending): void {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    const wait = this.#wait;
    this.close();
    wait?.onCallEnded();
  }
}

/** What `Lifetime.wait` rejects with when the call ended first. */
export const ENDED: unique symbol = Symbol('ended');
