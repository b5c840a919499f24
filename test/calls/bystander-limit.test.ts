import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ConnectionError, PartnerClient, type Transport } from '../../src/index.js';

/** Every request leaves, and then the failure of another one breaks the connection. */
const breaking: Transport = {
  name: 'breaking',
  connect: () => ({
    pipelined: true,
    send: (_request, listener) => {
      queueMicrotask(() => {
        listener.onSent();
        listener.onError(new Error('another request broke the connection'), 'bystander');
      });
      return { abandon() {}, destroy() {} };
    },
    close: async () => {},
  }),
};

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

it('six repeats after failures of others come besides maxRetries, then the call fails', async () => {
  const client = new PartnerClient({
    baseUrl: 'https://api.example.com',
    apiKey: 'bystander-limit',
    apiSecret: 'c2VjcmV0',
    transport: breaking,
    maxRetries: 2,
    timeout: 600_000,
  });
  const failed = client.users.get('USER-OF-TESTS-0001').catch((thrown: unknown) => thrown);
  await vi.advanceTimersByTimeAsync(500_000);
  const error = await failed;
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ attempts: { count: 1 + 6 + 2 } });
  await client.close();
});
