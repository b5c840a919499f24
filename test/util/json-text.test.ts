import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inexactNumbers } from '../../src/util/json-text.js';

const pathsIn = (json: string): string[] => [...inexactNumbers(json).keys()];

describe('numbers that lose digits are found', () => {
  test.each([
    ['{"id":9007199254740993}', ['id']],
    ['{"id":31869085891081369,"other":9007199254740993}', ['id', 'other']],
    ['{"amount":1.000000000000000001}', ['amount']],
    ['{"data":[{"a":{"b":12345678901234567890}},{"a":{"b":12345678901234567891}}]}', ['data[].a.b']],
    ['[[9007199254740993]]', ['[][]']],
    ['9007199254740993', ['']],
    ['{ "a" : -9007199254740993 }', ['a']],
    ['{"n":1e400,"long enough":"1234567890123456"}', ['n']],
    ['{"a \\" b":9007199254740993}', ['a " b']],
    ['{"n":1e400}', ['n']],
    [`{"text":"${'x'.repeat(4_000_000)}","n":9007199254740993}`, ['n']],
  ])('%s', (json, paths) => {
    expect(pathsIn(json)).toEqual(paths);
  });

  test.each([
    '{"id":9007199254740992}',
    '{"amount":"1.000000000000000001"}',
    '{"amount":100.1000000000000000}',
    '{"amount":0.30000000000000004}',
    '{"amount":1000000000000000000000}',
    '{"text":"\\"id\\":9007199254740993"}',
    '{"9007199254740993":1}',
    '{"text":"a\\\\","id":1}',
    '[]',
    '"1234567890123456789"',
  ])('and no others: %s', (json) => {
    expect(pathsIn(json)).toEqual([]);
  });

  test('a number that JavaScript wrote is never among them', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.double({ noNaN: true, noDefaultInfinity: true }), (value, number) => {
        expect(pathsIn(JSON.stringify({ value, number, list: [number] }))).toEqual([]);
      }),
    );
  });

  test('a number with one more digit than it keeps always is, wherever it stands', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 9 }), fc.nat(1e15), (value, last, high) => {
        const written = `${1e15 + high}000${last}`;
        fc.pre(BigInt(Number(written)) !== BigInt(written));
        const json = JSON.stringify({ value, list: [value, { at: 'HERE' }] }).replace('"HERE"', written);
        fc.pre(!JSON.stringify(value).includes('HERE'));
        expect(pathsIn(json)).toEqual(['list[].at']);
      }),
    );
  });
});
