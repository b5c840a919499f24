import * as z from 'zod/mini';
import type { Changes } from '../core/basics/changes.js';
import { wholeMs } from '../core/basics/checked.js';
import type { Now } from '../core/clock/clock.js';
import { subjectOf, type Task } from '../core/clock/task.js';
import { requestQuota } from '../core/keys/credential-options.js';
import type { RequestQuota } from '../core/keys/quota-terms.js';
import type { GroupOf } from '../core/kind/group.js';
import { Refusal } from '../core/request/refusal.js';
import { EXECUTION_STEPS, type ExecutionTimes } from '../kinds/registry/execution-times.js';

interface Counted {
  readonly apiKey: string;
  /** Quota of this API key alone. */
  readonly quota: RequestQuota | undefined;
}

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
  /** Milliseconds until its window ends. Undefined if the next request starts a window. */
  readonly endsInMs: number | undefined;
}

/**
 * Counts the requests of each API key. Its time is that of the sandbox's clock, plus the real time
 * for which that clock was stopped: a client that waits for `Retry-After` always finds a new
 * window.
 */
class QuotaCounter {
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

/** Settings of the whole sandbox. A snapshot does not contain them. */
export interface SettingsInput {
  /**
   * Maximum number of requests of each API key in a window. The service answers 429 to further
   * ones, with the `Retry-After` after which they succeed. The window passes by the sandbox's clock
   * and, if that is stopped, also by the machine's. Requests that get 401 or 429 do not count.
   * `null` for no limit, which is the default. API keys with their own quota keep it.
   *
   * @example
   * const { client, sandbox } = createTestClient({ settings: { quota: { requests: 1, perMs: 60_000 } } });
   * await client.users.get(userId);
   * await sandbox.clock.advance(60_000); // without it: 429
   * await client.users.get(userId);
   */
  readonly quota?: RequestQuota | null | undefined;
  /**
   * Durations of the steps of quotes and other lifecycles, in ms of the sandbox's clock, 0 to
   * 2,147,483,647, by the name of the step: `{ 'quote.finish': 60_000 }` leaves a quote `executing`
   * for a minute. Steps that are not named keep their times, and so do steps that are already
   * scheduled. An unknown name throws a `TypeError` that lists all names. `null` for the documented
   * times, which are the default.
   *
   * @example
   * const executionTimes = { 'quote.finish': 60_000 };
   * const { client, sandbox } = createTestClient({ settings: { executionTimes } });
   * await client.accounts.quotes.execute(accountId, quoteId);
   * await sandbox.clock.advance(60_000);
   * const { status } = await client.accounts.quotes.get(accountId, quoteId); // executed
   */
  readonly executionTimes?: ExecutionTimes | null | undefined;
}

/** The current settings. */
export interface Settings {
  /** `null` if there is no limit. */
  readonly quota: RequestQuota | null;
  /** The durations that are set, by step. */
  readonly executionTimes: ExecutionTimes;
}

const duration = z.optional(wholeMs);
const executionTimes = z.strictObject(
  Object.fromEntries(EXECUTION_STEPS.map((step) => [step, duration])) as Record<
    (typeof EXECUTION_STEPS)[number],
    typeof duration
  >,
);

export const settingsInput = z.strictObject({
  quota: z.optional(z.nullable(requestQuota)),
  executionTimes: z.optional(z.nullable(executionTimes)),
});

/** The settings of one run, and the quota's count. */
export class CurrentSettings {
  readonly quota: QuotaCounter;
  readonly #base: SettingsInput;
  readonly #changes: Changes;
  #times: ExecutionTimes = {};

  constructor(base: SettingsInput = {}, clock: Now & { readonly stoppedMs: number }, changes: Changes) {
    this.quota = new QuotaCounter(clock, changes);
    this.#base = base;
    this.#changes = changes;
    this.update(base);
  }

  get(): Settings {
    return { quota: this.quota.current ?? null, executionTimes: { ...this.#times } };
  }

  update({ quota, executionTimes: times }: SettingsInput): Settings {
    if (quota !== undefined) this.quota.set(quota ?? undefined);
    if (times !== undefined) this.#times = times === null ? {} : { ...this.#times, ...times };
    this.#changes.announce('settings');
    return this.get();
  }

  /** Restores the settings of `createSandbox`. */
  reset(): void {
    this.update({ quota: null, executionTimes: null });
    this.update(this.#base);
  }

  /** Returns the duration that is set for a task, if any. */
  durationOf(task: Task): number | undefined {
    return (this.#times as Readonly<Record<string, number | undefined>>)[subjectOf(task).task];
  }
}

/** `sandbox.settings`: settings of the whole sandbox. */
export interface SandboxSettings {
  /** Returns the settings. */
  get(): Settings;
  /**
   * Changes the given settings, like the option `settings` of `createSandbox`, and returns all. A
   * new quota starts all its windows again.
   *
   * @throws TypeError for an unknown or wrong setting.
   */
  update(settings: SettingsInput): Settings;
}

export const settings: GroupOf<{ readonly settings: CurrentSettings }, SandboxSettings> = {
  name: 'settings',
  methods: {
    get: { get: '', run: (service) => service.settings.get() },
    update: { takes: { settings: settingsInput }, run: (service, given) => service.settings.update(given) },
  },
};
