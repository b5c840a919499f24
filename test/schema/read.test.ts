import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Issue } from '../../src/index.js';
import { operations } from '../../src/resources/operations.js';
import { readAnswer } from '../../src/response/read-answer.js';
import type { LazySchema, Operation } from '../../src/schema/operation.js';
import { type ResponseValidation, readBySchema } from '../../src/schema/reading.js';
import { amount, essential } from '../../src/schema/schema.js';
import { toSeen } from '../resources/support/exact.js';
import { OPERATIONS, withMember } from '../resources/support/operations.js';
import { placesIn } from '../resources/support/whole-answers.js';
import { runsOf } from '../support/runs.js';

/** The schema of each operation with the sample answer of it. */
const ANSWERS = operations.flatMap(({ name, answer }) => {
  const sample = OPERATIONS.find((operation) => operation.name === name)?.answer;
  return answer.kind === 'value' ? [{ name, schema: answer.schema, sample: JSON.parse(JSON.stringify(sample)) }] : [];
});

function read(schema: LazySchema, value: unknown, mode: ResponseValidation = 'tolerant') {
  const { value: read, issues, notes } = readBySchema(schema, value, mode, JSON.stringify(value).length);
  return { value: read, issues, missing: [...(notes?.missing ?? [])] };
}

const anyJson = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    undefined,
    '',
    '1',
    '-0.5',
    'balance',
    'wallet',
    'card',
    0,
    1.5,
    true,
    [],
    {},
    [null],
    [{}],
  ),
  // Zod leaves out a member `__proto__`; the reader gives all members that the answer has.
  fc.jsonValue({ maxDepth: 2 }).filter((value) => !JSON.stringify(value).includes('"__proto__"')),
);

/** The message about a string, number or boolean where another of them is expected. */
const OTHER_SCALAR =
  /^must be (an object or text|a string|a number|a whole number|true or false)(, not (a string|a number|a boolean))?$/;

describe.each(ANSWERS)('$name', ({ schema, sample }) => {
  const broken = fc
    .array(fc.tuple(fc.constantFrom(...placesIn(sample)), anyJson), { minLength: 1, maxLength: 4 })
    .map((changes) => {
      let body: unknown = sample;
      for (const [path, value] of changes) {
        try {
          body = withMember(body, path, value);
        } catch {
          // An earlier change took away the object that this member is of.
        }
      }
      return JSON.parse(JSON.stringify(body));
    });

  it('is read in strict mode by its compiled schema as by the schema itself', () => {
    fc.assert(
      fc.property(broken, (body) => {
        const byZod = z.safeParse(schema(), body);
        const { value, issues } = read(schema, body, 'strict');
        expect(issues.length === 0, JSON.stringify(issues)).toBe(byZod.success);
        if (byZod.success) expect(toSeen(value)).toEqual(toSeen(byZod.data));
      }),
      { numRuns: runsOf(300) },
    );
  });

  it('is read in tolerant mode, unless strict mode finds more than what is missing or another scalar', () => {
    fc.assert(
      fc.property(broken, (body) => {
        const strict = read(schema, body, 'strict').issues;
        const tolerant = read(schema, body);
        const passes = ({ message }: Issue) => /^is missing$|, not null$/.test(message) || OTHER_SCALAR.test(message);
        const wrong = strict.filter((issue) => !passes(issue) || issue.path === 'data');
        // Without its tag, only a tolerant reading looks at the other members of an object.
        const untagged = strict.flatMap(({ path }) =>
          /\.(from|to)\.type$/.test(path) ? [path.replace(/type$/, '')] : [],
        );
        const isComparable = ({ path }: Issue) =>
          path !== 'data.verifications' && !untagged.some((one) => path.startsWith(one));
        expect(tolerant.issues.filter(isComparable)).toEqual(wrong.filter(isComparable));
        expect(new Set(tolerant.missing).size).toBe(tolerant.missing.length);
      }),
      { numRuns: runsOf(300) },
    );
  });

  it('is read in one pass as in two: a huge response has no second one', () => {
    fc.assert(
      fc.property(broken, fc.constantFrom('tolerant' as const, 'strict' as const, 'warn' as const), (body, mode) => {
        const [usual, huge] = [0, Number.POSITIVE_INFINITY].map((length) => readBySchema(schema, body, mode, length));
        expect(toSeen(huge?.value)).toEqual(toSeen(usual?.value));
        expect(huge?.issues.slice(0, 1)).toEqual(usual?.issues.slice(0, 1));
        const missing = [huge, usual].map((one) =>
          one && 'value' in one ? [...(one.notes?.missing ?? [])] : undefined,
        );
        expect(missing[0]).toEqual(missing[1]);
      }),
      { numRuns: runsOf(100) },
    );
  });

  it('is read in warn mode, whatever it is: what strict mode finds is noted', () => {
    fc.assert(
      fc.property(broken, (body) => {
        const warned = read(schema, body, 'warn');
        expect(warned.issues).toEqual(read(schema, body, 'strict').issues);
        expect(warned).toHaveProperty('value');
      }),
    );
  });
});

describe('an index of each list on the way', () => {
  it('is in the path of an issue, and `[]` in that of what is missing', () => {
    const schema = () =>
      z.looseObject({
        rows: z.array(z.looseObject({ cells: z.array(z.looseObject({ a: z.string(), b: z.string() })) })),
      });
    const cells = [{ a: 'a', b: 'b' }, { a: {} }];
    const { issues } = read(schema, { rows: [{ cells: [] }, { cells }, { cells: cells.slice(1) }] });
    expect(issues.map(({ path }) => path)).toEqual(['rows.1.cells.1.a', 'rows.2.cells.0.a']);
    expect(read(schema, { rows: [{ cells: [{ a: 'a' }, { a: 'b' }] }] }).missing).toEqual(['rows[].cells[].b']);
  });
});

describe('checking', () => {
  const schema = () => z.looseObject({ data: essential(z.array(z.string())), last: z.string() });
  const wrong = { data: Array.from({ length: 1_000 }, () => ({})), last: 5 };

  it.each(['tolerant', 'strict'] as const)('stops after 100 issues in %s mode', (mode) => {
    const { issues } = read(schema, wrong, mode);
    expect(issues.map(({ path }) => path)).toEqual(Array.from({ length: 100 }, (_, index) => `data.${index}`));
  });

  it('notes 100 issues in warn mode, and reads the rest', () => {
    const amounts = () => z.looseObject({ data: z.array(amount()) });
    const { value, issues } = read(amounts, { data: [...Array(200).fill(5), '1.5'] }, 'warn');
    expect(issues).toHaveLength(100);
    expect(toSeen((value as { data: unknown[] }).data.at(-1))).toEqual({ money: '1.5' });
  });

  it('that overflows the stack is an issue of the answer', () => {
    const select = () => {
      throw new RangeError('Maximum call stack size exceeded');
    };
    const schema = () => z.looseObject({ data: z.string() });
    const operation = { answer: { kind: 'value', schema, select } } as unknown as Operation;
    const body = { kind: 'json', value: { data: 'x' }, text: '{"data":"x"}' } as const;
    for (const mode of ['tolerant', 'strict', 'warn'] as const) {
      expect(readAnswer(operation, body, mode)).toEqual({
        usable: false,
        issues: [{ path: '', message: 'is too deep or too large to be checked' }],
      });
    }
  });
});
