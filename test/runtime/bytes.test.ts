import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as bytes from '../../src/runtime/bytes.js';

const anyBytes = fc.uint8Array({ maxLength: 100 });

describe('bytes without Node', () => {
  it('UTF-8 is that of Node, also of half a surrogate pair and of wrong bytes', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), anyBytes, (text, wrong) => {
        expect(Buffer.from(bytes.utf8Bytes(text))).toEqual(Buffer.from(text));
        expect(bytes.utf8Text(wrong)).toBe(Buffer.from(wrong).toString('utf8'));
      }),
    );
    expect(Buffer.from(bytes.utf8Bytes('\ud800'))).toEqual(Buffer.from('\ud800'));
    expect(Buffer.from(bytes.utf8Bytes('é€😀'))).toEqual(Buffer.from('é€😀'));
    expect(bytes.utf8Text(Uint8Array.of(0xef, 0xbb, 0xbf, 0x41))).toBe('\ufeffA');
  });

  it('base64 is that of Node, in both alphabets, with and without padding', () => {
    fc.assert(
      fc.property(anyBytes, (given) => {
        const text = Buffer.from(given).toString('base64');
        expect(bytes.base64Text(given)).toBe(text);
        for (const form of [text, text.replaceAll('=', ''), Buffer.from(given).toString('base64url')]) {
          expect(bytes.isBase64(form)).toBe(given.length > 0);
          if (given.length > 0) expect(Buffer.from(bytes.base64Bytes(form))).toEqual(Buffer.from(given));
        }
      }),
    );
  });

  it('base64 with a digit too many gives the bytes that Node gives', () => {
    for (const text of ['AAAAA', 'AAA=', 'AAAAA==', 'Zm9vYg', '-_-_-'])
      expect(Buffer.from(bytes.base64Bytes(text))).toEqual(Buffer.from(text, 'base64'));
  });

  it('refuses base64 of no byte, and text that is none', () => {
    for (const text of ['', 'A', '=', 'A==', 'AA=A', 'AA\n', ' AA', 'AA===', 'é'])
      expect(bytes.isBase64(text), text).toBe(false);
  });

  it('hex has two digits a byte', () => {
    expect(bytes.hexText(Uint8Array.of(0, 9, 16, 255))).toBe('000910ff');
  });

  it('joins parts, also none', () => {
    expect(bytes.concat([Uint8Array.of(1), new Uint8Array(0), Uint8Array.of(2, 3)])).toEqual(Uint8Array.of(1, 2, 3));
    expect(bytes.concat([])).toEqual(new Uint8Array(0));
  });
});
