import { checkOptions, MILLISECONDS_OR_0, type Rules, wholeNumber } from '../../../util/options.js';
import { clipped } from '../../../util/printable.js';
import type { JournalEntry } from '../../service/journal/journal.js';
import type { DrivenService } from '../service/driven.js';
import { type Matcher, matcherOf, type RequestMatcher } from './matcher.js';

/** The number of requests that must match. */
export interface ExpectOptions {
  /** Number of requests that must match, 0 or more. Default 1. */
  readonly times?: number | undefined;
  /**
   * Real milliseconds in which they may still come. If more than `times` match, it fails at once;
   * otherwise it takes this time. Default 0.
   */
  readonly within?: number | undefined;
  /** Only requests with a higher `seq` count. Default 0: all of the journal. */
  readonly after?: number | undefined;
}

/** Options of a wait for requests that match. */
export interface WaitOptions {
  /** Number of requests that must match, 1 or more. Default 1. */
  readonly times?: number | undefined;
  /** Real milliseconds. Default 5,000. */
  readonly timeout?: number | undefined;
  /** Only requests with a higher `seq` count. Default 0: all of the journal. */
  readonly after?: number | undefined;
}

/** The methods by which tests say which requests must come. */
export interface SandboxExpecting {
  /**
   * Returns the requests of the journal that match if these are exactly `times`, oldest first.
   *
   * @throws TypeError for an unknown or wrong member or option. Rejects with an Error that says how
   *   many matched, and how the nearest others differ.
   */
  expect(matcher: RequestMatcher, options?: ExpectOptions): Promise<JournalEntry[]>;
  /**
   * Resolves with the matching requests as soon as there are `times`. Those that are already in
   * the journal count, too. Fails as `expect` does after `timeout`, and when the sandbox closes.
   *
   * @throws TypeError for an unknown or wrong member or option.
   */
  waitFor(matcher: RequestMatcher, options?: WaitOptions): Promise<JournalEntry[]>;
}

const EXPECT_RULES = {
  times: { ...wholeNumber(0), default: 1 },
  within: { ...MILLISECONDS_OR_0, default: 0 },
  after: { ...wholeNumber(0), default: 0 },
} satisfies Rules<ExpectOptions>;

const WAIT_RULES = {
  times: { ...wholeNumber(1), default: 1 },
  timeout: { ...MILLISECONDS_OR_0, default: 5_000 },
  after: { ...wholeNumber(0), default: 0 },
} satisfies Rules<WaitOptions>;

/** Requests that a failure names because they nearly match. */
const MAX_NEAREST = 5;

/** `gone`, the last argument of both, aborts when the caller over HTTP goes away. */
export function expectingControls({ journal }: DrivenService): SandboxExpecting {
  const watch = (method: string, given: RequestMatcher, after: number): Watch => {
    return new Watch(method, matcherOf(method, given, journal.exchanges), journal, after);
  };
  return {
    async expect(matcher: RequestMatcher, options: ExpectOptions = {}, gone?: AbortSignal) {
      const { times, within, after } = checkOptions('requests.expect', options, EXPECT_RULES, TypeError);
      const seen = watch('requests.expect', matcher, after);
      await seen.until((count) => count > times, within, gone);
      return seen.matching((count) => count === times, times);
    },
    async waitFor(matcher: RequestMatcher, options: WaitOptions = {}, gone?: AbortSignal) {
      const { times, timeout, after } = checkOptions('requests.waitFor', options, WAIT_RULES, TypeError);
      const seen = watch('requests.waitFor', matcher, after);
      await seen.until((count) => count >= times, timeout, gone);
      return seen.matching((count) => count >= times, times);
    },
  };
}

/** Longest path in a failure, in characters. */
const MAX_PATH_LENGTH = 100;

type Journal = DrivenService['journal'];

/** The requests that match, those of the journal and those that come. */
class Watch {
  readonly #method: string;
  readonly #matcher: Matcher;
  readonly #journal: Journal;
  readonly #after: number;
  readonly #found: JournalEntry[];

  constructor(method: string, matcher: Matcher, journal: Journal, after: number) {
    this.#method = method;
    this.#matcher = matcher;
    this.#journal = journal;
    this.#after = after;
    this.#found = journal.entries.filter((entry) => this.#isMatch(entry));
  }

  /**
   * Resolves when there are enough, after a time, or when the caller has gone. Rejects at the end.
   */
  async until(isEnough: (count: number) => boolean, ms: number, gone?: AbortSignal): Promise<void> {
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
      gone?.addEventListener('abort', leave);
      end = () => {
        clearTimeout(timer);
        unlisten();
        gone?.removeEventListener('abort', leave);
      };
    });
    end();
    if (closed) throw new Error(`${this.#method}: the sandbox was closed; ${this.#result()}`);
  }

  /** @throws Error unless the right number has matched. */
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

  /** The requests that differ least, newest first. */
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
