import { isDeepStrictEqual } from 'node:util';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Answers of the service, or input of a caller: one name may have a form for each. */
export type Direction = 'output' | 'input';

/** The named schemas of a document. Each form of a name is there once. */
export class Components {
  readonly #schemas = new Map<string, JsonSchema>();

  /** Returns a reference to the schema, or the schema itself if its name is taken by others. */
  named(name: string, schema: JsonSchema, direction: Direction): JsonSchema {
    // Two names for one form of an input and of an answer tell more than one name for both.
    const names = direction === 'input' && !name.endsWith('Input') ? [name, `${name}Input`] : [name];
    const free = names.find((one) => isDeepStrictEqual(this.#schemas.get(one) ?? schema, schema));
    if (free === undefined) return schema;
    this.#schemas.set(free, schema);
    return { $ref: `#/components/schemas/${free}` };
  }

  /** Returns the schema itself in place of a reference to it. */
  resolved(schema: JsonSchema): JsonSchema {
    const name = String(schema['$ref']).slice('#/components/schemas/'.length);
    return this.#schemas.get(name) ?? schema;
  }

  /** Removes a schema to which nothing refers any more. */
  drop(schema: JsonSchema): void {
    this.#schemas.delete(String(schema['$ref']).slice('#/components/schemas/'.length));
  }

  /** All, in the order of their names. */
  all(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
