/**
 * A place of the saved state: the name of its list, then what names the item. For example
 * `['records', account, 'quotes', id]`.
 */
export type Part = readonly [list: string, ...names: string[]];

/** A part of the saved state as it is now. `value` null: the part was removed. */
export type Changed = readonly [part: Part, value: unknown];

/** Writes down what has changed, so that it outlives the process. */
export interface ChangeKeeper {
  /**
   * Appends the changes of one request, control call or timer. With a promise, they are safe when
   * it is fulfilled, and lost if it is rejected.
   *
   * @throws any error if they cannot be written. Nothing of them is kept then.
   */
  append(changed: readonly Changed[]): Promise<void> | undefined;
}

/** The changes of a request or a call could not be written down, and were taken back. */
export class NotKept extends Error {
  constructor(cause?: unknown) {
    super('the state cannot be saved: nothing was changed', cause === undefined ? undefined : { cause });
  }
}

/**
 * Parts of the sandbox that change without an entry in the timeline, by their paths of the control
 * plane.
 */
export const ANNOUNCED = [
  'assets',
  'checkpoints',
  'executionTimes',
  'idempotency',
  'inbox',
  'keys',
  'latency',
  'otp',
  'prices',
  'quota',
  'readLag',
  'webhooks',
] as const;

export type Announced = (typeof ANNOUNCED)[number];

/** The longest time until a nonce or the use of a quota is written down, in ms. */
const USE_MS = 100;

/** The state as a whole: it was replaced. */
const WHOLE: Part = ['whole'];

const nothing = (): void => {};

/** Takes back a change. */
type Undo = () => void;

function takeBack(undos: readonly Undo[]): void {
  for (const undo of [...undos].reverse()) undo();
}

interface Note {
  readonly part: Part;
  readonly read: () => unknown;
  /** True if it outlasts an undo: it is a fact. */
  stays: boolean;
}

/**
 * What has changed since it was last written down. The parts of the state that keep something note
 * each change here. Nothing is noted until somebody keeps the changes, so others pay nothing.
 */
export class Changes {
  #keeper: ChangeKeeper | undefined;
  /** Returns what is written down with every change. */
  #always: () => readonly Changed[] = () => [];
  /** In the order of their last changes. */
  readonly #open = new Map<string, Note>();
  /** Take back the changes of the present request, call or timer, in the reverse order. */
  readonly #undos: Undo[] = [];
  /** The same for changes that were appended and are not safe yet, oldest first. */
  readonly #unsafe = new Set<readonly Undo[]>();
  /** Settles when all that was appended until now is safe or lost. */
  #latest: Promise<void> | undefined;
  #isBroken = false;
  #hear: (part: Announced) => void = nothing;
  #timer: NodeJS.Timeout | undefined;

  get isKept(): boolean {
    return this.#keeper !== undefined;
  }

  /** True while nothing can be written down: whoever would change something must be refused. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Resolves when all that was written down until now is safe, or taken back. Undefined: it is. */
  get settled(): Promise<void> | undefined {
    return this.#latest?.catch(nothing);
  }

  /**
   * For what leaves the process before it is written down.
   *
   * @throws NotKept while nothing can be written down.
   */
  checkKept(): void {
    if (this.#isBroken) throw new NotKept();
  }

  /** Notes changes from now on. `always` returns what is written down with each. */
  keepBy(keeper: ChangeKeeper, always: () => readonly Changed[]): void {
    this.#keeper = keeper;
    this.#always = always;
  }

  /** `hear` gets the name of each part that has changed without an entry in the timeline. */
  announceTo(hear: (part: Announced) => void): void {
    this.#hear = hear;
  }

  /** Tells that a part has changed of which the timeline has no entry. */
  announce(part: Announced): void {
    this.#hear(part);
  }

  /** Notes a change. `read` returns the part as it is saved, undefined if it is gone. */
  note(part: Part, read: () => unknown, undo: Undo): void {
    if (this.#keeper === undefined) return;
    this.#undos.push(undo);
    this.#add(part, read, false);
  }

  /** Notes that the whole state was replaced. */
  noteWhole(read: () => unknown, undo: Undo): void {
    this.note(WHOLE, read, undo);
  }

  /** Notes that a request was counted. It may wait for other changes, and is never undone. */
  noteUse(part: Part, read: () => unknown): void {
    if (this.#keeper !== undefined) this.#add(part, read, true);
  }

  /**
   * Writes down what has changed. Returns a promise if that takes its time, or if earlier changes,
   * which an answer may tell of, are not safe yet.
   *
   * @throws NotKept if it cannot be written, or rejects with it. Everything since the last time is
   *   as it was then.
   */
  commit(): Promise<void> | undefined {
    if (this.#undos.length > 0) return this.#write();
    if (this.#open.size > 0) this.#writeSoon();
    return this.#latest;
  }

  /** Writes down what cannot be undone. If that fails, it is written with what follows. */
  commitFacts(): void {
    if (this.#open.size === 0) return;
    this.#undos.length = 0;
    for (const note of this.#open.values()) note.stays = true;
    try {
      this.#write()?.catch(nothing);
    } catch {
      // The next success writes it.
    }
  }

  /** Everything was saved in another way: changes can be written down again. */
  mend(): void {
    this.#isBroken = false;
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #add(part: Part, read: () => unknown, stays: boolean): void {
    const key = JSON.stringify(part);
    const before = this.#open.get(key);
    // A part that is changed again was changed last: records that are put anew are the newest.
    this.#open.delete(key);
    this.#open.set(key, { part, read, stays: stays || before?.stays === true });
  }

  #write(): Promise<void> | undefined {
    if (this.#isBroken) {
      this.#undo();
      throw new NotKept();
    }
    let written: Promise<void> | undefined;
    try {
      written = this.#keeper?.append(this.#changed());
    } catch (error) {
      this.#isBroken = true;
      this.#undo();
      throw new NotKept(error);
    }
    this.#open.clear();
    const undos = this.#undos.splice(0);
    if (written === undefined) return undefined;
    const safe = this.#untilSafe(written, undos);
    this.#latest = safe;
    const forget = (): void => {
      if (this.#latest === safe) this.#latest = undefined;
    };
    safe.then(forget, forget);
    return safe;
  }

  /** If changes are lost in the end, all later ones are undone with them: they build on them. */
  async #untilSafe(written: Promise<void>, undos: readonly Undo[]): Promise<void> {
    this.#unsafe.add(undos);
    let cause: unknown = new Error('earlier changes were lost');
    try {
      await written;
    } catch (error) {
      cause = error;
      if (this.#unsafe.has(undos)) this.#undoUnsafe();
    }
    if (!this.#unsafe.delete(undos)) throw new NotKept(cause);
  }

  #undoUnsafe(): void {
    this.#isBroken = true;
    this.#undo();
    for (const undos of [...this.#unsafe].reverse()) takeBack(undos);
    this.#unsafe.clear();
  }

  #changed(): Changed[] {
    const whole = this.#open.get(JSON.stringify(WHOLE));
    if (whole !== undefined) return [[WHOLE, whole.read()]];
    const changed = Array.from(this.#open.values(), ({ part, read }): Changed => [part, read() ?? null]);
    return [...changed, ...this.#always()];
  }

  #undo(): void {
    takeBack(this.#undos.splice(0));
    for (const [key, { stays }] of this.#open) if (!stays) this.#open.delete(key);
  }

  #writeSoon(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.commitFacts();
    }, USE_MS).unref();
  }
}
