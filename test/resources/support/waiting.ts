import { afterEach, beforeEach, expect, vi } from 'vitest';
import { type ApiPromise, fetchTransport, PartnerClient, type Quote, type WaitOptions } from '../../../src/index.js';
import { ACCOUNT, USER } from './operations.js';
import { quote, user } from './samples.js';
import { API_KEY, API_SECRET, BASE_URL, type ClientOptions, json } from './service.js';

export { ACCOUNT, USER };
export const { id: QUOTE } = quote;

/** Runs each test of a file under fake timers, unless it turns them off, and expects that none is left. */
export function underFakeTimers(): void {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    const left = vi.isFakeTimers() ? vi.getTimerCount() : 0;
    vi.useRealTimers();
    vi.restoreAllMocks();
    expect(left, 'timers left').toBe(0);
  });
}

/** What the service answers to one poll: a quote's status, members of a quote, or an answer of any kind. */
type Step = string | Readonly<Record<string, unknown>> | Response;
type Script = (poll: number, url: URL) => Step | Promise<Step>;

/** A service that is polled under fake timers, and its client. Both clocks stand still until the test advances them. */
export class Polled {
  /** Milliseconds from the first poll to each. */
  readonly times: number[] = [];
  readonly headers: Readonly<Record<string, string>>[] = [];
  readonly client: PartnerClient;
  readonly #script: Script;
  #first = 0;

  constructor(script: Script, options: Partial<ClientOptions> = {}) {
    this.#script = script;
    const transport = fetchTransport({
      fetch: ((url: string, init: RequestInit) => this.#serve(new URL(url), init)) as typeof fetch,
    });
    const credentials = { apiKey: API_KEY, apiSecret: API_SECRET };
    this.client = new PartnerClient({ baseUrl: BASE_URL, ...credentials, maxRetries: 0, ...options, transport });
  }

  /** Milliseconds between each poll and the next. */
  get gaps(): number[] {
    return this.times.slice(1).map((time, index) => time - (this.times[index] ?? 0));
  }

  async #serve(url: URL, init: RequestInit): Promise<Response> {
    const now = performance.now();
    if (this.times.length === 0) this.#first = now;
    const index = this.times.push(now - this.#first) - 1;
    this.headers.push(init.headers as Record<string, string>);
    return answerOf(await this.#script(index, url));
  }
}

/** Waits for the quote. */
export const waitFor = (polled: Polled, options?: WaitOptions<Quote>): ApiPromise<Quote> =>
  polled.client.accounts.quotes.waitFor(ACCOUNT, QUOTE, options);

function answerOf(step: Step): Response {
  if (step instanceof Response) return step;
  const members = typeof step === 'string' ? { status: step } : step;
  return json({ data: { ...quote, ...members } });
}

/** A quote's life: each status in turn, the last for ever. */
export const statuses =
  (...life: string[]) =>
  (poll: number): string =>
    life[Math.min(poll, life.length - 1)] as string;

export const userWith = (state: string, required_actions: unknown[] = []) => ({
  ...user,
  status: { state, required_actions },
});

export const answerUser = (state: string, required_actions?: unknown[]): Response =>
  json({ data: userWith(state, required_actions) });

/** An answer that takes so long. */
export async function late<T>(milliseconds: number, answer: T | Promise<T>): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  return answer;
}

export const never = (): Promise<Response> => new Promise(() => {});

/** A wait under way: how it ended, and how many milliseconds after its beginning. */
export interface Ending<T> {
  value: T | undefined;
  error: unknown;
  settledAfter: number | undefined;
}

/** Follows a wait without awaiting it. */
export function follow<T>(wait: PromiseLike<T>): Ending<T> {
  const begun = performance.now();
  const ending: Ending<T> = { value: undefined, error: undefined, settledAfter: undefined };
  wait.then(
    (value) => Object.assign(ending, { value, settledAfter: performance.now() - begun }),
    (error: unknown) => Object.assign(ending, { error, settledAfter: performance.now() - begun }),
  );
  return ending;
}

/** Lets so much time pass. */
export const pass = (milliseconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds);

/** What can happen without time: promises, and what is due at once. */
export const breathe = (): Promise<unknown> => pass(0);

/** Follows a wait to its end, over at most so many milliseconds. */
export async function end<T>(wait: PromiseLike<T>, atMost = 120_000): Promise<Ending<T>> {
  const ending = follow(wait);
  await pass(0);
  for (let passed = 0; ending.settledAfter === undefined && passed < atMost; passed += 1_000) await pass(1_000);
  expect(ending.settledAfter, 'milliseconds to the end').toBeDefined();
  return ending;
}
