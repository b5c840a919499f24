import { z } from 'zod';
import type { Cause } from '../refusal.js';

/** Returns the schema inside wrappers that do not move a value's members. */
export function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodReadonly) {
    return unwrapped(schema.unwrap());
  }
  if (schema instanceof z.ZodPipe) return unwrapped(schema.out);
  return schema;
}

/**
 * Returns the members that the operation does not have, at any depth. The shared schemas keep
 * unknown members, since a client must be able to send what a newer service takes. The sandbox
 * refuses them: a misspelt member would silently have no effect.
 */
export function unknownMembers(
  schema: z.core.$ZodType,
  value: unknown,
  path: readonly (string | number)[] = [],
): Cause[] {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((item, index) => unknownMembers(inner.element, item, [...path, index]));
  }
  if (!(inner instanceof z.ZodObject) || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const memberPath = [...path, name];
    const rule: z.core.$ZodType | undefined = Object.hasOwn(inner.shape, name) ? inner.shape[name] : undefined;
    if (rule === undefined) return [{ field: memberPath.join('.'), message: 'is not known' }];
    return unknownMembers(rule, member, memberPath);
  });
}
