import type * as z from 'zod/mini';
import { misspeltName, nearestName } from '../../../util/did-you-mean.js';
import { isRecord } from '../../../util/options.js';
import type { Cause } from '../../core/request/refusal.js';

type Def = z.core.$ZodTypes['_zod']['def'];
type ObjectDef = Pick<z.core.$ZodObjectDef, 'shape' | 'catchall'>;

/** Returns the definition of a schema inside wrappers that do not change a value's members. */
export function unwrapped(schema: z.core.$ZodType): Def {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional' || def.type === 'nullable' || def.type === 'readonly') return unwrapped(def.innerType);
  return def.type === 'pipe' ? unwrapped(def.out) : def;
}

/** A member that the schema of its object does not name. */
interface UnknownMember {
  readonly field: string;
  readonly name: string;
  /** The schema of the object. With `catchall` it is open: it accepts any member. */
  readonly of: ObjectDef;
  readonly owner: object;
}

/** Finds members that an operation does not name, at any depth. */
function unknownIn(schema: z.core.$ZodType, value: unknown, path: readonly (string | number)[] = []): UnknownMember[] {
  const def = unwrapped(schema);
  if (def.type === 'array' && Array.isArray(value)) {
    return value.flatMap((item, index) => unknownIn(def.element, item, [...path, index]));
  }
  if (def.type !== 'object' || !isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const rule = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined;
    if (rule !== undefined) return unknownIn(rule, member, [...path, name]);
    return [{ field: [...path, name].join('.'), name, of: def, owner: value }];
  });
}

/** Returns unknown members of closed objects: a misspelt one would silently have no effect. */
export const unknownMembers = (schema: z.core.$ZodType, value: unknown): Cause[] =>
  unknownIn(schema, value).flatMap(({ field, of }) =>
    of.catchall === undefined ? [{ field, message: 'is not known' }] : [],
  );

/** Maximum number of unknown members that are compared with the known ones, which takes time. */
const MAX_COMPARED = 100;

/** Returns probable mistakes in open objects: like a known name, or sent without a known member. */
export function suspiciousMembers(schema: z.core.$ZodType, value: unknown): Cause[] {
  const unknown = unknownIn(schema, value).filter(({ of }) => of.catchall !== undefined);
  const found = unknown.slice(0, MAX_COMPARED).flatMap((member) => {
    const why = suspicionOf(member);
    return why === undefined ? [] : [{ field: member.field, message: `is not known: ${why}` }];
  });
  const rest = unknown.length - MAX_COMPARED;
  if (rest <= 0) return found;
  return [{ field: 'body', message: `has ${rest} more unknown members, which were not checked` }, ...found];
}

function suspicionOf({ name, of: { shape }, owner }: UnknownMember): string | undefined {
  const known = Object.keys(shape);
  const absent = known.filter((one) => !Object.hasOwn(owner, one));
  const meant = misspeltName(name, known) ?? partialName(name, absent);
  if (meant !== undefined) return `did you mean ${meant}?`;
  return known.length > 0 && absent.length === known.length ? `known are ${known.join(', ')}` : undefined;
}

/** Finds `in_asset_symbol` for `in_asset`, and `in_amount` for `amount`. */
function partialName(name: string, absent: readonly string[]): string | undefined {
  const words = name.toLowerCase().split(/[^a-z0-9]+/);
  const prefix = `${words.join('_')}_`;
  return absent.find((one) => one.startsWith(prefix)) ?? (words.length === 1 ? nearestName(name, absent) : undefined);
}
