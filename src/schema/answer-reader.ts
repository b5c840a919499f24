import { z } from 'zod';
import { IN_OUR_WORDS } from './issues.js';
import type { LazySchema } from './operation.js';
import type { Reading } from './reading.js';
import { amount } from './schema.js';
import {
  AmountReader,
  anything,
  ListReader,
  type Member,
  ObjectReader,
  PlainReader,
  type ReadSlot,
  RecordReader,
  RuleReader,
  UnionReader,
  type ValueReader,
  type Variants,
} from './value-readers.js';

type Schema = z.core.$ZodType;

/** The member that tells the objects of a union apart. */
const TAG = 'type';

const made = new WeakMap<LazySchema, ValueReader>();

/**
 * Reads a JSON value by its schema, in place, in one pass. The schema says what is expected, and a reader made from it looks: zod itself knows
 * no tolerance, makes an issue of every wrong member of a large answer before anybody can stop it, and copies what it reads.
 * A page costs what it cost by zod's compiled code, with missing members as well, and from the first reading on.
 */
export function readBySchema(schema: LazySchema, value: unknown, reading: Reading): unknown {
  let reader = made.get(schema);
  if (reader === undefined) {
    reader = readerOf(schema(), '', 0);
    made.set(schema, reader);
  }
  return reader.read(value, reading);
}

/**
 * @param path Of the slot that the schema describes.
 * @param depth How many lists and records there are on the way to it.
 */
function readerOf(schema: Schema, path: string, depth: number): ValueReader {
  if (schema === amount()) return new AmountReader(path);
  if (schema instanceof z.ZodUnknown) return anything;
  if (schema instanceof z.ZodObject) return new ObjectReader(path, membersOf(schema, path, depth));
  if (schema instanceof z.ZodUnion) return new UnionReader(path, variantsOf(schema, path, depth));
  if (schema instanceof z.ZodArray) {
    const item = slotOf(schema.element, `${path}[]`, depth + 1);
    return new ListReader(path, depth, item, maximumOf(schema));
  }
  if (schema instanceof z.ZodRecord) {
    return new RecordReader(path, depth, slotOf(schema.valueType, `${path}.{}`, depth + 1));
  }
  return scalarReaderOf(schema, path);
}

function scalarReaderOf(schema: Schema, path: string): ValueReader {
  const rules = rulesOf(schema);
  if (schema instanceof z.ZodString && rules.every(({ maximum }) => maximum !== undefined)) {
    return new PlainReader(path, 'string', maximumOf(schema));
  }
  if (schema instanceof z.ZodNumber && rules.length === 0) return new PlainReader(path, 'number');
  if (schema instanceof z.ZodBoolean) return new PlainReader(path, 'boolean');
  if (schema instanceof z.ZodString || schema instanceof z.ZodNumber || schema instanceof z.ZodLiteral) {
    return new RuleReader(path, (value) => schema.safeParse(value, IN_OUR_WORDS).error?.issues[0]?.message);
  }
  throw new TypeError(`answers cannot be read by a schema of type ${schema._zod.def.type} (${path})`);
}

function slotOf(schema: Schema, path: string, depth: number): ReadSlot {
  let [inner, mayBeAbsent, mayBeNull, isEssential] = [schema, false, false, false];
  for (;;) {
    if (inner instanceof z.ZodOptional) mayBeAbsent = true;
    else if (inner instanceof z.ZodNullable) mayBeNull = true;
    else if (inner instanceof z.ZodNonOptional) isEssential = true;
    else break;
    inner = inner.unwrap();
  }
  const reader = readerOf(inner, path, depth);
  if (reader === anything) mayBeNull = true;
  return { path, reader, mayBeAbsent, mayBeNull, isEssential, notedIn: 0 };
}

function membersOf({ shape }: z.ZodObject, path: string, depth: number): Member[] {
  return Object.entries(shape).map(([name, schema]) => {
    return memberOf(name, slotOf(schema, path === '' ? name : `${path}.${name}`, depth));
  });
}

/** Not a spread with members behind it: V8 gives each such object a hidden class of its own, and reading takes half as long again. */
function memberOf(name: string, { path, reader, mayBeAbsent, mayBeNull, isEssential }: ReadSlot): Member {
  const isText = isPlainText(reader);
  const isAmount = reader instanceof AmountReader;
  return { path, reader, mayBeAbsent, mayBeNull, isEssential, notedIn: 0, name, isText, isAmount };
}

const isPlainText = (reader: ValueReader) =>
  reader instanceof PlainReader && reader.type === 'string' && reader.maxLength === Infinity;

/** The rules of a schema, as far as they are read here: `max()` has a `maximum`. */
const rulesOf = (schema: Schema): { readonly maximum?: number }[] =>
  (schema._zod.def.checks ?? []).map(({ _zod: { def } }) => def as { readonly maximum?: number });

/** The most items that a list, or characters that a text, may have. */
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
  const slot = { path: `${path}.${TAG}`, isEssential: false, notedIn: 0 };
  const untagged = new ObjectReader(path, sharedMembers([...known.values()]));
  return { tag: { slot, name: TAG, known }, other, untagged, takesText };
}

/**
 * The members of an object that may be any of several: each that is a member of one alone, or the same kind of value in all that have it.
 * None of them has to be there.
 */
function sharedMembers(variants: readonly ObjectReader[]): Member[] {
  const all = variants.flatMap(({ members }) => members);
  const kindOf = ({ reader }: Member) => (reader instanceof PlainReader ? reader.type : reader.constructor);
  const isClear = (member: Member) =>
    all.every(
      (other) =>
        other.name !== member.name || (kindOf(other) === kindOf(member) && isScalar(member)) || other === member,
    );
  const first = (member: Member) => all.find(({ name }) => name === member.name) === member;
  return all
    .filter((member) => first(member) && isClear(member))
    .map((member) => memberOf(member.name, { ...member, mayBeAbsent: true }));
}

const isScalar = ({ reader }: Member) => reader instanceof PlainReader || reader instanceof AmountReader;
