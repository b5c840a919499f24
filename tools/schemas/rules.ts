/** The rules of a schema of zod as JSON Schema: lengths, patterns, limits, and what is refused. */
import * as z from 'zod/mini';
import { documentedFactsOf, integerText } from '../../src/schema/schema.js';
import type { JsonSchema } from './components.js';

export type Rule = z.core.$ZodType;

type Def = z.core.$ZodTypes['_zod']['def'];

/** Returns the rule without the wrappers that say nothing about the value itself. */
export function unwrapped(rule: Rule | undefined): Rule | undefined {
  const def = defOf(rule);
  switch (def?.type) {
    case 'optional':
    case 'nullable':
    case 'readonly':
    case 'nonoptional':
      return unwrapped(def.innerType as Rule);
    default:
      return rule;
  }
}

const defOf = (rule: Rule | undefined): Def | undefined => (rule as z.core.$ZodTypes | undefined)?._zod.def;

/** Returns the rule of a member of an object. */
export function ruleOfMember(rule: Rule | undefined, name: string): Rule | undefined {
  const def = defOf(unwrapped(rule));
  if (def?.type !== 'object') return undefined;
  if (!Object.hasOwn(def.shape, name)) return undefined;
  const found = def.shape[name] as Rule;
  return documentedFactsOf(found).shown ?? found;
}

/** Returns the service's default of a member, as a member of a JSON schema. */
export function defaultOf(rule: Rule | undefined): JsonSchema {
  const value = rule && documentedFactsOf(rule).default;
  return value === undefined ? {} : { default: value };
}

/** Returns the form of what a caller gives. The limits of a safe integer say nothing about it. */
export function formOf(rule: Rule): JsonSchema {
  const { $schema: _, $defs: __, ...form } = z.toJSONSchema(rule, { io: 'input', unrepresentable: 'any' });
  const isLimit = (value: unknown) => value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER;
  return JSON.parse(JSON.stringify(form), (_name, value) => (isLimit(value) ? undefined : value));
}

/** Returns the whole rule as a JSON schema: of a body that no type of the package describes. */
export function schemaOf(rule: Rule): JsonSchema {
  const { additionalProperties: _, ...form } = formOf(rule);
  return form;
}

/** Returns the rule of the items of a list. */
export function ruleOfItem(rule: Rule | undefined): Rule | undefined {
  const def = defOf(unwrapped(rule));
  return def?.type === 'array' ? (def.element as Rule) : undefined;
}

/** Returns the rules of the variants of a union; undefined for another rule. */
export function ruleOfVariant(rule: Rule | undefined, index: number): Rule | undefined {
  const def = defOf(unwrapped(rule));
  return def?.type === 'union' ? (def.options[index] as Rule) : rule;
}

/** True for an object that refuses members that it does not name. */
export function isClosed(rule: Rule | undefined): boolean {
  const def = defOf(unwrapped(rule));
  return def?.type === 'object' && def.catchall === undefined;
}

/** True for a whole number that the service sends as text. */
export const isIntegerText = (rule: Rule | undefined): boolean => unwrapped(rule) === integerText();

/** Returns the fixed texts of a rule; undefined if it has none. */
export function textsOf(rule: Rule | undefined): readonly unknown[] | undefined {
  const def = defOf(unwrapped(rule));
  return def?.type === 'literal' ? def.values : undefined;
}

/** Returns the limits of a text, number, list or amount, as members of a JSON schema. */
export function limitsOf(rule: Rule | undefined): JsonSchema {
  const plain = unwrapped(rule);
  const def = defOf(plain);
  if (plain === undefined || def === undefined) return {};
  if (def.type !== 'string' && def.type !== 'number' && def.type !== 'array') return {};
  const { type, items: _, ...limits } = formOf(plain);
  return type === 'integer' ? { type, ...limits } : limits;
}
