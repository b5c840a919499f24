import * as z from 'zod/mini';
import { MAX_TIMER_MS } from '../../../util/options.js';
import { clipped } from '../../../util/printable.js';
import { count, countAboveZero } from '../../core/basics/checked.js';
import type { JournalEntry } from '../../service/journal/journal.js';
import type { DrivenService } from '../service/driven.js';
import { type Matcher, matcherOf, type RequestMatcher } from './matcher.js';

/** Options of `requests.expect`. */
export interface ExpectOptions {
  /** Number of requests that must match, 0 or more. Default 1. */
  readonly times?: number | undefined;
  /**
   * Real milliseconds for which requests may still arrive. If more than `times` match, it fails at
   * once; otherwise it takes this time. Default 0.
   */
  readonly within?: number | undefined;
  /** Only requests with a higher `seq` count. Default 0: all in the journal. */
  readonly after?: number | undefined;
}

/** Options of `requests.waitFor`. */
export interface WaitOptions {
  /** Number of requests that must match, 1 or more. Default 1. */
  readonly times?: number | undefined;
  /** Real milliseconds after which it fails. Default 5,000. */
  readonly timeout?: number | undefined;
  /** Only requests with a higher `seq` count. Default 0: all in the journal. */
  readonly after?: number | undefined;
}

/** Methods with which tests expect requests. */
export interface SandboxExpecting {
  /**
   * Returns the matching requests of the journal, oldest first, if there are exactly `times` of
   * them.
   *
   * @throws TypeError for an unknown or wrong member or option. Rejects with an Error that says how
   * many matched, and how similar requests differ.
   */
  expect(matcher: RequestMatcher, options?: ExpectOptions): Promise<JournalEntry[]>;
  /**
   * Resolves with the matching requests as soon as there are `times` of them. Requests that are in
   * the journal already count, too. Fails like `expect` after `timeout`, and when the sandbox
   * closes.
   *
   * @throws TypeError for an unknown or wrong member or option.
   */
  waitFor(matcher: RequestMatcher, options?: WaitOptions): Promise<JournalEntry[]>;
}

const waitMs = z.number().check(z.nonnegative(), z.maximum(MAX_TIMER_MS));

export const expectOptions = z.strictObject({
  times: z.optional(count),
  within: z.optional(waitMs),
  after: z.optional(count),
});

export const waitOptions = z.strictObject({
  times: z.optional(countAboveZero),
  timeout: z.optional(waitMs),
  after: z.optional(count),
});

/** Maximum number of similar requests that a failure contains. */
const MAX_NEAREST = 5;

/** @param signal Aborts when the HTTP caller closes the connection. */
export async function expectRequests(
  { journal }: DrivenService,
  matcher: RequestMatcher,
  { times = 1, within = 0, after = 0 }: ExpectOptions = {},
  signal?: AbortSignal,
): Promise<JournalEntry[]> {
  const seen = new Watch('requests.expect', matcher, journal, after);
  await seen.until((count) => count > times, within, signal);
  return seen.matching((count) => count === times, times);
}

/** @param signal Aborts when the HTTP caller closes the connection. */
export async function waitForRequests(
  { journal }: DrivenService,
  matcher: RequestMatcher,
  { times = 1, timeout = 5_000, after = 0 }: WaitOptions = {},
  signal?: AbortSignal,
): Promise<JournalEntry[]> {
  const seen = new Watch('requests.waitFor', matcher, journal, after);
  await seen.until((count) => count >= times, timeout, signal);
  return seen.matching((count) => count >= times, times);
}

/** Maximum length of a path in a failure, in characters; a longer one is cut. */
const MAX_PATH_LENGTH = 100;

type Journal = DrivenService['journal'];

/** The matching requests: those in the journal, and later ones as they arrive. */
class Watch {
  readonly #method: string;
  readonly #matcher: Matcher;
  readonly #journal: Journal;
  readonly #after: number;
  readonly #found: JournalEntry[];

  constructor(method: string, matcher: RequestMatcher, journal: Journal, after: number) {
    this.#method = method;
    this.#matcher = matcherOf(method, matcher, journal.exchanges);
    this.#journal = journal;
    this.#after = after;
    this.#found = journal.entries.filter((entry) => this.#isMatch(entry));
  }

  /**
   * Resolves when there are enough, after `ms`, or when the caller closes the connection. Rejects
   * when the journal closes.
   */
  async until(isEnough: (count: number) => boolean, ms: number, signal?: AbortSignal): Promise<void> {
    if (isEnough(this.#found.length) || ms === 0) return;
    let end = (): void => {};
    const closed = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), ms);
      const leave = (): void => resolve(false);
      const unlisten = this.#journal.listen((entry) => {
        if (entry === undefined) resolve(true);
        else if (this.#isMatch(entry)) this.#found.push(entry);
        if (isEnough(this.#found.length)) resolve(false);
      });
      signal?.addEventListener('abort', leave);
      end = () => {
        clearTimeout(timer);
        unlisten();
        signal?.removeEventListener('abort', leave);
      };
    });
    end();
    if (closed) throw new Error(`${this.#method}: the sandbox was closed; ${this.#result()}`);
  }

  /** @throws Error unless the right number of requests has matched. */
  matching(isRight: (count: number) => boolean, times: number): JournalEntry[] {
    if (isRight(this.#found.length)) return this.#found;
    throw new Error(`${this.#method}: ${this.#result()}, not ${times}${this.#nearest()}`);
  }

  #isMatch(entry: JournalEntry): boolean {
    return entry.seq > this.#after && this.#matcher(entry).length === 0;
  }

  #result(): string {
    const seqs = this.#found.slice(0, MAX_NEAREST).map(({ seq }) => seq);
    const count = this.#found.length === 1 ? '1 request' : `${this.#found.length} requests`;
    return seqs.length === 0 ? `${count} matched` : `${count} matched (${seqs.join(', ')})`;
  }

  /** Returns the requests with the fewest differences, newest first. */
  #nearest(): string {
    const others = this.#journal.entries
      .filter(({ seq }) => seq > this.#after)
      .map((entry) => ({ entry, differences: this.#matcher(entry) }))
      .filter(({ differences }) => differences.length > 0)
      .sort((a, b) => a.differences.length - b.differences.length || b.entry.seq - a.entry.seq)
      .slice(0, MAX_NEAREST)
      .map(({ entry: { seq, operation, method, path, status, verdict }, differences }) => {
        const told = differences.map(({ member, expected, actual }) => `${member} is ${actual}, not ${expected}`);
        const what = operation ?? `${method} ${clipped(path, MAX_PATH_LENGTH)}`;
        return `${seq} (${what}, ${status ?? 'no answer'} ${verdict}): ${told.join(', ')}`;
      });
    return others.length === 0 ? '; no other request came' : `; nearest: ${others.join('; ')}`;
  }
}
