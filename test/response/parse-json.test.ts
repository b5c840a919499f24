import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasTooManyValues, MAX_VALUES } from '../../src/response/parse-json.js';

const list = (items: number, item = '0'): string => `[${Array(items).fill(item).join(',')}]`;

describe('hasTooManyValues', () => {
  it.each([
    ['numbers', (count: number) => list(count - 1)],
    ['objects', (count: number) => `{"a":${list((count - 2) / 2, '{}')}}`],
    ['members', (count: number) => `{${Array.from({ length: count - 1 }, (_, index) => `"a${index}":1`).join()}}`],
    ['levels', (count: number) => '['.repeat(count - 1) + ']'.repeat(count - 1)],
  ])('is true beyond 200,000 %s', (_what, text) => {
    expect(hasTooManyValues(text(MAX_VALUES - 4))).toBe(false);
    expect(hasTooManyValues(text(MAX_VALUES + 4))).toBe(true);
  });

  it('counts nothing inside of texts', () => {
    const busy = JSON.stringify({ 'a,"[{': ',"[{\\'.repeat(100_000), b: '\\' });
    expect(hasTooManyValues(busy)).toBe(false);
    expect(hasTooManyValues(`[${busy},${list(MAX_VALUES)}]`)).toBe(true);
  });

  it('goes on behind any text that JSON can hold', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', '\\', ',', '[', 'a') }), (text) => {
        const padded = JSON.stringify([text, 'x'.repeat(MAX_VALUES)]);
        expect(hasTooManyValues(padded)).toBe(false);
        expect(hasTooManyValues(padded.replace('[', `[${list(MAX_VALUES)},`))).toBe(true);
        expect(hasTooManyValues(`${padded.slice(0, -1)},${list(MAX_VALUES)}]`)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it.each(['"', '"\\', '["a\\\\', '\\"'])('ends where a text does not: %j', (begin) => {
    expect(hasTooManyValues(begin + 'a\\'.repeat(2_000_000))).toBe(false);
  });
});
