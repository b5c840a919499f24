import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as edge from '../../src/runtime/crypto.edge.js';
import * as node from '../../src/runtime/crypto.js';

const bytes = fc.uint8Array({ maxLength: 300 });

describe.each([
  ['Node', node],
  ['an edge runtime', edge],
])('hashes on %s', (_name, { sha256, sha256Sync, hmacSha256, hmacSha256Sync, sameBytes, randomUuid }) => {
  it('SHA-256 is that of OpenSSL, for every length around the ends of blocks', async () => {
    for (let length = 0; length <= 200; length++) {
      const message = new Uint8Array(length).fill(length);
      const expected = createHash('sha256').update(message).digest();
      expect(Buffer.from(sha256Sync(message))).toEqual(expected);
      expect(Buffer.from(await sha256(message))).toEqual(expected);
    }
  });

  it('SHA-256 covers all parts, in their order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(bytes, { maxLength: 4 }), async (parts) => {
        const expected = createHash('sha256').update(Buffer.concat(parts)).digest();
        expect(Buffer.from(sha256Sync(...parts))).toEqual(expected);
        expect(Buffer.from(await sha256(...parts))).toEqual(expected);
      }),
    );
  });

  it('HMAC-SHA256 is that of OpenSSL, with keys shorter and longer than a block', async () => {
    const key = fc.uint8Array({ minLength: 1, maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(key, bytes, bytes, async (key, one, other) => {
        const expected = createHmac('sha256', key).update(one).update(other).digest();
        expect(Buffer.from(hmacSha256Sync(key, one, other))).toEqual(expected);
        expect(Buffer.from(await hmacSha256(key, one, other))).toEqual(expected);
      }),
    );
  });

  it('tells equal bytes from others', () => {
    expect(sameBytes(Uint8Array.of(1, 2, 3), Uint8Array.of(1, 2, 3))).toBe(true);
    for (const other of [
      [0, 2, 3],
      [1, 0, 3],
      [1, 2, 255],
    ])
      expect(sameBytes(Uint8Array.of(1, 2, 3), Uint8Array.from(other))).toBe(false);
  });

  it('makes another UUIDv4 each time', () => {
    expect(randomUuid()).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(randomUuid()).not.toBe(randomUuid());
  });
});

describe('the file for edge runtimes', () => {
  it('has what the file for Node has', () => {
    expect(Object.keys(edge).sort()).toEqual(Object.keys(node).sort());
  });
});
