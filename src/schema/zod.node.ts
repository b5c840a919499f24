/**
 * What `zod.ts` names, in the build for Node: from the installed zod, without the languages of its
 * messages, which take 30 ms of CPU at start (`npm run bench:start`). If a version of zod has other
 * files, all of it is loaded. CI checks that each version that may be installed has these.
 */

import type * as mini from 'zod/mini';

type Core = typeof mini.core;
type Schema = mini.core.$ZodType;
type Check = mini.core.$ZodCheck | ((payload: mini.core.ParsePayload) => unknown);
type Shape = mini.core.$ZodShape;

/** The `require` of CommonJS: this file is built in that form. */
declare const require: { (name: string): unknown; resolve(name: string): string };

const FILES = ['core', 'util', 'schemas', 'checks', 'api', 'parse', 'compile'];

/** Undefined if zod has other files. */
function filesOfZod(): Core | undefined {
  try {
    const folder = require.resolve('zod/package.json').replace(/package\.json$/, 'v4/core/');
    const core: Core = Object.assign({}, ...FILES.map((name) => require(`${folder}${name}.cjs`)));
    const isWhole = '_string' in core && '_overwrite' in core && 'safeParse' in core && 'compile' in core;
    return isWhole ? core : undefined;
  } catch {
    return undefined;
  }
}

/** A custom check, as `zod/mini` makes it of a function. */
const asCheck = (check: Check): object =>
  typeof check === 'function' ? { _zod: { check, def: { check: 'custom' }, onattach: [] } } : check;

/** The functions of `zod/mini`: those of its core, whose schemas get the methods that are used. */
function miniOf(core: Core) {
  const whole = <S extends Schema>(schema: S): S => {
    const def = schema._zod.def as mini.core.$ZodTypes['_zod']['def'];
    const withChecks = (...checks: readonly Check[]) => ({
      ...def,
      checks: [...(def.checks ?? []), ...checks.map(asCheck)],
    });
    const check = (...checks: readonly Check[]) =>
      whole(core.clone(schema, withChecks(...checks) as typeof def, { parent: true }));
    return Object.assign(schema, { check }, def.type === 'object' && { shape: def.shape });
  };
  const schemasOf =
    (make: unknown, Class: unknown) =>
    (...args: readonly unknown[]) =>
      whole((make as (...all: readonly unknown[]) => Schema)(Class, ...args));
  const optional = schemasOf(core._optional, core.$ZodOptional);
  const nullable = schemasOf(core._nullable, core.$ZodNullable);
  const unknown = schemasOf(core._unknown, core.$ZodUnknown);
  return {
    array: schemasOf(core._array, core.$ZodArray),
    boolean: schemasOf(core._boolean, core.$ZodBoolean),
    compile: core.compile,
    config: core.config,
    guid: schemasOf(core._guid, core.$ZodGUID),
    int: schemasOf(core._int, core.$ZodNumberFormat),
    literal: schemasOf(core._literal, core.$ZodLiteral),
    looseObject: (shape: Shape) => whole(new core.$ZodObject({ type: 'object', shape, catchall: unknown() })),
    maximum: core._lte,
    maxLength: core._maxLength,
    minimum: core._gte,
    minLength: core._minLength,
    nonoptional: schemasOf(core._nonoptional, core.$ZodNonOptional),
    nullable,
    nullish: (inner: Schema) => optional(nullable(inner)),
    number: schemasOf(core._number, core.$ZodNumber),
    object: (shape: Shape) => whole(new core.$ZodObject({ type: 'object', shape })),
    optional,
    overwrite: core._overwrite,
    pipe: schemasOf(core._pipe, core.$ZodPipe),
    refine: (...args: readonly unknown[]) =>
      (core._refine as (...all: readonly unknown[]) => unknown)(core.$ZodCustom, ...args),
    regex: core._regex,
    safeParse: core.safeParse,
    string: schemasOf(core._string, core.$ZodString),
    union: schemasOf(core._union, core.$ZodUnion),
    unknown,
    validate: core.validate,
  };
}

const core = filesOfZod();
const zod = core === undefined ? (require('zod/mini') as ReturnType<typeof miniOf>) : miniOf(core);

export const { array, boolean, compile, config, guid, int, literal, looseObject, maximum, maxLength } = zod;
export const { minimum, minLength, nonoptional, nullable, nullish, number, object, optional, overwrite, pipe } = zod;
export const { refine, regex, safeParse, string, union, unknown, validate } = zod;
