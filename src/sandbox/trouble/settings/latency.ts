import type { Operation } from '../../../schema/operation.js';
import { checkGiven, copyList, MAX_TIMER_MS, type Rule, type Rules, rule } from '../../../util/options.js';
import type { Changes } from '../../core/basics/changes.js';
import { excerpt } from '../../core/basics/excerpt.js';
import type { Random } from '../../core/basics/random.js';
import { GIVEN, type GroupOf } from '../../core/kind/group.js';
import {
  type ArrivedRequest,
  isSelected,
  MATCH_RULE,
  operationNamed,
  type RequestMatch,
} from '../faults/request-match.js';

/** A delay in ms, or the minimum and the maximum delay. */
export type Latency = number | readonly [least: number, most: number];

/** A delay for the answers to some requests. */
export interface LatencyOptions {
  /**
   * The only operation whose answers it delays: `accounts.quotes.get` or `Get quote`. Default: all.
   */
  readonly operation?: string | undefined;
  /**
   * Delays only the answers to requests of the operation that match this. Default: all of them.
   *
   * @example
   * sandbox.latency.set({ match: { account: accountId }, ms: 100 });
   */
  readonly match?: RequestMatch | undefined;
  /**
   * Real ms, 0 to 2,147,483,647. With `[least, most]` each delay is drawn from the seed.
   *
   * @example
   * sandbox.latency.set({ operation: 'accounts.quotes.get', ms: [20, 80] });
   */
  readonly ms: Latency;
}

/** A delay that was set. */
export interface LatencySetting extends LatencyOptions {
  /** For example `latency_1`. `base` is the option `latency` of `createSandbox`. */
  readonly id: string;
}

export const LATENCY_RULE: Rule = rule(
  isLatency,
  'must be milliseconds, 0 or more, or [least, most] of them',
  copyList,
);

const RULES = {
  operation: rule((value) => typeof value === 'string', 'must be text'),
  match: MATCH_RULE,
  ms: { ...LATENCY_RULE, required: true },
} satisfies Rules<LatencyOptions>;

/** Returns the delay of an answer in ms. */
export function drawDelay(latency: Latency, random: Random): number {
  const [least, most] = typeof latency === 'number' ? [latency, latency] : latency;
  return least + (most - least) * random.fraction();
}

interface Setting {
  readonly record: LatencySetting;
  readonly operation: Operation | undefined;
}

/** The delays of answers. If several match a request, the newest applies. */
export class Latencies {
  readonly #base: Latency;
  readonly #operations: readonly Operation[];
  readonly #random: Random;
  readonly #changes: Changes;
  /** Newest first. */
  #settings: readonly Setting[] = [];
  #added = 0;

  constructor(base: Latency, operations: readonly Operation[], random: Random, changes: Changes) {
    this.#changes = changes;
    this.#base = base;
    this.#operations = operations;
    this.#random = random;
  }

  /** Sets a delay. It replaces an earlier one with the same operation and match. */
  set(given: LatencyOptions): LatencySetting {
    const METHOD = 'latency.set';
    const options = checkGiven(METHOD, given, RULES, TypeError);
    const operation =
      options.operation === undefined ? undefined : operationNamed(METHOD, this.#operations, options.operation);
    this.#added += 1;
    const record = { id: `latency_${this.#added}`, ...options };
    const others = this.#settings.filter((one) => one.operation !== operation || !isSameMatch(one.record, record));
    this.#put([{ record, operation }, ...others]);
    return record;
  }

  /** Returns `base` first, then all others, oldest first. */
  list(): LatencySetting[] {
    return [{ id: 'base', ms: this.#base }, ...this.#settings.map(({ record }) => record).reverse()];
  }

  /** Returns false if there is no delay with this id. */
  remove(id: string): boolean {
    const others = this.#settings.filter(({ record }) => record.id !== id);
    const found = others.length < this.#settings.length;
    this.#put(others);
    return found;
  }

  /** Removes all delays except `base`. */
  clear(): void {
    this.#put([]);
  }

  /** Removes all delays except `base`, and restarts ids. */
  reset(): void {
    this.clear();
    this.#added = 0;
  }

  /** Draws the delay of the answer to a request in ms. */
  draw(request: ArrivedRequest): number {
    const found = this.#settings.find(({ operation, record: { match } }) => isSelected({ operation, match }, request));
    return drawDelay(found?.record.ms ?? this.#base, this.#random);
  }

  #put(settings: readonly Setting[]): void {
    this.#settings = settings;
    this.#changes.announce('latency');
  }
}

const MATCH_MEMBERS = ['account', 'apiKey', 'key', 'path'] as const;

function isSameMatch(one: LatencyOptions, other: LatencyOptions): boolean {
  return MATCH_MEMBERS.every((name) => one.match?.[name] === other.match?.[name]);
}

function isLatency(value: unknown): value is Latency {
  if (!Array.isArray(value)) return isDelay(value);
  const [least, most]: unknown[] = value;
  return value.length === 2 && isDelay(least) && isDelay(most) && least <= most;
}

function isDelay(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_TIMER_MS;
}

/** `sandbox.latency`: delays answers. */
export interface SandboxLatency {
  /**
   * Delays the answers to some requests, or to all. If several delays match a request, the newest
   * applies. A delay replaces an earlier one with the same `operation` and `match`. The request
   * itself takes effect when it arrives.
   *
   * @throws TypeError for an unknown or wrong option.
   */
  set(options: LatencyOptions): LatencySetting;
  /** Returns the delays, oldest first. The first is the option `latency` of `createSandbox`. */
  list(): LatencySetting[];
  /**
   * Removes a delay. Answers under way do not change.
   *
   * @throws Error for an unknown id, and for `base`.
   */
  remove(id: string): void;
  /** Removes all delays except that of `createSandbox`. Answers under way do not change. */
  clear(): void;
}

/** Delays answers. */
export const latency: GroupOf<{ readonly trouble: { readonly latency: Latencies } }, SandboxLatency> = {
  name: 'latency',
  removal: 'remove',
  methods: {
    set: { takes: { options: GIVEN }, run: ({ trouble }, options) => trouble.latency.set(options) },
    list: { id: 'id', run: ({ trouble }) => trouble.latency.list() },
    remove: {
      takes: { id: GIVEN },
      run({ trouble }, id) {
        if (trouble.latency.remove(id)) return;
        if (id === 'base') throw new Error('latency.remove: base is the option latency of createSandbox: it stays');
        throw new Error(`latency.remove: there is no delay ${excerpt(id)}`);
      },
    },
    clear: { run: ({ trouble }) => trouble.latency.clear() },
  },
};
