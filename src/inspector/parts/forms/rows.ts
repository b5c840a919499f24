import {
  type Api,
  alternativesOf,
  at,
  type Choices,
  choicesOf,
  chosenOf,
  isLine,
  isNull,
  isNumber,
  MOMENT,
  movedTo,
  type Path,
  type Schema,
  textOf,
  typeOf,
  valueIn,
} from './schema.js';

/** What all rows of a form share. */
export interface FormManner {
  readonly api: Api;
  /** True for the service: labels are paths as it names them itself, and wrong values are sent as well. */
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

const TRUE_OR_FALSE: Choices = [
  ['true', 'true'],
  ['false', 'false'],
];

function kindOf({ api, isOfService = false }: FormManner, schema: Schema, path: Path): Row['kind'] {
  if (typeOf(schema) === 'boolean') return 'flag';
  if (schema.enum !== undefined) return 'choice';
  if (OF_LINES.has(path.at(-1) ?? '')) return 'lines';
  if (!isLine(api, schema)) return isOfService ? 'lines' : 'json';
  return isNumber(schema) && !isOfService ? 'number' : 'line';
}

/** A value without parts. */
function rowOf(form: FormManner, schema: Schema, value: unknown, path: Path, isRequired: boolean): Row {
  const { api, isOfService = false } = form;
  const given = form.choices?.[path.join('.')];
  const isFlag = typeOf(schema) === 'boolean';
  return {
    kind: given !== undefined || (isFlag && isOfService) ? 'choice' : kindOf(form, schema, path),
    path,
    label: isOfService ? path.slice(1).join('.') : titleOf(path, schema),
    schema,
    value,
    isRequired: isRequired && !isOfService,
    choices: isFlag ? TRUE_OR_FALSE : [...(given ?? []), ...choicesOf(api, schema)],
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
      label: all.some(isNull) ? row.label : 'which one',
      choices: all.map(({ label }) => [label, label]),
      text: chosen.label,
      read: (label) => movedTo(value, chosen, all.find((one) => one.label === label) ?? chosen),
    };
    return isNull(chosen) ? [which] : [which, ...rowsOf(form, chosen.schema, value, path, isRequired)];
  }
  if (schema.properties !== undefined) return memberRows(form, schema, row);
  return typeOf(schema) === 'array' ? itemRows(form, schema, row) : [row];
}

/** The members of an object, the required ones first. What is left out as a whole needs none of them. */
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
      return rows(
        form,
        member,
        at(value, [name]),
        [...path, name],
        isNeeded(name) && (isRequired || value !== undefined),
      );
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
