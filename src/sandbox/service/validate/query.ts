import type * as z from 'zod/mini';
import { documentedFactsOf } from '../../../schema/schema.js';
import type { Cause } from '../../core/request/refusal.js';
import { unwrapped } from './unknown-members.js';

interface ReadQuery {
  readonly values: Readonly<Record<string, unknown>>;
  readonly causes: readonly Cause[];
}

/** Rules of an object's members. */
type ObjectDef = Pick<z.core.$ZodObjectDef, 'shape' | 'catchall'>;

const GIVEN_TWICE = 'must be given at most once';

/** Parses a query into values of the types that `schema` expects. */
export function readQuery(text: string, schema: z.core.$ZodType | undefined): ReadQuery {
  const { shape, catchall } = objectOf(schema);
  const values = new Map<string, unknown>();
  const causes: Cause[] = [];
  const lists = new Map<string, Items>();
  for (const [name, texts] of group(text, causes)) {
    const [listName = ''] = name.split('[', 1);
    const item = Object.hasOwn(shape, listName) ? itemOf(shape[listName]) : undefined;
    if (item !== undefined) {
      const items: Items = lists.get(listName) ?? new Map();
      lists.set(listName, items);
      const message = takeMember(items, listName, item, name, texts);
      if (message !== undefined) causes.push({ field: name, message });
      continue;
    }
    const rule = Object.hasOwn(shape, name) ? shape[name] : catchall;
    if (rule === undefined) {
      causes.push({ field: name, message: 'is not a known query parameter' });
      continue;
    }
    const kind = unwrapped(rule).type;
    if (kind === 'array' || (rule === catchall && texts.length > 1)) values.set(name, texts);
    else if (texts.length > 1) causes.push({ field: name, message: GIVEN_TWICE });
    else values.set(name, coerced(texts[0] ?? '', kind));
  }
  for (const [name, items] of lists) if (items.size > 0) values.set(name, listOf(name, items, causes));
  for (const [name, rule] of Object.entries(shape))
    if (values.has(documentedFactsOf(rule).ignoredBeside ?? '')) values.delete(name);
  return { values: Object.fromEntries(values), causes };
}

/** Returns the rules of the objects in a list of objects; undefined for any other type. */
function itemOf(rule: z.core.$ZodType | undefined): ObjectDef | undefined {
  const list = rule && unwrapped(rule);
  if (list?.type !== 'array') return undefined;
  const item = unwrapped(list.element);
  return item.type === 'object' ? item : undefined;
}

function objectOf(schema: z.core.$ZodType | undefined): ObjectDef {
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
 * Text that is not of the expected type is returned unchanged, so that the schema rejects it. For a
 * number it becomes NaN, because a message about text would say nothing: a query is all text.
 */
function coerced(text: string, kind: string): unknown {
  if (kind === 'number') return /^-?[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** For example `assets[0][symbol]`. */
const ITEM_MEMBER = /^[^[\]]+\[(0|[1-9][0-9]{0,8})\]\[([^[\]]+)\]$/;

/** The objects of a list by their index. */
type Items = Map<number, Record<string, unknown>>;

/** Adds a parameter to its object. Returns what is wrong with it, if anything. */
function takeMember(items: Items, list: string, { shape, catchall }: ObjectDef, name: string, texts: string[]) {
  const [, index, member = ''] = ITEM_MEMBER.exec(name) ?? [];
  if (index === undefined) return `must be written ${list}[0][${Object.keys(shape)[0] ?? 'member'}]=…`;
  const rule = Object.hasOwn(shape, member) ? shape[member] : catchall;
  if (rule === undefined)
    return `is not a known query parameter: ${list}[${index}] has ${Object.keys(shape).join(', ')}`;
  if (texts.length > 1) return GIVEN_TWICE;
  const value = coerced(texts[0] ?? '', unwrapped(rule).type);
  items.set(Number(index), { ...items.get(Number(index)), [member]: value });
  return undefined;
}

/** Returns a list in the order of its indices. Adds a cause for a missing index. */
function listOf(name: string, items: Items, causes: Cause[]): unknown[] {
  const inOrder = [...items].sort(([a], [b]) => a - b);
  const gap = inOrder.findIndex(([index], place) => index !== place);
  if (gap >= 0) {
    const message = `is missing: ${name}[${inOrder[gap]?.[0]}] is there, and the indices begin at 0 without a gap`;
    causes.push({ field: `${name}[${gap}]`, message });
  }
  return inOrder.map(([, item]) => item);
}
