import { z } from 'zod';

/**
 * Reads a value as far as its schema goes (`responseValidation: 'warn'`): every part that fits is read (amounts become `Decimal`),
 * every part that does not stays as it came.
 */
export function readLeniently(schema: z.core.$ZodType, value: unknown): unknown {
  const whole = z.safeParse(schema, value);
  if (whole.success) return whole.data;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return readLeniently(schema.unwrap(), value);
  if (schema instanceof z.ZodArray) return readItems(schema.element, value);
  if (schema instanceof z.ZodObject) return readMembers(schema.shape, value);
  if (schema instanceof z.ZodUnion) return readVariant(schema.options, value);
  return value;
}

function readItems(element: z.core.$ZodType, value: unknown): unknown {
  return Array.isArray(value) ? value.map((item) => readLeniently(element, item)) : value;
}

function readMembers(shape: Readonly<Record<string, z.core.$ZodType>>, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members: Record<string, unknown> = { ...value };
  for (const [name, schema] of Object.entries(shape)) {
    if (name in members) members[name] = readLeniently(schema, members[name]);
  }
  return members;
}

/** The variant whose `type` is the value's. */
function readVariant(variants: readonly z.core.$ZodType[], value: unknown): unknown {
  const type: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'type') : undefined;
  const meant = variants.find((variant) => variant instanceof z.ZodObject && fits(variant.shape['type'], type));
  return meant === undefined ? value : readLeniently(meant, value);
}

function fits(schema: z.core.$ZodType | undefined, value: unknown): boolean {
  return schema !== undefined && z.safeParse(schema, value).success;
}
