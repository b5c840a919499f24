import { describe, expect, it, vi } from 'vitest';
import { ConfigurationError, nodeWebhookHandler, signWebhook, webhookHandler } from '../../../src/webhooks/index.js';
import { executed, recording, SECRET, throwing } from '../support/receiving.js';

const onEvent = () => {};
const good = { secret: SECRET, onEvent };

describe.each([
  ['webhookHandler', webhookHandler],
  ['nodeWebhookHandler', nodeWebhookHandler],
])('%s refuses at once', (_, make: (options: never) => unknown) => {
  it.each([
    ['no secret', { onEvent }, /secret/],
    ['nothing to do', { secret: SECRET }, /onEvent/],
    ['nothing to do in the map', { secret: SECRET, on: { 'quote.executed': undefined } }, /onEvent/],
    ['no options', undefined, /must be an object/],
    ['a misspelled option', { ...good, onRejeced: onEvent }, /onRejeced.*onRejected/],
    ['an option of verifyWebhook that the request gives', { ...good, body: '' }, /body/],
    ['functions that are none', { ...good, onEvent: 'log' }, /onEvent/],
    ['a map that is none', { ...good, on: onEvent }, /on must/],
    ['a map with something else', { ...good, on: { 'quote.executed': true } }, /on.quote.executed must/],
    ['an onRejected that is no function', { ...good, onRejected: {} }, /onRejected/],
    ['an onError that is no function', { ...good, onError: 1 }, /onError/],
    ['a guard without seen', { ...good, guard: { has: onEvent } }, /guard.*seen/],
    ['a guard whose forget is no function', { ...good, guard: { seen: onEvent, forget: true } }, /guard/],
    ['a limit of 0', { ...good, maxBodyBytes: 0 }, /maxBodyBytes/],
    ['a limit without end', { ...good, maxBodyBytes: Number.POSITIVE_INFINITY }, /maxBodyBytes/],
    ['a time limit that no timer has', { ...good, bodyTimeout: 2 ** 31 }, /bodyTimeout/],
    ['a tolerance without end', { ...good, toleranceSeconds: Number.POSITIVE_INFINITY }, /toleranceSeconds/],
    ['a tolerance where no time is signed', { ...good, scheme: 'body', toleranceSeconds: 5 }, /toleranceSeconds/],
    ['an unknown scheme', { ...good, scheme: 'v2' }, /scheme/],
  ])('%s', (__, options, message) => {
    expect(() => make(options as never)).toThrow(ConfigurationError);
    expect(() => make(options as never)).toThrow(message);
    expect(() => make(options as never)).not.toThrow(new RegExp(SECRET));
  });

  it('nothing of options that are given as undefined', () => {
    const options = {
      ...good,
      secrets: undefined,
      on: undefined,
      guard: undefined,
      toleranceSeconds: undefined,
    };
    expect(() => make(options as never)).not.toThrow();
  });
});

it('later changes of the given objects change nothing', async () => {
  const seen: string[] = [];
  const secrets = [SECRET];
  const on: Record<string, () => void> = { 'quote.executed': () => void seen.push('first') };
  const handler = webhookHandler({ secrets, on });
  secrets[0] = 'YW5vdGhlciBzaWduaW5nIHNlY3JldA==';
  on['quote.executed'] = () => void seen.push('second');
  const body = JSON.stringify(executed('evt_1'));
  const init = { method: 'POST', body, headers: signWebhook({ body, secret: SECRET }) };
  expect((await handler(new Request('https://partner.test', init))).status).toBe(200);
  expect(seen).toEqual(['first']);
});

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
