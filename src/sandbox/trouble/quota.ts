import type { Now } from '../core/clock/clock.js';
import type { RequestQuota } from '../core/keys/quota-terms.js';
import { Refusal } from '../core/request/refusal.js';

/** The API key of a request. */
interface Counted {
  readonly apiKey: string;
  /** Its own quota. */
  readonly quota: RequestQuota | undefined;
}

/** The present window of an API key. */
interface Window {
  used: number;
  /** Its end, by the sandbox's clock. */
  readonly until: number;
}

/** The quota of all API keys, and what each of them has left. */
export interface QuotaLevel {
  /** Undefined: no limit for keys without a quota of their own. */
  readonly quota: RequestQuota | undefined;
  /** The keys that have a limit, oldest first. */
  readonly keys: readonly KeyQuotaLevel[];
}

/** The rest of an API key's quota. */
export interface KeyQuotaLevel extends RequestQuota {
  readonly apiKey: string;
  /** Requests of its window until now. */
  readonly used: number;
  readonly left: number;
  /** Milliseconds until its window ends. Undefined: the next request begins one. */
  readonly endsInMs: number | undefined;
}

/**
 * Counts the requests of each API key. Time passes for it by the sandbox's clock and, if that
 * stands still, as it really does: a client that waits as long as it was told finds a new window.
 */
export class QuotaCounter {
  readonly #base: RequestQuota | undefined;
  #quota: RequestQuota | undefined;
  readonly #clock: Now & { readonly stoodMs: number };
  readonly #windows = new Map<string, Window>();

  constructor(base: RequestQuota | undefined, clock: Now & { readonly stoodMs: number }) {
    this.#base = base;
    this.#quota = base;
    this.#clock = clock;
  }

  /** The key's own quota, else that of all. */
  quotaOf({ quota }: Counted): RequestQuota | undefined {
    return quota ?? this.#quota;
  }

  /** That of all. Undefined: no limit. */
  get current(): RequestQuota | undefined {
    return this.#quota;
  }

  /** Sets another quota of all keys. All windows begin anew. */
  set(quota: RequestQuota | undefined): void {
    this.#quota = quota;
    this.#windows.clear();
  }

  /** Sets that of `createSandbox`. */
  reset(): void {
    this.set(this.#base);
  }

  level(keys: readonly Counted[]): QuotaLevel {
    const limited = keys.flatMap((key) => {
      const quota = this.quotaOf(key);
      return quota === undefined ? [] : [this.#levelOf(key.apiKey, quota)];
    });
    return { quota: this.#quota, keys: limited };
  }

  #levelOf(apiKey: string, { requests, per }: RequestQuota): KeyQuotaLevel {
    const window = this.#windows.get(apiKey);
    const leftMs = (window?.until ?? 0) - this.#now();
    const used = window === undefined || leftMs <= 0 ? 0 : window.used;
    const endsInMs = leftMs > 0 ? Math.ceil(leftMs) : undefined;
    return { apiKey, requests, per, used, left: requests - used, endsInMs };
  }

  /** Counts a request. Throws 429 if the window has none left; that request does not count. */
  take(key: Counted): void {
    const quota = this.quotaOf(key);
    if (quota === undefined) return;
    const { requests, per } = quota;
    const { apiKey } = key;
    const now = this.#now();
    let window = this.#windows.get(apiKey);
    if (window === undefined || window.until <= now) {
      window = { used: 0, until: now + per };
      this.#windows.set(apiKey, window);
    }
    if (window.used >= requests) throw overQuota(quota, window.until - now);
    window.used += 1;
  }

  /** Forgets the requests that the key has made. */
  beginAnew(apiKey: string): void {
    this.#windows.delete(apiKey);
  }

  /** The windows that are open now. */
  save(): [apiKey: string, Window][] {
    const { stoodMs } = this.#clock;
    const open = [...this.#windows].filter(([, { until }]) => until > this.#now());
    return open.map(([apiKey, { used, until }]) => [apiKey, { used, until: until - stoodMs }]);
  }

  restore(windows: Iterable<readonly [apiKey: string, Window]>): void {
    this.#windows.clear();
    for (const [apiKey, { used, until }] of windows)
      this.#windows.set(apiKey, { used, until: until + this.#clock.stoodMs });
  }

  #now(): number {
    return this.#clock.now() + this.#clock.stoodMs;
  }
}

function overQuota({ requests, per }: RequestQuota, leftMs: number): Refusal {
  const cause = { field: 'API-Key', message: `has made its ${requests} requests of ${per} ms` };
  // Seconds until the window is over, rounded up.
  const headers = { 'retry-after': String(Math.ceil(leftMs / 1_000)) };
  return new Refusal(429, 'resource_exhausted', [cause], 'over_quota', { headers });
}
