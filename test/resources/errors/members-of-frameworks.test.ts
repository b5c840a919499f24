import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as sdk from '../../../src/index.js';
import { createSandbox } from '../../../src/sandbox/index.js';
import { verifyWebhook } from '../../../src/webhooks/index.js';
import { USER } from '../support/operations.js';
import { json, rejection, startService } from '../support/service.js';

const service = startService();

/** The error handlers of Express, Koa, Fastify and h3 answer with these members of an error. */
const NAMES = ['status', 'statusCode', 'statusText', 'statusMessage', 'headers', 'expose'];
const membersOf = (error: object): string[] => NAMES.filter((name) => name in error);

const hostile = Object.assign(new Error('of a library'), { status: 401, statusCode: 401, headers: {}, expose: true });
const facts = {
  outcome: 'not_applied',
  operation: 'users.get',
  attempts: { count: 2, failures: [{ reason: 'status', status: 401 }] },
  idempotencyKey: undefined,
} as const;
const headers = { 'set-cookie': 'a=b' };
const quote = { status: 'expired', headers } as unknown as sdk.Quote;

const API_CLASSES = [
  ...[sdk.ApiError, sdk.BadRequestError, sdk.UnauthenticatedError, sdk.ForbiddenError, sdk.NotFoundError],
  ...[sdk.ConflictError, sdk.GoneError, sdk.ResourceExhaustedError, sdk.InternalError, sdk.UnimplementedError],
  ...[sdk.UnavailableError, sdk.DeadlineExceededError],
];

const CONSTRUCTED: readonly Error[] = [
  new sdk.PartnerError('m', facts, { cause: hostile }),
  new sdk.ConfigurationError('m', facts, { cause: hostile }),
  new sdk.RequestValidationError([{ path: 'status', message: 'is wrong' }], facts),
  new sdk.ConnectionError('m', facts, { cause: hostile, code: 'ECONNRESET' }),
  new sdk.TimeoutError('m', facts, { cause: hostile }),
  new sdk.AbortedError('m', facts, { cause: hostile }),
  new sdk.ProviderError('m', facts, { cause: hostile }),
  new sdk.ResponseValidationError([], { response: { status: 200, headers }, body: '<html>' }, facts),
  new sdk.TradeError('m', facts, quote, { cause: hostile }),
  new sdk.WebhookVerificationError('too_old', 'm'),
  ...API_CLASSES.map((ApiError) => new ApiError({ response: { status: 401, headers } }, facts)),
];

describe('an error has no member with which a web framework answers', () => {
  it('whichever class of the package it has', () => {
    const exported = Object.keys(sdk).filter((name) => /^[A-Z]\w*Error$/.test(name));
    expect(CONSTRUCTED.map(({ name }) => name).sort()).toEqual(exported.sort());
    expect(CONSTRUCTED.map((error) => [error.name, membersOf(error)])).toEqual(
      CONSTRUCTED.map(({ name }) => [name, []]),
    );
  });

  it('whatever the service answers, also in the envelope', async () => {
    const member = fc.constantFrom(...NAMES, 'code', 'type', 'instance', 'doc_url', 'causes', 'message');
    const value = fc.oneof(fc.string(), fc.integer(), fc.constant({ 'set-cookie': 'a=b' }), fc.constant([{}]));
    const envelope = fc.dictionary(member, value);
    const name = fc.constantFrom('set-cookie', 'retry-after', 'statuscode', 'expose', 'access-control-allow-origin');
    const head = fc.dictionary(name, fc.stringMatching(/^[a-z]=[a-z0-9]{1,9}$/));
    const status = fc.integer({ min: 200, max: 599 }).filter((one) => ![204, 205, 304].includes(one));
    await fc.assert(
      fc.asyncProperty(status, head, envelope, async (answered, sent, error) => {
        service.answer(() => json({ error }, answered, sent));
        const thrown = await rejection(service.client().users.get(USER), sdk.PartnerError);
        expect(membersOf(thrown)).toEqual([]);
        expect(thrown).toMatchObject({ response: { status: answered, headers: sent } });
      }),
      { numRuns: 200 },
    );
  });

  it('in the sandbox and for deliveries', async () => {
    const sandbox = createSandbox();
    const { userId } = sandbox.fixtures;
    const calls: readonly (() => unknown)[] = [
      () => createSandbox({ seed: {} as never }),
      () => sandbox.fail({ fault: 'nothing' as never }),
      () => sandbox.users.setStatus('nobody', { state: 'blocked' }),
      () => sandbox.wallets.approve(userId),
      () => verifyWebhook({ body: '{}', headers: {}, secret: 's' }),
    ];
    for (const call of calls) {
      const thrown = await rejection(async () => call(), Error);
      expect(membersOf(thrown), thrown.message).toEqual([]);
    }
  });
});

describe('error.response', () => {
  const HEADERS = { 'set-cookie': 'session=of-the-service', 'x-trace': 'trace-7' };
  const refuse = (status: number, more: Record<string, string> = {}) =>
    service.answer(() => json({ error: { code: 'conflict' } }, status, { ...HEADERS, ...more }));
  const write = { method: 'POST', path: '/v1/x', body: {}, idempotent: true } as const;

  it('describes a rejection as withResponse() describes a success', async () => {
    refuse(409);
    const { response, idempotencyKey, attempts } = await rejection(service.client().request(write), sdk.ConflictError);
    expect(idempotencyKey).toMatch(/-4/);
    expect({ attempts: response.attempts, key: response.idempotencyKey, replayed: response.replayed }).toEqual({
      attempts: attempts.count,
      key: idempotencyKey,
      replayed: false,
    });
    expect(response.headers).toMatchObject(HEADERS);
    service.answer(() => json({ data: 1 }, 200, HEADERS));
    const success = (await service.client().request(write).withResponse()).response;
    expect(Object.getOwnPropertyNames(response).sort()).toEqual(Object.keys(success).sort());
  });

  it('says that the rejection was a replay of an earlier one, as error.replayed does', async () => {
    refuse(409, { 'Idempotent-Replayed': 'true' });
    const error = await rejection(service.client().request(write), sdk.ConflictError);
    expect([error.replayed, error.response.replayed]).toEqual([true, true]);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ replayed: true });
    refuse(409);
    expect((await rejection(service.client().request(write), sdk.ConflictError)).replayed).toBe(false);
  });

  it.each([
    ['of a rejection', 409],
    ['of a response of a wrong shape', 200],
  ])('%s shows its status alone in logs', async (_, status) => {
    refuse(status);
    const error = await rejection(service.client().users.get(USER), sdk.PartnerError);
    expect(JSON.parse(JSON.stringify(error)).response).toEqual({ status });
    expect(inspect(error)).toContain(`response: { status: ${status} }`);
    expect(`${inspect(error)} ${JSON.stringify(error)} ${JSON.stringify({ ...error })}`).not.toMatch(
      /session=|trace-7/,
    );
  });

  it('is undefined where no response arrived', () => {
    expect(new sdk.ResponseValidationError([], { body: '' }).response).toBeUndefined();
  });

  it('needs its status alone in an error that a test of the application constructs', () => {
    const error = new sdk.ConflictError({ response: { status: 409 } });
    expect(error).toMatchObject({ message: '409 no error envelope', code: '', type: '', causes: [], replayed: false });
    expect(error).toMatchObject({ response: { headers: {}, attempts: 0, idempotencyKey: undefined, replayed: false } });
  });
});
