import { Decimal } from '../../../../src/index.js';

/**
 * Random answers that the service may give, resource by resource: optional members absent at random, unknown members anywhere, amounts of
 * any length. Money stands in them as `Money`, so that a test knows where it is: `toWire` gives the JSON, `toExpected` the facts.
 */
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
