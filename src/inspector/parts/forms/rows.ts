import { spanMs } from '../../../util/spans.js';
import { completeMoment } from '../values/times.js';
import { type Api, at, type Choices, isMembers, type Path, put, type Schema, typeOf } from './schema.js';

/** What all rows of a form share. */
export interface FormManner {
  readonly api: Api;
  /**
   * True for the service: labels are paths as it names them itself, and wrong values are sent as
   * well.
   */
  readonly isOfService?: boolean;
  /** False for the path of a field that is left out: `options.match.key`. */
  isShown?(path: string): boolean;
  /** Choices of fields by path, beside the values that the document suggests. */
  readonly choices?: Readonly<Record<string, Choices>> | undefined;
}

/** A row of a form, or a group of rows. */
export interface Row {
  /** `which`: one of several forms. `boxes`: several of the choices. `add`: one more item. */
  readonly kind: 'group' | 'which' | 'choice' | 'flag' | 'boxes' | 'add' | 'number' | 'line' | 'lines' | 'json';
  readonly path: Path;
  readonly label: string;
  readonly schema: Schema;
  readonly value: unknown;
  /** True if the form cannot be sent without it. */
  readonly isRequired: boolean;
  /** The only values, or the known ones. */
  readonly choices: Choices;
  /** What is written in it. */
  readonly text: string;
  /** Returns the value that a text stands for. */
  read(text: string): unknown;
  /** The rows of a group. */
  readonly rows: readonly Row[];
}

/** Labels of members whose names say little. */
const LABELS: Readonly<Record<string, string>> = { overrides: 'Payload', real: 'Time of arrival', usd: 'US dollars' };

/** `retryAfterSeconds` is `Retry after (s)`, and the first item of `causes` is `Causes 1`. */
function titleOf(path: Path, { 'x-unit': unit }: Schema): string {
  const [list = '', name = ''] = path.slice(-2).length === 1 ? ['', path[0]] : path.slice(-2);
  if (/^\d+$/.test(name)) return `${titleOf([list], {})} ${Number(name) + 1}`;
  const words = name.replace(/(Ms|Seconds)$/, '').replace(/([a-z])([A-Z])/g, '$1 $2');
  const text = (LABELS[name] ?? words.toLowerCase()).replace(/[._]/g, ' ');
  const title = text
    .replace(/^./, (first) => first.toUpperCase())
    .replace(/\b(api|url|id)\b/gi, (one) => one.toUpperCase());
  return unit === undefined ? title : `${title} (${unit === MOMENT ? 'UTC' : unit})`;
}

/** Members whose text may have several lines. */
const OF_LINES: ReadonlySet<string> = new Set(['body', 'signature']);

const TRUE_OR_FALSE = ['true', 'false'].map((one) => [one, one] as const);

const TEXTUAL: readonly string[] = ['string', 'number', 'integer'];

function kindOf({ api, isOfService = false }: FormManner, schema: Schema, path: Path): Row['kind'] {
  const types = typesOf(api, schema);
  const isNumber = types.every((type) => type === 'number' || type === 'integer');
  if (types.includes('boolean')) return isOfService ? 'choice' : 'flag';
  if (schema.enum !== undefined) return 'choice';
  if (OF_LINES.has(path.at(-1) ?? '')) return 'lines';
  if (!types.some((type) => TEXTUAL.includes(type))) return isOfService ? 'lines' : 'json';
  // Times and moments are written as people do.
  return isNumber && !isOfService && schema['x-unit']?.startsWith('ms') !== true ? 'number' : 'line';
}

/** A value without parts. */
function rowOf(form: FormManner, schema: Schema, value: unknown, path: Path, isRequired: boolean): Row {
  const { api, isOfService = false } = form;
  const given = form.choices?.[path.join('.')];
  return {
    kind: given === undefined ? kindOf(form, schema, path) : 'choice',
    path,
    label: isOfService ? path.slice(1).join('.') : titleOf(path, schema),
    schema,
    value,
    isRequired: isRequired && !isOfService,
    choices: typeOf(schema) === 'boolean' ? TRUE_OR_FALSE : [...(given ?? []), ...choicesOf(api, schema)],
    text: textOf(schema, value),
    read: (text) => valueIn(api, schema, text),
    rows: [],
  };
}

/** The rows of a value, at any depth. */
export function rowsOf(form: FormManner, given: Schema, value: unknown, path: Path, isRequired: boolean): Row[] {
  const schema = form.api.resolved(given);
  const row = rowOf(form, schema, value, path, isRequired);
  const all = alternativesOf(form.api, schema);
  const chosen = chosenOf(all, value);
  if (chosen !== undefined) {
    const which: Row = {
      ...row,
      kind: 'which',
      label: chosen.mark === undefined ? row.label : 'which one',
      choices: all.map(({ label }) => [label, label]),
      text: chosen.label,
      read: (label) => movedTo(value, chosen, all.find((one) => one.label === label) ?? chosen),
    };
    return chosen.schema === undefined ? [which] : [which, ...rowsOf(form, chosen.schema, value, path, isRequired)];
  }
  if (schema.properties !== undefined) return memberRows(form, schema, row);
  return typeOf(schema) === 'array' ? itemRows(form, schema, row) : [row];
}

/**
 * The members of an object, the required ones first. What is left out as a whole needs none of
 * them.
 */
function memberRows(
  form: FormManner,
  { properties = {}, required = [] }: Schema,
  { value, path, isRequired }: Row,
): Row[] {
  const isNeeded = (name: string): boolean => required.includes(name);
  return Object.entries(properties)
    .filter(([name]) => form.isShown?.([...path, name].join('.')) !== false)
    .sort(([one], [other]) => Number(isNeeded(other)) - Number(isNeeded(one)))
    .flatMap(([name, member]) => {
      // An argument of a method is a part of the form itself.
      const rows = path.length === 0 ? rowsOf : grouped;
      const isMissed = isNeeded(name) && (isRequired || value !== undefined);
      return rows(form, member, at(value, [name]), [...path, name], isMissed);
    });
}

/** The rows of a member; if it has parts, in a group. */
function grouped(form: FormManner, given: Schema, value: unknown, path: Path, isRequired: boolean): Row[] {
  const rows = rowsOf(form, given, value, path, isRequired);
  if (form.isOfService === true || rows.every((row) => row.path === path)) return rows;
  return [{ ...rowOf(form, form.api.resolved(given), value, path, isRequired), kind: 'group', rows }];
}

/** A list: all known values to choose from, or else its items and one more. */
function itemRows(form: FormManner, { items = {} }: Schema, list: Row): Row[] {
  const item = form.api.resolved(items);
  const known = list.choices.length > 0 ? list.choices : item.enum === undefined ? [] : choicesOf(form.api, item);
  if (known.length > 0) return [{ ...list, kind: 'boxes', choices: known }];
  const present: readonly unknown[] = Array.isArray(list.value) ? list.value : [];
  const add: Row = { ...list, kind: 'add', read: () => [...present, item.properties === undefined ? '' : {}] };
  return [...present.flatMap((one, index) => grouped(form, item, one, [...list.path, `${index}`], true)), add];
}

/** All types that a value may have. */
function typesOf(api: Api, given: Schema): readonly string[] {
  const { type = [], anyOf = [] } = api.resolved(given);
  return [type, ...anyOf.map((one) => typesOf(api, one))].flat();
}

/** The known values: all of a closed set, or those that an open one suggests. */
function choicesOf(api: Api, given: Schema): Choices {
  const { enum: values = [], anyOf = [] } = api.resolved(given);
  return [...values.map((one) => [one, one] as const), ...anyOf.flatMap((one) => choicesOf(api, one))];
}

const NUMBER = /^-?\d{1,15}(\.\d+)?$/;

/** The unit of a moment, which is read and written as people do. */
const MOMENT = 'ms since the epoch';

function textOf(schema: Schema, value: unknown): string {
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
function valueIn(api: Api, schema: Schema, text: string): unknown {
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

/** One of the forms that a value can have. */
interface Alternative {
  readonly label: string;
  /** Undefined: `null`. */
  readonly schema: Schema | undefined;
  /**
   * The member that only this form requires, for example `from.amount`. If undefined, every value
   * except `null` belongs to this form.
   */
  readonly mark?: Path;
}

/** The forms of a value that has several; none if it has one. */
function alternativesOf(api: Api, schema: Schema): readonly Alternative[] {
  const { anyOf = [], oneOf, type, ...rest } = schema;
  if (typesOf(api, schema).includes('null')) {
    const [, meaning = 'none'] = /`null`(?: for|:)? ([^.;,]+)/.exec(schema.description ?? '') ?? [];
    const other = anyOf.map((one) => api.resolved(one)).find((one) => one.type !== 'null');
    return [
      { label: meaning.replaceAll('`', ''), schema: undefined },
      { label: 'these', schema: { type: typeOf(schema) ?? '', ...other, ...rest } },
    ];
  }
  const forms = oneOf ?? anyOf.filter((one) => api.resolved(one).properties !== undefined);
  const needs = forms.length < 2 ? [] : forms.map((one) => neededIn(api, one));
  const isShared = (path: Path): boolean => needs.every((others) => others.some((one) => one.join() === path.join()));
  return needs.map((needed, index) => {
    const mark = needed.find((path) => !isShared(path)) ?? [];
    return { label: mark.join('.'), mark, schema: api.resolved(forms[index] ?? {}) };
  });
}

/** Returns the form that a value has, or else the first. */
function chosenOf(all: readonly Alternative[], value: unknown): Alternative | undefined {
  const fits = ({ schema, mark = [] }: Alternative): boolean =>
    schema === undefined ? value === null : mark.length === 0 ? value !== null : at(value, mark) !== undefined;
  return all.find(fits) ?? all[0];
}

/**
 * Converts a value to another form: what both have stays, and `from.amount` becomes `to.amount`.
 */
function movedTo(value: unknown, { mark: old = [] }: Alternative, { schema, mark = [] }: Alternative): unknown {
  if (schema === undefined) return null;
  if (mark.length === 0) return undefined;
  const known = Object.entries(put(value, old, undefined) ?? {}).filter(([name]) => name in (schema.properties ?? {}));
  return put(Object.fromEntries(known), mark, (old.at(-1) === mark.at(-1) && at(value, old)) || '');
}
