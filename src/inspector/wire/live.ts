import { batch, signal } from '@preact/signals';
import { BASE, read } from './api.js';
import type { ChangedEvent, GapEntry, JournalEntry, SandboxHealth, TimelineEntry } from './sandbox.js';
import { type SentEvent, sentEvents } from './sent-events.js';
import { store } from './store.js';

/** Maximum number of requests kept for a sandbox without a timeline. */
const JOURNAL_ENTRIES = 10_000;

/** Number of oldest entries that are dropped at once, so that it happens rarely. */
const DROPPED_AT_ONCE = 1_000;

/** Time in ms in which new entries are collected before the views draw them. */
const TICK_MS = 200;

/** Time in ms between two attempts to reach the sandbox. */
const RETRY_MS = 1_000;

/** Time in ms between two polls of a sandbox that sends no events. */
const LOOK_MS = 2_000;

/**
 * A page whose timer comes this late, in ms, was asleep: its connection may be dead without a sign.
 */
const ASLEEP_MS = 90_000;

/**
 * Time in ms after which a page that is not seen gives its connection back. A browser has six for
 * all pages of a host: each further page would wait for ever.
 */
const UNSEEN_MS = 5_000;

/** The kinds of entries. */
export const KINDS = ['request', 'change', 'posting', 'timer', 'delivery', 'control', 'trouble', 'clock'] as const;

type Connection = 'connecting' | 'open' | 'lost';

/** The entries of the sandbox's timeline, kept up to date by its stream of events. */
export class Live {
  /** Oldest first. */
  readonly entries = signal<readonly TimelineEntry[]>([]);
  readonly connection = signal<Connection>('connecting');
  /** True until what had happened before the page was opened is read. */
  readonly isLoading = signal(true);
  /**
   * False: the sandbox was made without `inspect`. Of all that happens only its requests are known.
   */
  readonly isKept = signal(true);
  /** When the connection was lost, by the machine's clock. Undefined: it is open. */
  readonly lostAt = signal<number | undefined>(undefined);
  /** True if entries are missing between two that are shown. */
  readonly hasGap = signal(false);
  /**
   * Rises when everything may be other than it was: after a reset, a restore, a lost connection.
   */
  readonly era = signal(0);
  /** Maximum number of entries, the same as in the sandbox; the oldest are dropped first. */
  #limit = Number.POSITIVE_INFINITY;
  #waiting: TimelineEntry[] = [];
  #tickTimer: ReturnType<typeof setTimeout> | undefined;
  #nextTimer: ReturnType<typeof setTimeout> | undefined;
  #stream: AbortController | undefined;
  #unseenTimer: ReturnType<typeof setTimeout> | undefined;
  /** True while a page that is not seen has no connection. */
  #isResting = false;
  /** `seq` of the last entry that was read. */
  #last = 0;
  /** When the sandbox was known to run, by `performance.now()`. Undefined: never yet. */
  #reached: number | undefined;

  start(): void {
    void this.#connect();
    let seen = Date.now();
    setInterval(() => {
      const slept = Date.now() - seen;
      seen = Date.now();
      if (slept > ASLEEP_MS && !this.#isResting) this.#connectAgain();
    }, RETRY_MS);
    document.addEventListener('visibilitychange', this.#onSeen);
  }

  /** Drops all entries. Later ones are shown again. */
  clear(): void {
    this.#forget();
  }

  readonly #onSeen = (): void => {
    clearTimeout(this.#unseenTimer);
    if (document.hidden) this.#unseenTimer = setTimeout(() => this.#rest(), UNSEEN_MS);
    else if (this.#isResting) {
      this.#isResting = false;
      // What changes without an entry was not told meanwhile.
      this.#beginEra();
      this.#connectAgain();
    }
  };

  #rest(): void {
    this.#isResting = true;
    this.#stream?.abort();
    clearTimeout(this.#nextTimer);
  }

  async #connect(): Promise<void> {
    try {
      const { inspect, uptime_ms, timeline_limit } = await read<SandboxHealth>('health');
      if (this.#isResting) return;
      // Another run counts its entries from the beginning.
      if (this.#reached !== undefined && uptime_ms < performance.now() - this.#reached) this.#beginAnew();
      this.#reached = performance.now();
      this.isKept.value = inspect;
      this.#limit = timeline_limit || JOURNAL_ENTRIES;
      if (inspect) void this.#follow();
      else await this.#look();
    } catch {
      this.#lose();
    }
  }

  #connectAgain(): void {
    this.#stream?.abort();
    clearTimeout(this.#nextTimer);
    void this.#connect();
  }

  #lose(): void {
    this.#stream?.abort();
    this.#changed('lost');
    this.#nextTimer = setTimeout(() => this.#connectAgain(), RETRY_MS);
  }

  /** Reads events until the connection ends. */
  async #follow(): Promise<void> {
    const stream = new AbortController();
    this.#stream?.abort();
    this.#stream = stream;
    try {
      const events = await sentEvents(`${BASE}events?after=${this.#last}`, stream.signal);
      if (this.connection.value === 'lost') this.#beginEra();
      this.#changed('open');
      for await (const event of events) this.#hear(event);
    } catch {
      // A stream that ends and one that fails are handled alike.
    }
    if (!stream.signal.aborted) this.#lose();
  }

  #hear({ event, data }: SentEvent): void {
    if (event === 'changed') store.announce((JSON.parse(data) as ChangedEvent).what);
    else if (event === 'gap') this.#skip(JSON.parse(data));
    else this.#take(JSON.parse(data));
  }

  /**
   * Reads the requests of a sandbox that tells nothing by itself. What else has changed is not
   * known.
   */
  async #look(): Promise<void> {
    // The last entry is read again: if it is missing, the journal was cleared.
    const found = await read<JournalEntry[]>('journal', { after: Math.max(0, this.#last - 1) });
    if (found[0]?.seq === this.#last) found.shift();
    else if (this.#last > 0) this.#beginAnew();
    for (const entry of found) this.#take(entry);
    this.#beginEra();
    this.#changed('open');
    this.#nextTimer = setTimeout(() => this.#look().catch(() => this.#lose()), LOOK_MS);
  }

  #take(entry: TimelineEntry): void {
    if (isNewBeginning(entry)) this.#forget(entry.cause);
    if (entry.kind === 'clock' && entry.what === 'restored') this.#beginEra();
    store.mark(entry.kind);
    this.#last = entry.seq;
    this.#waiting.push(entry);
    this.#tick();
  }

  #skip({ next }: GapEntry): void {
    if (next <= this.#last) this.#beginAnew();
    // At the first look older entries may have gone: none is missing between two.
    else this.hasGap.value = this.#last > 0;
    this.#tick();
  }

  #beginAnew(): void {
    this.#last = 0;
    // The views see that nothing is left before they see new entries, which may have the same
    // places.
    this.clear();
  }

  /** Drops all entries, or those before `from`. */
  #forget(from = Number.POSITIVE_INFINITY): void {
    this.#beginEra();
    this.entries.value = this.entries.value.filter(({ seq }) => seq >= from);
    this.#waiting = this.#waiting.filter(({ seq }) => seq >= from);
    this.hasGap.value = false;
  }

  #beginEra(): void {
    this.era.value += 1;
    store.beginAnew();
  }

  #changed(connection: Connection): void {
    batch(() => {
      this.lostAt.value = connection === 'lost' ? (this.lostAt.value ?? Date.now()) : undefined;
      this.connection.value = connection;
    });
    this.#tick();
  }

  /** Many entries at once are one change of the page. */
  #tick(): void {
    this.#tickTimer ??= setTimeout(() => {
      this.#tickTimer = undefined;
      const fresh = this.#waiting;
      this.#waiting = [];
      const all = fresh.length === 0 ? this.entries.value : [...this.entries.value, ...fresh];
      const isOver = all.length > this.#limit;
      batch(() => {
        this.entries.value = isOver ? all.slice(all.length - this.#limit + DROPPED_AT_ONCE) : all;
        // What was kept comes without a pause: the first quiet moment ends it.
        if (fresh.length === 0 && this.connection.value === 'open') this.isLoading.value = false;
      });
      if (this.isLoading.value && this.connection.value === 'open') this.#tick();
    }, TICK_MS);
  }
}

/** True for a reset of the sandbox, and for a cleared journal. */
function isNewBeginning(entry: TimelineEntry): boolean {
  if (entry.kind === 'clock') return entry.what === 'reset';
  return entry.kind === 'control' && entry.method === 'requests.clear' && entry.status === 200;
}

/** The one connection of the page. */
export const live = new Live();
