import { z } from 'zod';
import type { LazySchema } from './operation.js';
import type { Place, Reading, ValueReader } from './reading.js';
import { amount } from './schema.js';
import { IN_OUR_WORDS } from './validate.js';
import {
  AmountReader,
  anything,
  ListReader,
  type Member,
  ObjectReader,
  RecordReader,
  RuleReader,
  ScalarReader,
  UnionReader,
  type Variants,
} from './value-readers.js';

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
 * @param depth Number of lists and records on the way to it.
 */
function readerOf(schema: Schema, path: string, depth: number): ValueReader {
  if (schema === amount()) return new AmountReader(path);
  if (schema instanceof z.ZodUnknown) return anything;
  if (schema instanceof z.ZodObject) return new ObjectReader(path, membersOf(schema, path, depth));
  if (schema instanceof z.ZodUnion) return new UnionReader(path, variantsOf(schema, path, depth));
  if (schema instanceof z.ZodArray) {
    const item = placeOf(schema.element, `${path}[]`, depth + 1);
    return new ListReader(path, depth, item, maximumOf(schema));
  }
  if (schema instanceof z.ZodRecord) {
    return new RecordReader(path, depth, placeOf(schema.valueType, `${path}.{}`, depth + 1));
  }
  return scalarReaderOf(schema, path);
}

function scalarReaderOf(schema: Schema, path: string): ValueReader {
  const rules = rulesOf(schema);
  if (schema instanceof z.ZodString && rules.every(({ maximum }) => maximum !== undefined)) {
    return new ScalarReader(path, 'string', maximumOf(schema));
  }
  if (schema instanceof z.ZodNumber && rules.length === 0) return new ScalarReader(path, 'number');
  if (schema instanceof z.ZodBoolean) return new ScalarReader(path, 'boolean');
  if (schema instanceof z.ZodString || schema instanceof z.ZodNumber || schema instanceof z.ZodLiteral) {
    return new RuleReader(path, (value) => schema.safeParse(value, IN_OUR_WORDS).error?.issues[0]?.message);
  }
  throw new TypeError(`answers cannot be read by a schema of type ${schema._zod.def.type} (${path})`);
}

function placeOf(schema: Schema, path: string, depth: number): Place {
  let [inner, mayBeAbsent, mayBeNull, isEssential] = [schema, false, false, false];
  for (;;) {
    if (inner instanceof z.ZodOptional) mayBeAbsent = true;
    else if (inner instanceof z.ZodNullable) mayBeNull = true;
    else if (inner instanceof z.ZodNonOptional) isEssential = true;
    else break;
    inner = inner.unwrap();
  }
  const reader = readerOf(inner, path, depth);
  return { path, reader, mayBeAbsent, mayBeNull: mayBeNull || reader === anything, isEssential, missingIn: 0 };
}

function membersOf({ shape }: z.ZodObject, path: string, depth: number): Member[] {
  return Object.entries(shape).map(([name, schema]) => {
    return memberOf(name, placeOf(schema, path === '' ? name : `${path}.${name}`, depth));
  });
}

/** With a spread V8 makes one hidden class per object: reading then takes 1.5 times as long. */
function memberOf(name: string, { path, reader, mayBeAbsent, mayBeNull, isEssential }: Place): Member {
  const isText = reader instanceof ScalarReader && reader.type === 'string' && reader.maxLength === Infinity;
  const isAmount = reader instanceof AmountReader;
  return { path, reader, mayBeAbsent, mayBeNull, isEssential, missingIn: 0, name, isText, isAmount };
}

/** Returns the rules of a schema as far as they are read here: `max()` has a `maximum`. */
const rulesOf = (schema: Schema): { readonly maximum?: number }[] =>
  (schema._zod.def.checks ?? []).map(({ _zod: { def } }) => def as { readonly maximum?: number });

/** Returns the most items of a list, or characters of a text. */
const maximumOf = (schema: Schema): number => Math.min(...rulesOf(schema).map(({ maximum = Infinity }) => maximum));

function variantsOf(union: z.ZodUnion, path: string, depth: number): Variants {
  const objects = union.options.filter((option) => option instanceof z.ZodObject);
  const texts = union.options.filter((option) => option instanceof z.ZodString);
  if (objects.length + texts.length < union.options.length)
    throw new TypeError(`answers cannot be read by the union ${path}`);
  const takesText = texts.length > 0;
  const known = new Map<string, ObjectReader>();
  let other: ObjectReader | undefined;
  for (const object of objects) {
    const tag = object.shape[TAG];
    const isTagged = objects.length > 1;
    const members = membersOf(object, path, depth).filter(({ name }) => !isTagged || name !== TAG);
    const reader = new ObjectReader(path, members);
    if (isTagged && tag instanceof z.ZodLiteral) for (const value of tag.values) known.set(String(value), reader);
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
  const kindOf = ({ reader }: Member) => (reader instanceof ScalarReader ? reader.type : reader.constructor);
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
