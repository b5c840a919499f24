import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBody, unknownCoding } from '../../src/transport/content-coding.js';

const ENCODERS = { gzip: gzipSync, 'x-gzip': gzipSync, deflate: deflateSync, br: brotliCompressSync } as const;
const names = fc.array(fc.constantFrom(...(Object.keys(ENCODERS) as (keyof typeof ENCODERS)[])), {
  minLength: 1,
  maxLength: 3,
});
const bytes = fc.uint8Array({ minLength: 1, maxLength: 3_000 });

const encode = (body: Uint8Array, codings: readonly (keyof typeof ENCODERS)[]): Uint8Array =>
  codings.reduce<Uint8Array>((all, name) => ENCODERS[name](all), body);
const headed = (codings: readonly string[]) => ({ 'content-encoding': codings.join(', ') });
const LIMIT = 100_000;

function inChunks(body: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(body.length / size) }, (_, at) => body.slice(at * size, (at + 1) * size));
}

describe('the body of a response', () => {
  it('is decoded from any codings, in any chunks', () => {
    fc.assert(
      fc.property(bytes, names, fc.integer({ min: 1, max: 500 }), (body, codings, size) => {
        const decoded = decodeBody(inChunks(encode(body, codings), size), headed(codings), LIMIT);
        expect(decoded.kind).toBe('whole');
        expect(Buffer.concat(decoded.body).equals(body)).toBe(true);
      }),
    );
  });

  it('that is cut anywhere is decoded as far as it goes, and never taken for whole', () => {
    fc.assert(
      fc.property(bytes, names, fc.double({ min: 0, max: 1, noNaN: true }), (body, codings, share) => {
        const all = encode(body, codings);
        const cut = all.subarray(0, Math.max(1, Math.floor(share * (all.length - 1))));
        const decoded = decodeBody([cut], headed(codings), LIMIT);
        expect(decoded.kind).toBe('cut');
        const part = Buffer.concat(decoded.body);
        expect(part.equals(body.subarray(0, part.length))).toBe(true);
      }),
    );
  });

  it('that is larger than the limit when it is decoded is too large, by one byte or by thousands', () => {
    fc.assert(
      fc.property(bytes, names, fc.integer({ min: 1, max: 3_000 }), (body, codings, less) => {
        const limit = Math.max(1, body.length - less);
        fc.pre(limit < body.length);
        const { kind, body: kept } = decodeBody([encode(body, codings)], headed(codings), limit);
        expect([kind, kept]).toEqual(['too_large', []]);
      }),
    );
  });

  it('of any bytes under any header is decoded, or left as it came', () => {
    const header = fc.oneof(fc.string(), names.map(String), fc.constantFrom('deflate', 'zstd', ',', 'gzip;q=1'));
    fc.assert(
      fc.property(bytes, header, (body, value) => {
        const decoded = decodeBody([body], { 'content-encoding': value }, LIMIT);
        if (decoded.kind === 'undecoded' || value === '') expect(decoded.body).toEqual([body]);
      }),
    );
  });

  it('may have the form of deflate without its head', () => {
    fc.assert(
      fc.property(bytes, (body) => {
        const decoded = decodeBody([deflateRawSync(body)], { 'content-encoding': 'deflate' }, LIMIT);
        expect(Buffer.concat(decoded.body).equals(body)).toBe(true);
      }),
    );
  });

  it('may be limited by any number', () => {
    const { body } = decodeBody([gzipSync('text')], { 'content-encoding': 'gzip' }, Number.MAX_SAFE_INTEGER);
    expect(String(body[0])).toBe('text');
  });
});

it.each([
  ['gzip, Deflate,BR, x-gzip, identity', undefined],
  ['gzip, ZSTD', 'zstd'],
  ['compress', 'compress'],
])('of the codings %s the unknown one is %s', (value, name) => {
  const message = name && `the response is encoded with ${name}, which the client does not read`;
  expect(unknownCoding({ 'content-encoding': value })).toBe(message);
});
