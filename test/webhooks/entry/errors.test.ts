import { expect, it } from 'vitest';
import * as main from '../../../src/index.js';
import * as redis from '../../../src/redis/index.js';
import * as webhooks from '../../../src/webhooks/index.js';

const { ConfigurationError, signWebhook, verifyWebhook, WebhookVerificationError, webhookHandler } = webhooks;

const secret = Buffer.from('a signing secret').toString('base64');
const client = { eval: async () => null } as never;

it.each([
  ['a wrong option of a handler', ConfigurationError, () => webhookHandler({ secret: '', onEvent: () => {} })],
  ['a wrong option of verifyWebhook', ConfigurationError, () => verifyWebhook({ body: '', headers: {}, secret: '' })],
  ['a wrong option of signWebhook', ConfigurationError, () => signWebhook({ body: '', secret: '' })],
  ['a body that is none', WebhookVerificationError, () => signWebhook({ body: {} as never, secret })],
  ['a missing signature', WebhookVerificationError, () => verifyWebhook({ body: '', headers: {}, secret })],
])('what ./webhooks throws for %s can be caught with what it exports', (_, ErrorClass, run) => {
  expect(run).toThrow(ErrorClass);
  expectOurs(run, webhooks);
});

it('what redisKeyLeases throws can be caught with what ./redis exports', () => {
  for (const [given, options] of [[{}], [client, { ttl: 1 }], [client, { tll: 1_000 }]] as const) {
    const create = () => redis.redisKeyLeases(given as never, options as never);
    expect(create).toThrow(redis.ConfigurationError);
    expectOurs(create, redis);
  }
});

function expectOurs(run: () => unknown, { PartnerError, isPartnerError }: typeof redis | typeof webhooks): void {
  expect(run).toThrow(PartnerError);
  try {
    run();
  } catch (error) {
    expect([isPartnerError(error), main.isPartnerError(error)]).toEqual([true, true]);
  }
}
