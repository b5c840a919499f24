import { describe, expect, it, vi } from 'vitest';
import { ConfigurationError, nodeWebhookHandler, webhookHandler } from '../../../src/webhooks/index.js';
import { recording, throwing } from '../support/receiving.js';

/** A request that throws as soon as it is looked at. */
const unreadable = (error: Error) => new Proxy({}, { get: throwing(error) });

describe('webhookHandler', () => {
  it.each([undefined, null, 5, {}])('called with %j instead of a request answers 500 and says so', async (request) => {
    const { errors, options } = recording();
    const response = await webhookHandler(options)(request as never);
    expect([response.status, await response.text()]).toEqual([500, 'failed']);
    expect(errors).toEqual([expect.any(ConfigurationError)]);
    expect(String(errors[0])).toContain('nodeWebhookHandler');
  });

  it('answers 500 also when the request throws as it is looked at', async () => {
    const { errors, options } = recording();
    const error = new Error('a broken framework');
    expect((await webhookHandler(options)(unreadable(error) as never)).status).toBe(500);
    expect(errors).toEqual([error]);
  });
});

describe('nodeWebhookHandler', () => {
  const response = () => ({ headersSent: false, destroyed: false, writeHead: vi.fn(), end: vi.fn() });

  it.each([undefined, null, 5])('called with %j instead of a request answers 500 and says so', async (request) => {
    const { errors, options } = recording();
    const its = response();
    await nodeWebhookHandler(options)(request as never, its);
    expect(its.writeHead.mock.calls).toEqual([[500, { 'content-type': 'text/plain; charset=utf-8' }]]);
    expect(its.end.mock.calls).toEqual([['failed']]);
    expect(errors).toEqual([expect.any(ConfigurationError)]);
    expect(String(errors[0])).toContain('webhookHandler');
  });

  it('called with nothing at all has nothing to write to, and says so', async () => {
    const { errors, options } = recording();
    await expect(nodeWebhookHandler(options)(undefined as never, undefined as never)).resolves.toBeUndefined();
    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors) expect(error).toBeInstanceOf(ConfigurationError);
  });

  it('reports also a request that throws as it is looked at', async () => {
    const { errors, options } = recording();
    const error = new Error('a broken framework');
    await nodeWebhookHandler(options)(unreadable(error) as never, response());
    expect(errors[0]).toBe(error);
  });
});
