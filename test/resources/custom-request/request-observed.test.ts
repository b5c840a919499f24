import { describe, expect, it } from 'vitest';
import { NotFoundError, type PartnerError, RequestValidationError } from '../../../src/index.js';
import { HOOKS, recorder } from '../../calls/support/recorder.js';
import { failure, json, rejection, startService, wrong } from '../support/service.js';

const service = startService();

const WHOLE: readonly (readonly [path: string, ids: readonly string[]])[] = [
  ['/v1/accounts/ACCOUNT-0000001/transfers/secret-id-123?x=1', ['ACCOUNT-0000001', 'secret-id-123', 'x=1']],
  ['/v1/quotes/3f0c1f7e-52a5-4b65-9a3d-0f7f6a1d2c3b/execute', ['3f0c1f7e-52a5-4b65-9a3d-0f7f6a1d2c3b']],
  ['/v1/users/jane%40example.com/assets', ['jane', 'example.com']],
  // Ids that no form tells from the words of a path.
  ['/v1/users/johnsmith', ['johnsmith']],
  ['/v1/addresses/cold', ['cold']],
  ['/v1/orders/v1234567890123', ['v1234567890123']],
];

/** A 503 is repeated where repeating is safe, a 404 ends the call: every hook and every line is seen. */
const refusals = () =>
  service.answer((_, index) => (index === 0 ? failure(503, 'unavailable') : failure(404, 'not_found')));

describe('hooks, logger and errors of a request() show the template of its path', () => {
  it('a template is shown, its ids are not', async () => {
    refusals();
    const { told, lines, hooks, logger } = recorder();
    const client = service.client({ hooks, logger, maxRetries: 1, maxRetryAfter: 0 });
    const path = '/v1/users/{user_id}/orders/{order_id}/cancel';
    const params = { user_id: 'johnsmith', order_id: 'a/b c' };
    const error = (await rejection(
      client.request({ method: 'POST', path, params, body: {}, idempotent: true }),
    )) as PartnerError;
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error.operation).toBe(`POST ${path}`);
    expect(new Set(told.map(({ name }) => name))).toEqual(new Set(HOOKS));
    for (const { event } of told) expect(event).toMatchObject({ path, operation: `POST ${path}` });
    expect(lines).toHaveLength(6);
    expect(JSON.stringify([told, lines]) + error.stack).not.toMatch(/johnsmith|a\/b c|a%2Fb/);
    const sent = '/v1/users/johnsmith/orders/a%2Fb%20c/cancel';
    expect(service.received.map((received) => received.path)).toEqual([sent, sent]);
  });

  it.each(WHOLE)('%s, given whole, is its method alone', async (path, ids) => {
    refusals();
    const { told, lines, hooks, logger } = recorder();
    const client = service.client({ hooks, logger, maxRetries: 1, maxRetryAfter: 0 });
    const request = { method: 'POST', path, body: {}, idempotent: true } as const;
    const error = await rejection(client.request(request), NotFoundError);
    expect(error.operation).toBe('POST');
    expect(new Set(told.map(({ name }) => name))).toEqual(new Set(HOOKS));
    for (const { event } of told) expect(event).toMatchObject({ path: '', operation: 'POST' });
    expect(lines).toHaveLength(6);
    const shown = JSON.stringify([told, lines]) + error.stack;
    for (const id of ids) expect(shown).not.toContain(id);
    expect(service.received.map((received) => received.path)).toEqual([path, path]);
  });

  it('params that are empty say that the path may be shown; its query is not', async () => {
    service.answer(() => json({ data: 1 }));
    const { of, hooks } = recorder();
    await service.client({ hooks }).request({ method: 'GET', path: '/v1/assets?owner=jane', params: {} });
    expect(of('onRequest')).toMatchObject([{ path: '/v1/assets', operation: 'GET /v1/assets' }]);
    expect(service.only.path).toBe('/v1/assets?owner=jane');
  });

  it('the OTP provider is told the template', async () => {
    service.answer(() => json({ data: 1 }));
    const asked: string[] = [];
    const otp = (operation: string) => {
      asked.push(operation);
      return '123456';
    };
    const path = '/v1/accounts/{account_id}/transfers';
    const params = { account_id: 'ACCOUNT-0000001' };
    await service.client().request({ method: 'POST', path, params, otp });
    expect(asked).toEqual([`POST ${path}`]);
  });
});

describe('a request() with wrong input counts and is told like every failed call', () => {
  it('by its hook and a line, and sends nothing', async () => {
    const { told, lines, hooks, logger } = recorder();
    const client = service.client({ hooks, logger });
    const error = await rejection(client.request(wrong({ path: '/v1/x' })), RequestValidationError);
    expect(error.issues.map(({ path }) => path)).toEqual(['method']);
    expect(client.stats()).toMatchObject({ failed: 1, succeeded: 0, running: 0 });
    expect(told.map(({ name }) => name)).toEqual(['onStart', 'onError', 'onEnd']);
    expect(told[1]?.event).toMatchObject({ error, operation: error.operation });
    expect(lines).toHaveLength(1);
    expect(service.received).toEqual([]);
  });

  it('does not show a wrong path, which may hold an id', async () => {
    const { told, lines, hooks, logger } = recorder();
    const request = { method: 'GET', path: 'v1/accounts/ACCOUNT-0000001/x?secret=1' } as const;
    const error = (await rejection(service.client({ hooks, logger }).request(request))) as PartnerError;
    expect(JSON.stringify([told, lines, error]) + error.stack).not.toMatch(/ACCOUNT-0000001|secret=1/);
  });
});
