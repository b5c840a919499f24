import { endOfString, isEscaped } from '../util/json-text.js';

/**
 * A response with more values than this is not read: a parsed value may take 60 bytes, so a million
 * of them take as much memory as a small process. A page of 1,000 assets with all their known
 * members has 50,000, one of 6,500 conversions 250,000.
 */
export const MAX_VALUES = 300_000;

export const NOT_JSON: unique symbol = Symbol('not JSON');

/** Returns the value of a JSON text, or `NOT_JSON`: the error of `JSON.parse()` quotes the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return NOT_JSON;
  }
}

/** True when a JSON text has more than `MAX_VALUES` values. Counting takes 1 ns a character. */
export function hasTooManyValues(text: string): boolean {
  // Each value needs a comma or a bracket of its own.
  if (text.length < MAX_VALUES) return false;
  let values = 1;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if ((code === COMMA || code === BRACKET || code === BRACE) && ++values > MAX_VALUES) return true;
  }
  return false;
}

const [QUOTE, COMMA, BRACKET, BRACE] = [34, 44, 91, 123];

/**
 * Parses the beginning of a JSON text whose end is cut off. An incomplete member at the end is left
 * out, an incomplete string is shortened. Returns `NOT_JSON` when the beginning is not JSON.
 */
export function parseBeginning(text: string): unknown {
  const closers: string[] = [];
  let end = 0;
  let before = '';
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '"') {
      index = endOfString(text, index);
      const isName = before === '{' || (before === ',' && closers.at(-1) === '}');
      if (index === text.length && !isName) {
        end = text.length - brokenEscapeLength(text);
        closers.push('"');
      }
    } else if (character === '{' || character === '[') {
      closers.push(character === '{' ? '}' : ']');
      end = index + 1;
    } else if (character === '}' || character === ']') {
      closers.pop();
      end = index + 1;
    } else if (character === ',') end = index;
    if ('{[,:'.includes(character)) before = character;
  }
  return parseJson(text.slice(0, end) + closers.reverse().join(''));
}

/** Returns the length of an escape (`\` or `\u00`) that the end of the text cuts off, or 0. */
function brokenEscapeLength(text: string): number {
  const broken = /\\(?:u[\da-f]{0,3})?$/i.exec(text);
  return broken === null || isEscaped(text, broken.index) ? 0 : text.length - broken.index;
}
