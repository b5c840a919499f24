import { keepsDigits } from '../util/digits.js';

/** A shorter number keeps its digits. */
const LONG_NUMBER = /\d[\d.]{15}/;

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[{}[\]:]/g;

/**
 * Returns the paths of the numbers in a JSON text that lose digits as JavaScript numbers, each
 * once. A path has `[]` for an index: `data[].amount`.
 */
export function inexactNumbers(json: string): string[] {
  if (!LONG_NUMBER.test(json)) return [];
  const found = new Set<string>();
  const path: string[] = [];
  let before = '';
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{' || token === '[') path.push(token === '[' ? '[]' : '');
    else if (token === '}' || token === ']') path.pop();
    else if (token === ':') path.splice(-1, 1, JSON.parse(before) as string);
    else if (!token.startsWith('"') && !keepsDigits(token)) found.add(path.join('.').replaceAll('.[]', '[]'));
    before = token;
  }
  return [...found];
}
