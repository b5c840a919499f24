import type { z } from 'zod';
import { operations } from '../../../src/resources/operations.js';
import { OPERATIONS, type OperationCase } from './operations.js';
import { conversion } from './samples.js';

/** Each operation with a good answer in which every member that it may have is there. Written as JSON: no two places share a value. */
export const ANSWERED: readonly OperationCase[] = OPERATIONS.filter(({ nothing }) => !nothing).map((op) => {
  const { from, to } = conversion;
  const data = [conversion, { ...conversion, from: to, to: from }];
  const page = { next_page_token: 'more', ...(op.name === 'accounts.onDemandConversions.list' && { data }) };
  return { ...op, answer: JSON.parse(JSON.stringify(op.paged ? { ...(op.answer as object), ...page } : op.answer)) };
});

/** Every place in a value, as a dotted path: members of objects, and items of lists. */
export function placesIn(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    `${prefix}${name}`,
    ...placesIn(member, `${prefix}${name}.`),
  ]);
}

export const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce((inner, name) => (inner as Record<string, unknown>)[name], value);
export const withBrackets = (path: string): string => path.replace(/\.\d+(?=\.|$)/g, '[]');

export function schemaOf({ name }: OperationCase): z.core.$ZodType {
  const answer = operations.find((operation) => operation.name === name)?.answer;
  if (answer?.kind !== 'value') throw new Error(`${name} has no schema`);
  return answer.schema();
}

/** The places of a schema for texts, numbers and booleans, with `[]` for indices. */
export const scalarPlacesOf = (schema: z.core.$ZodType): Set<string> =>
  new Set(placesOf(schema, '').flatMap(([path, type]) => (SCALARS.includes(type) ? path : [])));

const SCALARS: readonly string[] = ['string', 'number', 'boolean', 'literal'];

function placesOf(schema: z.core.$ZodType, path: string): [path: string, type: string][] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if ('innerType' in def) return placesOf(def.innerType, path);
  if (def.type === 'union') return def.options.flatMap((option) => placesOf(option, path));
  const own: [string, string] = [path, def.type];
  if (def.type === 'array') return [own, ...placesOf(def.element, `${path}[]`)];
  if (def.type !== 'object') return [own];
  const members = Object.entries(def.shape);
  return [own, ...members.flatMap(([name, member]) => placesOf(member, path === '' ? name : `${path}.${name}`))];
}
