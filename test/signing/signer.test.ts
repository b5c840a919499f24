import { Buffer } from 'node:buffer';
import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HmacSigner } from '../../src/signing/signer.js';

const secret = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 300 }),
  fc.uint8Array({ minLength: 126, maxLength: 130 }),
);
const path = fc.stringMatching(/^\/[!-~]{0,200}$/);
const nonce = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String);
const body = fc.option(fc.uint8Array({ maxLength: 500 }), { nil: undefined });

describe('the default signer', () => {
  const signer = new HmacSigner();

  it("signs as Node's own HMAC does, for secrets of every length", () => {
    fc.assert(
      fc.property(secret, path, nonce, body, (key, path, nonce, body) => {
        const apiSecret = Buffer.from(key).toString('base64');
        const inner = createHash('sha256')
          .update(nonce)
          .update(body ?? '')
          .digest();
        const expected = createHmac('sha512', key).update(path).update(inner).digest('base64');
        expect(signer.sign({ method: 'GET', path, nonce, body, apiKey: 'key', apiSecret })).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it('signs alike with a key that it keeps', () => {
    fc.assert(
      fc.property(secret, path, nonce, body, (key, path, nonce, body) => {
        const apiSecret = Buffer.from(key).toString('base64');
        const input = { method: 'GET', path, nonce, body, apiKey: 'key', apiSecret };
        const keeping = new HmacSigner();
        keeping.keep(apiSecret);
        const signatures = [1, 2].map(() => keeping.sign(input));
        keeping.forget();
        expect([...signatures, keeping.sign(input)]).toEqual(Array(3).fill(signer.sign(input)));
      }),
    );
  });
});
