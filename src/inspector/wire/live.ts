import type { TimelineEntry } from '../../sandbox/timeline/entries.js';

/** Entries that the page keeps; beyond it the oldest go. */
const LIMIT_ENTRIES = 10_000;

/** The oldest entries go this many at a time, so that it happens rarely. */
const DROPPED_AT_ONCE = 1_000;

/** Time in ms between two looks of the views at what is new. */
const TICK_MS = 200;

const KINDS = ['request', 'change', 'posting', 'timer', 'delivery', 'control', 'fault', 'clock'] as const;

export type Connection = 'connecting' | 'open' | 'lost';

/** What happens in the sandbox, as it happens. */
export class Live {
  entries: readonly TimelineEntry[] = [];
  connection: Connection = 'connecting';
  /** Entries were lost between two that are shown. */
  hasGap = false;
  readonly #listeners = new Set<() => void>();
  #waiting: TimelineEntry[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #source: EventSource | undefined;

  start(): void {
    const source = new EventSource('/_sandbox/events?after=0');
    this.#source = source;
    source.addEventListener('open', () => this.#changed('open'));
    // The browser connects again by itself, and names the last entry that it has.
    source.addEventListener('error', () => this.#changed('lost'));
    for (const kind of KINDS) source.addEventListener(kind, ({ data }) => this.#take(JSON.parse(data)));
    source.addEventListener('gap', () => {
      this.hasGap = true;
      this.#tick();
    });
  }

  stop(): void {
    this.#source?.close();
    clearTimeout(this.#timer);
  }

  /** Returns the function that ends it. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Forgets what is shown; what follows is shown again. */
  clear(): void {
    this.entries = [];
    this.#waiting = [];
    this.hasGap = false;
    this.#tell();
  }

  #take(entry: TimelineEntry): void {
    this.#waiting.push(entry);
    this.#tick();
  }

  #changed(connection: Connection): void {
    this.connection = connection;
    this.#tick();
  }

  /** Many entries at once are one change of the page. */
  #tick(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const all = [...this.entries, ...this.#waiting];
      this.#waiting = [];
      this.entries = all.length > LIMIT_ENTRIES ? all.slice(all.length - LIMIT_ENTRIES + DROPPED_AT_ONCE) : all;
      this.#tell();
    }, TICK_MS);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
