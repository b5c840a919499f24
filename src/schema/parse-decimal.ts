import { Decimal } from './decimal.js';

/** An amount has at most this many digits, written out without exponent: calculating with more takes time that grows with their square. */
export const MAX_DIGITS = 256;

/** What is said of an answer's text that is no amount. */
export const NOT_AMOUNT = `must be a decimal number as text, of at most ${MAX_DIGITS} digits`;

/** An amount as a service may write it. Three digits of exponent: decimal.js would write `1e-1000000000` out, and fill the memory. */
const AMOUNT_TEXT = /^[+-]?(\d+(\.\d+)?|\.\d+)([eE][+-]?\d{1,3})?$/;
const LONGEST_AMOUNT = '-.e-999'.length + MAX_DIGITS;

/** decimal.js keeps digits in words of so many; the point is between two of them. */
const WORD = 7;
const WORD_SIZE = 1e7;
/** So many digits every number holds exactly. */
const EXACT = 15;
const POWERS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14] as const;
const [MINUS, POINT, ZERO, NINE] = [45, 46, 48, 57];

/** The members of a `Decimal`: its constructor, and as its documentation has them, sign, exponent of the first digit and words. */
interface Fields {
  constructor: typeof Decimal;
  s: number;
  e: number;
  d: number[];
}

/**
 * The exact value of an amount's text; undefined when it is none. decimal.js reads every notation that numbers have, which takes most of the
 * time of a page of amounts; nearly all are short and plain, and those are checked and read here in one pass.
 */
export function decimalOf(text: string): Decimal | undefined {
  return (MADE_AS_KNOWN ? readShort(text) : undefined) ?? readAny(text);
}

function readAny(text: string): Decimal | undefined {
  if (text.length > LONGEST_AMOUNT || !AMOUNT_TEXT.test(text)) return undefined;
  if (text.length > MAX_DIGITS && text.replace(/[eE].*|\D/g, '').length > MAX_DIGITS) return undefined;
  const value = new Decimal(text);
  return digitsOf(value) > MAX_DIGITS ? undefined : value;
}

/** The digits of a number without exponent; undefined when there are more than 256: writing out `1e9000000000` would end the process. */
export function writtenOut(value: Decimal): string | undefined {
  return digitsOf(value) > MAX_DIGITS ? undefined : value.toFixed();
}

/** How many digits a number has, written out without exponent. NaN for what is no number. */
function digitsOf(value: Decimal): number {
  return Math.max(value.e, 0) + 1 + value.decimalPlaces();
}

/** A plain decimal of up to 15 digits, 7 of them before the point; anything else is undefined. */
function readShort(text: string): Decimal | undefined {
  const start = text.charCodeAt(0) === MINUS ? 1 : 0;
  if (text.length - start > EXACT + 1) return undefined;
  let point = text.length;
  let digits = 0;
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= ZERO && code <= NINE) digits = digits * 10 + (code - ZERO);
    else if (code === POINT && point === text.length) point = index;
    else return undefined;
  }
  if (point === start || point - start > WORD || point === text.length - 1) return undefined;
  return fromDigits(start === 0 ? 1 : -1, digits, Math.max(text.length - point - 1, 0));
}

/** All digits as one number, and how many of them are behind the point. Every step is exact. */
function fromDigits(sign: number, digits: number, places: number): Decimal {
  const one = POWERS[places] ?? 1;
  const first = Math.floor(digits / one);
  const fraction = (digits - first * one) * (POWERS[2 * WORD - places] ?? 1);
  const second = Math.floor(fraction / WORD_SIZE);
  return fromWords(sign, first, second, fraction - second * WORD_SIZE);
}

/** A word before the point, one behind it, and one behind that; zeros at the ends are not kept. */
function fromWords(sign: number, first: number, second: number, third: number): Decimal {
  if (first > 0) {
    const words = third > 0 ? [first, second, third] : second > 0 ? [first, second] : [first];
    return make(sign, lengthOf(first) - 1, words);
  }
  if (second > 0) return make(sign, lengthOf(second) - 1 - WORD, third > 0 ? [second, third] : [second]);
  return third > 0 ? make(sign, lengthOf(third) - 1 - 2 * WORD, [third]) : make(sign, 0, [0]);
}

/** How many digits a word has. */
function lengthOf(word: number): number {
  let length = 1;
  while (word >= (POWERS[length] ?? Infinity)) length++;
  return length;
}

/** What the constructor of decimal.js makes: the same members in the same order, so that its own code meets one kind of object. */
function make(sign: number, exponent: number, words: number[]): Decimal {
  const value = Object.create(Decimal.prototype) as Fields;
  value.constructor = Decimal;
  value.s = sign;
  value.e = exponent;
  value.d = words;
  return value as unknown as Decimal;
}

/** Texts with a digit in each word, and in none. */
const KNOWN = ['-1234567.00000012', '1.00000010000002', '0.05', '0.00000000000009', '-0'];

/** Money is not left to what is known of another package: where it makes its values otherwise, it reads every amount itself. */
const MADE_AS_KNOWN = KNOWN.every((text) => {
  const [made, value] = [readShort(text), new Decimal(text)];
  return made !== undefined && described(made) === described(value);
});

/** Every member with its value, in their order. */
function described(value: Decimal): string {
  const members = Object.entries(value).map(([name, member]) => `${name}=${member === Decimal ? 'Decimal' : member}`);
  return members.join();
}
