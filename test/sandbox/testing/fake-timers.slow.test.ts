import { mock } from 'node:test';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createTestClient } from '../../../src/sandbox/index.js';
import { silenceWarning } from '../../support/silenced-warning.js';

silenceWarning('The MockTimers API is an experimental feature');

const EVERYTHING = [
  ...['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate', 'Date'],
  ...['performance', 'hrtime', 'queueMicrotask'],
] as const;

afterEach(() => {
  vi.useRealTimers();
  mock.timers.reset();
});

/** Reads, a write that must not be retried, a list, and many calls at once. */
async function work({ client, sandbox }: ReturnType<typeof createTestClient>): Promise<void> {
  const { userId, accountId, quoteId } = sandbox.fixtures;
  await client.accounts.quotes.execute(accountId, quoteId, { maxRetries: 0 });
  await client.accounts.onDemandConversions.list(accountId).toArray({ limit: 30 });
  await Promise.all(Array.from({ length: 50 }, () => client.users.get(userId)));
  sandbox.fail({ fault: 'reset', times: 1 });
  await expect(client.users.get(userId, { maxRetries: 0 })).rejects.toMatchObject({ name: 'ConnectionError' });
}

describe.each([
  ['all that vitest replaces by default', () => vi.useFakeTimers()],
  ['all that can be replaced', () => vi.useFakeTimers({ toFake: [...EVERYTHING] as never })],
  ['all that node:test replaces by default', () => mock.timers.enable()],
])('while a test replaces %s', (_, replace) => {
  test('calls of a client made before are answered, though nobody advances the time', async () => {
    const made = createTestClient();
    await made.client.users.get(made.sandbox.fixtures.userId);
    replace();
    await work(made);
    await made.close();
  });

  test('calls of a client made after are, too', async () => {
    replace();
    const made = createTestClient();
    await work(made);
    await made.close();
  });

  test('a retry waits for the time that the test advances', async () => {
    replace();
    const { client, sandbox } = createTestClient();
    sandbox.fail({ fault: 503, times: 1, retryAfterSeconds: 5 });
    const call = client.users.get(sandbox.fixtures.userId).withResponse();
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
    expect(sandbox.journal).toHaveLength(1);
    if (vi.isFakeTimers()) vi.advanceTimersByTime(5_100);
    else mock.timers.tick(5_100);
    expect((await call).response.attempts).toBe(2);
  });
});
