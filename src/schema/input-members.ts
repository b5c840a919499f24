import type { LazySchema } from './operation.js';
import { isAmountInput } from './schema.js';
import type * as z from './zod.js';

/** The members that one object of an operation's input may have. */
export interface InputMembers {
  readonly parts: ReadonlyMap<string, InputPart>;
  /** True when other members are sent unchanged: the operation is `partial`. */
  readonly open: boolean;
}

/** One value of an input, by its schema. */
export interface InputPart {
  /** Members of the object, or of each object in an array. */
  readonly members: InputMembers | undefined;
  /** Money: a `Decimal` in its place becomes a string. */
  readonly isAmount: boolean;
}

const known = new WeakMap<LazySchema, InputMembers | undefined>();

/** Returns the members of a body or query; undefined when its schema is not that of an object. */
export function membersOf(schema: LazySchema): InputMembers | undefined {
  if (!known.has(schema)) known.set(schema, partOf(schema()).members);
  return known.get(schema);
}

function partOf(schema: z.core.$ZodType): InputPart {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'readonly':
      return partOf(def.innerType);
    case 'array':
      return { members: partOf(def.element).members, isAmount: false };
    case 'object':
      return { members: objectMembers(def), isAmount: false };
    default:
      return { members: undefined, isAmount: isAmountInput(schema) };
  }
}

/** `z.object` names all members, `z.looseObject` the known ones. */
function objectMembers({ shape, catchall }: z.core.$ZodObjectDef): InputMembers {
  const parts = Object.entries(shape).map(([name, schema]) => [name, partOf(schema)] as const);
  return { parts: new Map(parts), open: catchall !== undefined };
}
