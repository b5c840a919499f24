import * as z from 'zod/mini';
import { isRecord } from '../../../util/options.js';
import { clipped } from '../../../util/printable.js';
import { anyMs, count, countAboveZero, text } from '../../core/basics/checked.js';
import type { Method } from '../../core/kind/group.js';
import type { Exchanges, KeptBody } from '../../service/journal/exchanges.js';
import type { Journal, JournalEntry } from '../../service/journal/journal.js';
import {
  comparing,
  type Difference,
  type RequestSelection,
  requestSelection,
} from '../../service/journal/journal-filter.js';
import { isPath } from '../../trouble/match.js';
import type { DrivenService } from '../service/driven.js';

/** Requests that a test expects. All given members must match. */
export interface RequestMatcher extends RequestSelection {
  /** Path without query. A final `*` stands for any further characters. */
  readonly path?: string | undefined;
  /**
   * Members that the body must have, with these values; it may have others. Lists must have the
   * same length. Needs the option `inspect`.
   *
   * @example
   * const { client, sandbox } = createTestClient({ inspect: true });
   * await client.users.createHeadless({ external_reference: 'ada' });
   * await sandbox.requests.expect({ body: { external_reference: 'ada' } }, { times: 1 });
   */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

/** The values of a body are only compared, so they may be of any type. */
const requestMatcher = z.strictObject({
  ...requestSelection,
  path: z.optional(text),
  body: z.optional(z.unknown().check(z.refine(isRecord, 'must be an object'))),
});

/**
 * Returns the function that compares a request with what is expected: no differences if it matches.
 *
 * @throws TypeError for an unknown operation. Error for a body if bodies are not kept.
 */
function matcherOf(
  method: string,
  { path, body, ...selection }: RequestMatcher,
  exchanges: Exchanges | undefined,
): (entry: JournalEntry) => readonly Difference[] {
  if (body !== undefined && exchanges === undefined) {
    throw new Error(`${method}: body needs a sandbox with the option inspect, which keeps bodies`);
  }
  const differencesOf = comparing(method, selection);
  return (entry) => [
    ...differencesOf(entry),
    ...(path === undefined || isPath(entry.path, path) ? [] : [{ member: 'path', expected: path, actual: entry.path }]),
    ...(body === undefined ? [] : differencesOfBody(body, exchanges?.get(entry.seq)?.body)),
  ];
}

function differencesOfBody(expected: object, kept: KeptBody | undefined): Difference[] {
  if (kept === undefined || kept.isCut) return [{ member: 'body', expected, actual: '(not kept)' }];
  const text = Buffer.from(kept.bytes).toString('utf8');
  try {
    return differencesIn('body', expected, JSON.parse(text));
  } catch {
    return [{ member: 'body', expected, actual: text }];
  }
}

function differencesIn(member: string, expected: unknown, actual: unknown): Difference[] {
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    return expected.flatMap((item, index) => differencesIn(`${member}[${index}]`, item, actual[index]));
  }
  if (isRecord(expected) && isRecord(actual)) {
    return Object.entries(expected).flatMap(([name, value]) =>
      differencesIn(`${member}.${name}`, value, Object.hasOwn(actual, name) ? actual[name] : undefined),
    );
  }
  return Object.is(expected, actual) ? [] : [{ member, expected, actual }];
}

/** Options of `requests.expect`. */
export interface ExpectOptions {
  /** Number of requests that must match, 0 or more. Default 1. */
  readonly times?: number | undefined;
  /**
   * Real milliseconds for which requests may still arrive. If more than `times` match, it fails
   * immediately; otherwise it waits for all of this time. Default 0.
   */
  readonly withinMs?: number | undefined;
  /** Only requests with a higher `seq` count. Default 0: all in the journal. */
  readonly after?: number | undefined;
}

/** Options of `requests.waitFor`. */
export interface WaitOptions {
  /** Number of requests that must match, 1 or more. Default 1. */
  readonly times?: number | undefined;
  /** Real milliseconds after which it fails. Default 5,000. */
  readonly timeoutMs?: number | undefined;
  /** Only requests with a higher `seq` count. Default 0: all in the journal. */
  readonly after?: number | undefined;
}

/** Methods with which tests expect requests. */
export interface SandboxExpecting {
  /**
   * Returns the matching requests of the journal, oldest first, if there are exactly `times` of
   * them.
   *
   * @throws Error that says how many matched, and how similar requests differ.
   */
  expect(matcher: RequestMatcher, options?: ExpectOptions): Promise<JournalEntry[]>;
  /**
   * Resolves with the matching requests as soon as there are `times` of them, earlier ones of the
   * journal included. Fails like `expect` after `timeoutMs`, and when the sandbox closes.
   */
  waitFor(matcher: RequestMatcher, options?: WaitOptions): Promise<JournalEntry[]>;
}

const expectOptions = z.strictObject({
  times: z.optional(count),
  withinMs: z.optional(anyMs),
  after: z.optional(count),
});

const waitOptions = z.strictObject({
  times: z.optional(countAboveZero),
  timeoutMs: z.optional(anyMs),
  after: z.optional(count),
});

/** Aborts when the HTTP caller closes the connection. */
type Signal = AbortSignal | undefined;

export const expecting = {
  expect: {
    takes: { matcher: requestMatcher, options: z.optional(expectOptions) },
    isAsync: true,
    waits: true,
    async run(service: DrivenService, matcher: RequestMatcher, options: ExpectOptions = {}, signal?: Signal) {
      const { times = 1, withinMs = 0, after = 0 } = options;
      const watch = new Watch('requests.expect', service.journal, matcher, after);
      await watch.until((found) => found > times, withinMs, signal);
      return watch.result((found) => found === times, times);
    },
  },
  waitFor: {
    takes: { matcher: requestMatcher, options: z.optional(waitOptions) },
    isAsync: true,
    waits: true,
    async run(service: DrivenService, matcher: RequestMatcher, options: WaitOptions = {}, signal?: Signal) {
      const { times = 1, timeoutMs = 5_000, after = 0 } = options;
      const watch = new Watch('requests.waitFor', service.journal, matcher, after);
      await watch.until((found) => found >= times, timeoutMs, signal);
      return watch.result((found) => found >= times, times);
    },
  },
} satisfies Readonly<Record<string, Method<DrivenService>>>;

/** Maximum number of requests that a failure names. */
const MAX_NAMED = 5;

/** Maximum length of a path and of a value in a failure, in characters; a longer one is cut. */
const MAX_TEXT_LENGTH = 100;

/** The matching requests: those in the journal, and later ones as they arrive. */
class Watch {
  readonly #method: string;
  readonly #journal: Journal;
  readonly #differencesOf: (entry: JournalEntry) => readonly Difference[];
  readonly #after: number;
  readonly #found: JournalEntry[];

  constructor(method: string, journal: Journal, matcher: RequestMatcher, after: number) {
    this.#method = method;
    this.#journal = journal;
    this.#differencesOf = matcherOf(method, matcher, journal.exchanges);
    this.#after = after;
    this.#found = journal.entries.filter((entry) => this.#isMatch(entry));
  }

  /** Resolves when there are enough, after `ms`, or on `signal`. Rejects if the journal closes. */
  async until(isEnough: (found: number) => boolean, ms: number, signal: Signal): Promise<void> {
    if (isEnough(this.#found.length) || ms === 0) return;
    let stop = (): void => {};
    const isClosed = await new Promise<boolean>((resolve) => {
      const leave = (): void => resolve(false);
      const timer = setTimeout(leave, ms);
      const unlisten = this.#journal.listen((entry) => {
        if (entry === undefined) resolve(true);
        else if (this.#isMatch(entry)) this.#found.push(entry);
        if (isEnough(this.#found.length)) leave();
      });
      signal?.addEventListener('abort', leave);
      stop = () => {
        clearTimeout(timer);
        unlisten();
        signal?.removeEventListener('abort', leave);
      };
    });
    stop();
    if (isClosed) throw new Error(`${this.#method}: the sandbox was closed; ${this.#matched()}`);
  }

  /** @throws Error unless the right number of requests has matched. */
  result(isRight: (found: number) => boolean, times: number): JournalEntry[] {
    if (isRight(this.#found.length)) return this.#found;
    throw new Error(`${this.#method}: ${this.#matched()}, not ${times}; ${this.#nearest()}`);
  }

  #isMatch(entry: JournalEntry): boolean {
    return entry.seq > this.#after && this.#differencesOf(entry).length === 0;
  }

  #matched(): string {
    const seqs = this.#found.slice(0, MAX_NAMED).map(({ seq }) => seq);
    const requests = this.#found.length === 1 ? '1 request' : `${this.#found.length} requests`;
    return seqs.length === 0 ? `${requests} matched` : `${requests} matched (${seqs.join(', ')})`;
  }

  /** Names the requests with the fewest differences, newest first. */
  #nearest(): string {
    const others = this.#journal.entries
      .filter(({ seq }) => seq > this.#after)
      .map((entry) => ({ entry, differences: this.#differencesOf(entry) }))
      .filter(({ differences }) => differences.length > 0)
      .sort((a, b) => a.differences.length - b.differences.length || b.entry.seq - a.entry.seq)
      .slice(0, MAX_NAMED);
    if (others.length === 0) return 'no other request came';
    return `nearest: ${others.map(({ entry, differences }) => comparison(entry, differences)).join('; ')}`;
  }
}

function comparison(entry: JournalEntry, differences: readonly Difference[]): string {
  const { seq, operation, method, path, status, verdict } = entry;
  const what = operation ?? `${method} ${clipped(path, MAX_TEXT_LENGTH)}`;
  const told = differences.map(
    ({ member, expected, actual }) => `${member} is ${shown(actual)}, not ${shown(expected)}`,
  );
  return `${seq} (${what}, ${status ?? 'no answer'} ${verdict}): ${told.join(', ')}`;
}

const shown = (value: unknown): string => clipped(JSON.stringify(value) ?? 'absent', MAX_TEXT_LENGTH);
