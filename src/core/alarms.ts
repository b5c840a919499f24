/** Somebody who waits for a moment. */
export interface Sleeper {
  /** The moment, on the scale of `performance.now()`. */
  readonly dueAt: number;
  /** It has come. */
  onDue(): void;
}

/**
 * Wakes those that wait equally long, as nearly all calls do: they are due in the order in which they began to wait, so that one timer
 * serves thousands.
 */
class Row {
  readonly #milliseconds: number;
  readonly #waiting = new Set<Sleeper>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What made the timer: in a test of the application's own it may be replaced, and with it the time. */
  #madeBy: typeof setTimeout | undefined;
  /** The moment for which the timer is set. */
  #setFor = 0;
  /** Who begins to wait now is seen to at the end. */
  #waking = false;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  add(sleeper: Sleeper): void {
    const first = this.#waiting.size === 0;
    this.#waiting.add(sleeper);
    if (this.#waking) return;
    if (this.#timer === undefined || this.#madeBy !== setTimeout) this.#set(sleeper, this.#milliseconds);
    else if (first) this.#timer.ref();
  }

  /**
   * When nobody waits any more the timer stays for the next one, who often comes at once: it keeps no process running. A test that has
   * replaced the timers counts those that are left, though.
   */
  delete(sleeper: Sleeper): void {
    if (!this.#waiting.delete(sleeper) || this.#waiting.size > 0 || this.#waking) return;
    if (typeof this.#timer === 'object' && setTimeout === PLATFORM_TIMER) this.#timer.unref();
    else this.#end();
  }

  #set({ dueAt }: Sleeper, milliseconds: number): void {
    this.#setFor = dueAt;
    this.#madeBy = setTimeout;
    const timer = setTimeout(() => {
      if (timer === this.#timer) this.#wake();
    }, milliseconds);
    this.#timer = timer;
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    rows.delete(this.#milliseconds);
  }

  #wake(): void {
    this.#waking = true;
    this.#timer = undefined;
    // A timer may be a little early, and the clock of a test may stand still.
    const now = Math.max(performance.now(), this.#setFor);
    try {
      for (const sleeper of this.#waiting) {
        if (sleeper.dueAt > now) break;
        this.#waiting.delete(sleeper);
        sleeper.onDue();
      }
    } finally {
      this.#waking = false;
      const [next] = this.#waiting;
      if (next === undefined) this.#end();
      else this.#set(next, next.dueAt - now);
    }
  }
}

const PLATFORM_TIMER = setTimeout;

const rows = new Map<number, Row>();

/** Tells the sleeper after so many milliseconds, unless it is taken off before. `dueAt` says the same. */
export function setAlarm(milliseconds: number, sleeper: Sleeper): void {
  let row = rows.get(milliseconds);
  if (row === undefined) {
    row = new Row(milliseconds);
    rows.set(milliseconds, row);
  }
  row.add(sleeper);
}

export function clearAlarm(milliseconds: number, sleeper: Sleeper): void {
  rows.get(milliseconds)?.delete(sleeper);
}
