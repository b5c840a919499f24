import { spanMs } from '../../../util/spans.js';

/** The parts of a JSON schema that the documents of the sandbox use. */
export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly description?: string;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: boolean | Schema;
  /** The kinds whose ids it takes. */
  readonly 'x-id-of'?: string | readonly string[];
  /** The states in which the operation takes the resource. */
  readonly 'x-in-state'?: readonly string[];
  /** The operation that answers such ids. */
  readonly 'x-listed-by'?: string;
  readonly 'x-unit'?: string;
  /** True for the name of an operation. */
  readonly 'x-operation'?: true;
}

/** A document whose schemas refer to others. */
export interface Api {
  /** Follows a reference. A description beside the reference wins. */
  resolved(schema: Schema): Schema;
}

const lastOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

export function apiOf(schemas: Readonly<Record<string, Schema>>): Api {
  const resolved = (schema: Schema): Schema => {
    if (schema.$ref === undefined) return schema;
    const { $ref, ...nearer } = schema;
    return { ...resolved(schemas[lastOf($ref)] ?? {}), ...nearer };
  };
  return { resolved };
}

export type Members = Readonly<Record<string, unknown>>;

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The kind of field for a value. */
type FieldKind = 'choice' | 'open' | 'variants' | 'list' | 'object' | 'flag' | 'number' | 'text' | 'json';

export function typeOf({ type }: Schema): string | undefined {
  return typeof type === 'string' ? type : type?.find((one) => one !== 'null');
}

export function kindOf(api: Api, schema: Schema): FieldKind {
  if (schema.enum !== undefined) return 'choice';
  if (formsOf(api, schema).length > 0) return 'variants';
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

/** A value and its text. */
export type Choices = readonly (readonly [value: string, text: string])[];

/** The known values of an open set. */
export function suggestionsOf(api: Api, { anyOf = [] }: Schema): Choices {
  return anyOf.flatMap((one) => choicesOf(api.resolved(one)));
}

/** What a description says of one value, in a line: ``- `wrong`: of the right form;``. */
const MEANING = /^- `(\w+)`: (.+)[;.]$\n?/gm;

/** The values of a closed set, each with its meaning. */
export function choicesOf({ enum: values = [], description = '' }: Schema): Choices {
  const meanings = new Map(Array.from(description.matchAll(MEANING), ([, value, text]) => [value, text]));
  return values.map((one) => {
    const meaning = meanings.get(one)?.replaceAll('`', '');
    return [one, meaning === undefined ? one : `${one}: ${meaning}`];
  });
}

/** A description without the meanings that the choices of the field have. */
export const withoutMeanings = (description = ''): string => description.replace(MEANING, '').trim();

/** True if one of the types that a value may have is this one. */
function takes(api: Api, schema: Schema, type: string): boolean {
  const { type: own, anyOf = [] } = api.resolved(schema);
  return own === type || own?.includes(type) === true || anyOf.some((one) => takes(api, one, type));
}

/** Returns the schema without `null`, and the meaning of `null`. Undefined: `null` is refused. */
export function withoutNull(api: Api, given: Schema): { readonly schema: Schema; readonly none: string | undefined } {
  const schema = api.resolved(given);
  const { anyOf, ...rest } = schema;
  if (!takes(api, schema, 'null')) return { schema, none: undefined };
  const [, none = 'none'] = /`null`:? ([^.;,]+)/.exec(schema.description ?? '') ?? [];
  const others = anyOf?.filter((one) => api.resolved(one).type !== 'null') ?? [];
  if (others.length === 1)
    return { schema: { ...api.resolved(others[0] ?? {}), ...rest }, none: none.replaceAll('`', '') };
  return { schema, none };
}

const NUMBER = /^-?\d{1,15}(\.\d+)?$/;
const RANGE = /^(\d+)\s*[-–]\s*(\d+)$/;

export function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Reads the text of a field. An empty text is left out. A malformed value is sent as text, so that
 * the service judges it.
 */
export function valueIn(api: Api, schema: Schema, text: string): unknown {
  if (text === '') return undefined;
  const kind = kindOf(api, schema);
  if (kind === 'flag') return text === 'true' ? true : text === 'false' ? false : text;
  if (takes(api, schema, 'number') || takes(api, schema, 'integer')) {
    if (NUMBER.test(text)) return Number(text);
    const range = takes(api, schema, 'array') ? RANGE.exec(text) : null;
    if (range !== null) return [Number(range[1]), Number(range[2])];
    const ms = schema['x-unit'] === 'ms' ? spanMs(text) : undefined;
    if (ms !== undefined) return ms;
  }
  if (kind !== 'json') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Returns what is wrong with a value, as a message of the browser. Empty: the page finds nothing.
 */
export function problemOf(api: Api, schema: Schema, value: unknown): string {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  if (value === undefined) return '';
  const kind = kindOf(api, schema);
  if (kind === 'number' && typeof value !== 'number') return 'This must be a number.';
  if (kind === 'json' && typeOf(schema) === 'object' && !isMembers(value)) return 'This must be an object, as JSON.';
  if (typeof value !== 'number') return '';
  if (above !== undefined && value <= above) return `This must be above ${above}.`;
  if (below !== undefined && value >= below) return `This must be below ${below}.`;
  if (minimum !== undefined && value < minimum) return `This must be ${minimum} or more.`;
  return maximum !== undefined && value > maximum ? `This must be at most ${maximum}.` : '';
}

/** True for an amount, whose pattern the documents have from the package. */
export const isDecimal = ({ pattern }: Schema): boolean => pattern === '^-?[0-9]+(\\.[0-9]+)?$';

/** Returns the description and the limits of a field. */
export function hintOf(schema: Schema): string {
  const { description, format, pattern, minLength, maxLength, minimum, maximum, minItems, maxItems } = schema;
  const limits = [
    isDecimal(schema) ? 'a decimal number as text' : format,
    spanOf(minLength, maxLength, 'characters'),
    spanOf(minimum, maximum, ''),
    spanOf(minItems, maxItems, 'items'),
    pattern === undefined || format !== undefined || isDecimal(schema) ? undefined : `as ${pattern}`,
  ].filter((one) => one !== undefined && !(description ?? '').includes(one));
  return [description, limits.join(', ')].filter((one) => one !== undefined && one !== '').join(' · ');
}

function spanOf(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  if (least === undefined && most === undefined) return undefined;
  const span =
    most === undefined ? `at least ${least}` : least === undefined ? `at most ${most}` : `${least} to ${most}`;
  return `${span} ${unit}`.trim();
}

/** The paths of all required members, at any depth: `from.amount`. */
function neededIn(api: Api, schema: Schema, path = ''): string[] {
  const { properties = {}, required = [] } = api.resolved(schema);
  return required.flatMap((name) => {
    const inner = `${path}${name}`;
    const deeper = neededIn(api, properties[name] ?? {}, `${inner}.`);
    return deeper.length > 0 ? deeper : [inner];
  });
}

/** One of the alternatives of a `oneOf`. */
interface Variant {
  /** The members that only this one requires, for example `from.amount`. */
  readonly label: string;
  /** The first of them. */
  readonly mark: string;
  readonly schema: Schema;
  readonly needed: readonly string[];
}

/** The forms of an object: those of a `oneOf`, or the objects of an `anyOf` if it has several. */
function formsOf(api: Api, { oneOf, anyOf = [] }: Schema): readonly Schema[] {
  const objects = anyOf.filter((one) => api.resolved(one).properties !== undefined);
  return oneOf ?? (objects.length > 1 ? objects : []);
}

export function variantsOf(api: Api, schema: Schema): Variant[] {
  const forms = formsOf(api, schema);
  const needs = forms.map((one) => neededIn(api, one));
  return forms.map((schema, index) => {
    const needed = needs[index] ?? [];
    const own = needed.filter((path) => !needs.every((others) => others.includes(path)));
    return { label: own.join(', ') || `form ${index + 1}`, mark: own[0] ?? '', schema: api.resolved(schema), needed };
  });
}

/** Returns the variant whose required members a value has. */
export function variantIn(variants: readonly Variant[], value: unknown): Variant | undefined {
  const fits = variants.find(({ needed }) => needed.every((path) => at(value, path) !== undefined));
  return fits ?? variants.find(({ mark }) => at(value, mark) !== undefined) ?? variants[0];
}

/**
 * Converts a value to another variant. The value of the member that only the old variant has moves
 * to the member that only the new one has.
 */
export function movedTo(api: Api, value: unknown, before: Variant | undefined, next: Variant): unknown {
  const moved = before === undefined ? undefined : at(value, before.mark);
  const rest = before === undefined ? value : put(value, before.mark, undefined);
  return put(kept(api, rest, next.schema), next.mark, moved ?? '');
}

/** Removes members that a schema refuses, and undefined ones. */
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

/** Returns the value at a path. */
export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce((inner: unknown, name) => (isMembers(inner) ? inner[name] : undefined), value);
}

/** Returns a copy with another value at a path. */
export function put(value: unknown, path: string, inner: unknown): Members {
  const [name = '', ...rest] = path.split('.');
  const members = isMembers(value) ? value : {};
  return { ...members, [name]: rest.length === 0 ? inner : put(members[name], rest.join('.'), inner) };
}
