import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { program, run } from '../../support/processes/program.js';
import { Service } from '../../support/service.js';
import type { Ended } from '../support/hostile-answers-caller.js';
import { HOSTILE_BODIES } from '../support/hostile-bodies.js';

const caller = program('test/calls/support/hostile-answers-caller.ts');

let made = { name: '', body: '' };

/** The body of this name. The last is kept: three operations ask for it in turn. */
function bodyOf(name: string): string {
  if (made.name !== name) made = { name, body: HOSTILE_BODIES[name]?.() ?? '' };
  return made.body;
}

describe.each(['tolerant', 'strict', 'warn'])(
  'two answers just below 4 MiB at once in %s mode, with a heap of 128 MB',
  (mode) => {
    let service: Service;
    let ends: readonly Ended[];

    beforeAll(async () => {
      service = await Service.start();
      service.script = ({ headers }) => ({ body: bodyOf(headers['x-body'] ?? '') });
      const args = [
        service.url,
        service.apiKey,
        service.apiSecret,
        mode,
        JSON.stringify(Object.keys(HOSTILE_BODIES)),
        '2',
      ];
      const { stdout } = await run(caller, args, { node: ['--max-old-space-size=128'], patience: 300_000 });
      ends = JSON.parse(stdout) as Ended[];
    }, 360_000);
    afterAll(() => service.close());

    it.each(Object.keys(HOSTILE_BODIES))(
      '%s: each ends with a value or a ResponseValidationError that fits into a log',
      (body) => {
        const ofBody = ends.filter((each) => each.body === body);
        expect(ofBody).toHaveLength(8);
        for (const { operation, end, size, issues } of ofBody) {
          expect(['value', 'ResponseValidationError'], operation).toContain(end);
          expect(size).toBeLessThan(64_000);
          expect(issues).toBeLessThanOrEqual(100);
        }
      },
    );
  },
);
