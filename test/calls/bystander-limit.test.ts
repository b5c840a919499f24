import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ConnectionError, PartnerClient } from '../../src/index.js';
import { fakeTransport } from '../support/fake-transport.js';

/** Every request leaves, and then its connection is closed for the sake of another one. */
const breaking = fakeTransport((listener) => {
  listener.onSent();
  listener.onError(new Error('another request broke the connection'), 'bystander');
});

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

it.each([
  [2, 1 + 6 + 2],
  [0, 1],
])('with maxRetries %i a call that others broke is sent %i times', async (maxRetries, count) => {
  const client = new PartnerClient({
    baseUrl: 'https://api.example.com',
    apiKey: 'bystander-limit',
    apiSecret: 'c2VjcmV0',
    transport: breaking,
    maxRetries,
    timeout: 600_000,
  });
  const failed = client.users.get('USER-OF-TESTS-0001').catch((thrown: unknown) => thrown);
  await vi.advanceTimersByTimeAsync(500_000);
  const error = await failed;
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ attempts: { count } });
  await client.close();
});
