/** Returns the index of the quote that ends the string from `begin`, or the text's length. */
export function endOfString(text: string, begin: number): number {
  let end = text.indexOf('"', begin + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

/** True behind an odd number of backslashes. */
export function isEscaped(text: string, index: number): boolean {
  let begin = index;
  while (text.charAt(begin - 1) === '\\') begin--;
  return (index - begin) % 2 === 1;
}

/** True if a JavaScript number has all digits of a number in JSON. */
export const keepsDigits = (json: string): boolean => significant(String(Number(json))) === significant(json);

/** Returns the digits of a number without exponent, decimal point and zeros at both ends. */
const significant = (number: string): string =>
  number
    .replace(/e.*$/i, '')
    .replaceAll(/[^\d]/g, '')
    .replace(/^0+/, '')
    .replace(/(?<!0)0+$/, '');

/** Other numbers keep their digits, except for one whose exponent is out of range. */
const LONG_NUMBER = /\d[\d.]{15}|\d[eE][+-]?\d{3}/;

const NUMBER = /-?\d[\d.eE+-]*/y;

/**
 * Returns the numbers in a JSON text that lose digits as JavaScript numbers, by their paths. A path
 * has `[]` for an index: `data[].amount`.
 */
export function inexactNumbers(json: string): Map<string, string> {
  const found = new Map<string, string>();
  if (!LONG_NUMBER.test(json)) return found;
  const path: string[] = [];
  let text = '';
  for (let index = 0; index < json.length; index++) {
    const character = json.charAt(index);
    if (character === '"') {
      const end = endOfString(json, index);
      text = json.slice(index, end + 1);
      index = end;
    } else if (character === '{' || character === '[') path.push(character === '[' ? '[]' : '');
    else if (character === '}' || character === ']') path.pop();
    else if (character === ':') path.splice(-1, 1, JSON.parse(text) as string);
    else if (/[-\d]/.test(character)) {
      NUMBER.lastIndex = index;
      const [number = character] = NUMBER.exec(json) ?? [];
      if (!keepsDigits(number)) found.set(path.join('.').replaceAll('.[]', '[]'), number);
      index += number.length - 1;
    }
  }
  return found;
}
