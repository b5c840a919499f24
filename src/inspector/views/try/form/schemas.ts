import type { Api, Schema } from '../document.js';

export type Members = Readonly<Record<string, unknown>>;

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The kind of field for a value. */
export type FieldKind = 'choice' | 'open' | 'variants' | 'list' | 'object' | 'flag' | 'number' | 'text' | 'json';

export function typeOf({ type }: Schema): string | undefined {
  return typeof type === 'string' ? type : type?.find((one) => one !== 'null');
}

export function kindOf(api: Api, schema: Schema): FieldKind {
  if (schema.enum !== undefined) return 'choice';
  if (schema.oneOf !== undefined) return 'variants';
  if (suggestionsOf(api, schema).length > 0) return 'open';
  switch (typeOf(schema)) {
    case 'array':
      return 'list';
    case 'object':
      return schema.properties === undefined ? 'json' : 'object';
    case 'boolean':
      return 'flag';
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
      return 'text';
    default:
      return 'json';
  }
}

/** The known texts of a set that is open. */
export function suggestionsOf(api: Api, { anyOf = [] }: Schema): readonly string[] {
  return anyOf.flatMap((one) => api.resolved(one).enum ?? []);
}

/** Description and limits of a field. */
export function hintOf(schema: Schema): string {
  const { description, format, pattern, minLength, maxLength, minimum, maximum, minItems, maxItems } = schema;
  const limits = [
    format === 'decimal' ? 'a decimal number as text' : format,
    spanOf(minLength, maxLength, 'characters'),
    spanOf(minimum, maximum, ''),
    spanOf(minItems, maxItems, 'items'),
    pattern === undefined || format !== undefined ? undefined : `as ${pattern}`,
  ].filter((one) => one !== undefined && !(description ?? '').includes(one));
  return [description, limits.join(', ')].filter((one) => one !== undefined && one !== '').join(' · ');
}

function spanOf(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  if (least === undefined && most === undefined) return undefined;
  const span =
    most === undefined ? `at least ${least}` : least === undefined ? `at most ${most}` : `${least} to ${most}`;
  return `${span} ${unit}`.trim();
}

/** The members that must be there, at any depth, by their paths: `from.amount`. */
function neededIn(api: Api, schema: Schema, path = ''): string[] {
  const { properties = {}, required = [] } = api.resolved(schema);
  return required.flatMap((name) => {
    const inner = `${path}${name}`;
    const deeper = neededIn(api, properties[name] ?? {}, `${inner}.`);
    return deeper.length > 0 ? deeper : [inner];
  });
}

/** A way to fill in a schema that has several. */
export interface Variant {
  /** The members that the others do not need, for example `from.amount`. */
  readonly label: string;
  /** The first of them. */
  readonly mark: string;
  readonly schema: Schema;
  readonly needed: readonly string[];
}

export function variantsOf(api: Api, { oneOf = [] }: Schema): Variant[] {
  const needs = oneOf.map((one) => neededIn(api, one));
  return oneOf.map((schema, index) => {
    const needed = needs[index] ?? [];
    const own = needed.filter((path) => !needs.every((others) => others.includes(path)));
    return { label: own.join(', ') || `form ${index + 1}`, mark: own[0] ?? '', schema: api.resolved(schema), needed };
  });
}

/** The variant that a value has the members of. */
export function variantIn(variants: readonly Variant[], value: unknown): Variant | undefined {
  const fits = variants.find(({ needed }) => needed.every((path) => at(value, path) !== undefined));
  return fits ?? variants.find(({ mark }) => at(value, mark) !== undefined) ?? variants[0];
}

/**
 * Gives a value the form of another variant. What only the one before has goes to what only this
 * one has.
 */
export function movedTo(api: Api, value: unknown, before: Variant | undefined, next: Variant): unknown {
  const moved = before === undefined ? undefined : at(value, before.mark);
  const rest = before === undefined ? value : put(value, before.mark, undefined);
  return put(kept(api, rest, next.schema), next.mark, moved ?? '');
}

/** Leaves out what a schema refuses, and what is undefined. */
function kept(api: Api, value: unknown, schema: Schema): unknown {
  const { properties = {}, additionalProperties } = api.resolved(schema);
  if (!isMembers(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const member = properties[name];
      if (inner === undefined || (member === undefined && additionalProperties === false)) return [];
      return [[name, member === undefined ? inner : kept(api, inner, member)]];
    }),
  );
}

/** Returns what stands at a path. */
export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce((inner: unknown, name) => (isMembers(inner) ? inner[name] : undefined), value);
}

/** Returns a copy with another value at a path. */
export function put(value: unknown, path: string, inner: unknown): Members {
  const [name = '', ...rest] = path.split('.');
  const members = isMembers(value) ? value : {};
  return { ...members, [name]: rest.length === 0 ? inner : put(members[name], rest.join('.'), inner) };
}
