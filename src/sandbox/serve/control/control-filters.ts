import type * as z from 'zod/mini';
import { nearestName } from '../../../util/did-you-mean.js';
import { excerpt } from '../../core/basics/excerpt.js';

/** Type of a filter's value: text, an integer, or a list of texts separated by commas. */
export type FilterKind = 'text' | 'number' | 'list';

/** The filters of a member by their query parameters. */
export type FilterTable = Readonly<Record<string, FilterKind>>;

export type Filter = Readonly<Record<string, unknown>>;

/** The used members of the definitions of schemas. */
interface Definition {
  readonly type: string;
  readonly innerType?: z.core.$ZodType;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
}

/** Returns what a schema describes if there is a value. */
function definitionOf({ _zod }: z.core.$ZodType): Definition {
  const definition = _zod.def as Definition;
  return definition.innerType === undefined ? definition : definitionOf(definition.innerType);
}

/** Returns the query parameters for the optional arguments, one for each member of a `filter`. */
export function filtersOf(args: readonly (readonly [name: string, schema: z.core.$ZodType])[]): FilterTable {
  const members = args.flatMap(([name, schema]) =>
    name === 'filter' ? Object.entries(definitionOf(schema).shape ?? {}) : [[name, schema] as const],
  );
  return Object.fromEntries(members.map(kindOf));
}

const kindOf = ([name, schema]: readonly [string, z.core.$ZodType]): [string, FilterKind] => {
  const { type } = definitionOf(schema);
  return [name, type === 'array' ? 'list' : isNumber(schema) ? 'number' : 'text'];
};

export const isNumber = (schema: z.core.$ZodType | undefined): boolean =>
  schema !== undefined && definitionOf(schema).type === 'number';

/**
 * Parses a query by the filters that a path takes, and passes it to `read`.
 *
 * @throws Error that lists the filters, for an unknown filter, and for a value that `read` rejects.
 */
export function readFilter<T>(path: string, table: FilterTable, query: string, read: (filter: Filter) => T): T {
  const names = Object.keys(table);
  const known = `filters: ${names.join(', ')}`;
  const filter: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    if (names.length === 0) throw new TypeError(`${path} takes no filter`);
    const kind = Object.hasOwn(table, name) ? table[name] : undefined;
    if (kind === undefined)
      throw new TypeError(`${path}: there is no filter ${excerpt(name)}${hintAt(name, names)}; ${known}`);
    if (Object.hasOwn(filter, name)) throw new TypeError(`${path}: the filter ${name} is given twice`);
    filter[name] = valueIn(value, kind);
  }
  try {
    return read(filter);
  } catch (error) {
    if (names.length === 0 || !(error instanceof TypeError)) throw error;
    throw new TypeError(`${error.message}; ${known}`, { cause: error });
  }
}

function hintAt(name: string, names: readonly string[]): string {
  const meant = nearestName(name, names);
  return meant === undefined ? '' : `, did you mean ${meant}?`;
}

/** Text that is not a number stays text, so that the member rejects it. */
function valueIn(text: string, kind: FilterKind): unknown {
  if (kind === 'list') return text.split(',');
  return kind === 'number' && /^\d{1,15}$/.test(text) ? Number(text) : text;
}
