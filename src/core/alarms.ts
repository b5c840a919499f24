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
  /** The moment for which the timer is set. */
  #setFor = 0;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  add(sleeper: Sleeper): void {
    this.#waiting.add(sleeper);
    if (this.#timer === undefined) this.#set(sleeper, this.#milliseconds);
  }

  delete(sleeper: Sleeper): void {
    this.#waiting.delete(sleeper);
    if (this.#waiting.size === 0) this.#clear();
  }

  #set({ dueAt }: Sleeper, milliseconds: number): void {
    this.#setFor = dueAt;
    this.#timer = setTimeout(() => this.#wake(), milliseconds);
  }

  #clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    rows.delete(this.#milliseconds);
  }

  #wake(): void {
    this.#timer = undefined;
    // A timer may be a little early, and in a test of the application's own the clock may stand still.
    const now = Math.max(performance.now(), this.#setFor);
    for (const sleeper of this.#waiting) {
      if (sleeper.dueAt > now) {
        this.#set(sleeper, sleeper.dueAt - now);
        return;
      }
      this.#waiting.delete(sleeper);
      sleeper.onDue();
    }
    this.#clear();
  }
}

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
