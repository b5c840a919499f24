/**
 * Path of a part of the saved state: the name of its list, then the names that lead to the item.
 * For example `['records', account, 'quotes', id]`.
 */
export type Part = readonly [list: string, ...names: string[]];

/** A part of the saved state and its current value. `value` null: the part was removed. */
export type Changed = readonly [part: Part, value: unknown];

/** Stores changes, so that they survive the process. */
export interface ChangeKeeper {
  /**
   * Appends the changes of one request, control call or timer. A promise fulfils once they are
   * stored, and rejects if they are lost.
   *
   * @throws any error if they cannot be stored. None of them is kept then.
   */
  append(changed: readonly Changed[]): Promise<void> | undefined;
}

/** Thrown if the changes of a request or a call could not be stored. They were undone. */
export class NotStored extends Error {
  constructor(cause?: unknown) {
    super('the state cannot be saved: nothing was changed', cause === undefined ? undefined : { cause });
  }
}

/**
 * Parts of the sandbox whose changes have no entry in the timeline, by their control plane paths.
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

/** Maximum time in ms until a used nonce or a counted request is stored. */
const USE_MS = 100;

/** Path of the whole state, for a change that replaced it. */
const WHOLE: Part = ['whole'];

const nothing = (): void => {};

/** Undoes a change. */
type Undo = () => void;

function undoAll(undos: readonly Undo[]): void {
  for (const undo of [...undos].reverse()) undo();
}

interface Note {
  readonly part: Part;
  readonly read: () => unknown;
  /** True if an undo keeps the note, for example because a nonce stays used. */
  stays: boolean;
}

/**
 * Changes since the last write. Each part of the state that is saved notes its changes here.
 * Without a keeper nothing is noted, so a sandbox without a state file pays nothing.
 */
export class Changes {
  #keeper: ChangeKeeper | undefined;
  /** Returns the parts that are stored with every change. */
  #always: () => readonly Changed[] = () => [];
  /** The part that changed last is the last one. */
  readonly #open = new Map<string, Note>();
  /** Undo the changes of the current request, call or timer. They run in reverse order. */
  readonly #undos: Undo[] = [];
  /** The same for changes that were appended but are not stored yet, oldest first. */
  readonly #unsafe = new Set<readonly Undo[]>();
  /** Settles when everything appended so far is stored or lost. */
  #latest: Promise<void> | undefined;
  #isBroken = false;
  #hear: (part: Announced) => void = nothing;
  #timer: NodeJS.Timeout | undefined;

  get isKept(): boolean {
    return this.#keeper !== undefined;
  }

  /**
   * True while changes cannot be stored: requests and calls that would change something must fail.
   */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Resolves when everything appended so far is stored or undone. Undefined if it is already. */
  get settled(): Promise<void> | undefined {
    return this.#latest?.catch(nothing);
  }

  /**
   * Called before data leaves the process ahead of being stored.
   *
   * @throws NotStored while changes cannot be stored.
   */
  checkStorable(): void {
    if (this.#isBroken) throw new NotStored();
  }

  /** Notes changes from now on. `always` returns the parts that are stored with every change. */
  keepBy(keeper: ChangeKeeper, always: () => readonly Changed[]): void {
    this.#keeper = keeper;
    this.#always = always;
  }

  /** `hear` is called with the name of each part that changes without an entry in the timeline. */
  announceTo(hear: (part: Announced) => void): void {
    this.#hear = hear;
  }

  /** Announces that a part has changed without an entry in the timeline. */
  announce(part: Announced): void {
    this.#hear(part);
  }

  /** Notes a change. `read` returns the part as it is saved, or undefined if it was removed. */
  note(part: Part, read: () => unknown, undo: Undo): void {
    if (this.#keeper === undefined) return;
    this.#undos.push(undo);
    this.#add(part, read, false);
  }

  /** Notes that the whole state was replaced. */
  noteWhole(read: () => unknown, undo: Undo): void {
    this.note(WHOLE, read, undo);
  }

  /**
   * Notes that a request was counted. This may be stored later, with other changes, and is never
   * undone.
   */
  noteUse(part: Part, read: () => unknown): void {
    if (this.#keeper !== undefined) this.#add(part, read, true);
  }

  /**
   * Stores the changes. Returns a promise if that takes time, or if earlier changes, which an
   * answer may show, are not stored yet.
   *
   * @throws NotStored if they cannot be stored; the promise rejects with it. Every change since the
   * last commit is undone then.
   */
  commit(): Promise<void> | undefined {
    if (this.#undos.length > 0) return this.#write();
    if (this.#open.size > 0) this.#writeSoon();
    return this.#latest;
  }

  /** Stores changes that cannot be undone. If that fails, the next commit stores them. */
  commitFacts(): void {
    if (this.#open.size === 0) return;
    this.#undos.length = 0;
    for (const note of this.#open.values()) note.stays = true;
    try {
      this.#write()?.catch(nothing);
    } catch {
      // The next successful commit stores them.
    }
  }

  /** Called after the whole state was saved in another way: changes can be stored again. */
  mend(): void {
    this.#isBroken = false;
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #add(part: Part, read: () => unknown, stays: boolean): void {
    const key = JSON.stringify(part);
    const before = this.#open.get(key);
    // A part that changes again moves to the end: a record that is put again is the newest.
    this.#open.delete(key);
    this.#open.set(key, { part, read, stays: stays || before?.stays === true });
  }

  #write(): Promise<void> | undefined {
    if (this.#isBroken) {
      this.#undo();
      throw new NotStored();
    }
    let written: Promise<void> | undefined;
    try {
      written = this.#keeper?.append(this.#changed());
    } catch (error) {
      this.#isBroken = true;
      this.#undo();
      throw new NotStored(error);
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

  /** If changes are lost, all later ones are undone with them, since they build on them. */
  async #untilSafe(written: Promise<void>, undos: readonly Undo[]): Promise<void> {
    this.#unsafe.add(undos);
    let cause: unknown = new Error('earlier changes were lost');
    try {
      await written;
    } catch (error) {
      cause = error;
      if (this.#unsafe.has(undos)) this.#undoUnsafe();
    }
    if (!this.#unsafe.delete(undos)) throw new NotStored(cause);
  }

  #undoUnsafe(): void {
    this.#isBroken = true;
    this.#undo();
    for (const undos of [...this.#unsafe].reverse()) undoAll(undos);
    this.#unsafe.clear();
  }

  #changed(): Changed[] {
    const whole = this.#open.get(JSON.stringify(WHOLE));
    if (whole !== undefined) return [[WHOLE, whole.read()]];
    const changed = Array.from(this.#open.values(), ({ part, read }): Changed => [part, read() ?? null]);
    return [...changed, ...this.#always()];
  }

  #undo(): void {
    undoAll(this.#undos.splice(0));
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
