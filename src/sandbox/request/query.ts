import type * as z from 'zod/mini';
import type { Cause } from '../refusal.js';
import { unwrapped } from './unknown-members.js';

export interface ReadQuery {
  readonly values: Readonly<Record<string, unknown>>;
  readonly causes: readonly Cause[];
}

/** Reads a query into the kinds of values that `schema` expects. */
export function readQuery(text: string, schema: z.core.$ZodType | undefined): ReadQuery {
  const { shape, catchall } = objectOf(schema);
  const values = new Map<string, unknown>();
  const causes: Cause[] = [];
  for (const [name, texts] of group(text, causes)) {
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
  return { values: Object.fromEntries(values), causes };
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

/** Text of another kind stays as it is, and the schema refuses it. */
function coerced(text: string, kind: string): unknown {
  if (kind === 'number' && /^-?[0-9]+$/.test(text)) return Number(text);
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
