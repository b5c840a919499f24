import { describe, expect, it } from 'vitest';
import { AbortedError, ConfigurationError, ForbiddenError, NotFoundError } from '../../../src/index.js';
import { failure } from '../support/service.js';
import {
  breathe,
  end,
  follow,
  late,
  never,
  Polled,
  pass,
  statuses,
  underFakeTimers,
  waitFor,
} from '../support/waiting.js';

underFakeTimers();

describe('a 4xx of a poll ends the wait as it is', () => {
  it.each([
    [404, 'not_found', NotFoundError],
    [403, 'forbidden', ForbiddenError],
  ])('%d', async (status, code, errorClass) => {
    const polled = new Polled((poll) => (poll === 0 ? 'offered' : failure(status, code)));
    const { error } = await end(waitFor(polled));
    expect(error).toBeInstanceOf(errorClass);
    expect(error).toMatchObject({ status, code, operation: 'accounts.quotes.get', outcome: 'not_applied' });
    expect(polled.times).toHaveLength(2);
  });

  it('an answer of another shape', async () => {
    const { error } = await end(waitFor(new Polled(() => ({ status: 5 }))));
    expect(error).toMatchObject({ name: 'ResponseValidationError', issues: [{ path: 'data.status' }] });
  });

  it('a Retry-After beyond the time left ends it at once, with retryAfter', async () => {
    const polled = new Polled(() => failure(429, 'resource_exhausted', {}, '20'), { maxRetries: 3 });
    const { error, settledAfter } = await end(waitFor(polled, { timeout: 5_000 }));
    expect(error).toMatchObject({ name: 'ResourceExhaustedError', retryAfter: 20_000 });
    expect(settledAfter).toBe(0);
  });

  it('a Retry-After that fits is waited for within the poll', async () => {
    const polled = new Polled((poll) => (poll === 0 ? failure(429, 'resource_exhausted', {}, '20') : 'executed'), {
      maxRetries: 3,
    });
    const { value, settledAfter } = await end(waitFor(polled));
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

  it('lets a poll under way end', async () => {
    const polled = new Polled(() => late(500, 'executed'));
    const wait = follow(waitFor(polled));
    await breathe();
    const closed = follow(polled.client.close());
    await pass(499);
    expect(closed.settledAfter).toBeUndefined();
    await pass(1);
    expect(closed.settledAfter).toBe(500);
    expect(wait.value?.status).toBe('executed');
  });

  it('before a wait refuses it', async () => {
    const polled = new Polled(statuses('executed'));
    await polled.client.close();
    expect((await end(waitFor(polled))).error).toBeInstanceOf(ConfigurationError);
    expect(polled.times).toEqual([]);
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

  it('a reason that is no Error is kept as it is', async () => {
    const controller = new AbortController();
    const wait = follow(waitFor(new Polled(statuses('executing')), { signal: controller.signal }));
    await pass(1);
    controller.abort('just so');
    await breathe();
    expect(wait.error).toMatchObject({ name: 'AbortedError', cause: 'just so' });
  });
});

/** Lets time pass until a poll has just been made. */
async function nextPoll(polled: Polled): Promise<void> {
  const polls = polled.times.length;
  while (polled.times.length === polls) await pass(10);
}
