import { spanMs } from '../../../util/spans.js';
import { completeMoment } from '../values/moment.js';

/** The parts of a JSON schema that the documents of the sandbox use. */
export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
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

/** The name at the end of a reference. */
export const lastOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

export function apiOf(schemas: Readonly<Record<string, Schema>>): Api {
  const resolved = ({ $ref, ...nearer }: Schema): Schema =>
    $ref === undefined ? nearer : { ...resolved(schemas[lastOf($ref)] ?? {}), ...nearer };
  return { resolved };
}

export type Members = Readonly<Record<string, unknown>>;

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The way to a value in a form: names of members, and indexes of lists. A name may have a dot. */
export type Path = readonly string[];

/** Returns the value at a path. */
export const at = (value: unknown, path: Path): unknown =>
  path.reduce((inner: unknown, name) => (inner as Members | undefined | null)?.[name], value);

/** Returns a copy with another value at a path. What is undefined, or empty now, is left out. */
export function put(value: unknown, [name, ...rest]: Path, next: unknown): unknown {
  if (name === undefined) return next;
  const inner = put(at(value, [name]), rest, next);
  if (Array.isArray(value)) {
    const items = inner === undefined ? value.toSpliced(Number(name), 1) : value.with(Number(name), inner);
    return items.length === 0 ? undefined : items;
  }
  const { [name]: _, ...others } = isMembers(value) ? value : {};
  const members = inner === undefined ? others : { ...(value as Members), [name]: inner };
  return Object.keys(members).length === 0 ? undefined : members;
}

export function typeOf({ type }: Schema): string | undefined {
  return typeof type === 'string' ? type : type?.find((one) => one !== 'null');
}

/** All types that a value may have. */
function typesOf(api: Api, given: Schema): readonly string[] {
  const { type = [], anyOf = [] } = api.resolved(given);
  return [type, ...anyOf.map((one) => typesOf(api, one))].flat();
}

/** True for what is written as one line: a text, a number, or one of several that a text can be. */
export const isLine = (api: Api, schema: Schema): boolean =>
  typesOf(api, schema).some((type) => type === 'string' || type === 'number' || type === 'integer');

/** True for what is a number and nothing else, in a unit that nobody writes in another way. */
export const isNumber = (schema: Schema): boolean =>
  /^(number|integer)$/.test(String(schema.type)) && !/^ms/.test(schema['x-unit'] ?? '');

/** A value and its text. */
export type Choices = readonly (readonly [value: string, text: string])[];

/** The known values: all of a closed set, or those that an open one suggests. */
export function choicesOf(api: Api, given: Schema): Choices {
  const { enum: values = [], anyOf = [] } = api.resolved(given);
  return [...values.map((one) => [one, one] as const), ...anyOf.flatMap((one) => choicesOf(api, one))];
}

/** True for an amount, whose pattern the documents have from the package. */
export const isDecimal = ({ pattern }: Schema): boolean => pattern === '^-?[0-9]+(\\.[0-9]+)?$';

/** Returns the description of a field, or else its limits. */
export function hintOf(schema: Schema): string {
  const { minLength, maxLength, minimum, maximum, description } = schema;
  if (description !== undefined) return description;
  if (isDecimal(schema)) return 'A decimal number as text.';
  if (maxLength !== undefined) return `${minLength ?? 0} to ${maxLength} characters.`;
  return minimum !== undefined && maximum !== undefined ? `${minimum} to ${maximum}.` : '';
}

const NUMBER = /^-?\d{1,15}(\.\d+)?$/;

/** The unit of a moment, which is read and written as people do. */
export const MOMENT = 'ms since the epoch';

export function textOf(schema: Schema, value: unknown): string {
  if (value === undefined) return '';
  if (schema['x-unit'] === MOMENT && typeof value === 'number') return new Date(value).toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value, null, isMembers(value) ? 2 : 0);
}

/** A number, or what people write in place of it: `90 s`, `2026-02-01 10:00`. */
function numberIn(text: string, unit = ''): number | undefined {
  if (NUMBER.test(text)) return Number(text);
  if (unit === 'ms') return spanMs(text);
  const moment = unit === MOMENT ? Date.parse(completeMoment(text)) : Number.NaN;
  return Number.isNaN(moment) ? undefined : moment;
}

/**
 * Reads the text of a field. An empty text is left out. A malformed value is sent as text, so that
 * the service judges it.
 */
export function valueIn(api: Api, schema: Schema, text: string): unknown {
  if (text === '') return undefined;
  const types = typesOf(api, schema);
  const isNumeric = types.includes('number') || types.includes('integer');
  const number = isNumeric ? numberIn(text, schema['x-unit']) : undefined;
  if (number !== undefined || types.includes('string')) return number ?? text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The paths of all required members, at any depth. */
function neededIn(api: Api, schema: Schema): Path[] {
  const { properties = {}, required = [] } = api.resolved(schema);
  return required.flatMap((name) => {
    const deeper = neededIn(api, properties[name] ?? {});
    return deeper.length === 0 ? [[name]] : deeper.map((path) => [name, ...path]);
  });
}

/** One of the forms that a value can have, or `null`. */
export interface Alternative {
  /** The members that only this one requires, for example `from.amount`; or what `null` means. */
  readonly label: string;
  /** Those members. */
  readonly marks: readonly Path[];
  readonly schema: Schema;
}

export const isNull = ({ schema }: Alternative): boolean => schema.type === 'null';

/** The forms of a value that has several; none if it has one. */
export function alternativesOf(api: Api, schema: Schema): readonly Alternative[] {
  const { anyOf = [], oneOf, type, ...rest } = schema;
  if (type !== 'null' && typesOf(api, schema).includes('null')) {
    const [, meaning = 'none'] = /`null`:? ([^.;,]+)/.exec(schema.description ?? '') ?? [];
    const other = anyOf.map((one) => api.resolved(one)).find((one) => one.type !== 'null');
    return [
      { label: meaning.replaceAll('`', ''), marks: [], schema: { type: 'null' } },
      { label: 'these', marks: [], schema: { type: typeOf(schema) ?? '', ...other, ...rest } },
    ];
  }
  const forms = oneOf ?? anyOf.filter((one) => api.resolved(one).properties !== undefined);
  const needs = forms.length < 2 ? [] : forms.map((one) => neededIn(api, one));
  return needs.map((needed, index) => {
    const isShared = (path: Path): boolean => needs.every((others) => others.some((one) => one.join() === path.join()));
    const marks = needed.filter((path) => !isShared(path));
    const label = marks.map((path) => path.join('.')).join(', ') || `form ${index + 1}`;
    return { label, marks, schema: api.resolved(forms[index] ?? {}) };
  });
}

/** Returns the form that a value has, or else the first. */
export function chosenOf(all: readonly Alternative[], value: unknown): Alternative | undefined {
  const has = (mark: Path): boolean => at(value, mark) !== undefined;
  const fits = (one: Alternative): boolean => isNull(one) === (value === null) && one.marks.every(has);
  return all.find(fits) ?? all.find(({ marks: [mark] }) => mark !== undefined && has(mark)) ?? all[0];
}

/** Converts a value to another form: what both have stays, and `from.amount` becomes `to.amount`. */
export function movedTo(value: unknown, before: Alternative, next: Alternative): unknown {
  const [old = [], mark] = [before.marks[0], next.marks[0]];
  if (mark === undefined) return isNull(next) ? null : undefined;
  const known = Object.entries(put(value, old, undefined) ?? {}).filter(
    ([name]) => name in (next.schema.properties ?? {}),
  );
  const moved = old.at(-1) === mark.at(-1) ? at(value, old) : undefined;
  return put(Object.fromEntries(known), mark, moved ?? '');
}
