import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasTooManyValues, MAX_VALUES, NOT_JSON, parseBeginning } from '../../src/response/parse-json.js';

const list = (items: number, item = '0'): string => `[${Array(items).fill(item).join(',')}]`;

describe('hasTooManyValues', () => {
  it.each([
    ['numbers', (count: number) => list(count - 1)],
    ['objects', (count: number) => `{"a":${list((count - 2) / 2, '{}')}}`],
    ['members', (count: number) => `{${Array.from({ length: count - 1 }, (_, index) => `"a${index}":1`).join()}}`],
    ['levels', (count: number) => '['.repeat(count - 1) + ']'.repeat(count - 1)],
  ])('is true beyond MAX_VALUES %s', (_what, text) => {
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

/** True when `part` is what is left of `whole` behind a cut: no value but text is changed, only left out. */
function isBeginningOf(part: unknown, whole: unknown): boolean {
  if (typeof part === 'string') return typeof whole === 'string' && whole.startsWith(part);
  if (typeof part !== 'object' || part === null) return Object.is(part, whole);
  if (typeof whole !== 'object' || whole === null || Array.isArray(part) !== Array.isArray(whole)) return false;
  const members = Object.entries(whole);
  return Object.entries(part).every(([name, member], index) => {
    const [nameThere, there] = members[index] ?? [];
    return name === nameThere && isBeginningOf(member, there);
  });
}

describe('parseBeginning', () => {
  const texts = fc.string({ unit: fc.constantFrom('"', '\\', '{', '[', ',', ':', 'z', '\n', '\u{1f600}') });
  const { value: values } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      texts,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('value'), { maxLength: 4 }),
    // Other names: V8 lists numbers first.
    object: fc.dictionary(
      texts.map((text) => `_${text}`),
      tie('value'),
      { maxKeys: 4 },
    ),
  }));

  it('reads what is whole before any cut, and the beginning of the text that is cut', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('x', 'y', 'z'), values),
        fc.nat(),
        fc.boolean(),
        (whole, at, escaped) => {
          const json = JSON.stringify(whole);
          const text = escaped ? json.replaceAll('z', '\\u007a') : json;
          const cut = text.slice(0, 1 + (at % text.length));
          const read = parseBeginning(cut);
          expect(isBeginningOf(read, whole), `${cut} → ${JSON.stringify(read)}`).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['{"error":{"code":"conflict","causes":[{"field":"a', { error: { code: 'conflict', causes: [{ field: 'a' }] } }],
    ['{"error":{"code":"conflict","ins', { error: { code: 'conflict' } }],
    ['{"error":{"code":"conflict","status":40', { error: { code: 'conflict' } }],
    ['{"error":{"code":"a\\\\', { error: { code: 'a\\' } }],
    ['{"error":{"code":"a\\\\\\', { error: { code: 'a\\' } }],
    ['{"error":{"code":"a\\u00', { error: { code: 'a' } }],
  ])('keeps what is whole of %s', (text, value) => {
    expect(parseBeginning(text)).toEqual(value);
  });

  it.each(['', '<html>', '{"a":}', '{"a":1 "b":2,'])('is not JSON: %j', (text) => {
    expect(parseBeginning(text)).toBe(NOT_JSON);
  });
});
