import { Decimal as DecimalJs } from 'decimal.js';

/** The methods of decimal.js that read their own value as a number, by every name that they have. */
const READING_NUMBERS = [
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
  'and convert with .toNumber() where lost digits do no harm (for text: .toFixed())';

/** Above 0 while one of `READING_NUMBERS` runs. */
let readingNumbers = 0;

/**
 * What `a > b`, `-a`, `Number(a)` and the like call, with the hint `number`: decimal.js would give them text to
 * compare.
 */
function toPrimitive(this: DecimalJs, hint: string): string {
  if (hint === 'string') return this.toString();
  if (hint === 'number' && readingNumbers === 0) throw new TypeError(NOT_A_NUMBER);
  return this.valueOf();
}

/**
 * All clones of decimal.js share one prototype: that of ours stands before it, and the application's own stays as it
 * is.
 */
const guardedPrototype = guard(DecimalJs.prototype as DecimalJs);

function guard(original: DecimalJs): DecimalJs {
  const guarded = Object.create(original) as DecimalJs;
  Object.defineProperty(guarded, Symbol.toPrimitive, { value: toPrimitive });
  for (const name of READING_NUMBERS) {
    const method = original[name] as (...args: unknown[]) => unknown;
    const value = function (this: DecimalJs, ...args: unknown[]): unknown {
      readingNumbers++;
      try {
        return method.apply(this, args);
      } finally {
        readingNumbers--;
      }
    };
    Object.defineProperty(guarded, name, { value });
  }
  return guarded;
}

/** As between all clones of decimal.js: values of one are instances of every other. */
const isInstance = (value: unknown) => value instanceof DecimalJs;

/** A clone of decimal.js whose values, and those of its own clones, are not converted to numbers unasked. */
function guardedClone(base: DecimalJs.Constructor, settings?: DecimalJs.Config): DecimalJs.Constructor {
  const clone = DecimalJs.clone.call(base, settings ?? {});
  return Object.defineProperties(clone, {
    prototype: { value: guardedPrototype },
    clone: { value: (own?: DecimalJs.Config) => guardedClone(clone, own) },
    [Symbol.hasInstance]: { value: isInstance },
  });
}

/**
 * An exact decimal number: every amount, price, percentage and quantity of the API.
 *
 * A private clone of decimal.js, so that settings of the application's own decimal.js never change money here: 80
 * significant digits in arithmetic, rounding half to even, and never an exponent in text (`toString()`, `toFixed()`,
 * `JSON.stringify`). Construction is exact at any length; only arithmetic rounds, beyond the 80th digit.
 *
 * Operators do not compare or compute amounts: `a > b`, `-a` and `Number(a)` throw a `TypeError`. Write `a.gt(b)`,
 * `a.neg()` and, where lost digits do no harm, `a.toNumber()`. `a === b` and `a == b` ask whether the two are one
 * object: write `a.eq(b)`.
 */
export const Decimal: DecimalJs.Constructor = guardedClone(DecimalJs, {
  defaults: true,
  precision: 80,
  rounding: DecimalJs.ROUND_HALF_EVEN,
  // The limits of decimal.js itself: within them no value is ever written with an exponent.
  toExpNeg: -9e15,
  toExpPos: 9e15,
});
export type Decimal = DecimalJs;

/** The only text that is an amount in a request: no exponent, no sign but minus, no bare point. */
export const DECIMAL_TEXT: RegExp = /^-?[0-9]+(\.[0-9]+)?$/;
