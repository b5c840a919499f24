import type { Issue } from '../errors.js';
import { utf8Bytes } from '../runtime/bytes.js';
import { Decimal } from '../schema/decimal.js';
import { MAX_DIGITS, writtenOut } from '../schema/parse-decimal.js';
import { Bare, type Members } from '../util/members.js';
import { hasLoneSurrogate } from './url.js';

/** Maximum number of levels of objects and arrays in a body. A deeper body is an issue. */
const MAX_BODY_LEVELS = 100;

/** Returns the bytes of a JSON body. A value that cannot be written as JSON is an issue. */
export function bodyBytes(body: unknown, issues: Issue[]): Uint8Array | undefined {
  if (body === undefined) return undefined;
  try {
    const json: string | undefined = JSON.stringify(copyJson(body));
    if (json !== undefined) return utf8Bytes(json);
    issues.push({ path: 'body', message: 'must be a JSON value' });
  } catch (error) {
    issues.push({ path: 'body', message: `cannot be written as JSON: ${(error as Error).message}` });
  }
  return undefined;
}

/**
 * Copies a JSON value. Each member is read once, as `JSON.stringify` does: own enumerable members,
 * and the result of a `toJSON`. A `Decimal`, even of another copy of decimal.js, becomes a plain
 * decimal string.
 *
 * @throws TypeError for a number that is not finite, a bigint, an amount of more than 256 digits, a
 *   lone surrogate, or too many levels.
 */
function copyJson(value: unknown, key: string = '', depth: number = 0): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${key} is ${value}`);
  if (typeof value === 'string') return wellFormed(value, key);
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? bigintJson(value, key) : value;
  if (depth >= MAX_BODY_LEVELS) throw new TypeError(`it has more than ${MAX_BODY_LEVELS} levels, or contains itself`);
  if (Decimal.isDecimal(value)) return decimalJson(value as Decimal, key);
  const { toJSON } = value as Members;
  if (typeof toJSON === 'function') return copyJson(toJSON.call(value, key), key, depth + 1);
  if (Array.isArray(value)) return Array.from(value, (item, index) => copyJson(item, String(index), depth + 1));
  if (isBoxed(value)) return copyJson(value.valueOf(), key, depth);
  const copy = new Bare() as Members;
  for (const name of Object.keys(value))
    copy[wellFormed(name, key)] = copyJson((value as Members)[name], name, depth + 1);
  return copy;
}

/** JSON has an escape for half of a surrogate pair, but other languages read it differently. */
function wellFormed(text: string, key: string): string {
  if (hasLoneSurrogate(text)) throw new TypeError(`${key || 'a text'} has a lone surrogate (half of a UTF-16 pair)`);
  return text;
}

function decimalJson(value: Decimal, key: string): string {
  const text = writtenOut(value);
  if (text === undefined)
    throw new TypeError(`${key} has more than ${MAX_DIGITS} digits, written out without exponent`);
  return text;
}

/** True for objects such as `new Number(1)`, which JSON writes as the value inside them. */
function isBoxed(value: object): boolean {
  return value instanceof Number || value instanceof String || value instanceof Boolean || value instanceof BigInt;
}

/** An application may have given `BigInt.prototype` a `toJSON`. */
function bigintJson(value: bigint, key: string): unknown {
  const { toJSON } = Object(value) as Members;
  if (typeof toJSON !== 'function') throw new TypeError('a bigint is not a JSON value: pass it as a string');
  return copyJson(toJSON.call(value, key), key);
}
