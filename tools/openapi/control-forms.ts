/** The forms of arguments: their schemas, with the docstrings of the interfaces beside them. */
import { isDeepStrictEqual } from 'node:util';
import type ts from 'typescript';
import { FAULT_NAMES, FAULTS } from '../../src/sandbox/trouble/fault-table.js';
import type { JsonSchema } from '../schemas/components.js';
import { formOf as anyFormOf, type Rule } from '../schemas/rules.js';
import { docOf, EACH, membersOf, typesOf } from './control-docs.js';
import { markedMember } from './control-marks.js';

/** What has no docstring, or a name that only the schema or only the interface has. */
export const problems: string[] = [];

export function textOf(nodes: readonly ts.Node[], where: string): string {
  const text = docOf(nodes);
  if (text === undefined) problems.push(`${where} has no docstring`);
  return text ?? '';
}

/** Adds the docstrings of an interface to the members of a schema. Both must have the same. */
export function described(schema: JsonSchema, types: readonly ts.Node[], where: string): JsonSchema {
  const members = membersOf(types);
  const each = members.get(EACH);
  const known = new Set(namesIn(schema));
  if (known.size > 0 && each === undefined) {
    const alone = [...new Set([...known, ...members.keys()])].filter((name) => known.has(name) !== members.has(name));
    problems.push(...alone.map((name) => `${where}: only the ${known.has(name) ? 'schema' : 'interface'} has ${name}`));
  }
  const member = (name: string, own: JsonSchema): JsonSchema => {
    const [nodes, at] = [members.get(name) ?? [], `${where}.${name}`];
    const texts = each === undefined ? { description: textOf(nodes, at) } : {};
    return markedMember(name, { ...described(own, typesOf(nodes), at), ...texts }, docOf(each ?? []));
  };
  const inner = (one: JsonSchema): JsonSchema =>
    Object.fromEntries(
      Object.entries(one).map(([key, value]) => {
        if (key === 'anyOf' || key === 'oneOf') return [key, (value as JsonSchema[]).map(inner)];
        if (key === 'items') return [key, inner(value as JsonSchema)];
        if (key !== 'properties') return [key, value];
        return [
          key,
          Object.fromEntries(
            Object.entries(value as JsonSchema).map(([name, own]) => [name, member(name, own as JsonSchema)]),
          ),
        ];
      }),
    );
  return inner(schema);
}

/** The names of the members of an object, of the items of a list and of alternatives. */
function namesIn({ properties = {}, anyOf = [], oneOf = [], items = {} }: JsonSchema): string[] {
  const inner = [...(anyOf as JsonSchema[]), ...(oneOf as JsonSchema[])];
  return [
    ...Object.keys(properties as object),
    ...[...inner, ...(isDeepStrictEqual(items, {}) ? [] : [items as JsonSchema])].flatMap(namesIn),
  ];
}

export const formOf = (rule: Rule): JsonSchema =>
  JSON.parse(JSON.stringify(anyFormOf(rule)), (_name, value) => simplified(value));

const LABELS = FAULT_NAMES.map((name) => `- \`${name}\`: ${FAULTS[name].label}`);

/** JSON has no infinite numbers: their form is a number that is null. */
const isInfinity = (form: JsonSchema | null): boolean => form?.['type'] === 'number' && form['const'] === null;

/** Removes what says nothing. A form that contains itself is any JSON. */
function simplified(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((one) => !isInfinity(one));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, const: only, anyOf = [], ...others } = value as JsonSchema & { readonly anyOf?: readonly JsonSchema[] };
  if ($ref !== undefined) return {};
  if (typeof only === 'string') return { ...others, enum: [only] };
  if (anyOf.length > 1 && anyOf.every(({ type }) => type === 'object')) return { ...others, oneOf: anyOf };
  const isOfFaults = isDeepStrictEqual(others['enum'], FAULT_NAMES);
  return isOfFaults
    ? { ...others, description: `What the client sees of each named fault:\n\n${LABELS.join('\n')}` }
    : value;
}
