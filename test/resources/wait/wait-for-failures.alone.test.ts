import { describe, expect, it } from 'vitest';
import {
  AbortedError,
  ApiError,
  ConfigurationError,
  ConnectionError,
  fetchTransport,
  PartnerClient,
  ProviderError,
  ResponseValidationError,
  TimeoutError,
} from '../../../src/index.js';
import { API_KEY, BASE_URL, failure, json } from '../support/service.js';
import {
  ACCOUNT,
  breathe,
  end,
  follow,
  late,
  never,
  Polled,
  pass,
  QUOTE,
  statuses,
  underFakeTimers,
  waitFor,
} from '../support/waiting.js';

underFakeTimers();

const refused = (): never => {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) });
};
const html = (status: number) => () => new Response(`<h1>${status}</h1>`, { status });

/** Ways in which a poll fails for good that the next poll may not meet. */
const PASSING: readonly (readonly [string, () => Response | Promise<Response>])[] = [
  ['a refused connection', refused],
  ['an answer that takes too long', never],
  ['a 502 of a gateway', html(502)],
  ['a 500 of the service', () => failure(500, 'internal')],
  ['an answer that was cut short', () => new Response('{"data":{"status":"exe')],
];

const LASTING: readonly (readonly [string, () => Response, string])[] = [
  ['a 404', () => failure(404, 'not_found'), 'NotFoundError'],
  ['a 403', () => failure(403, 'forbidden'), 'ForbiddenError'],
  ['a 401', () => failure(401, 'unauthenticated'), 'UnauthenticatedError'],
  ['a 429', () => failure(429, 'resource_exhausted'), 'ResourceExhaustedError'],
  ['a 302', () => new Response(null, { status: 302 }), 'ApiError'],
  ['an answer of another shape', () => json({ data: { status: {} } }), 'ResponseValidationError'],
  ['an answer of too many values', () => new Response(`[${'0,'.repeat(300_000)}0]`), 'ResponseValidationError'],
];

describe('a wait goes on after a poll that failed for good with', () => {
  it.each(PASSING)('%s', async (_, fail) => {
    const polled = new Polled((poll) => (poll === 0 || poll === 2 ? fail() : poll < 4 ? 'executing' : 'executed'));
    const seen: string[] = [];
    const onPoll = (quote: { status: string }) => seen.push(quote.status);
    const { value } = await end(waitFor(polled, { attemptTimeout: 500, onPoll }));
    expect(value?.status).toBe('executed');
    expect(polled.times).toHaveLength(5);
    expect(seen).toEqual(['executing', 'executing', 'executed']);
  });

  it.each(PASSING)('%s, and its own timeout ends it: the last failure is the cause', async (_, fail) => {
    const polled = new Polled(fail);
    const { error, settledAfter } = await end(waitFor(polled, { timeout: 5_000, attemptTimeout: 500 }));
    expect(settledAfter).toBe(5_000);
    expect(polled.times.length).toBeGreaterThan(4);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ outcome: 'not_applied', operation: 'accounts.quotes.get' });
    const { cause, message, attempts } = error as TimeoutError;
    expect(
      [ApiError, ConnectionError, TimeoutError, ResponseValidationError].some((kind) => cause instanceof kind),
    ).toBe(true);
    expect(message).toContain('5000 ms');
    expect(message).toContain(`polled ${polled.times.length} times, no status was seen; see cause`);
    expect(attempts).toEqual({ count: polled.times.length, failures: (cause as ApiError).attempts.failures });
  });
});

describe('a wait ends with the first poll that failed for good with', () => {
  it.each(LASTING)('%s', async (what, fail, name) => {
    const polled = new Polled((poll) => (poll === 1 ? html(502)() : poll < 3 ? 'executing' : fail()));
    const { error } = await end(waitFor(polled));
    expect(error).toMatchObject({ name, outcome: 'not_applied', operation: 'accounts.quotes.get' });
    // One more attempt follows a 401.
    expect(polled.times).toHaveLength(what === 'a 401' ? 5 : 4);
  });

  it('a provider', async () => {
    const broken = () => Promise.reject(new Error('the vault is closed'));
    const credentials = { apiKey: API_KEY, apiSecret: broken };
    const transport = fetchTransport({ fetch: (() => never()) as typeof fetch });
    const client = new PartnerClient({ baseUrl: BASE_URL, ...credentials, transport });
    const { error } = await end(client.accounts.quotes.waitFor(ACCOUNT, QUOTE));
    expect(error).toBeInstanceOf(ProviderError);
  });
});

describe('after a failed poll', () => {
  it('its Retry-After is waited for', async () => {
    const polled = new Polled((poll) => (poll === 0 ? failure(503, 'unavailable', {}, '40') : 'executed'));
    const { value } = await end(waitFor(polled));
    expect(value?.status).toBe('executed');
    expect(polled.times).toEqual([0, 40_000]);
  });

  it('a Retry-After beyond the time left lets no poll come too early', async () => {
    const polled = new Polled(() => failure(503, 'unavailable', {}, '70'));
    const { error, settledAfter } = await end(waitFor(polled));
    expect(settledAfter).toBe(60_000);
    expect(polled.times).toHaveLength(1);
    expect(error).toMatchObject({ name: 'TimeoutError', cause: { response: { status: 503 }, retryAfter: 70_000 } });
  });

  it('and a good one, the cause of a timeout is still that failure, and the last status is shown', async () => {
    const polled = new Polled((poll) => (poll === 0 ? html(502)() : statuses('executing')(poll)));
    const { error } = await end(waitFor(polled, { timeout: 3_000 }));
    expect(error).toMatchObject({ name: 'TimeoutError', cause: { response: { status: 502 } } });
    expect((error as Error).message).toContain('the last status was "executing"; see cause');
  });
});

describe('a poll that hangs', () => {
  it.each([2_000, 10_000, 60_000])(
    'has at most a third of what is left of %i ms, and no more than 10 s, again and again',
    async (timeout) => {
      // With the retries of an ordinary client: the wait asks again, not the call.
      const polled = new Polled(never, { maxRetries: 3 });
      const { error, settledAfter } = await end(waitFor(polled, { timeout }));
      expect(Math.abs((settledAfter ?? 0) - timeout)).toBeLessThanOrEqual(2);
      expect(error).toMatchObject({ name: 'TimeoutError', attempts: { count: polled.times.length } });
      expect(error).toMatchObject({ cause: { name: 'TimeoutError', attempts: { count: 1 } } });
      expect(polled.gaps.length).toBeGreaterThan(0);
      for (const [index, gap] of polled.gaps.entries()) {
        const share = Math.min(10_000, Math.max(1_000, (timeout - (polled.times[index] ?? 0)) / 3));
        expect(gap).toBeGreaterThanOrEqual(share - 1);
        expect(gap).toBeLessThanOrEqual(share + 250 * 1.5 ** index + 2);
      }
    },
  );
});

it('an answer that takes most of a second is waited for, also in a short wait', async () => {
  const { value } = await end(waitFor(new Polled(() => late(900, 'executed')), { timeout: 1_200 }));
  expect(value?.status).toBe('executed');
});

it('a request that waits for its turn in the lane does not hang', async () => {
  const polled = new Polled((poll) => (poll === 0 ? late(4_000, 'executing') : 'executed'), { nonceOrder: 'strict' });
  const before = follow(polled.client.accounts.quotes.get(ACCOUNT, QUOTE));
  const { value } = await end(waitFor(polled, { timeout: 6_000 }));
  expect(before.value?.status).toBe('executing');
  expect(value?.status).toBe('executed');
  expect(polled.times).toHaveLength(2);
});

describe('a 429 of a poll', () => {
  const refusedOnce = () =>
    new Polled((poll) => (poll === 0 ? failure(429, 'resource_exhausted', {}, '20') : 'executed'), { maxRetries: 3 });

  it('whose Retry-After is beyond the time left ends it at once, with retryAfter', async () => {
    const polled = refusedOnce();
    const { error, settledAfter } = await end(waitFor(polled, { timeout: 5_000 }));
    expect(error).toMatchObject({ name: 'ResourceExhaustedError', retryAfter: 20_000 });
    expect(settledAfter).toBe(0);
  });

  it('whose Retry-After fits is waited for within the poll', async () => {
    const { value, settledAfter } = await end(waitFor(refusedOnce()));
    expect(value?.status).toBe('executed');
    expect(settledAfter).toBe(20_000);
  });
});

describe('close()', () => {
  it('does not wait for a wait, whose next poll is refused', async () => {
    const polled = new Polled(statuses('executing'));
    const wait = follow(waitFor(polled));
    await pass(10_000);
    const polls = polled.times.length;
    const closed = follow(polled.client.close());
    await breathe();
    expect(closed.settledAfter).toBe(0);
    await pass(5_000);
    expect(wait.error).toBeInstanceOf(ConfigurationError);
    expect(polled.times).toHaveLength(polls);
  });
});

describe('abort', () => {
  const reason = new Error('enough');

  it('before the start: nothing is sent', async () => {
    const polled = new Polled(statuses('executed'));
    const { error } = await end(waitFor(polled, { signal: AbortSignal.abort(reason) }));
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ cause: reason, outcome: 'not_applied', operation: 'accounts.quotes.get' });
    expect(polled.times).toEqual([]);
  });

  it('in the middle of a delay: at once', async () => {
    const controller = new AbortController();
    const polled = new Polled(statuses('executing'));
    const wait = follow(waitFor(polled, { signal: controller.signal }));
    await pass(10_000);
    await nextPoll(polled);
    await pass(100);
    const polls = polled.times.length;
    controller.abort(reason);
    await breathe();
    expect(wait.error).toBeInstanceOf(AbortedError);
    expect(wait.error).toMatchObject({ cause: reason, outcome: 'not_applied', operation: 'accounts.quotes.get' });
    expect(wait.error).toMatchObject({ attempts: { count: polls, failures: [] } });
    await pass(20_000);
    expect(polled.times).toHaveLength(polls);
  });

  it('in a poll: at once', async () => {
    const controller = new AbortController();
    const polled = new Polled((poll) => (poll === 1 ? never() : 'executing'));
    const wait = follow(waitFor(polled, { signal: controller.signal }));
    await pass(1_000);
    expect(polled.times).toHaveLength(2);
    controller.abort(reason);
    await breathe();
    expect(wait.error).toBeInstanceOf(AbortedError);
    expect(wait.error).toMatchObject({ cause: reason, outcome: 'not_applied' });
  });

  it('by onPoll: no further poll', async () => {
    const controller = new AbortController();
    const polled = new Polled(statuses('executing'));
    const onPoll = (_: unknown, { polls }: { polls: number }) => polls === 3 && controller.abort(reason);
    const { error } = await end(waitFor(polled, { signal: controller.signal, onPoll }));
    expect(error).toMatchObject({ name: 'AbortedError', cause: reason });
    expect(polled.times).toHaveLength(3);
  });

  it('by onPoll, of the poll that showed the end: the value is there', async () => {
    const controller = new AbortController();
    const onPoll = () => controller.abort();
    const { value } = await end(waitFor(new Polled(statuses('failed')), { signal: controller.signal, onPoll }));
    expect(value?.status).toBe('failed');
  });
});

/** Lets time pass until a poll has just been made. */
async function nextPoll(polled: Polled): Promise<void> {
  const polls = polled.times.length;
  while (polled.times.length === polls) await pass(10);
}
