import { Decimal as DecimalJs } from 'decimal.js';

/** The methods of decimal.js that convert their own value to a number, with their aliases. */
const CONVERTING_METHODS = [
  'toNumber',
  'pow',
  'toPower',
  'sqrt',
  'squareRoot',
  'cbrt',
  'cubeRoot',
] as const satisfies readonly (keyof DecimalJs)[];

const NOT_A_NUMBER =
  'an amount is not a number: compare with .gt(), .gte(), .lt(), .lte() or .eq(), compute with .plus(), .minus() or .neg(), ' +
  'and convert with .toNumber() where lost digits do no harm (to a string: .toFixed())';

/** Above 0 while one of `CONVERTING_METHODS` runs. */
let conversions = 0;

/** `a > b`, `-a` and `Number(a)` call this: decimal.js would let them compare strings. */
function toPrimitive(this: DecimalJs, hint: string): string {
  if (hint === 'string') return this.toString();
  if (hint === 'number' && conversions === 0) throw new TypeError(NOT_A_NUMBER);
  return this.valueOf();
}

/** Inherits from the one prototype of all clones of decimal.js, which stays unchanged. */
const guardedPrototype = guard(DecimalJs.prototype as DecimalJs);

function guard(original: DecimalJs): DecimalJs {
  const guarded = Object.create(original) as DecimalJs;
  Object.defineProperty(guarded, Symbol.toPrimitive, { value: toPrimitive });
  // BSON would store the members of an amount, and node-postgres its JSON with quotation marks.
  for (const name of ['toBSON', 'toPostgres']) Object.defineProperty(guarded, name, { value: original.toString });
  for (const name of CONVERTING_METHODS) {
    const method = original[name] as (...args: unknown[]) => unknown;
    const value = function (this: DecimalJs, ...args: unknown[]): unknown {
      conversions++;
      try {
        return method.apply(this, args);
      } finally {
        conversions--;
      }
    };
    Object.defineProperty(guarded, name, { value });
  }
  return guarded;
}

/** As with all clones of decimal.js, the values of one are instances of every other. */
const isInstance = (value: unknown) => value instanceof DecimalJs;

/** Clones decimal.js: operators do not convert the values of the clone, nor those of its clones. */
function guardedClone(base: DecimalJs.Constructor, settings?: DecimalJs.Config): DecimalJs.Constructor {
  const clone = DecimalJs.clone.call(base, settings ?? {});
  Object.defineProperty(clone, 'prototype', { value: guardedPrototype });
  Object.defineProperty(clone, 'clone', { value: (own?: DecimalJs.Config) => guardedClone(clone, own) });
  return Object.defineProperty(clone, Symbol.hasInstance, { value: isInstance });
}

/**
 * An exact decimal number: every amount, price, percentage and quantity of the API.
 *
 * It is a private clone of decimal.js, so settings of the application's own decimal.js do not
 * change it. Construction is exact at any length. Arithmetic rounds half to even at 80 significant
 * digits. Strings (`toString()`, `toFixed()`, `JSON.stringify`) never have an exponent.
 *
 * Operators do not compare or compute amounts: `a > b`, `-a` and `Number(a)` throw a `TypeError`.
 * Write `a.gt(b)`, `a.neg()` and, if lost digits do no harm, `a.toNumber()`. `a === b` and `a == b`
 * compare objects, not values, so write `a.eq(b)`.
 */
export const Decimal: DecimalJs.Constructor = guardedClone(DecimalJs, {
  defaults: true,
  precision: 80,
  rounding: DecimalJs.ROUND_HALF_EVEN,
  // The limits of decimal.js: within them it writes no value with an exponent.
  toExpNeg: -9e15,
  toExpPos: 9e15,
});
export type Decimal = DecimalJs;

/** The form of an amount in a request: no exponent, no sign but minus, no bare point. */
export const DECIMAL_TEXT: RegExp = /^-?[0-9]+(\.[0-9]+)?$/;
