import type { Changes } from '../../core/basics/changes.js';
import type { Now } from '../../core/clock/clock.js';
import type { ApiKeys } from '../../core/keys/api-keys.js';
import { requestQuota } from '../../core/keys/credential-options.js';
import type { RequestQuota } from '../../core/keys/quota-terms.js';
import type { GroupOf } from '../../core/kind/group.js';
import { Refusal } from '../../core/request/refusal.js';

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

/** The quota, and the remaining requests of each API key. */
export interface QuotaLevel {
  /** Undefined: no limit for keys without a quota of their own. */
  readonly quota: RequestQuota | undefined;
  /** The API keys with a quota, oldest first. */
  readonly keys: readonly KeyQuotaLevel[];
}

/** The remaining quota of an API key. */
export interface KeyQuotaLevel extends RequestQuota {
  readonly apiKey: string;
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
  readonly #base: RequestQuota | undefined;
  #quota: RequestQuota | undefined;
  readonly #clock: Now & { readonly stoppedMs: number };
  readonly #changes: Changes;
  readonly #windows = new Map<string, Window>();

  constructor(base: RequestQuota | undefined, clock: Now & { readonly stoppedMs: number }, changes: Changes) {
    this.#changes = changes;
    this.#base = base;
    this.#quota = base;
    this.#clock = clock;
  }

  /** Returns the key's own quota, or else that of all keys. */
  quotaOf({ quota }: Counted): RequestQuota | undefined {
    return quota ?? this.#quota;
  }

  /** Sets the quota of all keys. All windows start again. */
  set(quota: RequestQuota | undefined): void {
    this.#quota = quota;
    this.#changes.announce('quota');
    for (const apiKey of this.#windows.keys()) this.endWindow(apiKey);
  }

  /** Restores the quota of `createSandbox`. */
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

  /** Counts a request. If the window has no requests left, throws 429 and does not count it. */
  count(key: Counted): void {
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

  /** Ends the key's window: its next request starts a new one. */
  endWindow(apiKey: string): void {
    this.#windows.delete(apiKey);
    this.#changes.announce('quota');
  }

  /** Returns the current windows. */
  save(): [apiKey: string, Window][] {
    const open = [...this.#windows].filter(([, { until }]) => until > this.#now());
    return open.map(([apiKey, window]) => [apiKey, this.#saved(window)]);
  }

  restore(windows: Iterable<readonly [apiKey: string, Window]>): void {
    this.#windows.clear();
    for (const [apiKey, { used, until }] of windows)
      this.#windows.set(apiKey, { used, until: until + this.#clock.stoppedMs });
  }

  #saved({ used, until }: Window): Window {
    return { used, until: until - this.#clock.stoppedMs };
  }

  #now(): number {
    return this.#clock.now() + this.#clock.stoppedMs;
  }
}

function overQuota({ requests, per }: RequestQuota, leftMs: number): Refusal {
  const cause = { field: 'API-Key', message: `has made its ${requests} requests of ${per} ms` };
  // Seconds until the window ends, rounded up.
  const headers = { 'retry-after': String(Math.ceil(leftMs / 1_000)) };
  return new Refusal(429, 'resource_exhausted', [cause], 'over_quota', { headers });
}

/** `sandbox.quota`: the number of requests that each API key may make in a window. */
export interface SandboxQuota {
  /**
   * Sets the quota of all API keys, like the option `quota` of `createSandbox`. All windows start
   * again.
   *
   * @throws TypeError for an unknown or wrong option.
   */
  set(quota: RequestQuota): void;
  /** Returns the quota, and the remaining requests of each API key. */
  level(): QuotaLevel;
  /**
   * Removes the quota, even that of `createSandbox`. API keys with a quota of their own keep it.
   */
  clear(): void;
}

interface Limited {
  readonly keys: ApiKeys;
  readonly trouble: { readonly quota: QuotaCounter };
}

/** Maximum number of requests of each API key in a window. */
export const quota: GroupOf<Limited, SandboxQuota> = {
  name: 'quota',
  methods: {
    set: { takes: { quota: requestQuota }, run: ({ trouble }, given) => trouble.quota.set(given) },
    level: { get: '', run: ({ trouble, keys }) => trouble.quota.level(keys.list()) },
    clear: { run: ({ trouble }) => trouble.quota.set(undefined) },
  },
};
