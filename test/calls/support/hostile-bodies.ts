import { MAX_VALUES } from '../../../src/response/parse-json.js';

/** Just below the largest answer that is read. */
const SIZE = 4 * 1024 * 1024 - 1_000;

/** So many times this part, with its number in place of `#`, as fill the size. */
function filled(before: string, part: string, after: string, most: number = SIZE): string {
  const parts: string[] = [];
  for (let size = 0; size < SIZE - 100 && parts.length < most; size += (parts.at(-1)?.length ?? 0) + 1) {
    parts.push(part.replaceAll('#', parts.length.toString(36)));
  }
  return before + parts.join(',') + after;
}

/** Just as many values as are read, and as many objects: each has a comma besides. */
const MANY_VALUES = MAX_VALUES - 10;
const MANY_OBJECTS = MANY_VALUES / 2;

/** In a good answer, the list that many items make long. */
const ACCOUNTS = '{"data":{"id":"u","accounts":[';

/** Makes each body. */
export const HOSTILE_BODIES: Readonly<Record<string, () => string>> = {
  nothing: () => '{"data":[]}',
  objects: () => filled('{"data":[', '{}', ']}'),
  arrays: () => filled('{"data":[', '[]', ']}'),
  numbers: () => filled('{"data":[', '1', ']}'),
  fractions: () => filled('{"data":[', '1.5', ']}'),
  nulls: () => filled('{"data":[', 'null', ']}'),
  texts: () => filled('{"data":[', '"#"', ']}'),
  'objects with a name each': () => filled('{"data":[', '{"#":1}', ']}'),
  'names in an object': () => filled('{"data":{', '"#":1', '}}'),
  'names in the envelope': () => filled('{"data":[],', '"#":1', '}'),
  'indices in an object': () => filled('{"data":{', '"1#":{}', '}}'),
  'items of a list in an object': () => filled(ACCOUNTS, '{}', ']}}'),
  'wrong items of a list in an object': () => filled(ACCOUNTS, '{"id":1}', ']}}'),
  'as many objects as are read': () => filled('{"data":[', '{}', ']}', MANY_OBJECTS),
  'as many items of a list in an object as are read': () => filled(ACCOUNTS, '{}', ']}}', MANY_OBJECTS),
  'as many wrong items of a list in an object as are read': () => filled(ACCOUNTS, '{"id":1}', ']}}', MANY_OBJECTS),
  'as many names in the envelope as are read': () => filled('{"data":[],', '"#":1', '}', MANY_VALUES),
  'as many names beside a list as are read': () => filled('{"data":{"list":[],', '"#":1', '}}', MANY_VALUES - 3),
  'as much depth of arrays as is read': () => `{"data":{"id":${'['.repeat(MANY_VALUES)}${']'.repeat(MANY_VALUES)}}}`,
  'depth of arrays': () => `{"data":${'['.repeat(SIZE / 2)}${']'.repeat(SIZE / 2)}}`,
  'depth of objects': () => `{"data":${'{"a":'.repeat(SIZE / 6)}1${'}'.repeat(SIZE / 6)}}`,
  'arrays that do not end': () => '['.repeat(SIZE),
  'a long text': () => `{"data":{"id":"${'x'.repeat(SIZE)}"}}`,
  'a long text of escapes': () => `{"data":"${'\\u001b'.repeat(SIZE / 6)}"}`,
  'long digits': () => `{"data":[{"symbol":"BTC","index_price":"${'9'.repeat(SIZE)}"}]}`,
  'long digits of a number': () => `{"data":[{"total":${'9'.repeat(SIZE)}}]}`,
};
