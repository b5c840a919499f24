import type { IncomingHttpHeaders } from 'node:http';
import { inspect } from 'node:util';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ConfigurationError,
  PartnerError,
  signWebhook,
  verifyWebhook,
  type WebhookBody,
  type WebhookHeaders,
} from '../../../src/webhooks/index.js';
import {
  delivery,
  misuse,
  reasonOf,
  refusal,
  stopClock,
  thrownBy,
  VECTOR,
  VECTOR_HEADER,
} from '../support/delivery.js';

const { secret, body } = VECTOR;

beforeEach(() => stopClock());
afterAll(() => vi.useRealTimers());

const withHeaders = (headers: unknown) => () => verifyWebhook({ body, secret, headers: headers as WebhookHeaders });
const withBody = (given: unknown) => () =>
  verifyWebhook({ body: given as WebhookBody, secret, headers: { 'X-Signature': VECTOR_HEADER } });

describe('headers', () => {
  const node: IncomingHttpHeaders = { 'x-signature': VECTOR_HEADER, 'set-cookie': ['a', 'b'] };

  it.each([
    ['a fetch Headers', new Headers({ 'x-signature': VECTOR_HEADER })],
    ['the headers of node:http', node],
    ['a record in the documented letter case', { 'X-Signature': VECTOR_HEADER }],
    ['a record in capitals', { 'X-SIGNATURE': VECTOR_HEADER }],
    ['a record of lists', { 'X-Signature': [VECTOR_HEADER] }],
    ['a record without prototype', Object.assign(Object.create(null), { 'x-signature': VECTOR_HEADER })],
    ['a Map in any letter case', new Map([['X-Signature', VECTOR_HEADER]])],
    ['any object with get()', { get: (name: string) => (/^x-signature$/i.test(name) ? VECTOR_HEADER : null) }],
    ['a header that a proxy split', { 'x-signature': VECTOR_HEADER.split(',') }],
  ])('may be %s', (_, headers) => {
    expect(withHeaders(headers)().type).toBe('webhook.test');
  });

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['an empty record', {}],
    ['an empty Headers', new Headers()],
    ['an undefined value', { 'x-signature': undefined }],
    ['an empty list', { 'x-signature': [] }],
    ['a blank value', { 'x-signature': '  ' }],
    ['only other headers', { 'x-signature-2': VECTOR_HEADER, 'content-type': 'application/json' }],
    ['a string', VECTOR_HEADER],
  ])('that are %s miss the signature', (_, headers) => {
    expect(reasonOf(withHeaders(headers))).toBe('missing_header');
  });
});

describe('the body', () => {
  const bytes = Buffer.from(body);
  const inside = new Uint8Array(bytes.length + 8);
  inside.set(bytes, 4);

  it.each([
    ['text', body],
    ['a Buffer', bytes],
    ['a Uint8Array', new Uint8Array(bytes)],
    ['an ArrayBuffer', new Uint8Array(bytes).buffer],
    ['a part of a larger buffer', inside.subarray(4, 4 + bytes.length)],
    ['a Uint8Array of another realm', runInNewContext('Uint8Array.from(bytes)', { bytes: [...bytes] })],
    ['an ArrayBuffer of another realm', runInNewContext('Uint8Array.from(bytes).buffer', { bytes: [...bytes] })],
  ])('may be %s', (_, given) => {
    expect(withBody(given)().type).toBe('webhook.test');
  });

  it.each([
    ['an object', JSON.parse(body)],
    ['the empty object of a skipped parser', {}],
    ['a list', [body]],
    ['undefined', undefined],
    ['null', null],
    ['a number', 5],
  ])('that was parsed (%s) is refused with advice for each framework', (_, parsed) => {
    const error = refusal(withBody(parsed));
    expect(error.reason).toBe('bad_format');
    for (const advice of [
      "express.raw({ type: 'application/json' })",
      'addContentTypeParser',
      'c.req.raw.arrayBuffer()',
      'request.arrayBuffer()',
    ]) {
      expect(error.message).toContain(advice);
    }
  });

  it('that is neither text nor bytes cannot be signed', () => {
    expect(reasonOf(() => signWebhook({ body: {} as WebhookBody, secret }))).toBe('bad_format');
  });
});

describe('secrets', () => {
  const headers = { 'X-Signature': VECTOR_HEADER };
  const given = (members: object) => () => verifyWebhook({ body, headers, ...members } as never);

  it.each([
    ['none', {}],
    ['an undefined one', { secret: undefined }],
    ['an empty one', { secret: '' }],
    ['a blank one', { secret: '  ' }],
    ['one that is no text', { secret: 5 }],
    ['an empty list', { secrets: [] }],
    ['a text in place of a list', { secrets: secret }],
    ['a list with a hole', { secrets: [secret, undefined] }],
    ['a sparse list', { secrets: Object.assign(new Array(2), { 0: secret }) }],
    ['a list with an empty one', { secrets: [secret, ''] }],
    ['both members', { secret, secrets: [secret] }],
    ['one that is not base64', { secret: 'not base64!' }],
    ['one with a line break', { secret: `${secret}\n` }],
    ['one that stands for no byte', { secret: 'A' }],
    ['a list with one that is not base64', { secrets: [secret, 'whsec:abc'] }],
  ])('that are %s are a mistake of configuration, never a skipped check', (_, members) => {
    expect(misuse(given(members)).message).toMatch(/secret/);
  });

  it('are checked before the delivery is looked at, so that the mistake shows on the first one', () => {
    misuse(() => verifyWebhook({ body: 'x', headers: {}, secret: 'not base64!' }));
  });

  it('cannot be used under a scheme that does not exist', () => {
    expect(misuse(given({ secret, scheme: 'none' })).message).toContain('scheme');
    expect(misuse(() => signWebhook({ body, secret, scheme: null as never })).message).toContain('scheme');
  });
});

describe('objects of the caller', () => {
  it('are never changed: frozen ones work', () => {
    const secrets = Object.freeze([secret]);
    const headers = Object.freeze({ 'X-Signature': Object.freeze([VECTOR_HEADER]) });
    expect(verifyWebhook(Object.freeze({ body, headers, secrets })).type).toBe('webhook.test');
    expect(signWebhook(Object.freeze({ body, secret, timestampSeconds: VECTOR.timestamp }))).toEqual({
      'X-Signature': VECTOR_HEADER,
    });
  });
});

describe('errors', () => {
  const confidential = 'confidential-member';
  const text = `not json: ${confidential}`;
  const good = delivery(text);
  const signature = String(good.headers['X-Signature']).slice(-64);
  const verifyAt = (seconds: number) => {
    stopClock(seconds);
    return verifyWebhook(good);
  };
  const failures: ReadonlyArray<readonly [string, () => unknown]> = [
    ['bad_signature', () => verifyWebhook({ ...good, body: `${text}!` })],
    ['bad_format of the body', () => verifyWebhook(good)],
    ['bad_format of the header', () => verifyWebhook({ ...good, headers: { 'X-Signature': signature } })],
    ['a parsed body', () => verifyWebhook({ ...good, body: { [confidential]: 1 } as never })],
    ['too_old', () => verifyAt(1e6)],
    ['too_new', () => verifyAt(-1e6)],
    ['missing_header', () => verifyWebhook({ ...good, headers: {} })],
    ['a secret that is not base64', () => verifyWebhook({ ...good, secret: `${secret}!` })],
    ['a secret given twice', () => verifyWebhook({ ...good, secrets: [secret] } as never)],
  ];

  it.each(failures)('of %s show neither secret nor signature nor body', (_, run) => {
    const error = thrownBy(run);
    expect(error).toBeInstanceOf(PartnerError);
    const shown = [inspect(error, { depth: 20, showHidden: true }), JSON.stringify(error), String(error)].join('\n');
    for (const hidden of [secret, signature, confidential]) expect(shown).not.toContain(hidden);
  });

  it('are told apart by class: the sender at fault, or the program', () => {
    expect(refusal(withHeaders({}))).not.toBeInstanceOf(ConfigurationError);
    expect(JSON.parse(JSON.stringify(refusal(withHeaders({}))))).toMatchObject({
      name: 'WebhookVerificationError',
      reason: 'missing_header',
    });
  });
});
