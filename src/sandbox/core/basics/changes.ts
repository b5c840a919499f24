/**
 * A place of the saved state: the name of its list, then what names the item. For example
 * `['records', account, 'quotes', id]`.
 */
export type Part = readonly [list: string, ...names: string[]];

/** A part of the saved state as it is now. `value` null: the part was removed. */
export type Changed = readonly [part: Part, value: unknown];

/** A part that has changed. */
interface Change {
  readonly part: Part;
  /** Returns the part in its saved form; undefined if it was removed. */
  readonly read: () => unknown;
}

/**
 * What has changed since it was last taken. The parts of the state that keep something note each
 * change here. Nothing is noted until somebody keeps the changes, so others pay nothing.
 */
export class Changes {
  #isKept = false;
  #isUrgent = false;
  /** In the order of their last changes. */
  readonly #open = new Map<string, Change>();
  readonly #undos: (() => void)[] = [];

  get isKept(): boolean {
    return this.#isKept;
  }

  /** True if a change waits that is not only the nonce or the quota of a request. */
  get isUrgent(): boolean {
    return this.#isUrgent;
  }

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /** Notes changes from now on. */
  keep(): void {
    this.#isKept = true;
  }

  /** Notes a change. `undo` is called in the reverse order of the changes. */
  note(part: Part, read: () => unknown, undo: () => void): void {
    if (!this.#isKept) return;
    this.#isUrgent = true;
    this.#add(part, read);
    this.#undos.push(undo);
  }

  /** Notes that a request was counted. It waits for other changes, and is never undone. */
  noteUse(part: Part, read: () => unknown): void {
    if (this.#isKept) this.#add(part, read);
  }

  /** Returns what has changed, oldest first, and begins anew. */
  take(): Changed[] {
    const changed = Array.from(this.#open.values(), ({ part, read }): Changed => [part, read() ?? null]);
    this.#clear();
    return changed;
  }

  /** Puts back everything that has changed since the last `take`. */
  undo(): void {
    for (const undo of this.#undos.toReversed()) undo();
    this.#clear();
  }

  /** Another state is in place: nothing of it has changed yet. */
  forget(): void {
    this.#clear();
  }

  #add(part: Part, read: () => unknown): void {
    const key = JSON.stringify(part);
    // A part that is changed again was changed last: records that are put anew are the newest.
    this.#open.delete(key);
    this.#open.set(key, { part, read });
  }

  #clear(): void {
    this.#open.clear();
    this.#undos.length = 0;
    this.#isUrgent = false;
  }
}
