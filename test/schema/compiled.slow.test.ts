import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type * as z from 'zod/mini';
import { Decimal } from '../../src/schema/decimal.js';
import type { LazySchema, Operation } from '../../src/schema/operation.js';

/** One copy of the client's descriptions and of the function that checks input by them. */
interface Copy {
  readonly operations: readonly Operation[];
  readonly validate: (schema: LazySchema | undefined, value: unknown) => unknown;
}

const RUNS_OF_SCHEMA = 150;

let compiled: Copy;
let inBundles: Copy;

async function load(): Promise<Copy> {
  vi.resetModules();
  const { operations } = await import('../../src/resources/operations.js');
  const { validate } = await import('../../src/schema/validate/validate.js');
  return { operations, validate };
}

beforeAll(async () => {
  compiled = await load();
  vi.doMock('../../src/schema/validate/compile.js', () => import('../../src/schema/validate/compile.bundle.js'));
  inBundles = await load();
});

afterAll(() => {
  vi.doUnmock('../../src/schema/validate/compile.js');
});

test('compiled schemas refuse the input that zod refuses, in the same words', () => {
  let [schemas, refused, accepted] = [0, 0, 0];
  for (const [index, operation] of compiled.operations.entries()) {
    for (const part of ['params', 'query', 'body'] as const) {
      const schema = operation[part];
      if (schema === undefined) continue;
      schemas++;
      const other = inBundles.operations[index]?.[part];
      fc.assert(
        fc.property(anyOf(schema()), (value) => {
          const issues = compiled.validate(schema, value);
          expect(inBundles.validate(other, value), `${operation.name}, ${part}`).toEqual(issues);
          if ((issues as unknown[]).length === 0) accepted++;
          else refused++;
        }),
        { numRuns: RUNS_OF_SCHEMA },
      );
    }
  }
  expect(schemas).toBeGreaterThan(80);
  expect(refused).toBeGreaterThan(1_000);
  expect(accepted).toBeGreaterThan(1_000);
});

type Def = z.core.$ZodTypes['_zod']['def'];

/** Values of every kind, whatever the place wants. */
const junk = fc.constantFrom<unknown>(
  ...[undefined, null, true, 0, -1, 1.5, 101, 2 ** 60, -(2 ** 60), Number.NaN, Number.POSITIVE_INFINITY, 1n],
  ...['', ' ', 'a', 'DE', '+4912345', '12.50', '-1', '1e3', '1.2.3', '.5', 'x'.repeat(300), '9'.repeat(300)],
  ...['😀'.repeat(5), '😀'.repeat(22), '\ud800', 'ftp://a.example', 'https://a.example/x y', 'https://a.example/'],
  ...['d9428888-122b-11e1-b85c-61cd3cbb3210', 'balance', 'wallet', 'active', 'crypto', 'BTC', 'user_id_with_14_chars'],
  ...[[], [1], [null], ['a', 'a'], [[]], {}, { type: 'wallet' }, { constructor: 1 }, { length: 3 }],
  ...[new Decimal('1.25'), new Decimal('1e300'), new Date(0), new Map(), Symbol('s'), () => 1],
);

/** Values that a schema may accept, with some that it does not here and there. */
function anyOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: likelyOf(schema) }, { weight: 1, arbitrary: junk });
}

function likelyOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const def = (schema as z.core.$ZodTypes)._zod.def as Def;
  switch (def.type) {
    case 'optional':
      return fc.option(anyOf(def.innerType), { nil: undefined });
    case 'nullable':
      return fc.option(anyOf(def.innerType), { nil: null });
    case 'nonoptional':
      return anyOf(def.innerType);
    case 'array':
      return fc.array(anyOf(def.element), { maxLength: 3 });
    case 'union':
      return fc.oneof(...def.options.map((option) => anyOf(option)));
    case 'object': {
      const members = Object.entries(def.shape).map(([name, member]) => [name, anyOf(member)] as const);
      const all: Record<string, fc.Arbitrary<unknown>> = { ...Object.fromEntries(members), more: junk };
      const requiredKeys = members.flatMap(([name], index) => (index % 5 === 4 ? [] : name));
      return fc.record(all, { requiredKeys });
    }
    case 'literal':
      return fc.constantFrom(...def.values);
    case 'number':
      return fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer());
    case 'boolean':
      return fc.boolean();
    case 'string':
      return fc.oneof(
        fc.constantFrom('1', '0.5', '12.50'),
        fc.string({ minLength: 14, maxLength: 16 }),
        fc.string({ minLength: 3, maxLength: 5 }),
        junk,
      );
    default:
      return junk;
  }
}
