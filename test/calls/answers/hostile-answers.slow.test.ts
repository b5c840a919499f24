import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { program, run } from '../../support/processes/program.js';
import { Service } from '../../support/service.js';
import type { Ended } from '../support/hostile-answers-caller.js';

const caller = program('test/calls/support/hostile-answers-caller.ts');

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

/** In a good answer, the list that many items make long. */
const ACCOUNTS = '{"data":{"id":"u","accounts":[';

const BODIES: Readonly<Record<string, () => string>> = {
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
  'as many objects as are read': () => filled('{"data":[', '{}', ']}', 99_990),
  'as many items of a list in an object as are read': () => filled(ACCOUNTS, '{}', ']}}', 99_990),
  'as many wrong items of a list in an object as are read': () => filled(ACCOUNTS, '{"id":1}', ']}}', 99_990),
  'as many names in the envelope as are read': () => filled('{"data":[],', '"#":1', '}', 199_990),
  'as much depth of arrays as is read': () => `{"data":{"id":${'['.repeat(199_990)}${']'.repeat(199_990)}}}`,
  'depth of arrays': () => `{"data":${'['.repeat(SIZE / 2)}${']'.repeat(SIZE / 2)}}`,
  'depth of objects': () => `{"data":${'{"a":'.repeat(SIZE / 6)}1${'}'.repeat(SIZE / 6)}}`,
  'arrays that do not end': () => '['.repeat(SIZE),
  'a long text': () => `{"data":{"id":"${'x'.repeat(SIZE)}"}}`,
  'a long text of escapes': () => `{"data":"${'\\u001b'.repeat(SIZE / 6)}"}`,
  'long digits': () => `{"data":[{"symbol":"BTC","index_price":"${'9'.repeat(SIZE)}"}]}`,
  'long digits of a number': () => `{"data":[{"total":${'9'.repeat(SIZE)}}]}`,
};

let made = { name: '', body: '' };

/** The body of this name. The last is kept: three operations ask for it in turn. */
function bodyOf(name: string): string {
  if (made.name !== name) made = { name, body: BODIES[name]?.() ?? '' };
  return made.body;
}

describe.each(['tolerant', 'strict', 'warn'])(
  'an answer just below 4 MiB in %s mode, with a heap of 128 MB',
  (mode) => {
    let service: Service;
    let ends: readonly Ended[];

    beforeAll(async () => {
      service = await Service.start();
      service.script = ({ headers }) => ({ body: bodyOf(headers['x-body'] ?? '') });
      const args = [service.url, service.apiKey, service.apiSecret, mode, JSON.stringify(Object.keys(BODIES))];
      const { stdout } = await run(caller, args, { node: ['--max-old-space-size=128'], patience: 300_000 });
      ends = JSON.parse(stdout) as Ended[];
    }, 360_000);
    afterAll(() => service.close());

    it.each(Object.keys(BODIES))('%s: ends with a value or a ResponseValidationError that fits into a log', (body) => {
      const ofBody = ends.filter((each) => each.body === body);
      expect(ofBody).toHaveLength(3);
      for (const { operation, end, size, issues } of ofBody) {
        expect(['value', 'ResponseValidationError'], operation).toContain(end);
        expect(size).toBeLessThan(64_000);
        expect(issues).toBeLessThanOrEqual(100);
      }
    });
  },
);
