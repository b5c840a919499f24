import { describe, expect, it, vi } from 'vitest';
import { type ApiPromise, ProviderError, type User, type WaitOptions } from '../../../src/index.js';
import { quote as sampleQuote } from '../support/samples.js';
import { failing, failure, json, OTP, wrong } from '../support/service.js';
import { answerUser, end, late, never, Polled, statuses, USER, underFakeTimers, waitFor } from '../support/waiting.js';

underFakeTimers();

const waitForUser = (polled: Polled, options?: WaitOptions<User>): ApiPromise<User> =>
  polled.client.users.waitFor(USER, options);

describe('quotes.waitFor', () => {
  it('gives the response of the last poll', async () => {
    const polled = new Polled((poll) =>
      json({ data: quoteOf(poll < 2 ? 'executing' : 'failed') }, 200, { 'x-poll': `${poll}` }),
    );
    const { value } = await end(waitFor(polled).withResponse());
    expect(value).toMatchObject({
      data: { status: 'failed' },
      response: { status: 200, headers: { 'x-poll': '2' }, attempts: 1 },
    });
  });

  it('in warn mode polls on what cannot be read', async () => {
    const life = [
      json({ data: null }),
      json({ data: 'text' }),
      json({ data: { status: 5 } }),
      json({ data: { status: 'executed' } }),
    ];
    const polled = new Polled((poll) => life[poll] as Response, { responseValidation: 'warn' });
    expect((await end(waitFor(polled))).value).toEqual({ status: 'executed' });
  });
});

describe('users.waitFor', () => {
  it('ends when the state is ok and no action is required', async () => {
    const life = [
      answerUser('pending'),
      answerUser('ok', [{ type: 'documents' }]),
      answerUser('review'),
      answerUser('ok'),
    ];
    const polled = new Polled((poll) => life[poll] as Response);
    const { value } = await end(waitForUser(polled));
    expect(value?.status).toEqual({ state: 'ok', required_actions: [] });
    expect(polled.times).toHaveLength(4);
  });

  it('ends at ok, whatever is required, if until says so', async () => {
    const polled = new Polled((poll) => answerUser(poll < 2 ? 'pending' : 'ok', ['a']));
    await end(waitForUser(polled, { until: 'ok' }));
    expect(polled.times).toHaveLength(3);
  });

  it.each([{}, { required_actions: null }])(
    'ends when the user is ok and no list of actions came: %j',
    async (actions) => {
      const life = [json({ data: {} }), json({ data: { status: { state: 'ok', ...actions } } })];
      const polled = new Polled((poll) => life[poll] as Response);
      expect((await end(waitForUser(polled))).value?.status.required_actions).toBeUndefined();
      expect(polled.times).toHaveLength(2);
    },
  );
});

describe('the options of a call', () => {
  it('hold for each poll', async () => {
    const polled = new Polled(statuses('executing', 'executing', 'executed'));
    const given = Object.freeze({ otp: OTP, headers: Object.freeze({ 'X-Team': 'payments' }) });
    await end(waitFor(polled, given));
    expect(polled.headers).toHaveLength(3);
    for (const headers of polled.headers) expect(headers).toMatchObject({ 'api-otp': OTP, 'x-team': 'payments' });
    expect(new Set(polled.headers.map((headers) => headers['api-nonce'])).size).toBe(3);
  });

  it('maxRetries: each poll repeats for itself, and only then the wait goes on to the next', async () => {
    const script = (poll: number) => (poll === 2 || poll > 4 ? 'executing' : failure(503, 'unavailable', {}, '0'));
    const polls = async (maxRetries: number) => {
      const polled = new Polled(script);
      const seen: number[] = [];
      const onPoll = (_: unknown, { polls }: { polls: number }) => seen.push(polls);
      expect((await end(waitFor(polled, { maxRetries, timeout: 3_000, onPoll }))).error).toMatchObject({
        name: 'TimeoutError',
      });
      return seen.slice(0, 2);
    };
    expect(await polls(2)).toEqual([1, 2]);
    expect(await polls(1)).toEqual([2, 4]);
  });

  it('attemptTimeout: one attempt of a poll', async () => {
    const polled = new Polled((poll) => (poll === 0 ? never() : 'executed'));
    const { value } = await end(waitFor(polled, { attemptTimeout: 300, maxRetries: 1 }));
    expect(value?.status).toBe('executed');
    random(0.5);
    const hung = new Polled((poll) => (poll === 0 ? never() : 'executed'));
    await end(waitFor(hung, { attemptTimeout: 300 }));
    expect(hung.times).toEqual([0, 300 + 187]);
  });

  it('the client\u2019s timeout bounds each poll, also when more of the wait is left', async () => {
    const polled = new Polled((poll) => (poll === 0 ? 'executing' : never()), { timeout: 2_000 });
    random(0.5);
    const { error } = await end(waitFor(polled, { timeout: 20_000 }));
    expect(error).toMatchObject({ name: 'TimeoutError', cause: { name: 'TimeoutError' } });
    const [, cut = 0, next = 0] = polled.times;
    expect(Math.abs(next - cut - 2_000 - 0.75 * 375)).toBeLessThanOrEqual(2);
  });
});

describe('onPoll', () => {
  it('is told of each poll: value, number, time, and when the next follows', async () => {
    const polled = new Polled((poll) => late(40, statuses('offered', 'executing', 'executed')(poll)));
    const onPoll = vi.fn();
    const { value, settledAfter } = await end(waitFor(polled, { onPoll }));
    expect(onPoll.mock.calls.map(([quote]) => quote.status)).toEqual(['offered', 'executing', 'executed']);
    expect(onPoll.mock.calls[2]?.[0]).toBe(value);
    const told = onPoll.mock.calls.map(([, info]) => info);
    expect(told.map(({ polls }) => polls)).toEqual([1, 2, 3]);
    expect(told.map(({ elapsed }) => elapsed)).toEqual(polled.times.map((time) => time + 40));
    expect(told[2]).not.toHaveProperty('nextDelay');
    expect(told[2].elapsed).toBe(settledAfter);
    for (const index of [0, 1]) {
      const gap = (polled.times[index + 1] ?? 0) - told[index].elapsed;
      expect(Math.abs(told[index].nextDelay - gap)).toBeLessThanOrEqual(1);
    }
  });

  it.each([
    ['throws', failing('the hook is broken')],
    ['rejects', () => Promise.reject(new Error('the hook is broken'))],
    ['never settles', () => new Promise(() => {})],
    ['spoils what it gets', (_: unknown, info: object) => void Object.assign(info, { polls: -9, nextDelay: -9 })],
  ])('that %s changes nothing', async (_, onPoll) => {
    const emitted = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const polled = new Polled(statuses('offered', 'executing', 'executed'));
    const { value } = await end(waitFor(polled, { onPoll }));
    expect(value?.status).toBe('executed');
    expect(polled.times).toHaveLength(3);
    expect(emitted.mock.calls.length).toBeLessThanOrEqual(1);
    for (const [message] of emitted.mock.calls) expect(message).toMatch(/onPoll.*the hook is broken/);
    warnings += emitted.mock.calls.length;
  });
  let warnings = 0;

  it('that failed was reported, once in the process', () => expect(warnings).toBe(1));
});

describe('until as a function', () => {
  it('that throws ends the wait with a ProviderError', async () => {
    const cause = new Error('no such member');
    const until = () => {
      throw cause;
    };
    const polled = new Polled(statuses('offered'));
    const { error } = await end(waitFor(polled, { until }));
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ cause, outcome: 'not_applied', operation: 'accounts.quotes.get' });
    expect(polled.times).toHaveLength(1);
  });

  it.each([
    ['a promise', async () => false],
    ['a promise that rejects', async () => Promise.reject(new Error('nobody hears this'))],
    ['nothing', () => undefined],
    ['a number', () => 1],
  ])('that gives %s is no condition', async (_, until) => {
    const { error } = await end(waitFor(new Polled(statuses('offered')), { until: wrong(until) }));
    expect(error).toBeInstanceOf(ProviderError);
    expect((error as ProviderError).cause).toBeInstanceOf(TypeError);
  });
});

const random = (value: number) => void vi.spyOn(Math, 'random').mockReturnValue(value);
const quoteOf = (status: string) => ({ ...sampleQuote, status });
