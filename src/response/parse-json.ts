/**
 * An answer with more values than this is not read: parsed, a value may take 60 bytes, and a million of them as much memory as a small
 * process has. A page of 1,000 assets with all that is known of them has 50,000.
 */
export const MAX_VALUES = 200_000;

/** Shorter texts cannot have too many values: what a value needs in the text, a comma or a bracket, is looked for in longer ones alone. */
const MIN_LENGTH_TO_COUNT = MAX_VALUES;

export const NO_JSON: unique symbol = Symbol('no JSON');

/** The value of a JSON text; `NO_JSON` when it is none. The parser's own message is not kept: it would quote the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return NO_JSON;
  }
}

/** True when a JSON text has more values than may be parsed. Counting takes 1 ns a character, and none for the answers of every day. */
export function hasTooManyValues(text: string): boolean {
  if (text.length < MIN_LENGTH_TO_COUNT) return false;
  let values = 1;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfText(text, index);
    else if ((code === COMMA || code === BRACKET || code === BRACE) && ++values > MAX_VALUES) return true;
  }
  return false;
}

const [QUOTE, COMMA, BRACKET, BRACE, BACKSLASH] = [34, 44, 91, 123, 92];

/** The index of the quote that ends the text which begins at this quote; the end of all where none does. */
function endOfText(text: string, begin: number): number {
  let end = text.indexOf('"', begin + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

/** True behind an odd number of backslashes. */
function isEscaped(text: string, index: number): boolean {
  let begin = index;
  while (text.charCodeAt(begin - 1) === BACKSLASH) begin--;
  return (index - begin) % 2 === 1;
}
