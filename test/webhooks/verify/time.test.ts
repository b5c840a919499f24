import { describe, expect, it } from 'vitest';
import { signWebhook, verifyWebhook } from '../../../src/webhooks/index.js';
import { clock, misuse, reasonOf, refusal, VECTOR, VECTOR_HEADER } from '../support/delivery.js';

const signed = { body: VECTOR.body, headers: { 'X-Signature': VECTOR_HEADER }, secret: VECTOR.secret };
const at = (seconds: number, tolerance?: number) => () =>
  verifyWebhook({ ...signed, now: clock(seconds), ...(tolerance === undefined ? {} : { tolerance }) });

describe('the signed time', () => {
  it('may lie exactly the tolerance in the past or in the future, 300 s by default', () => {
    expect(at(300)().type).toBe('webhook.test');
    expect(at(-300)().type).toBe('webhook.test');
    expect(at(10, 10)().type).toBe('webhook.test');
    expect(at(-10, 10)().type).toBe('webhook.test');
    expect(at(0, 0)().type).toBe('webhook.test');
  });

  it('is too old one millisecond later', () => {
    expect(reasonOf(at(300.001))).toBe('too_old');
    expect(reasonOf(at(10.001, 10))).toBe('too_old');
    expect(reasonOf(at(0.001, 0))).toBe('too_old');
  });

  it('is too new one millisecond earlier', () => {
    expect(reasonOf(at(-300.001))).toBe('too_new');
    expect(reasonOf(at(-10.001, 10))).toBe('too_new');
    expect(reasonOf(at(-0.001, 0))).toBe('too_new');
  });

  it('is told in the message, so that a wrong clock is found', () => {
    expect(refusal(at(400)).message).toContain('400 s old');
    expect(refusal(at(-400)).message).toContain('400 s ahead');
  });

  it('is judged only when the signature matches: a forger learns nothing of the clock', () => {
    const forged = { ...signed, headers: { 'X-Signature': `t=1,v1=${VECTOR.v1}` } };
    expect(reasonOf(() => verifyWebhook({ ...forged, now: clock() }))).toBe('bad_signature');
  });

  it('is compared with the clock of the machine by default', () => {
    const headers = signWebhook({ body: VECTOR.body, secret: VECTOR.secret });
    expect(verifyWebhook({ ...signed, headers }).type).toBe('webhook.test');
    expect(reasonOf(() => verifyWebhook(signed))).toBe('too_old');
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1, null, '300', {}, true])(
    'cannot be left unchecked by the tolerance %s',
    (tolerance) => {
      expect(
        misuse(() => verifyWebhook({ ...signed, tolerance: tolerance as number, now: clock(1e6) })).message,
      ).toContain('tolerance');
    },
  );

  it('is checked with 300 s when the tolerance is undefined', () => {
    expect(reasonOf(() => verifyWebhook({ ...signed, tolerance: undefined, now: clock(301) }))).toBe('too_old');
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, undefined, '5', new Date(0)])(
    'cannot be left unchecked by a clock that says %s',
    (time) => {
      expect(misuse(() => verifyWebhook({ ...signed, now: () => time as number })).message).toContain('now');
    },
  );

  it("cannot be asked of the scheme 'body', which signs none", () => {
    const { body, secret } = signed;
    expect(misuse(() => verifyWebhook({ ...signed, scheme: 'body', tolerance: 300 })).message).toContain('tolerance');
    expect(misuse(() => signWebhook({ body, secret, scheme: 'body', timestamp: 1 })).message).toContain('timestamp');
  });

  it.each([Number.NaN, -1, 1.5, 1_734_567_890_000, '1', null])('signs no time such as %s', (timestamp) => {
    const { body, secret } = signed;
    expect(misuse(() => signWebhook({ body, secret, timestamp: timestamp as number })).message).toContain(
      'unix seconds',
    );
  });
});
