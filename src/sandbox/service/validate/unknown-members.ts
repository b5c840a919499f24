import type * as z from 'zod/mini';
import type { Cause } from '../../core/request/refusal.js';

type Def = z.core.$ZodTypes['_zod']['def'];

/** Returns the definition of a schema inside wrappers that do not change a value's members. */
export function unwrapped(schema: z.core.$ZodType): Def {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional' || def.type === 'nullable' || def.type === 'readonly') return unwrapped(def.innerType);
  return def.type === 'pipe' ? unwrapped(def.out) : def;
}

/**
 * Returns the members that the operation does not have, at any depth. An object of a `partial`
 * operation accepts any member. All others refuse unknown members, since a misspelt one would
 * silently have no effect.
 */
export function unknownMembers(
  schema: z.core.$ZodType,
  value: unknown,
  path: readonly (string | number)[] = [],
): Cause[] {
  const def = unwrapped(schema);
  if (def.type === 'array' && Array.isArray(value)) {
    return value.flatMap((item, index) => unknownMembers(def.element, item, [...path, index]));
  }
  if (def.type !== 'object' || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const memberPath = [...path, name];
    const rule = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined;
    if (rule !== undefined) return unknownMembers(rule, member, memberPath);
    return def.catchall === undefined ? [{ field: memberPath.join('.'), message: 'is not known' }] : [];
  });
}
