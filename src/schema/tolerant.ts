import { typeMessage } from './messages.js';
import { exactly, isOfKind, type Scalar } from './scalars.js';
import { amount, baseUnits, integerText } from './schema.js';
import * as z from './zod.js';

type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypes['_zod']['def'];
type Members = Record<string, unknown>;

/** What a tolerant reading accepted. A path has `[]` for an index: `data[].to.amount`. */
export interface Notes {
  /** Paths of the places without a value. */
  readonly missing: Set<string>;
  /** Messages about the values of another type that are handed over unchanged, by their paths. */
  readonly accepted: Map<string, string>;
}

/** Without it, zod would report the issue of a wrong variant instead of those of the right one. */
const ABORT = { abort: true } as const;

/** The member that tells the objects of a union apart. */
const TAG = 'type';

/**
 * Derives a relaxed schema from the schema of a response, for zod itself has no tolerance. With
 * `notes`, it accepts what is missing or null, and strings, numbers and booleans in each other's
 * place, which it converts if that is exact. Without, it hands over what is wrong unchanged.
 */
export function tolerantForm(schema: Schema, notes: Notes | undefined, path = ''): Schema {
  const form = formOf(schema, notes, path);
  // As `z.catch` with the input, which would add 12 kB to bundles.
  return notes === undefined ? z.union([form, z.unknown()]) : form;
}

function formOf(schema: Schema, notes: Notes | undefined, path: string): Schema {
  if (schema === amount() || schema === baseUnits()) return schema;
  if (schema === integerText()) return scalarForm(schema, 'int', notes, path);
  const def = defOf(schema);
  switch (def.type) {
    case 'object':
      return objectForm(def.shape, notes, path);
    case 'array':
      return listForm(def, notes, path);
    case 'union':
      return unionForm(def.options as readonly Schema[], notes, path);
    case 'number':
      return scalarForm(schema, 'format' in def ? 'int' : 'number', notes, path);
    case 'string':
    case 'boolean':
      return scalarForm(schema, def.type, notes, path);
    default:
      return schema;
  }
}

/** Returns the definition of a schema. Its `type` tells the kinds apart. */
const defOf = (schema: Schema): Def => (schema as z.core.$ZodTypes)._zod.def;

/** A scalar as it is described, or another one. */
function scalarForm(schema: Schema, kind: Scalar, notes: Notes | undefined, path: string): Schema {
  if (notes === undefined) return schema;
  const convert = (value: unknown): unknown => {
    const converted = exactly(kind, value);
    if (converted === undefined) notes.accepted.set(path, typeMessage(kind, value));
    return converted ?? value;
  };
  // JSON has no infinite number, but JSON.parse() reads 1e999 as one.
  const isOther = (value: unknown) =>
    typeof value !== 'object' &&
    value !== undefined &&
    Math.abs(value as number) !== Infinity &&
    !isOfKind(kind, value);
  return z.union([
    schema,
    z
      .unknown()
      .check(z.refine(isOther, { ...ABORT, error: ({ input }) => typeMessage(kind, input) }), z.overwrite(convert)),
  ]);
}

/** A place of a value: a member of an object, or the items of a list. */
interface Place {
  readonly path: string;
  readonly schema: Schema;
  readonly mayBeAbsent: boolean;
  readonly mayBeNull: boolean;
}

function placeOf(schema: Schema, notes: Notes | undefined, path: string): Place {
  let inner = schema;
  const wrappers = new Set<string>();
  for (let def = defOf(inner); 'innerType' in def; def = defOf(inner)) {
    wrappers.add(def.type);
    inner = def.innerType as Schema;
  }
  const form = tolerantForm(inner, notes, path);
  const isEssential = wrappers.has('nonoptional');
  const mayBeNull = wrappers.has('nullable') || (defOf(inner).type === 'unknown' && !isEssential);
  return {
    path,
    schema: isEssential ? z.nonoptional(form) : z.optional(z.nullable(form)),
    mayBeAbsent: wrappers.has('optional'),
    mayBeNull,
  };
}

function objectForm(shape: z.core.$ZodShape, notes: Notes | undefined, path: string): Schema {
  const prefix = path === '' ? '' : `${path}.`;
  const places = Object.entries(shape).map(([name, schema]) => [name, placeOf(schema, notes, prefix + name)] as const);
  const members = Object.fromEntries(places.map(([name, { schema }]) => [name, schema]));
  const object = z.looseObject(members);
  if (notes === undefined) return object;
  return object.check(
    z.overwrite((value: Members) => {
      for (const [name, { path: at, mayBeAbsent, mayBeNull }] of places) {
        const member = value[name];
        const isGap = member === undefined ? !mayBeAbsent : member === null && !mayBeNull;
        if (isGap) notes.missing.add(at);
        if (isGap && member === null) value[name] = undefined;
      }
      return value;
    }),
  );
}

/** A list. A `null` that no item may be is left out: a loop over the items need not expect it. */
function listForm({ element, checks = [] }: z.core.$ZodArrayDef, notes: Notes | undefined, path: string): Schema {
  const item = placeOf(element, notes, `${path}[]`);
  const list = z.array(item.schema).check(...(checks as z.core.$ZodCheck<unknown[]>[]));
  if (item.mayBeNull || notes === undefined) return list;
  return list.check(
    z.overwrite((items) => {
      if (!items.includes(null)) return items;
      notes.missing.add(item.path);
      return items.filter((one) => one !== null);
    }),
  );
}

/**
 * A union. Objects that a tag tells apart are tried by their tag alone, since each would take most
 * of the others. One without a tag may have the members of all.
 */
function unionForm(options: readonly Schema[], notes: Notes | undefined, path: string): Schema {
  const shapes = options.map(shapeOf);
  const tags = shapes.map((shape) => tagsOf(shape[TAG]));
  if (tags.every((own) => own.length === 0)) return z.union(options.map((option) => formOf(option, notes, path)));
  const isOther = (tag: unknown) => !isAbsent(tag) && !tags.flat().includes(tag);
  const variants = shapes.map(({ [TAG]: _tag, ...shape }, index) => {
    const own = tags[index] ?? [];
    const isOwn = own.length === 0 ? isOther : (tag: unknown) => own.includes(tag);
    return variant(isOwn, objectForm({ ...shape, [TAG]: z.string() }, notes, path));
  });
  const all = Object.entries(Object.assign({}, ...shapes) as z.core.$ZodShape);
  const untagged = { ...Object.fromEntries(all.map(([name, one]) => [name, z.optional(one)])), [TAG]: z.string() };
  return z.union([...variants, variant(isAbsent, objectForm(untagged, notes, path))]);
}

/** Returns the members of an object; none of another schema. */
function shapeOf(schema: Schema): z.core.$ZodShape {
  const def = defOf(schema);
  return def.type === 'object' ? def.shape : {};
}

function tagsOf(tag: Schema | undefined): readonly unknown[] {
  const def = tag && defOf(tag);
  return def?.type === 'literal' ? def.values : [];
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** One variant of a union: the objects whose tag `isOwn` accepts. */
function variant(isOwn: (tag: unknown) => boolean, form: Schema): Schema {
  const tagged = z.looseObject({}).check(z.refine(({ [TAG]: tag }: Members) => isOwn(tag), { ...ABORT, path: [TAG] }));
  return z.pipe(tagged, form as z.core.$ZodType<unknown, Members>);
}
