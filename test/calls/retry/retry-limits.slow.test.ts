import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ConnectionError } from '../../../src/index.js';
import type { Loss } from '../../../src/transport/connections.js';
import { clientOver, fakeTransport } from '../../support/fake-transport.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** Makes a call whose every request fails in one way; gives the nonces that were sent, and how the call ended. */
async function callThatFails(loss: Loss, maxRetries: number) {
  const nonces: string[] = [];
  const transport = fakeTransport((listener, { headers }) => {
    nonces.push(headers['api-nonce'] ?? '');
    if (loss !== 'not_started' && loss !== 'not_sent') listener.onSent();
    listener.onError(new Error('it failed'), loss);
  });
  const client = clientOver(transport, { maxRetries, timeout: 600_000 });
  const write = { method: 'POST', path: '/v1/things', body: {}, idempotent: true } as const;
  let error: unknown;
  const failed = client.request(write).catch((thrown: unknown) => {
    error = thrown;
  });
  // What must not be repeated starts in a later turn of the loop: its next wait begins only then.
  for (let waited = 0; error === undefined && waited < 500_000; waited += 1_000)
    await vi.advanceTimersByTimeAsync(1_000);
  await failed;
  expect(error).toBeInstanceOf(ConnectionError);
  expect(new Set(nonces).size, 'no nonce is sent twice').toBe(nonces.length);
  const { available } = client.stats().retryBudget;
  await client.close();
  return { error, sent: nonces.length, available };
}

it.each([
  [2, 1 + 6 + 2],
  [0, 1],
])('with maxRetries %i a call whose connection others broke is sent %i times', async (maxRetries, count) => {
  const { error, sent } = await callThatFails('bystander', maxRetries);
  expect(error).toMatchObject({ outcome: 'unknown', attempts: { count } });
  expect(sent).toBe(count);
});

it.each([
  [2, 1 + 10 + 2],
  [0, 1 + 10],
])('with maxRetries %i a call that the service has not begun with is sent %i times', async (maxRetries, count) => {
  const { error, sent } = await callThatFails('unprocessed', maxRetries);
  expect(error).toMatchObject({ outcome: 'not_applied', attempts: { count } });
  expect(sent).toBe(count);
});

it('three starts after one whose connection was gone belong to the same attempt, which then found no connection', async () => {
  const { error, sent, available } = await callThatFails('not_started', 0);
  expect(error).toMatchObject({ outcome: 'not_applied', attempts: { count: 1, failures: [{ reason: 'not_sent' }] } });
  expect(sent).toBe(1 + 3);
  expect(available).toBe(500);
});
