import type { Changes } from '../core/basics/changes.js';
import type { Now } from '../core/clock/clock.js';
import type { RequestQuota } from '../core/keys/quota-terms.js';
import { Refusal } from '../core/request/refusal.js';

/** The API key of a request. */
interface Counted {
  readonly apiKey: string;
  /** Quota of this API key alone. */
  readonly quota: RequestQuota | undefined;
}

/** The current window of an API key. */
interface Window {
  used: number;
  /** End of the window, by the sandbox's clock. */
  readonly until: number;
}

/** The quota of an API key, and what is left of it. */
export interface QuotaLevel extends RequestQuota {
  /** Number of requests in its window so far. */
  readonly used: number;
  readonly left: number;
  /** Milliseconds until its window ends. Undefined: the next request starts one. */
  readonly endsInMs: number | undefined;
}

/**
 * Counts the requests of each API key. Its time is that of the sandbox's clock, plus the real time
 * for which that clock was stopped: a client that waits for `Retry-After` always finds a new
 * window.
 */
export class QuotaCounter {
  #quota: RequestQuota | undefined;
  readonly #clock: Now & { readonly stoppedMs: number };
  readonly #changes: Changes;
  readonly #windows = new Map<string, Window>();

  constructor(clock: Now & { readonly stoppedMs: number }, changes: Changes) {
    this.#changes = changes;
    this.#clock = clock;
  }

  /** The quota of all API keys without one of their own. */
  get current(): RequestQuota | undefined {
    return this.#quota;
  }

  /** Sets the quota of all keys. All windows start again. */
  set(quota: RequestQuota | undefined): void {
    this.#quota = quota;
    this.#changes.announce('settings');
    for (const apiKey of this.#windows.keys()) this.endWindow(apiKey);
  }

  /** Returns the quota of an API key. Undefined: it has none. */
  levelOf(key: Counted): QuotaLevel | undefined {
    const quota = key.quota ?? this.#quota;
    if (quota === undefined) return undefined;
    const window = this.#windows.get(key.apiKey);
    const leftMs = (window?.until ?? 0) - this.#now();
    const used = window === undefined || leftMs <= 0 ? 0 : window.used;
    return { ...quota, used, left: quota.requests - used, endsInMs: leftMs > 0 ? Math.ceil(leftMs) : undefined };
  }

  /** Counts a request. If the window has no requests left, throws 429 and does not count it. */
  count(key: Counted): void {
    const quota = key.quota ?? this.#quota;
    if (quota === undefined) return;
    const now = this.#now();
    let window = this.#windows.get(key.apiKey);
    if (window === undefined || window.until <= now) {
      window = { used: 0, until: now + quota.perMs };
      this.#windows.set(key.apiKey, window);
    }
    if (window.used >= quota.requests) throw overQuota(quota, window.until - now);
    window.used += 1;
  }

  /** Ends the key's window: its next request starts a new one. */
  endWindow(apiKey: string): void {
    this.#windows.delete(apiKey);
    this.#changes.announce('settings');
  }

  /** Returns the current windows. */
  save(): [apiKey: string, Window][] {
    const { stoppedMs } = this.#clock;
    const open = [...this.#windows].filter(([, { until }]) => until > this.#now());
    return open.map(([apiKey, { used, until }]) => [apiKey, { used, until: until - stoppedMs }]);
  }

  restore(windows: Iterable<readonly [apiKey: string, Window]>): void {
    this.#windows.clear();
    for (const [apiKey, { used, until }] of windows)
      this.#windows.set(apiKey, { used, until: until + this.#clock.stoppedMs });
  }

  #now(): number {
    return this.#clock.now() + this.#clock.stoppedMs;
  }
}

function overQuota({ requests, perMs }: RequestQuota, leftMs: number): Refusal {
  const cause = { field: 'API-Key', message: `has made its ${requests} requests of ${perMs} ms` };
  // Seconds until the window ends, rounded up.
  const headers = { 'retry-after': String(Math.ceil(leftMs / 1_000)) };
  return new Refusal(429, 'resource_exhausted', [cause], 'over_quota', { headers });
}
