import type { LazySchema } from './operation.js';
import type { Place, Reading, ValueReader } from './reading.js';
import { amount, integerText } from './schema.js';
import {
  AmountReader,
  anything,
  IntegerTextReader,
  ListReader,
  type Member,
  ObjectReader,
  ScalarReader,
  UnionReader,
  type Variants,
} from './value-readers.js';
import * as z from './zod.js';

type Schema = z.core.$ZodType;

/** The member that tells the objects of a union apart. */
const TAG = 'type';

const readers = new WeakMap<LazySchema, ValueReader>();

/**
 * Reads a JSON value by its schema, in place and in one pass. Its readers are made from the schema
 * at the first use. Zod has no tolerance, copies what it reads, and makes an issue of each wrong
 * member.
 */
export function readBySchema(schema: LazySchema, value: unknown, reading: Reading): unknown {
  let reader = readers.get(schema);
  if (reader === undefined) {
    reader = readerOf(schema(), '', 0);
    readers.set(schema, reader);
  }
  return reader.read(value, reading);
}

/**
 * @param path Path of the place that the schema describes.
 * @param depth Number of lists on the way to it.
 */
function readerOf(schema: Schema, path: string, depth: number): ValueReader {
  if (schema === amount()) return new AmountReader(path);
  if (schema === integerText()) return new IntegerTextReader(path);
  const def = defOf(schema);
  switch (def.type) {
    case 'unknown':
      return anything;
    case 'object':
      return new ObjectReader(path, membersOf(def, path, depth));
    case 'union':
      return new UnionReader(path, variantsOf(def, path, depth));
    case 'array':
      return new ListReader(path, depth, placeOf(def.element, `${path}[]`, depth + 1), maximumOf(def));
    case 'boolean':
      return new ScalarReader(path, 'boolean');
    case 'number':
      return new ScalarReader(path, 'format' in def ? 'int' : 'number');
    case 'string':
      if ('format' in def || rulesOf(def).some(({ maximum }) => maximum === undefined)) break;
      return new ScalarReader(path, 'string', maximumOf(def));
  }
  throw new TypeError(`answers cannot be read by a schema of type ${def.type} (${path})`);
}

type Def = z.core.$ZodTypes['_zod']['def'];

/** Returns the definition of a schema. Its `type` tells the kinds apart. */
const defOf = (schema: Schema): Def => (schema as z.core.$ZodTypes)._zod.def;

function placeOf(schema: Schema, path: string, depth: number): Place {
  let [inner, mayBeAbsent, mayBeNull, isEssential] = [schema, false, false, false];
  for (;;) {
    const def = defOf(inner);
    if (def.type === 'optional') mayBeAbsent = true;
    else if (def.type === 'nullable') mayBeNull = true;
    else if (def.type === 'nonoptional') isEssential = true;
    else break;
    inner = def.innerType;
  }
  const reader = readerOf(inner, path, depth);
  mayBeNull ||= reader === anything && !isEssential;
  return { path, reader, mayBeAbsent, mayBeNull, isEssential, missingIn: 0 };
}

function membersOf({ shape }: Pick<z.core.$ZodObjectDef, 'shape'>, path: string, depth: number): Member[] {
  return Object.entries(shape).map(([name, schema]) => {
    return memberOf(name, placeOf(schema, path === '' ? name : `${path}.${name}`, depth));
  });
}

/**
 * Copies by name. With a spread V8 would make a hidden class for each object: 8 % more CPU of a
 * page (`npm run bench -- --cells page:64`).
 */
function memberOf(name: string, { path, reader, mayBeAbsent, mayBeNull, isEssential }: Place): Member {
  const isText = reader instanceof ScalarReader && reader.kind === 'string' && reader.maxLength === Infinity;
  const isAmount = reader instanceof AmountReader;
  return { path, reader, mayBeAbsent, mayBeNull, isEssential, missingIn: 0, name, isText, isAmount };
}

/** Returns the checks of a schema. Those that limit a length have a `maximum`. */
const rulesOf = ({ checks = [] }: z.core.$ZodTypeDef): { readonly maximum?: number }[] =>
  checks.map(({ _zod: { def } }) => def as { readonly maximum?: number });

/** Returns the most items of a list, or characters of a text. */
const maximumOf = (def: z.core.$ZodTypeDef): number =>
  Math.min(...rulesOf(def).map(({ maximum = Infinity }) => maximum));

function variantsOf({ options }: z.core.$ZodUnionDef, path: string, depth: number): Variants {
  const defs = (options as readonly Schema[]).map(defOf);
  const objects = defs.filter((def) => def.type === 'object');
  const takesText = defs.some(({ type }) => type === 'string');
  if (defs.some(({ type }) => type !== 'object' && type !== 'string'))
    throw new TypeError(`answers cannot be read by the union ${path}`);
  const known = new Map<string, ObjectReader>();
  let other: ObjectReader | undefined;
  for (const object of objects) {
    const { [TAG]: tag, ...others } = object.shape;
    const tagDef = tag === undefined ? undefined : defOf(tag);
    const isTagged = objects.length > 1;
    const reader = new ObjectReader(path, membersOf({ shape: isTagged ? others : object.shape }, path, depth));
    if (isTagged && tagDef?.type === 'literal') for (const value of tagDef.values) known.set(String(value), reader);
    else other = reader;
  }
  if (known.size === 0) return { tag: undefined, other, untagged: anything, takesText };
  const member = memberOf(TAG, placeOf(z.string(), `${path}.${TAG}`, depth));
  const untagged = new ObjectReader(path, membersOfUntagged([...known.values()]));
  return { tag: { member, known }, other, untagged, takesText };
}

/**
 * Returns the members of an object that may be any of several, all optional. A member is included
 * when only one variant has it, or when all that have it have the same kind of scalar.
 */
function membersOfUntagged(variants: readonly ObjectReader[]): Member[] {
  const all = variants.flatMap(({ members }) => members);
  const kindOf = ({ reader }: Member) => (reader instanceof ScalarReader ? reader.kind : reader.constructor);
  const isScalar = ({ reader }: Member) => reader instanceof ScalarReader || reader instanceof AmountReader;
  const isClear = (member: Member) =>
    all.every(
      (other) =>
        other.name !== member.name || (kindOf(other) === kindOf(member) && isScalar(member)) || other === member,
    );
  const isFirst = (member: Member) => all.find(({ name }) => name === member.name) === member;
  return all
    .filter((member) => isFirst(member) && isClear(member))
    .map((member) => memberOf(member.name, { ...member, mayBeAbsent: true }));
}
