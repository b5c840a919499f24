import { isRecord } from '../../../util/options.js';
import { spanMs } from '../../../util/spans.js';
import { givenText, isPlaceOfText } from '../output/given-text.js';
import { quoted } from '../output/text.js';
import { usageError } from './command-line.js';

/** The parts of a JSON schema that determine how an argument is read. */
export type Schema = Readonly<Record<string, unknown>> | undefined;

/** The OpenAPI document of the control plane; undefined if the sandbox does not have one. */
export type Schemas = unknown;

/** The kinds of resources that a sandbox has. */
export function kindsIn(document: Schemas): readonly string[] {
  const kinds = at(document, 'components', 'schemas', 'ResourceKind', 'enum');
  return Array.isArray(kinds) ? kinds.map(String) : [];
}

/**
 * Returns the path under which a path is described: all kinds of resources share one description.
 */
export function describedPath(document: Schemas, path: string): string {
  const [, kind = ''] = /^resources\/(\w+)$/.exec(path) ?? [];
  return kindsIn(document).includes(kind) ? 'resources/{kind}' : path;
}

/** Returns the schema of each argument of a method, from the document. */
export function argumentSchemas(document: Schemas, path: string): readonly Schema[] {
  const described = at(document, 'paths', `/${describedPath(document, path)}`);
  const body = resolved(document, at(described, 'post', 'requestBody'));
  if (body === undefined) return [filterSchema(document, at(described, 'get', 'parameters'))];
  const list = resolved(document, at(body, 'content', 'application/json', 'schema'));
  const items = list?.['prefixItems'];
  return Array.isArray(items) ? items.map((item) => resolved(document, item)) : [];
}

/** POST takes the filters of the query as the members of one object. */
function filterSchema(document: Schemas, given: unknown): Schema {
  const parameters = Array.isArray(given) ? given.map((one) => resolved(document, one)) : [];
  return { properties: Object.fromEntries(parameters.map((one) => [String(one?.['name']), one?.['schema']])) };
}

/** Returns the schema of an object's member. */
export function memberSchema(document: Schemas, schema: Schema, name: string): Schema {
  for (const one of alternatives(document, schema)) {
    const found = resolved(document, at(one, 'properties', name));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns the value of a command line argument. If the schema accepts only text, it stays text, so
 * an amount keeps its digits. Without a schema, text that looks like JSON is parsed. `@file` and
 * `-` stand for the JSON of a file and of standard input.
 */
export function meantBy(word: string, document: Schemas, schema: Schema): unknown {
  const types = typesOf(document, schema);
  const isFor = (type: string) => types.size === 0 || types.has(type);
  const isForJson = isFor('object') || isFor('array');
  if (isForJson && (/^[[{]/.test(word) || isPlaceOfText(word))) return json(word);
  if (isFor('boolean') && /^(true|false)$/.test(word)) return word === 'true';
  if (isFor('null') && word === 'null') return null;
  if (isFor('number') && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(word)) return Number(word);
  const ms = isFor('number') ? spanMs(word) : undefined;
  if (ms !== undefined) return ms;
  if (types.has('number') && types.size === 1)
    throw usageError(`${quoted(word)} is no number, and no time like 500ms, 30s, 5m, 1h or 1d`);
  return word;
}

function json(word: string): unknown {
  try {
    return JSON.parse(givenText(word));
  } catch (error) {
    throw usageError(error instanceof SyntaxError ? `${quoted(word)} is not JSON` : Object(error).message);
  }
}

/** Returns the JSON types that a schema accepts; none if they are unknown. */
function typesOf(document: Schemas, schema: Schema): ReadonlySet<string> {
  const found = new Set<string>();
  for (const one of alternatives(document, schema)) {
    const given = one['type'];
    for (const type of Array.isArray(given) ? given : [given]) if (typeof type === 'string') found.add(type);
    for (const value of [one['const'], ...(Array.isArray(one['enum']) ? one['enum'] : [])]) {
      if (value !== undefined) found.add(value === null ? 'null' : typeof value);
    }
  }
  if (found.delete('integer')) found.add('number');
  return found;
}

/** Returns the schema itself and the schemas that it combines. */
function alternatives(document: Schemas, schema: Schema, depth = 0): readonly Readonly<Record<string, unknown>>[] {
  if (schema === undefined || depth > 8) return [];
  const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((name) => (Array.isArray(schema[name]) ? schema[name] : []));
  return [schema, ...parts.flatMap((part) => alternatives(document, resolved(document, part), depth + 1))];
}

/** Returns the schema that a reference refers to, or the schema itself. */
export function resolved(document: Schemas, schema: unknown): Schema {
  if (!isRecord(schema)) return undefined;
  const { $ref } = schema;
  if (typeof $ref !== 'string') return schema;
  const found = at(document, ...$ref.replace(/^#\//, '').split('/'));
  return isRecord(found) ? found : undefined;
}

/** Returns the member at a path; undefined if there is none. */
export function at(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (inner, name) => (isRecord(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
    value,
  );
}
