import { batch, signal } from '@preact/signals';
import { BASE, read } from './api.js';
import type { GapEntry, JournalEntry, SandboxHealth, TimelineEntry } from './sandbox.js';
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
const POLL_MS = 2_000;

/** The kinds of entries. */
const KINDS = ['request', 'change', 'posting', 'timer', 'delivery', 'control', 'trouble', 'clock'] as const;

type Connection = 'connecting' | 'open' | 'lost';

/** The entries of the sandbox's timeline, kept up to date by its stream of events. */
class Live {
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
  /** Rises with each reset, restore and new run: what has the same name may be another thing. */
  readonly era = signal(0);
  /** Maximum number of entries, the same as in the sandbox; the oldest are dropped first. */
  #limit = Number.POSITIVE_INFINITY;
  #waiting: TimelineEntry[] = [];
  #tickTimer: ReturnType<typeof setTimeout> | undefined;
  #nextTimer: ReturnType<typeof setTimeout> | undefined;
  #stream: EventSource | undefined;
  /** `seq` of the last entry that was read. */
  #last = 0;
  /** When the sandbox was known to run, by `performance.now()`. Undefined: never yet. */
  #reached: number | undefined;

  /**
   * A page that is not seen has no connection: a browser has six for all pages of a host, and each
   * further page would wait for ever.
   */
  start(): void {
    const connect = (): void => (document.hidden ? this.#disconnect() : void this.#connect());
    document.addEventListener('visibilitychange', connect);
    connect();
  }

  #disconnect(): void {
    this.#stream?.close();
    clearTimeout(this.#nextTimer);
  }

  async #connect(): Promise<void> {
    this.#disconnect();
    try {
      const { inspect, uptime_ms, timeline_limit } = await read<SandboxHealth>('health');
      if (document.hidden) return;
      // Another run counts its entries from the beginning.
      if (this.#reached !== undefined && uptime_ms < performance.now() - this.#reached) this.#beginAnew();
      this.isKept.value = inspect;
      this.#limit = timeline_limit || JOURNAL_ENTRIES;
      if (inspect) this.#follow();
      else await this.#poll();
    } catch {
      this.#lose();
    }
  }

  #lose(): void {
    this.#disconnect();
    this.#changed('lost');
    this.#nextTimer = setTimeout(() => void this.#connect(), RETRY_MS);
  }

  #follow(): void {
    this.#disconnect();
    const stream = new EventSource(`${BASE}events?after=${this.#last}`);
    this.#stream = stream;
    stream.onopen = () => {
      // What changes without an entry was not told before.
      if (this.#reached !== undefined) store.beginAnew();
      this.#changed('open');
    };
    // It would go on by itself, and not see that another sandbox is there now.
    stream.onerror = () => this.#lose();
    for (const kind of KINDS) stream.addEventListener(kind, ({ data }) => this.#take(JSON.parse(data)));
    stream.addEventListener('changed', () => store.changed());
    stream.addEventListener('gap', ({ data }) => this.#skip(JSON.parse(data)));
  }

  /**
   * Reads the requests of a sandbox that tells nothing by itself. What else has changed is not
   * known.
   */
  async #poll(): Promise<void> {
    // The last entry is read again: if it is missing, the journal was cleared.
    const found = await read<JournalEntry[]>('journal', { after: Math.max(0, this.#last - 1) });
    if (found[0]?.seq === this.#last) found.shift();
    else if (this.#last > 0) this.#beginAnew();
    for (const entry of found) this.#take(entry);
    store.changed();
    this.#changed('open');
    this.#nextTimer = setTimeout(() => this.#poll().catch(() => this.#lose()), POLL_MS);
  }

  #take(entry: TimelineEntry): void {
    if (isNewBeginning(entry)) this.#forget(entry.cause);
    if (entry.kind === 'clock' && entry.what === 'restored') this.#beginEra();
    store.changed();
    this.#last = entry.seq;
    this.#waiting.push(entry);
    this.#tick();
  }

  /** The sandbox has dropped what stands between, or counts anew: all before it has gone. */
  #skip({ next }: GapEntry): void {
    if (this.#last > 0) this.#beginAnew();
    this.#last = next - 1;
  }

  #beginAnew(): void {
    this.#last = 0;
    // The views see that nothing is left before they see new entries, which may have the same
    // places.
    this.#forget();
  }

  /** Drops all entries, or those before `from`. */
  #forget(from = Number.POSITIVE_INFINITY): void {
    this.#beginEra();
    this.entries.value = this.entries.value.filter(({ seq }) => seq >= from);
    this.#waiting = this.#waiting.filter(({ seq }) => seq >= from);
  }

  #beginEra(): void {
    this.era.value += 1;
    store.beginAnew();
  }

  #changed(connection: Connection): void {
    if (connection === 'open') this.#reached = performance.now();
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
