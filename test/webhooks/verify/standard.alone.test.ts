import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { nodeWebhookHandler, signWebhook, verifyWebhook } from '../../../src/webhooks/index.js';
import { misuse, reasonOf, refusal } from '../support/delivery.js';

/** The vector of `libraries/javascript/src/webhook.test.ts` in github.com/standard-webhooks/standard-webhooks. */
const PUBLISHED = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1614265330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
} as const;

/** A signature of the same suite that matches nothing here. */
const FOREIGN = 'Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=';

const { secret, id, timestamp } = PUBLISHED;
const body = '{"type":"quote.executed","id":"evt_1","data":{"id":"q-1"}}';
const theirs = new Webhook(secret);
const at = (seconds: number): Date => new Date(seconds * 1000);

/** The headers of a delivery as the public library signs it. */
const headersOf = (change: Record<string, string | undefined> = {}, prefix = 'webhook') => ({
  [`${prefix}-id`]: id,
  [`${prefix}-timestamp`]: String(timestamp),
  [`${prefix}-signature`]: theirs.sign(id, at(timestamp), body),
  ...change,
});

const verify = (headers: Record<string, string | undefined>, given: Partial<{ secret: string; body: string }> = {}) =>
  verifyWebhook({ body, secret, ...given, headers, scheme: 'standard' });

beforeEach(() => void vi.setSystemTime(timestamp * 1000));
afterAll(() => vi.useRealTimers());

describe("the scheme 'standard'", () => {
  it('signs the published vector as it is published', () => {
    const signed = signWebhook({ body: PUBLISHED.body, secret, scheme: 'standard', id, timestampSeconds: timestamp });
    expect(signed).toEqual({
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': PUBLISHED.signature,
    });
  });

  it('accepts the published vector up to its content, which is no event', () => {
    const headers = headersOf({ 'webhook-signature': PUBLISHED.signature });
    expect(refusal(() => verify(headers, { body: PUBLISHED.body })).message).toContain('names no event kind');
  });

  it.each(['webhook', 'svix'])('accepts what the public library signs, in the headers %s-…', (prefix) => {
    const event = verify(headersOf({}, prefix));
    expect(event).toMatchObject({ id, type: 'quote.executed', data: { id: 'q-1' }, timestamp, secretIndex: 0 });
  });

  it('takes the secret with and without whsec_', () => {
    expect(verify(headersOf(), { secret: secret.slice('whsec_'.length) }).id).toBe(id);
  });

  it.each([
    ['a list, as in the suite', `v1,${FOREIGN} v2,${FOREIGN} `, ` v1,${FOREIGN}`],
    ['a header that was sent twice and joined', `v1,${FOREIGN}, `, ''],
    ['an asymmetric signature', `v1a,${FOREIGN} `, ''],
  ])('finds its signature in %s', (_, before, after) => {
    const list = `${before}${theirs.sign(id, at(timestamp), body)}${after}`;
    expect(verify(headersOf({ 'webhook-signature': list })).id).toBe(id);
  });

  it('does not take a signature of another version', () => {
    const other = theirs.sign(id, at(timestamp), body).replace('v1,', 'v2,');
    expect(reasonOf(() => verify(headersOf({ 'webhook-signature': `v1,${FOREIGN} ${other}` })))).toBe('bad_signature');
  });

  it.each([
    ['without id', { 'webhook-id': undefined }, 'missing_header'],
    ['without time', { 'webhook-timestamp': undefined }, 'missing_header'],
    ['without signature', { 'webhook-signature': undefined }, 'missing_header'],
    ['with a time that is none', { 'webhook-timestamp': 'hello' }, 'bad_format'],
    ['with no version that is known', { 'webhook-signature': `v2,${FOREIGN}` }, 'bad_format'],
    ['with an empty signature', { 'webhook-signature': 'v1,' }, 'bad_format'],
    ['with another signature', { 'webhook-signature': 'v1,dawfeoifkpqwoekfpqoekf' }, 'bad_signature'],
    ['with a part of the signature', { 'webhook-signature': PUBLISHED.signature.slice(0, 8) }, 'bad_signature'],
    ['under another id', { 'webhook-id': 'msg_2' }, 'bad_signature'],
    ['of another time', { 'webhook-timestamp': String(timestamp + 1) }, 'bad_signature'],
  ])('rejects a delivery %s', (_, change, reason) => {
    expect(reasonOf(() => verify(headersOf(change)))).toBe(reason);
  });

  it.each([
    [301, 'too_old'],
    [-301, 'too_new'],
  ])('rejects a delivery %d s from its time', (distance, reason) => {
    vi.setSystemTime((timestamp + distance) * 1000);
    expect(reasonOf(() => verify(headersOf()))).toBe(reason);
  });

  it('agrees with the public library and with a second reading for every body, secret and id', () => {
    const secrets = fc.uint8Array({ minLength: 16, maxLength: 64 }).map((bytes) => Buffer.from(bytes));
    const ids = fc.stringMatching(/^[!-~]{1,40}$/);
    const property = fc.property(fc.dictionary(fc.string(), fc.jsonValue()), secrets, ids, (members, bytes, name) => {
      const sent = JSON.stringify({ type: 'some.kind', data: members });
      const given = { body: sent, secret: `whsec_${bytes.toString('base64')}` };
      const headers = signWebhook({ ...given, scheme: 'standard', id: name });
      expect(new Webhook(given.secret).verify(sent, headers)).toEqual(JSON.parse(sent));
      const second = createHmac('sha256', bytes).update(`${name}.${timestamp}.${sent}`).digest('base64');
      expect(headers['webhook-signature']).toBe(`v1,${second}`);
      expect(verifyWebhook({ ...given, headers, scheme: 'standard' })).toMatchObject({ id: name, type: 'some.kind' });
    });
    fc.assert(property);
  });

  it('draws an id for each body that is signed without one', () => {
    const ids = [1, 2].map(() => signWebhook({ body, secret, scheme: 'standard' })['webhook-id']);
    expect(ids[0]).toMatch(/^msg_/);
    expect(new Set(ids).size).toBe(2);
  });

  it.each([
    ['an id that no header carries', { scheme: 'standard', id: 'two words' }, /printable ASCII/],
    ['an empty id', { scheme: 'standard', id: '' }, /printable ASCII/],
    [
      'an id in a scheme that signs none',
      { id: 'msg_1', secret: secret.slice(6) },
      /id cannot be given: only the scheme 'standard'/,
    ],
  ] as const)('does not sign %s', (_, change, message) => {
    expect(misuse(() => signWebhook({ body, secret, ...change })).message).toMatch(message);
  });

  it('is named by the refusal of a handler of the default scheme that gets such a delivery', async () => {
    const rejections: string[] = [];
    const onRejected = ({ message }: { message: string }) => rejections.push(message);
    const receive = nodeWebhookHandler({ secret: secret.slice(6), onEvent: () => {}, onRejected });
    for (const prefix of ['webhook', 'svix']) {
      const written = { headersSent: false, destroyed: false, writeHead: () => {}, end: () => {} };
      await receive({ method: 'POST', headers: headersOf({}, prefix), rawBody: body }, written);
    }
    expect(rejections).toEqual([
      "the delivery has no header X-Signature, but it has webhook-signature: give scheme: 'standard'",
      "the delivery has no header X-Signature, but it has svix-signature: give scheme: 'standard'",
    ]);
  });
});

describe('a secret that cannot be the whole one of its scheme is refused, and not shown', () => {
  it.each([
    ['the prefix of another scheme', 'timestamped', secret, /begins with whsec_.*scheme: 'standard'/],
    ['hex', 'timestamped', '0123456789abcdef'.repeat(4), /looks like hex/],
    ['a PEM file', 'timestamped', '-----BEGIN PRIVATE KEY-----', /is a PEM file/],
    ['15 bytes', 'timestamped', Buffer.alloc(15, 7).toString('base64'), /fewer than 16 bytes/],
    ['15 bytes after the prefix', 'standard', `whsec_${Buffer.alloc(15, 7).toString('base64')}`, /fewer than 16 bytes/],
    ['no base64 after the prefix', 'standard', 'whsec_!not-base64', /must be base64/],
  ] as const)('%s in the scheme %s', (_, scheme, wrong, message) => {
    const mistakes = [
      misuse(() => signWebhook({ body, secret: wrong, scheme })),
      misuse(() => verifyWebhook({ body, secret: wrong, scheme, headers: {} })),
      misuse(() => nodeWebhookHandler({ secret: wrong, scheme, onEvent: () => {} })),
    ];
    for (const mistake of mistakes) {
      expect(mistake.message).toMatch(message);
      expect(mistake.message).not.toContain(wrong.slice(6));
    }
  });

  it('16 bytes are enough, and any text in the scheme body', () => {
    expect(signWebhook({ body, secret: Buffer.alloc(16, 7).toString('base64') })).toHaveProperty('X-Signature');
    expect(signWebhook({ body, secret: 'whsec_x', scheme: 'body' })).toHaveProperty('X-Signature');
  });
});
