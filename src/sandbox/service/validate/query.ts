import type * as z from 'zod/mini';
import { documentedFactsOf } from '../../../schema/schema.js';
import type { Cause } from '../../core/request/refusal.js';
import { unwrapped } from './unknown-members.js';

interface ReadQuery {
  readonly values: Readonly<Record<string, unknown>>;
  readonly causes: readonly Cause[];
}

/** Parses a query into values of the types that `schema` expects. */
export function readQuery(text: string, schema: z.core.$ZodType | undefined): ReadQuery {
  const { shape, catchall } = objectOf(schema);
  const values = new Map<string, unknown>();
  const causes: Cause[] = [];
  const lists = new ObjectLists(causes);
  for (const [name, texts] of group(text, causes)) {
    const [listName = ''] = name.split('[', 1);
    const item = Object.hasOwn(shape, listName) ? itemOf(shape[listName]) : undefined;
    if (item !== undefined) {
      lists.take(listName, item, [name, texts], (value, rule) => coerced(value, unwrapped(rule).type));
      continue;
    }
    const rule = Object.hasOwn(shape, name) ? shape[name] : catchall;
    if (rule === undefined) {
      causes.push({ field: name, message: 'is not a known query parameter' });
      continue;
    }
    const kind = unwrapped(rule).type;
    if (kind === 'array' || (rule === catchall && texts.length > 1)) values.set(name, texts);
    else if (texts.length > 1) causes.push({ field: name, message: 'must be given at most once' });
    else values.set(name, coerced(texts[0] ?? '', kind));
  }
  for (const [name, list] of lists.read()) values.set(name, list);
  for (const [name, rule] of Object.entries(shape))
    if (values.has(documentedFactsOf(rule).ignoredBeside ?? '')) values.delete(name);
  return { values: Object.fromEntries(values), causes };
}

/** Returns the rules of the objects in a list of objects; undefined for any other type. */
function itemOf(rule: z.core.$ZodType | undefined): Pick<z.core.$ZodObjectDef, 'shape' | 'catchall'> | undefined {
  const list = rule && unwrapped(rule);
  if (list?.type !== 'array') return undefined;
  const item = unwrapped(list.element);
  return item.type === 'object' ? item : undefined;
}

function objectOf(schema: z.core.$ZodType | undefined): Pick<z.core.$ZodObjectDef, 'shape' | 'catchall'> {
  const def = schema && unwrapped(schema);
  return def?.type === 'object' ? def : { shape: {} };
}

function group(text: string, causes: Cause[]): Map<string, string[]> {
  const grouped = new Map<string, string[]>();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const mark = pair.indexOf('=');
    const name = decoded(mark < 0 ? pair : pair.slice(0, mark));
    const value = decoded(mark < 0 ? '' : pair.slice(mark + 1));
    if (name === undefined || value === undefined) {
      causes.push({ field: name ?? 'query', message: 'is not valid percent-encoded UTF-8' });
      continue;
    }
    grouped.set(name, [...(grouped.get(name) ?? []), value]);
  }
  return grouped;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/**
 * Text that is not of the expected type is returned unchanged, so that the schema refuses it. For a
 * number it is NaN: that it is text would say nothing, as everything in a query is.
 */
function coerced(text: string, kind: string): unknown {
  if (kind === 'number') return /^-?[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

type ObjectDef = Pick<z.core.$ZodObjectDef, 'shape' | 'catchall'>;

/** For example `assets[0][symbol]`. */
const ITEM_MEMBER = /^[^[\]]+\[(0|[1-9][0-9]{0,8})\]\[([^[\]]+)\]$/;

/** Lists of objects in a query. Each member is a parameter of its own, in any order. */
class ObjectLists {
  readonly #lists = new Map<string, Map<number, Map<string, unknown>>>();
  readonly #causes: Cause[];

  constructor(causes: Cause[]) {
    this.#causes = causes;
  }

  /**
   * Adds one parameter of a list.
   *
   * @param item Rules of an object in the list.
   * @param read Reads a text by the rule of its member.
   */
  take(
    list: string,
    { shape, catchall }: ObjectDef,
    [name, texts]: readonly [string, readonly string[]],
    read: (text: string, rule: z.core.$ZodType) => unknown,
  ): void {
    const [, index, member = ''] = ITEM_MEMBER.exec(name) ?? [];
    const rule = Object.hasOwn(shape, member) ? shape[member] : catchall;
    if (index === undefined) {
      this.#causes.push({ field: name, message: `must be written ${list}[0][${Object.keys(shape)[0] ?? 'member'}]=…` });
    } else if (rule === undefined) {
      const message = `is not a known query parameter: ${list}[${index}] has ${Object.keys(shape).join(', ')}`;
      this.#causes.push({ field: name, message });
    } else if (texts.length > 1) {
      this.#causes.push({ field: name, message: 'must be given at most once' });
    } else {
      this.#itemOf(list, Number(index)).set(member, read(texts[0] ?? '', rule));
    }
  }

  /** Returns the lists. A missing index is a cause. */
  read(): Map<string, object[]> {
    const read = new Map<string, object[]>();
    for (const [list, items] of this.#lists) {
      const indices = [...items.keys()].sort((a, b) => a - b);
      const gap = indices.findIndex((index, place) => index !== place);
      if (gap >= 0) {
        const message = `is missing: ${list}[${indices[gap]}] is there, and the indices begin at 0 without a gap`;
        this.#causes.push({ field: `${list}[${gap}]`, message });
      }
      read.set(
        list,
        indices.map((index) => Object.fromEntries(items.get(index) ?? [])),
      );
    }
    return read;
  }

  #itemOf(list: string, index: number): Map<string, unknown> {
    const items = this.#lists.get(list) ?? new Map<number, Map<string, unknown>>();
    const item = items.get(index) ?? new Map<string, unknown>();
    this.#lists.set(list, items.set(index, item));
    return item;
  }
}
