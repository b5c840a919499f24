import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { program, run } from '../../support/processes/program.js';
import { Service } from '../../support/service.js';
import type { Refused } from '../support/refused-caller.js';

const caller = program('test/calls/support/refused-caller.ts');

/** Just below the largest answer that is read. */
const SIZE = 4 * 1024 * 1024 - 1_000;

/** So many times this part, with its number in place of `#`, as fill the size. */
function filled(before: string, part: string, after: string, separator = ','): string {
  const parts: string[] = [];
  for (let size = 0; size < SIZE - 20; size += (parts.at(-1)?.length ?? 0) + separator.length) {
    parts.push(part.replaceAll('#', String(parts.length)));
  }
  return before + parts.join(separator) + after;
}

const envelope = '{"error":{"type":"request_error","status":400,"instance":"i","code":"bad_request","causes":[';

/** Bodies by the last part of the path that is refused with them. */
const BODIES: Readonly<Record<string, () => string>> = {
  text: () => 'x'.repeat(SIZE),
  objects: () => filled(envelope, '{}', ']}}'),
  arrays: () => filled(envelope, '[]', ']}}'),
  numbers: () => filled(envelope, '1', ']}}'),
  causes: () => filled(envelope, '{"field":"customer-#","message":"customer-00# is wrong"}', ']}}'),
  names: () => filled(`${envelope}{`, '"customer-#":0', '}]}}'),
  'nested-names': () => filled(`${envelope}{"a":{"b":{`, '"#":{}', '}}}]}}'),
  depth: () => `${envelope}${'['.repeat(SIZE / 2)}${']'.repeat(SIZE / 2 - 100)}`,
  'depth-of-objects': () => filled(`${envelope}`, '{"a":', '', ''),
  message: () => `${envelope}{"field":"f","message":"${'customer-'.repeat(SIZE / 9 - 20)}"}]}}`,
  escapes: () => `${envelope}{"field":"f","message":"${'\\u001b'.repeat(SIZE / 6 - 40)}"}]}}`,
  percents: () => filled('<html>', '%2563ustomer%252D00#', '</html>', ' '),
  wide: () => `${envelope}${filled('', '{"field":"東京#","message":"\\"東京東京東京\\""}', ']}}')}`.slice(0, SIZE),
  code: () => `{"error":{"code":"${'c'.repeat(SIZE)}"}}`,
  page: () => filled('<html>', 'customer-00#', '</html>', ' '),
};

const TEXTS: Readonly<Record<string, number>> = { page: 20_000, percents: 20_000, text: 1 };

describe('a refusal just below 4 MiB, in a process with a heap of 128 MB', () => {
  let service: Service;
  let refusals: readonly Refused[];

  beforeAll(async () => {
    service = await Service.start();
    service.script = ({ path }) => ({ status: 400, body: BODIES[path.split('/').at(-1) ?? '']?.() ?? '' });
    const requests = ['text', ...Object.keys(BODIES)].map((name) => [`/v1/${name}`, TEXTS[name] ?? 2_000]);
    const args = [service.url, service.apiKey, service.apiSecret, JSON.stringify(requests)];
    const { stdout } = await run(caller, args, { node: ['--max-old-space-size=128'], patience: 150_000 });
    refusals = (JSON.parse(stdout) as Refused[]).slice(1);
  }, 180_000);
  afterAll(() => service.close());

  const refusalOf = (name: string) => refusals.find(({ path }) => path === `/v1/${name}`) as Refused;

  it.each(Object.keys(BODIES))('%s: the error has the class of its status, and fits into a log', (name) => {
    const { size, causes, ...refusal } = refusalOf(name);
    expect(refusal.name).toBe('BadRequestError');
    expect(size).toBeLessThan(64_000);
    expect(causes).toBeLessThanOrEqual(100);
  });

  it.each(Object.keys(BODIES))('%s: holds the process up about as long as one long text', (name) => {
    // The text is what it costs to receive as much, with nothing to read in it.
    expect(refusalOf(name).heldUp).toBeLessThan(200 + 3 * refusalOf('text').heldUp);
  });

  it('code and causes are read as far as they are kept', () => {
    expect(refusalOf('causes')).toMatchObject({ code: 'bad_request', causes: 100 });
    expect(refusalOf('message')).toMatchObject({ code: 'bad_request', causes: 1 });
    expect(refusalOf('escapes').size).toBeGreaterThan(1_000);
    expect(refusalOf('code').code).toHaveLength(101);
  });
});
