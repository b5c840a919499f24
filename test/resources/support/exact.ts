import fc from 'fast-check';
import { Decimal } from '../../../src/index.js';

const digits = (max: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: max });
/** Digits, or a run of zeros before digits: where careless code writes an exponent. */
const manyDigits = fc.oneof(
  digits(60),
  fc.tuple(fc.nat({ max: 40 }), digits(20)).map(([zeros, rest]) => '0'.repeat(zeros) + rest),
);
/** Decimal text with up to 120 significant digits, with leading and trailing zeros. */
export const moneyText = fc
  .tuple(
    fc.constantFrom('', '', '-'),
    fc.oneof(fc.constant('0'), manyDigits),
    fc.option(manyDigits, { nil: undefined }),
  )
  .map(([sign, whole, fraction]) => sign + whole + (fraction === undefined ? '' : `.${fraction}`));

/** An amount in an answer, so that a test knows where it is: `toWire` gives the JSON, `toExpected` the facts. */
export class Money {
  constructor(readonly text: string) {}
}

/** The shortest text of the same number, found without any arithmetic of numbers. */
export function canonical(decimal: string): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)([0-9]+)(?:\.([0-9]+))?$/.exec(decimal) ?? [];
  if (whole === '') return `no plain decimal: ${decimal}`;
  const trimmed = fraction.replace(/0+$/, '');
  const number = whole.replace(/^0+(?=.)/, '') + (trimmed === '' ? '' : `.${trimmed}`);
  return number === '0' ? '0' : sign + number;
}

function mapped(value: unknown, change: (value: object) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const changed = change(value);
  if (changed !== undefined) return changed;
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapped(member, change)]));
}

export const toWire = (value: unknown): unknown =>
  mapped(value, (each) => (each instanceof Money ? each.text : undefined));
/** Money as `{ money: <shortest text> }`, everything else as it is. */
export const toExpected = (value: unknown): unknown =>
  mapped(value, (each) => (each instanceof Money ? { money: canonical(each.text) } : undefined));
/** A result in the same form, with its `Decimal`s read by `toFixed()`. */
export const toSeen = (value: unknown): unknown =>
  mapped(value, (each) => (Decimal.isDecimal(each) ? { money: canonical((each as Decimal).toFixed()) } : undefined));
