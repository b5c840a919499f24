import { read } from './api.js';
import type { Announced, EntryKind } from './sandbox.js';

/** Time in ms between two requests for one reading: at most four a second. */
const REST_MS = 250;

/** Readings that cost the sandbox more: the checks go through all requests. */
const SLOW_REST_MS: Readonly<Record<string, number>> = { checks: 2_000 };

/** A slow reading waits this many times its own duration, at most `MAX_REST_MS`. */
const REST_FACTOR = 4;
const MAX_REST_MS = 2_000;

/** A possible change: the kind of an entry, or a part that changes without an entry. */
type Mark = EntryKind | Announced;

/** Entries after which a resource may have changed. */
const DATA: readonly Mark[] = ['request', 'change', 'posting', 'timer', 'control', 'clock', 'assets', 'prices'];
const TROUBLE: readonly Mark[] = ['trouble', 'control', 'clock', 'timer'];
const EVERY_ENTRY: readonly Mark[] = [...DATA, 'delivery', 'trouble', 'inbox'];

/**
 * The marks after which a path is read again, by the path or its first segment. Other paths are
 * read again only when everything may have changed.
 */
const MARKS: Readonly<Record<string, readonly Mark[]>> = {
  accounts: DATA,
  assets: ['assets'],
  books: DATA,
  checks: EVERY_ENTRY,
  clock: EVERY_ENTRY,
  credentials: ['keys'],
  idempotency: ['idempotency', 'request', 'clock'],
  inbox: ['inbox'],
  keys: ['keys', 'settings', 'request', 'clock'],
  otp: ['otp'],
  postings: ['posting'],
  prices: ['prices'],
  resources: [...DATA, 'delivery', 'keys', 'webhooks'],
  settings: ['settings'],
  troubles: TROUBLE,
  users: DATA,
  'webhooks/samples': [...DATA, 'webhooks'],
  webhooks: ['webhooks', 'delivery', 'trouble', 'clock', 'timer'],
};

/**
 * Reads a path.
 *
 * @param known The last result. Undefined: there is none, or all of it may be wrong.
 * @param isDoubtful True if more than new entries may have changed.
 */
export type Reader<T> = (path: string, known: T | undefined, isDoubtful: boolean) => Promise<T>;

/** A reading that one or more places of the page show. */
class Shown {
  data: unknown;
  problem: string | undefined;
  readonly listeners = new Set<() => void>();
  readonly marks: readonly Mark[];
  readonly #path: string;
  readonly #reader: Reader<unknown>;
  #era = 0;
  #known: unknown;
  #isDoubtful = false;
  #isStale = false;
  #isUnderWay = false;
  #restsUntil = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(path: string, reader: Reader<unknown>) {
    this.#path = path;
    this.#reader = reader;
    const [name = ''] = path.split('?');
    this.marks = MARKS[name] ?? MARKS[name.replace(/\/.*/, '')] ?? [];
  }

  /** Everything may have changed. */
  beginAnew(): void {
    this.#era += 1;
    this.#known = undefined;
    this.again();
  }

  /** Reads again: now, or after the running reading and its pause. */
  again(isDoubtful = false): void {
    this.#isDoubtful ||= isDoubtful;
    this.#isStale = true;
    if (this.#isUnderWay) return;
    this.#timer ??= setTimeout(() => void this.#read(), Math.max(0, this.#restsUntil - performance.now()));
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  async #read(): Promise<void> {
    const [began, era, isDoubtful] = [performance.now(), this.#era, this.#isDoubtful];
    this.#timer = undefined;
    this.#isStale = false;
    this.#isDoubtful = false;
    this.#isUnderWay = true;
    try {
      const found = await this.#reader(this.#path, this.#known, isDoubtful);
      if (era === this.#era) {
        this.#known = found;
        this.data = found;
        this.problem = undefined;
      }
    } catch (error) {
      this.#known = undefined;
      if (era === this.#era) this.problem = (error as Error).message;
    }
    this.#isUnderWay = false;
    this.#restsUntil =
      began +
      Math.max(SLOW_REST_MS[this.#path] ?? REST_MS, Math.min(MAX_REST_MS, REST_FACTOR * (performance.now() - began)));
    for (const listener of this.listeners) listener();
    if (this.#isStale && this.listeners.size > 0) this.again();
  }
}

const readAll: Reader<unknown> = (path) => read(path);

/** The readings that the page shows. Each path is read once, and again when an event marks it. */
class Store {
  readonly #shown = new Map<string, Shown>();

  /** Calls `listener` after each reading. Returns the function that ends it. */
  show<T>(path: string, listener: () => void, reader?: Reader<T>): () => void {
    let shown = this.#shown.get(path);
    if (shown === undefined) {
      shown = new Shown(path, (reader as Reader<unknown> | undefined) ?? readAll);
      this.#shown.set(path, shown);
      shown.again();
    }
    const { listeners } = shown;
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      this.#shown.get(path)?.stop();
      this.#shown.delete(path);
    };
  }

  get(path: string): Pick<Shown, 'data' | 'problem'> | undefined {
    return this.#shown.get(path);
  }

  again(path: string): void {
    this.#shown.get(path)?.again();
  }

  /** An entry of this kind has come. */
  mark(kind: EntryKind): void {
    for (const shown of this.#shown.values()) if (shown.marks.includes(kind)) shown.again();
  }

  /** These parts have changed without an entry. */
  announce(parts: readonly Announced[]): void {
    for (const shown of this.#shown.values()) if (parts.some((part) => shown.marks.includes(part))) shown.again(true);
  }

  /** Everything may have changed: after a reset, a restore, a lost connection. */
  beginAnew(): void {
    for (const shown of this.#shown.values()) shown.beginAnew();
  }
}

export const store = new Store();
