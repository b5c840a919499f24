import { describe, expect, it } from 'vitest';
import {
  ConfigurationError,
  memoryReplayGuard,
  nodeWebhookHandler,
  signWebhook,
  verifyWebhook,
  webhookHandler,
} from '../../../src/webhooks/index.js';

const secret = Buffer.from('a signing secret').toString('base64');
const body = '{"type":"quote.executed","data":{}}';

it('a misspelled option is refused: the default tolerance would stay in force unseen', () => {
  const options = { body, headers: signWebhook({ body, secret }), secret };
  expect(verifyWebhook(options).type).toBe('quote.executed');
  const misspelled = { ...options, toleranceSecond: 5 };
  expect(() => verifyWebhook(misspelled)).toThrow(ConfigurationError);
  expect(() => verifyWebhook(misspelled)).toThrow(/toleranceSecond .*toleranceSeconds/);
});

it.each([
  ['verifyWebhook', verifyWebhook, 'toleranceSecond', 'toleranceSeconds'],
  ['signWebhook', signWebhook, 'timestampSecond', 'timestampSeconds'],
  ['webhookHandler', webhookHandler, 'onEvnt', 'onEvent'],
  ['nodeWebhookHandler', nodeWebhookHandler, 'maxBodyByte', 'maxBodyBytes'],
  ['memoryReplayGuard', memoryReplayGuard, 'limits', 'limit'],
] as const)('%s refuses an unknown option and names the one that is meant', (_, call, name, meant) => {
  const options = { [name]: 1 };
  expect(() => call(options as never)).toThrow(ConfigurationError);
  expect(() => call(options as never)).toThrow(new RegExp(`${name} is not an option: did you mean ${meant}\\?`));
});

describe('with members on Object.prototype that cannot be enumerated', () => {
  const POLLUTION: Readonly<Record<string, unknown>> = {
    toleranceSeconds: 1e12,
    scheme: 'body',
    timestampSeconds: 1,
    secrets: ['YSBzaWduaW5nIHNlY3JldA=='],
    onEvent: () => {},
    onRejected: () => {},
    onError: () => {},
    on: { 'quote.executed': () => {} },
    guard: { seen: () => true },
    seen: () => true,
    forget: () => {},
    maxBodyBytes: 1,
    bodyTimeout: 1,
    limit: 1,
    ttl: 0.001,
    event_type: 'webhook.test',
    type: 'webhook.test',
    data: {},
    id: 'polluted',
  };

  /** Runs with members that every object inherits. */
  async function polluted<T>(run: () => T): Promise<Awaited<T>> {
    const names = Object.keys(POLLUTION);
    for (const name of names) {
      const details = { value: POLLUTION[name], configurable: true, writable: true };
      Object.defineProperty(Object.prototype, name, details);
    }
    try {
      return await run();
    } finally {
      for (const name of names) Reflect.deleteProperty(Object.prototype, name);
    }
  }

  const old = signWebhook({ body, secret, timestampSeconds: 1 });
  const fresh = signWebhook({ body, secret });
  const flat = '{"event_type":"deposit.completed","amount":"1"}';

  it('verifyWebhook refuses what is old, and accepts what is fresh', async () => {
    await expect(polluted(() => verifyWebhook({ body, headers: old, secret }))).rejects.toThrow(/s old/);
    expect(await polluted(() => verifyWebhook({ body, headers: fresh, secret }).secretIndex)).toBe(0);
  });

  it('verifyWebhook reads only what was signed', async () => {
    const bodies = ['{"type":"quote.executed","status":"done"}', flat];
    const deliveries = bodies.map((body) => ({ body, headers: signWebhook({ body, secret }), secret }));
    const events = await polluted(() => deliveries.map((delivery) => verifyWebhook(delivery)));
    expect(events).toMatchObject([
      { type: 'quote.executed', data: { status: 'done' } },
      { type: 'deposit.completed', data: { amount: '1' } },
    ]);
    for (const event of events) expect(Object.hasOwn(event, 'id')).toBe(false);
  });

  it('signWebhook signs the time of now in its scheme', async () => {
    const signature = await polluted(() => signWebhook({ body, secret })['X-Signature']);
    expect(signature).toMatch(/^t=\d{10},v1=[0-9a-f]{64}$/);
    expect(Math.abs(Number(signature.slice(2, 12)) - Date.now() / 1000)).toBeLessThan(10);
  });

  it('a handler handles once what is fresh, and nothing that is old', async () => {
    const handled: unknown[] = [];
    const requestOf = (headers: Record<string, string>, body: string) =>
      new Request('https://partner.test', { method: 'POST', body, headers });
    const other = '{"type":"quote.executed","data":{"id":"another"}}';
    const requests = [old, fresh, fresh].map((headers) => requestOf(headers, body));
    requests.push(requestOf(signWebhook({ body: other, secret }), other));
    const options = {
      secret,
      onEvent: ({ id }: { id?: string | undefined }) => handled.push(id),
      onRejected: () => {},
    };
    const answers = await polluted(async () => {
      const handler = webhookHandler(options);
      const statuses: number[] = [];
      for (const request of requests) statuses.push((await handler(request)).status);
      return statuses;
    });
    expect(answers).toEqual([400, 200, 200, 200]);
    expect(handled).toHaveLength(2);
  });

  it('a handler without functions, and one without secret, are refused', async () => {
    await expect(polluted(() => webhookHandler({ secret }))).rejects.toThrow(/on, onEvent or both/);
    await expect(polluted(() => webhookHandler({ onEvent: () => {} } as never))).rejects.toThrow(/secret must/);
  });

  it('memoryReplayGuard has its own limits', async () => {
    const guard = await polluted(() => memoryReplayGuard());
    expect([guard.seen('a'), guard.seen('b'), guard.seen('a')]).toEqual([false, false, true]);
  });
});
