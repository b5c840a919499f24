import { Decimal } from './decimal.js';
import { readShort } from './short-decimal.js';

/** Longer amounts are rejected: the time of a calculation grows with the square of the digits. */
export const MAX_DIGITS = 256;

/** The message about a string of a response that is not an amount. */
export const NOT_AMOUNT = `must be a decimal number as a string, of at most ${MAX_DIGITS} digits`;

/** An exponent has three digits at most: decimal.js would fill the memory with `1e-1000000000`. */
const AMOUNT_TEXT = /^[+-]?(\d+(\.\d+)?|\.\d+)([eE][+-]?\d{1,3})?$/;
const MAX_LENGTH = '-.e-999'.length + MAX_DIGITS;

/** Returns the exact value of an amount's text; undefined when it is not an amount. */
export function decimalOf(text: string): Decimal | undefined {
  return readShort?.(text) ?? readAny(text);
}

function readAny(text: string): Decimal | undefined {
  if (text.length > MAX_LENGTH || !AMOUNT_TEXT.test(text)) return undefined;
  if (text.length > MAX_DIGITS && text.replace(/[eE].*|\D/g, '').length > MAX_DIGITS) return undefined;
  const value = new Decimal(text);
  return digitsOf(value) > MAX_DIGITS ? undefined : value;
}

/** Returns a number without exponent; undefined if it would have more than 256 digits. */
export function writtenOut(value: Decimal): string | undefined {
  return digitsOf(value) > MAX_DIGITS ? undefined : value.toFixed();
}

/** Returns the number of digits without exponent; NaN for NaN and Infinity. */
function digitsOf(value: Decimal): number {
  return Math.max(value.e, 0) + 1 + value.decimalPlaces();
}
