import { Decimal as DecimalJs } from 'decimal.js';

/**
 * An exact decimal number: every amount, price, percentage and quantity of the API.
 *
 * A private clone of decimal.js, so that settings of the application's own decimal.js never change money here: 80 significant
 * digits in arithmetic, rounding half to even, and never an exponent in text (`toString()`, `toFixed()`, `JSON.stringify`).
 * Construction is exact at any length; only arithmetic rounds, beyond the 80th digit.
 */
export const Decimal: DecimalJs.Constructor = DecimalJs.clone({
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
