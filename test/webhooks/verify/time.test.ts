import { afterEach, describe, expect, it, vi } from 'vitest';
import { signWebhook, type VerifyWebhookOptions, verifyWebhook } from '../../../src/webhooks/index.js';
import { misuse, reasonOf, refusal, stopClock, VECTOR, VECTOR_HEADER } from '../support/delivery.js';

const { body, secret } = VECTOR;
const signed = { body, headers: { 'X-Signature': VECTOR_HEADER }, secret };

/** Verifies the delivery so many seconds after it was signed. */
const at =
  (seconds: number, toleranceSeconds?: number, options: VerifyWebhookOptions = signed) =>
  () => {
    stopClock(seconds);
    return verifyWebhook({ ...options, ...(toleranceSeconds === undefined ? {} : { toleranceSeconds }) });
  };

afterEach(() => void vi.useRealTimers());

describe('the signed time', () => {
  it.each([
    [300, undefined],
    [10, 10],
    [0, 0],
  ])(
    'may lie %d s in the past or in the future with the tolerance %s, and not a millisecond more',
    (most, tolerance) => {
      expect(at(most, tolerance)().type).toBe('webhook.test');
      expect(at(-most, tolerance)().type).toBe('webhook.test');
      expect(reasonOf(at(most + 0.001, tolerance))).toBe('too_old');
      expect(reasonOf(at(-most - 0.001, tolerance))).toBe('too_new');
    },
  );

  it('is told in the message, so that a wrong clock is found', () => {
    expect(refusal(at(400)).message).toContain('400 s old, but toleranceSeconds allows 300');
    expect(refusal(at(-400)).message).toContain('400 s ahead');
  });

  it('is judged only when the signature matches: a forger learns nothing of the clock', () => {
    const forged = { ...signed, headers: { 'X-Signature': `t=1,v1=${VECTOR.v1}` } };
    expect(reasonOf(at(0, undefined, forged))).toBe('bad_signature');
  });

  it('is compared with the clock of the machine', () => {
    const headers = signWebhook({ body, secret });
    expect(verifyWebhook({ ...signed, headers }).type).toBe('webhook.test');
    expect(reasonOf(() => verifyWebhook(signed))).toBe('too_old');
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1, null, '300', {}, true])(
    'cannot be left unchecked by the tolerance %s',
    (tolerance) => {
      const message = 'toleranceSeconds must be a finite number';
      expect(misuse(at(1e6, tolerance as number)).message).toContain(message);
    },
  );

  it('is checked with 300 s when the tolerance is undefined', () => {
    const options = { ...signed, toleranceSeconds: undefined };
    expect(reasonOf(at(301, undefined, options))).toBe('too_old');
  });

  it("cannot be asked of the scheme 'body', which signs none", () => {
    const scheme = 'body';
    expect(misuse(() => verifyWebhook({ ...signed, scheme, toleranceSeconds: 300 })).message).toContain('tolerance');
    expect(misuse(() => signWebhook({ body, secret, scheme, timestampSeconds: 1 })).message).toContain('timestamp');
  });

  it.each([Number.NaN, -1, 1.5, 1_734_567_890_000, '1', null])('signs no time such as %s', (time) => {
    const timestampSeconds = time as number;
    expect(misuse(() => signWebhook({ body, secret, timestampSeconds })).message).toContain('unix seconds');
  });
});
