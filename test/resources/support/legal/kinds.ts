import fc, { type Arbitrary } from 'fast-check';
import { Money } from './exact.js';

export const digits = (max: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: max });
/** Digits, or a run of zeros before digits: where careless code writes an exponent. */
export const manyDigits = fc.oneof(
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

export const money: Arbitrary<Money> = moneyText.map((text) => new Money(text));
export const text = fc.string({ unit: 'binary', maxLength: 12 });
export const integer = fc.nat();
export const flag = fc.boolean();
export const time = fc.constantFrom('2025-01-02T03:04:05Z', '2025-01-02T03:04:05.678Z', '2025-01-02T03:04:05.678901Z');
/** A value of an enumeration: known, or from a later edition. */
export const open = (...known: string[]) => fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, text);
export const some = <T>(item: Arbitrary<T>) => fc.array(item, { maxLength: 3 });

export const unknownMembers = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  fc.dictionary(
    text.map((name) => `x_${name}`),
    fc.jsonValue({ maxDepth: 1 }),
    { maxKeys: 2 },
  ),
);
export type Members = Record<string, Arbitrary<unknown>>;

/** An object: `members` always there, `optional` ones perhaps, and perhaps some that nobody knows. */
export function object(members: Members, optional: Members = {}): Arbitrary<Record<string, unknown>> {
  const known = fc.record({ ...members, ...optional }, { requiredKeys: Object.keys(members) });
  return fc.tuple(known, unknownMembers).map(([a, b]) => ({ ...b, ...(a as Record<string, unknown>) }));
}

export const assetType = open('fiat', 'crypto', 'stablecoin', 'xstock');
export const ref = object({ symbol: text, type: assetType });
export const named = object({ symbol: text, type: assetType, name: text });
export const quantity = object({ symbol: text, type: assetType, name: text, amount: money });
export const symbolQuantity = object({ symbol: text, amount: money });
export const enabled = object({ enabled: flag });
export const nullable = <T>(value: Arbitrary<T>) => fc.option(value, { nil: null });
