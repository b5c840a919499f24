/** JSON schemas as tables: one row for each member, by its path. */
import { DECIMAL_TEXT } from '../../../src/schema/decimal.js';
import type { JsonSchema } from '../../schemas/components.js';

const MAX_DEPTH = 5;

export interface Row {
  readonly path: string;
  readonly required: boolean;
  readonly type: string;
  readonly limits: string;
  readonly description: string;
}

/** Reads schemas with the named ones of their document. */
export class SchemaTables {
  readonly #named: Readonly<Record<string, JsonSchema>>;

  constructor(named: Readonly<Record<string, JsonSchema>>) {
    this.#named = named;
  }

  /** Returns the rows of the members of an object, deep ones after those that hold them. */
  rowsOf(schema: JsonSchema, path = '', open: readonly string[] = []): Row[] {
    const names = [...open, ...this.#namesIn(schema)];
    const isCircle = new Set(names).size < names.length;
    if (isCircle || names.length > 2 * MAX_DEPTH || path.split('.').length > MAX_DEPTH) return [];
    const plain = this.#resolved(schema);
    const items = plain['items'] as JsonSchema | undefined;
    if (items !== undefined) return this.rowsOf(items, `${path}[]`, names);
    const forms = formsOf(plain).filter((form) => this.#isObject(form));
    const rows = forms.flatMap((form, index) => this.#inForm(this.rowsOf(form, path, names), index, forms.length));
    return [...this.#memberRows(plain, path, names), ...withoutDoubles(rows)];
  }

  #memberRows(schema: JsonSchema, path: string, open: readonly string[]): Row[] {
    const required = (schema['required'] ?? []) as readonly string[];
    return Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>).flatMap(([name, member]) => {
      const at = path === '' ? name : `${path}.${name}`;
      const row = this.rowOf(at, member, required.includes(name));
      return [row, ...this.rowsOf(member, at, open)];
    });
  }

  rowOf(path: string, schema: JsonSchema, required: boolean): Row {
    const plain = this.#resolved(schema);
    // What a type means in general is told in one sentence where a member has no text of its own.
    const general = String(plain['description'] ?? '').split(/(?<=\.) /, 1)[0] ?? '';
    const description = String(schema['description'] ?? general);
    return { path, required, type: this.typeOf(schema), limits: this.limitsOf(schema).join('; '), description };
  }

  /** Returns the type in a word or two, for example `list of objects`. */
  typeOf(schema: JsonSchema): string {
    const plain = this.#resolved(schema);
    const forms = formsOf(plain);
    if (forms.length > 0) return [...new Set(forms.map((form) => this.typeOf(form)))].join(' or ');
    if (plain['const'] !== undefined || plain['enum'] !== undefined) return 'text';
    const { type, format, pattern } = plain as { type?: string | readonly string[]; format?: string; pattern?: string };
    if (pattern === DECIMAL_TEXT.source) return [type].flat().includes('null') ? 'amount or null' : 'amount';
    if (type === 'array') return `list of ${this.typeOf((plain['items'] ?? {}) as JsonSchema)}`;
    const words = [type ?? (plain['properties'] === undefined ? 'anything' : 'object')].flat();
    const said = words.map((word) => WORDS[String(word)] ?? String(word)).join(' or ');
    return format === 'date-time' ? `${said}, time` : format === 'uuid' ? `${said}, UUID` : said;
  }

  /** Returns what a value must keep, for example `at most 64 characters`. */
  limitsOf(schema: JsonSchema): string[] {
    const plain = this.#resolved(schema);
    const limits = plain as Readonly<Record<string, number | string | readonly unknown[] | undefined>>;
    const said = (name: string, text: (value: string) => string): string[] =>
      limits[name] === undefined ? [] : [text(String(limits[name]))];
    const values = (plain['enum'] ?? (plain['const'] === undefined ? [] : [plain['const']])) as readonly unknown[];
    return [
      ...(values.length > 0 ? [values.map((value) => `\`${value}\``).join(', ')] : []),
      ...formsOf(plain).flatMap((form) => (this.#isObject(form) ? [] : this.limitsOf(form))),
      ...rangeOf(limits['minLength'], limits['maxLength'], ' characters'),
      ...rangeOf(limits['minimum'], limits['maximum'], ''),
      ...said('exclusiveMinimum', (value) => `more than ${value}`),
      ...rangeOf(limits['minItems'], limits['maxItems'], ' items'),
      ...(plain['format'] === undefined ? said('pattern', (value) => `matches \`${value}\``) : []),
    ];
  }

  #isObject(schema: JsonSchema): boolean {
    const plain = this.#resolved(schema);
    return plain['properties'] !== undefined || formsOf(plain).some((form) => this.#isObject(form));
  }

  #inForm(rows: readonly Row[], index: number, count: number): Row[] {
    if (count < 2) return [...rows];
    return rows.map((row) => ({ ...row, limits: join(row.limits, `form ${index + 1} of ${count}`) }));
  }

  #namesIn({ $ref }: JsonSchema): string[] {
    return $ref === undefined ? [] : [String($ref)];
  }

  #resolved(schema: JsonSchema): JsonSchema {
    if (schema['$ref'] === undefined) return schema;
    const name = String(schema['$ref']).slice('#/components/schemas/'.length);
    const found = this.#named[name];
    if (found === undefined) throw new Error(`there is no schema ${name}`);
    return found;
  }
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  boolean: 'true or false',
};

/** For example `1 to 64 characters`. */
function rangeOf(least: unknown, most: unknown, unit: string): string[] {
  if (most === undefined) return least === undefined ? [] : [`at least ${least}${unit}`];
  if (least === undefined) return [`at most ${most}${unit}`];
  return [least === most ? `${most}${unit}` : `${least} to ${most}${unit}`];
}

const join = (one: string, other: string): string => (one === '' ? other : `${one}; ${other}`);

const formsOf = (schema: JsonSchema): readonly JsonSchema[] =>
  (schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf'] ?? []) as readonly JsonSchema[];

/** A member that several forms share is told once. */
function withoutDoubles(rows: readonly Row[]): Row[] {
  const found = new Map<string, Row>();
  for (const row of rows) {
    const bare = row.limits.replace(/(; )?form \d+ of \d+$/, '');
    const key = JSON.stringify([row.path, row.type, bare, row.description]);
    const before = found.get(key);
    found.set(key, before === undefined ? row : { ...row, required: row.required && before.required, limits: bare });
  }
  return [...found.values()];
}
