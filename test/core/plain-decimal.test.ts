import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '../../src/core/decimal.js';
import { decimalOf } from '../../src/core/plain-decimal.js';

const digits = (least: number, most: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: least, maxLength: most }).map((all) => all.join(''));

/** Around the limits of what is read here (7 digits before the point, 14 behind), with zeros wherever they may be. */
const plain = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(digits(1, 9), fc.constantFrom('0', '00', '0000000', '9999999', '10000000')),
    fc.oneof(
      digits(1, 18),
      digits(1, 18).map((text) => `0000000${text}`),
      fc.constantFrom('', '0', '0000000', '00000000000000'),
    ),
  )
  .map(([sign, integer, fraction]) => `${sign}${integer}${fraction === '' ? '' : `.${fraction}`}`);

const fieldsOf = (value: Decimal) => ({ s: value.s, e: value.e, d: value.d, made: value.constructor });

describe('decimalOf', () => {
  it('is what decimal.js reads, to the last field', () => {
    fc.assert(
      fc.property(plain, (text) => {
        const value = decimalOf(text);
        expect(fieldsOf(value)).toEqual(fieldsOf(new Decimal(text)));
        expect(Object.keys(value)).toEqual(Object.keys(new Decimal(text)));
      }),
      { numRuns: 5_000 },
    );
  });

  it('calculates like any other', () => {
    fc.assert(
      fc.property(plain, plain, (one, other) => {
        expect(decimalOf(one).times(decimalOf(other)).plus(decimalOf(one)).toFixed()).toBe(
          new Decimal(one).times(new Decimal(other)).plus(new Decimal(one)).toFixed(),
        );
      }),
    );
  });

  it.each([
    '0',
    '-0',
    '0.00',
    '-0.0',
    '007.50',
    '1234567.00000010000002',
    '0.00000000000009',
    '12345678',
    '0.000000000000001',
  ])('%s', (text) => {
    expect(fieldsOf(decimalOf(text))).toEqual(fieldsOf(new Decimal(text)));
    expect(Object.is(decimalOf(text).toNumber(), new Decimal(text).toNumber())).toBe(true);
  });

  it('keeps nothing of one value in the next', () => {
    const one = decimalOf('1.5');
    decimalOf('2.25');
    expect(one.toFixed()).toBe('1.5');
  });
});
