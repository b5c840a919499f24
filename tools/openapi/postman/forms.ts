/** The forms of answers as JSON Schema of draft 7, which is what Postman checks by. */
import type { JsonSchema } from '../../schemas/components.js';

const COMPONENTS = '#/components/schemas/';
const DEFINITIONS = '#/definitions/';

/** What says nothing about the form, and formats, which not every checker knows. */
const LEFT_OUT: readonly string[] = ['description', 'format', 'default', 'example', 'examples', 'title'];

/** Schemas of answers by name, and the definitions that they refer to. */
export interface Forms {
  readonly forms: Readonly<Record<string, unknown>>;
  readonly definitions: Readonly<Record<string, unknown>>;
}

/** @param components The schemas of the OpenAPI document. */
export function formsOf(
  answers: ReadonlyMap<string, JsonSchema>,
  components: Readonly<Record<string, JsonSchema>>,
): Forms {
  const definitions = new Map<string, unknown>();
  const converted = (schema: unknown): unknown => {
    if (Array.isArray(schema)) return schema.map(converted);
    if (typeof schema !== 'object' || schema === null) return schema;
    const { $ref } = schema as { readonly $ref?: string };
    return $ref === undefined ? formOf(schema) : referenceTo($ref.slice(COMPONENTS.length));
  };
  const formOf = (schema: object): object =>
    Object.fromEntries(
      Object.entries(schema).flatMap(([name, value]): [string, unknown][] => {
        if (name === 'properties') return [[name, mapped(value, converted)]];
        return LEFT_OUT.includes(name) ? [] : [[name, converted(value)]];
      }),
    );
  const referenceTo = (name: string): object => {
    if (!definitions.has(name)) {
      // Before its members: they may refer to it.
      definitions.set(name, undefined);
      definitions.set(name, converted(components[name]));
    }
    return { $ref: DEFINITIONS + name };
  };
  const forms = Object.fromEntries(Array.from(answers, ([name, schema]) => [name, converted(schema)]));
  return { forms, definitions: Object.fromEntries(definitions) };
}

const mapped = (members: object, change: (member: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member)]));
