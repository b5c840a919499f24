import type * as z from 'zod/mini';
import type { LazySchema } from '../../../schema/operation.js';
import { misspeltName, nearestName } from '../../../util/did-you-mean.js';
import { isRecord } from '../../../util/options.js';
import type { Cause } from '../../core/request/refusal.js';
import { unwrapped } from './unknown-members.js';

type ObjectDef = Pick<z.core.$ZodObjectDef, 'shape' | 'catchall'>;

const open = new WeakMap<LazySchema, boolean>();

/**
 * Returns unknown members that an open operation accepts, but that are probably mistakes: similar
 * to a known name, or sent without any known member.
 */
export function suspiciousMembers(schema: LazySchema | undefined, value: unknown): Cause[] {
  if (schema === undefined) return [];
  const isOpen = open.get(schema) ?? hasOpenObject(schema());
  open.set(schema, isOpen);
  return isOpen ? suspiciousIn(schema(), value, []) : [];
}

function hasOpenObject(schema: z.core.$ZodType): boolean {
  const def = unwrapped(schema);
  if (def.type === 'array') return hasOpenObject(def.element);
  return def.type === 'object' && (def.catchall !== undefined || Object.values(def.shape).some(hasOpenObject));
}

function suspiciousIn(schema: z.core.$ZodType, value: unknown, path: readonly (string | number)[]): Cause[] {
  const def = unwrapped(schema);
  if (def.type === 'array' && Array.isArray(value)) {
    return value.flatMap((item, index) => suspiciousIn(def.element, item, [...path, index]));
  }
  if (def.type !== 'object' || !isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const rule = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined;
    if (rule !== undefined) return suspiciousIn(rule, member, [...path, name]);
    const why = def.catchall === undefined ? undefined : suspicionOf(name, def, value);
    return why === undefined ? [] : [{ field: [...path, name].join('.'), message: `is not known: ${why}` }];
  });
}

function suspicionOf(name: string, { shape }: ObjectDef, given: Readonly<Record<string, unknown>>): string | undefined {
  const known = Object.keys(shape);
  const absent = known.filter((one) => !Object.hasOwn(given, one));
  const meant = misspeltName(name, known) ?? partialName(name, absent);
  if (meant !== undefined) return `did you mean ${meant}?`;
  return known.length > 0 && absent.length === known.length ? `known are ${known.join(', ')}` : undefined;
}

/** Finds `in_asset_symbol` for `in_asset`, and `in_amount` for `amount`. */
function partialName(name: string, absent: readonly string[]): string | undefined {
  const words = name.toLowerCase().split(/[^a-z0-9]+/);
  const prefix = `${words.join('_')}_`;
  return absent.find((one) => one.startsWith(prefix)) ?? (words.length === 1 ? nearestName(name, absent) : undefined);
}
