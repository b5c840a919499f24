import { describe, expect, it } from 'vitest';
import { ConfigurationError, nodeWebhookHandler, signWebhook, webhookHandler } from '../../../src/webhooks/index.js';
import { executed, SECRET } from '../support/receiving.js';

const onEvent = () => {};
const good = { secret: SECRET, onEvent };

describe.each([
  ['webhookHandler', webhookHandler],
  ['nodeWebhookHandler', nodeWebhookHandler],
])('%s refuses at once', (_, make: (options: never) => unknown) => {
  it.each([
    ['no secret', { onEvent }, /secret/],
    ['an empty secret', { secret: '', onEvent }, /secret/],
    ['a secret that is not base64', { secret: 'not base64!', onEvent }, /base64/],
    ['no secrets', { secrets: [], onEvent }, /secrets/],
    ['secret and secrets', { secret: SECRET, secrets: [SECRET], onEvent }, /not both/],
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
      tolerance: undefined,
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
  secrets[0] = 'YW5vdGhlcg==';
  on['quote.executed'] = () => void seen.push('second');
  const body = JSON.stringify(executed('evt_1'));
  const init = { method: 'POST', body, headers: signWebhook({ body, secret: SECRET }) };
  expect((await handler(new Request('https://partner.test', init))).status).toBe(200);
  expect(seen).toEqual(['first']);
});

it('frozen options are taken', () => {
  expect(() => webhookHandler(Object.freeze({ ...good, on: Object.freeze({}) }))).not.toThrow();
});
