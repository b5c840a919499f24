import { expect, it } from 'vitest';
import { type ReplayGuard, signWebhook, webhookHandler } from '../../../src/webhooks/index.js';
import { SECRET } from '../support/receiving.js';

it('keeps 100,000 proven signatures, and the oldest goes first', { timeout: 360_000 }, async () => {
  let handled = 0;
  const guard: ReplayGuard = { seen: () => false, forget: () => {} };
  const handler = webhookHandler({ secret: SECRET, guard, onEvent: () => void handled++ });
  const deliver = async (index: number) => {
    const body = `{"type":"quote.executed","data":{"id":"${index}"}}`;
    const headers = new Headers(signWebhook({ body, secret: SECRET, timestampSeconds: timestamp }));
    // A request of the platform costs more than all else here.
    let read = false;
    const reader = {
      read: async () => {
        if (read) return { done: true, value: undefined };
        read = true;
        return { done: false, value: Buffer.from(body) };
      },
      cancel: async () => {},
    };
    const request = {
      method: 'POST',
      headers,
      bodyUsed: false,
      body: { getReader: () => reader },
      arrayBuffer: () => {},
    };
    expect((await handler(request as never)).status).toBe(200);
  };
  const timestamp = Math.floor(Date.now() / 1000);
  for (let index = 0; index < 100_000; index++) await deliver(index);
  await deliver(0);
  expect(handled).toBe(100_000);
  await deliver(100_000);
  await deliver(1);
  expect(handled).toBe(100_001);
  await deliver(0);
  expect(handled).toBe(100_002);
});
