import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { Decimal } from '../../src/schema/decimal.js';
import { decimalOf } from '../../src/schema/parse-decimal.js';

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

/** What a service may write, said a second time: digits that a point may divide, a sign, an exponent of up to three digits. */
const AMOUNT = /^[-+]?(?:[0-9]+|[0-9]*\.[0-9]+)(?:e[-+]?[0-9]{1,3})?$/i;

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

  it('takes what is money on the wire and nothing else', () => {
    fc.assert(
      fc.property(fc.oneof(plain, nearly, fc.string()), (text) => {
        const isAmount = AMOUNT.test(text) && new Decimal(text).toFixed().replace(/\D/g, '').length <= 256;
        expect(decimalOf(text) !== undefined, text).toBe(isAmount);
      }),
      { numRuns: 5_000 },
    );
  });

  it('reads a sign, a bare point and an exponent exactly', () => {
    const exponent = fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e-'), digits(1, 2)).map((parts) => parts.join(''));
    const written = fc.tuple(fc.constantFrom('', '-', '+'), digits(0, 40), digits(1, 40), exponent);
    fc.assert(
      fc.property(written, ([sign, before, after, power]) => {
        const [whole, scale] = [BigInt(before + after), Number(power.slice(1)) - after.length];
        const value = read(`${sign}${before}.${after}${power}`);
        const exact = scale < 0 ? value.times(new Decimal(10).pow(-scale)) : value.div(new Decimal(10).pow(scale));
        expect(BigInt(exact.toFixed())).toBe(sign === '-' ? -whole : whole);
      }),
    );
  });

  it.each([
    ['as they stand', (digits: number) => '9'.repeat(digits)],
    ['behind a point', (digits: number) => `-0.${'7'.repeat(digits - 1)}`],
    ['with zeros before them', (digits: number) => '0'.repeat(digits)],
    ['by an exponent', (digits: number) => `1e${digits - 1}`],
    ['by a negative exponent', (digits: number) => `1e-${digits - 1}`],
    ['by both', (digits: number) => `${'1'.repeat(100)}.5e-${digits - 2}`],
  ])('takes 256 digits and no more, %s', (_how, written) => {
    expect(read(written(256)).toFixed()).toBe(new Decimal(written(256)).toFixed());
    expect(decimalOf(written(257))).toBeUndefined();
  });

  it('refuses millions of digits at once', () => {
    const texts = ['1', '0', '1.', '.', '+'].map((begin) => begin + '1'.repeat(4_000_000));
    // Time of this process alone, which load does not lengthen.
    const begun = process.cpuUsage();
    for (const text of [...texts, `1e${'9'.repeat(4_000_000)}`]) expect(decimalOf(text)).toBeUndefined();
    expect(process.cpuUsage(begun).user).toBeLessThan(1_000_000);
  });

  it('leaves every amount to a decimal.js that makes its values otherwise', async () => {
    class Labelled extends Decimal {
      readonly label = 'money';
    }
    vi.resetModules();
    vi.doMock('../../src/schema/decimal.js', () => ({ Decimal: Labelled }));
    const { decimalOf: other } = await import('../../src/schema/parse-decimal.js');
    vi.doUnmock('../../src/schema/decimal.js');
    expect(other('1.5')).toMatchObject({ label: 'money' });
    expect(other('1.')).toBeUndefined();
  });
});
