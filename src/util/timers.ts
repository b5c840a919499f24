import { Linked, LinkedList } from './linked-list.js';

/** Somebody who waits for a moment. */
export interface Sleeper {
  /** The moment, on the scale of `performance.now()`. */
  readonly dueAt: number;
  /** It has come. */
  onDue(): void;
}

/** What wakes a sleeper. */
export interface Alarm {
  /** The sleeper waits no longer. */
  off(): void;
}

/** So many times to wait are kept when nobody waits: those of a client and of an attempt, for a few clients. */
const MAX_ROWS = 16;

/**
 * Wakes those that wait equally long, as nearly all calls do: they are due in the order in which they began to wait, so that one timer
 * serves thousands.
 */
class Row {
  readonly #milliseconds: number;
  readonly #waiting = new LinkedList<SharedTimer>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The moment for which the timer is set. */
  #setFor = 0;
  /** Who begins to wait now is seen to at the end. */
  #waking = false;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  add(sleeper: Sleeper): Alarm {
    const first = this.#waiting.size === 0;
    const alarm = new SharedTimer(this, sleeper);
    this.#waiting.add(alarm);
    if (!this.#waking) {
      if (this.#timer === undefined) this.#set(sleeper, this.#milliseconds);
      else if (first) this.#timer.ref();
    }
    return alarm;
  }

  /** When nobody waits any more the timer stays for the next one, who often comes at once: it keeps no process running. */
  off(alarm: SharedTimer): void {
    if (!this.#waiting.remove(alarm) || this.#waiting.size > 0 || this.#waking) return;
    if (typeof this.#timer === 'object' && rows.size <= MAX_ROWS) this.#timer.unref();
    else this.#end();
  }

  #set({ dueAt }: Sleeper, milliseconds: number): void {
    this.#setFor = dueAt;
    this.#timer = platformsTimer(() => this.#wake(), milliseconds);
  }

  #end(): void {
    platformsClear(this.#timer);
    this.#timer = undefined;
    rows.delete(this.#milliseconds);
  }

  #wake(): void {
    this.#waking = true;
    // A timer may be a little early.
    const now = Math.max(performance.now(), this.#setFor);
    try {
      for (let first = this.#waiting.first; first !== undefined; first = this.#waiting.first) {
        if (first.sleeper.dueAt > now) break;
        this.#waiting.remove(first);
        first.sleeper.onDue();
      }
    } finally {
      this.#waking = false;
      const next = this.#waiting.first?.sleeper;
      if (next === undefined) this.#end();
      else this.#set(next, next.dueAt - now);
    }
  }
}

const platformsTimer = setTimeout;
const platformsClear = clearTimeout;

const rows = new Map<number, Row>();

/** One of those that wait for the timer of their row. */
class SharedTimer extends Linked<SharedTimer> implements Alarm {
  readonly sleeper: Sleeper;
  readonly #row: Row;

  constructor(row: Row, sleeper: Sleeper) {
    super();
    this.sleeper = sleeper;
    this.#row = row;
  }

  off(): void {
    this.#row.off(this);
  }
}

/** A timer for one alone. */
class OwnTimer implements Alarm {
  readonly #timer: ReturnType<typeof setTimeout>;

  constructor(milliseconds: number, sleeper: Sleeper) {
    this.#timer = setTimeout(() => sleeper.onDue(), milliseconds);
  }

  off(): void {
    clearTimeout(this.#timer);
  }
}

/**
 * Tells the sleeper after so many milliseconds, as `dueAt` says, unless it is taken off before. In a test that has replaced the timers each
 * has its own: they are counted and cleared there, and the clock may stand still.
 */
export function setAlarm(milliseconds: number, sleeper: Sleeper): Alarm {
  if (setTimeout !== platformsTimer) return new OwnTimer(milliseconds, sleeper);
  let row = rows.get(milliseconds);
  if (row === undefined) {
    row = new Row(milliseconds);
    rows.set(milliseconds, row);
  }
  return row.add(sleeper);
}
