import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { signWebhook, verifyWebhook } from '../../../src/webhooks/index.js';
import { delivery, reasonOf, stopClock, VECTOR, VECTOR_HEADER, v1Of } from '../support/delivery.js';

const { secret, timestamp, body, v1 } = VECTOR;
beforeEach(() => stopClock());
afterAll(() => vi.useRealTimers());

const OTHER_SECRET = Buffer.from('another signing secret').toString('base64');

function verify(header: string, overrides: { body?: string | Uint8Array; secrets?: readonly string[] } = {}) {
  return verifyWebhook({
    body: overrides.body ?? body,
    headers: { 'X-Signature': header },
    secrets: overrides.secrets ?? [secret],
  });
}

describe('the signature of a delivery', () => {
  it('accepts a known signature', () => {
    expect(verify(VECTOR_HEADER)).toMatchObject({ type: 'webhook.test', timestamp, secretIndex: 0 });
  });

  it('gives a known signature', () => {
    expect(signWebhook({ body, secret, timestampSeconds: timestamp })).toEqual({ 'X-Signature': VECTOR_HEADER });
  });

  const stale = v1Of(body, OTHER_SECRET, timestamp);

  it.each([
    ['hex in capitals and blanks around the parts', ` t=${timestamp} , v1=${v1.toUpperCase()} `],
    ['any matching v1 part among several: the last', `t=${timestamp},v1=${stale},v1=${v1}`],
    ['any matching v1 part among several: the first', `t=${timestamp},v1=${v1},v1=${stale}`],
    [
      'a header that was sent twice, for each secret, and joined on its way',
      `t=${timestamp},v1=${stale}, ${VECTOR_HEADER}`,
    ],
    ['parts of versions that it does not know', `t=${timestamp},v0=old,v1=${v1},v2=new,flag`],
  ])('accepts %s', (_, header) => {
    expect(verify(header).type).toBe('webhook.test');
  });

  it.each([
    ['the body', { header: VECTOR_HEADER, body: `${body} ` }],
    ['the time', { header: `t=${timestamp + 1},v1=${v1}`, body }],
    ['a leading zero of the time', { header: `t=0${timestamp},v1=${v1}`, body }],
    ['the last digit of the signature', { header: `t=${timestamp},v1=${v1.slice(0, -1)}5`, body }],
    ['the length of the signature', { header: `t=${timestamp},v1=${v1.slice(0, -2)}`, body }],
    ['more than the signature', { header: `${VECTOR_HEADER}00`, body }],
  ])('refuses a delivery in which %s was changed', (_, { header, body: tampered }) => {
    expect(reasonOf(() => verify(header, { body: tampered }))).toBe('bad_signature');
  });

  it.each([
    ['made with the base64 text of the secret in place of its bytes', secret, `${timestamp}.${body}`],
    ['of the body alone under the default scheme', Buffer.from(secret, 'base64'), body],
  ])('refuses a signature %s', (_, key, signed) => {
    const wrong = createHmac('sha256', key).update(signed).digest('hex');
    expect(reasonOf(() => verify(`t=${timestamp},v1=${wrong}`))).toBe('bad_signature');
  });

  it.each([
    'garbage',
    v1,
    `v1=${v1}`,
    `t=${timestamp}`,
    `t=,v1=${v1}`,
    `t=soon,v1=${v1}`,
    `t=-1,v1=${v1}`,
    `t=1e9,v1=${v1}`,
    `t=1734567890.5,v1=${v1}`,
    `t=9999999999999,v1=${v1}`,
    `t=${timestamp},v1=`,
    `t=${timestamp},v1=not-hex`,
    `t=${timestamp},v0=${v1}`,
    `t=${timestamp},t=${timestamp + 1},v1=${v1}`,
  ])('calls the header %j badly formed', (header) => {
    expect(reasonOf(() => verify(header))).toBe('bad_format');
  });
});

describe('rotation of the signing secret', () => {
  it('accepts any of several secrets and says which one signed', () => {
    expect(verify(VECTOR_HEADER, { secrets: [OTHER_SECRET, secret] }).secretIndex).toBe(1);
    expect(verify(VECTOR_HEADER, { secrets: [secret, OTHER_SECRET] }).secretIndex).toBe(0);
  });

  it('refuses when none of several secrets signed', () => {
    expect(reasonOf(() => verify(VECTOR_HEADER, { secrets: [OTHER_SECRET, OTHER_SECRET] }))).toBe('bad_signature');
  });
});

describe("the scheme 'body'", () => {
  const key = 'any text, used as given ✓';
  const header = createHmac('sha256', key).update(body).digest('hex');
  const ramp = { body, secret: key, scheme: 'body' } as const;

  it('signs and accepts the hex of the body alone, without time', () => {
    expect(signWebhook(ramp)).toEqual({ 'X-Signature': header });
    const event = verifyWebhook({ ...ramp, headers: { 'X-Signature': header } });
    expect(event).toMatchObject({ type: 'webhook.test', secretIndex: 0 });
    expect(event).not.toHaveProperty('timestamp');
  });

  it('refuses a changed body and a header of the other scheme', () => {
    expect(reasonOf(() => verifyWebhook({ ...ramp, body: `${body} `, headers: { 'X-Signature': header } }))).toBe(
      'bad_signature',
    );
    expect(reasonOf(() => verifyWebhook({ ...ramp, headers: { 'X-Signature': VECTOR_HEADER } }))).toBe('bad_format');
  });

  it('is never chosen by the header: the default scheme refuses a bare signature', () => {
    const bare = createHmac('sha256', Buffer.from(secret, 'base64')).update(body).digest('hex');
    expect(reasonOf(() => verify(bare))).toBe('bad_format');
  });
});

describe('for every body', () => {
  const anyObject = fc.dictionary(fc.string(), fc.jsonValue());
  const anySecret = fc
    .uint8Array({ minLength: 16, maxLength: 80 })
    .map((bytes) => Buffer.from(bytes).toString('base64'));

  it('what is signed is accepted, and gives back what was sent', () => {
    fc.assert(
      fc.property(anyObject, anySecret, fc.integer({ min: 0, max: 4_102_444_800 }), (members, anyone, time) => {
        const sent = JSON.stringify({ id: 'evt_1', type: 'some.kind', data: members });
        const headers = signWebhook({ body: sent, secret: anyone, timestampSeconds: time });
        vi.setSystemTime(time * 1000);
        const event = verifyWebhook({ body: Buffer.from(sent), headers, secret: anyone });
        expect(event.data).toEqual(JSON.parse(sent).data);
        expect(event).toMatchObject({ id: 'evt_1', type: 'some.kind', timestamp: time });
      }),
    );
  });

  it('one changed bit is a bad signature', () => {
    fc.assert(
      fc.property(anyObject, fc.nat(), (members, position) => {
        const sent = Buffer.from(JSON.stringify({ type: 'some.kind', data: members }));
        const bit = position % (sent.length * 8);
        const changed = Buffer.from(sent);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(reasonOf(() => verifyWebhook({ ...delivery(sent), body: changed }))).toBe('bad_signature');
      }),
    );
  });
});
