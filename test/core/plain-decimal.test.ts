import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { DECIMAL_TEXT, Decimal } from '../../src/core/decimal.js';
import { decimalOf } from '../../src/core/plain-decimal.js';

const digits = (least: number, most: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: least, maxLength: most }).map((all) => all.join(''));

/** Around the limits of what is read here (15 digits, 7 of them before the point), with zeros and nines wherever they may be. */
const plain = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(digits(1, 9), fc.constantFrom('0', '00', '0000000', '9999999', '10000000')),
    fc.oneof(
      digits(1, 18),
      digits(1, 18).map((text) => `0000000${text}`),
      fc.constantFrom('', '0', '0000000', '9999999', '99999999', '00000000000000', '99999999999999'),
    ),
  )
  .map(([sign, integer, fraction]) => `${sign}${integer}${fraction === '' ? '' : `.${fraction}`}`);

/** Texts of what amounts are made of, most of them none. */
const nearly = fc
  .array(fc.constantFrom('0', '7', '00', '1234567', '.', '-', '+', 'e5', ' ', '٣', '/', ':', '\n'), { maxLength: 8 })
  .map((parts) => parts.join(''));

const read = (text: string): Decimal => decimalOf(text) ?? expect.fail(`${text} is no amount`);

const fieldsOf = (value: Decimal) => ({ s: value.s, e: value.e, d: value.d, made: value.constructor });

describe('decimalOf', () => {
  it('is what decimal.js reads, to the last field', () => {
    fc.assert(
      fc.property(plain, (text) => {
        const value = read(text);
        expect(fieldsOf(value)).toEqual(fieldsOf(new Decimal(text)));
        expect(Object.keys(value)).toEqual(Object.keys(new Decimal(text)));
      }),
      { numRuns: 5_000 },
    );
  });

  it('calculates like any other', () => {
    fc.assert(
      fc.property(plain, plain, (one, other) => {
        expect(read(one).times(read(other)).plus(read(one)).toFixed()).toBe(
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
    expect(fieldsOf(read(text))).toEqual(fieldsOf(new Decimal(text)));
    expect(Object.is(read(text).toNumber(), new Decimal(text).toNumber())).toBe(true);
  });

  it('takes what is money on the wire and nothing else', () => {
    fc.assert(
      fc.property(fc.oneof(plain, nearly, fc.string()), (text) => {
        expect(decimalOf(text) !== undefined).toBe(DECIMAL_TEXT.test(text));
      }),
      { numRuns: 5_000 },
    );
  });

  it.each(['0', '-0.05', '1234567.12345678', '1.00000010000002'])('reads %s without asking decimal.js', (text) => {
    const asked = vi.spyOn(DECIMAL_TEXT, 'test');
    expect(read(text).toFixed()).toBe(new Decimal(text).toFixed());
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
  });

  it.each(['', '-', '.', '-.5', '.5', '5.', '1.2.3', '1..2', '--1', '1-', '+1', '1e5', ' 1', '1 ', '0x10', '٣', 'NaN'])(
    'refuses %j',
    (text) => expect(decimalOf(text)).toBeUndefined(),
  );

  it('leaves every amount to a decimal.js that makes its values otherwise', async () => {
    class Labelled extends Decimal {
      readonly label = 'money';
    }
    vi.resetModules();
    vi.doMock('../../src/core/decimal.js', () => ({ DECIMAL_TEXT, Decimal: Labelled }));
    const { decimalOf: other } = await import('../../src/core/plain-decimal.js');
    vi.doUnmock('../../src/core/decimal.js');
    expect(other('1.5')).toMatchObject({ label: 'money' });
    expect(other('1.')).toBeUndefined();
  });

  it('keeps nothing of one value in the next', () => {
    const one = read('1.5');
    read('2.25');
    expect(one.toFixed()).toBe('1.5');
  });
});
