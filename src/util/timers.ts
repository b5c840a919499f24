import { Linked, LinkedList } from './linked-list.js';
import { hasFakeTimers } from './platform.js';

export interface TimerListener {
  /** When the timer fires, on the scale of `performance.now()`. */
  readonly dueAt: number;
  onTimer(): void;
}

export interface Timer {
  /** Keeps the timer from firing. */
  cancel(): void;
}

/** Lists that keep their timer while they are empty. Above this number an empty list is dropped. */
const MAX_IDLE_LISTS = 16;

const platformSetTimeout = setTimeout;
const platformClearTimeout = clearTimeout;

/** The lists by the time of their timers in ms. */
const lists = new Map<number, TimerList>();

/** Calls `listener.onTimer()` after the time, at its `dueAt`. */
export function startTimer(milliseconds: number, listener: TimerListener): Timer {
  // Fake timers of an application's test drive the timeouts, even if they were installed later.
  if (hasFakeTimers()) return new OwnTimer(milliseconds, listener);
  let list = lists.get(milliseconds);
  if (list === undefined) {
    list = new TimerList(milliseconds);
    lists.set(milliseconds, list);
  }
  return list.add(listener);
}

/** A timer of the platform for one listener. */
class OwnTimer implements Timer {
  readonly #timer: ReturnType<typeof setTimeout>;

  constructor(milliseconds: number, listener: TimerListener) {
    this.#timer = setTimeout(() => listener.onTimer(), milliseconds);
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }
}

/** A timer in a list that shares one of the platform. */
class SharedTimer extends Linked<SharedTimer> implements Timer {
  readonly listener: TimerListener;
  readonly #timers: TimerList;

  constructor(timers: TimerList, listener: TimerListener) {
    super();
    this.#timers = timers;
    this.listener = listener;
  }

  cancel(): void {
    this.#timers.cancel(this);
  }
}

/**
 * Timers of the same duration. They are due in the order of their start, so one platform timer
 * serves them all.
 *
 * With timers of their own, calls one at a time cost 4 % more CPU (`npm run bench`).
 */
class TimerList {
  readonly #milliseconds: number;
  readonly #timers = new LinkedList<SharedTimer>();
  #platformTimer: ReturnType<typeof setTimeout> | undefined;
  /** The `dueAt` for which the platform's timer is set. */
  #setFor = 0;
  /** True while listeners are called. The platform's timer is set again after the last one. */
  #firing = false;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  add(listener: TimerListener): Timer {
    const wasEmpty = this.#timers.size === 0;
    const timer = new SharedTimer(this, listener);
    this.#timers.add(timer);
    if (this.#firing) return timer;
    if (this.#platformTimer === undefined) this.#set(listener.dueAt, this.#milliseconds);
    else if (wasEmpty) this.#platformTimer.ref();
    return timer;
  }

  /** An empty list keeps its timer for the next call. It does not keep the process running. */
  cancel(timer: SharedTimer): void {
    if (!this.#timers.remove(timer) || this.#timers.size > 0 || this.#firing) return;
    if (typeof this.#platformTimer === 'object' && lists.size <= MAX_IDLE_LISTS) this.#platformTimer.unref();
    else this.#drop();
  }

  #set(dueAt: number, milliseconds: number): void {
    this.#setFor = dueAt;
    this.#platformTimer = platformSetTimeout(() => this.#fire(), milliseconds);
  }

  #drop(): void {
    platformClearTimeout(this.#platformTimer);
    this.#platformTimer = undefined;
    lists.delete(this.#milliseconds);
  }

  #fire(): void {
    this.#firing = true;
    // The platform may fire a little early.
    const now = Math.max(performance.now(), this.#setFor);
    try {
      for (let first = this.#timers.first; first !== undefined; first = this.#timers.first) {
        if (first.listener.dueAt > now) break;
        this.#timers.remove(first);
        first.listener.onTimer();
      }
    } finally {
      this.#firing = false;
      const next = this.#timers.first?.listener;
      if (next === undefined) this.#drop();
      else this.#set(next.dueAt, next.dueAt - now);
    }
  }
}
