/** The parts of a JSON schema that the command reads. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** The position of a value in an operation's input. */
interface Position {
  /** Names from the outermost object to the value: `from`, `symbol`. */
  readonly path: readonly string[];
  /** Length of the path to the array that holds the value, or the object around it; 0: none. */
  readonly list: number;
  /** True if no object around the value, nor the value, may be absent. */
  readonly required: boolean;
}

/** One value of an operation's input: a flag of `call`. */
export interface Member extends Position {
  readonly description: string;
  /** JSON types that the value may have. None: they are not documented. */
  readonly types: ReadonlySet<string>;
  /** Known strings. */
  readonly choices: readonly string[];
}

/** Follows the reference of a part. */
export type Resolve = <Part extends { readonly $ref?: string }>(part: Part) => Part;

/** @param given Alternative schemas. Of those that are objects, the members are returned. */
export function membersOf(resolved: Resolve, given: readonly Schema[], at: Position): Member[] {
  const schemas = given.flatMap((schema) => alternatives(resolved, schema));
  const items = schemas.flatMap((schema) => schema.items ?? []);
  if (items.length > 0) {
    const described = items.map((item) => describedBy(schemas[0]?.description, item));
    return membersOf(resolved, described, { ...at, list: at.path.length });
  }
  const objects = schemas.filter(({ properties }) => properties !== undefined);
  const names = new Set(objects.flatMap(({ properties }) => Object.keys(properties ?? {})));
  if (names.size === 0) return [leafOf(schemas, at)];
  return [...names].flatMap((name) => {
    const inner = objects.flatMap(({ properties }) => properties?.[name] ?? []);
    const required = at.required && objects.every((object) => object.required?.includes(name));
    return membersOf(resolved, inner, { path: [...at.path, name], list: at.list, required });
  });
}

function leafOf(schemas: readonly Schema[], at: Position): Member {
  const types = new Set(schemas.flatMap(({ type = [] }) => type));
  const choices = new Set(schemas.flatMap((schema) => schema.enum ?? []).map(String));
  return { ...at, description: schemas[0]?.description ?? '', types, choices: [...choices] };
}

/**
 * The schema itself, or those of which a value fits one. Alternatives beside `properties` only say
 * which of these are required together.
 */
function alternatives(resolved: Resolve, given: Schema): Schema[] {
  const { anyOf = [], oneOf = [], ...schema } = resolved(given);
  if (anyOf.length + oneOf.length === 0 || schema.properties !== undefined) return [schema];
  const parts = [...anyOf, ...oneOf].flatMap((part) => alternatives(resolved, part));
  return parts.map((part) => describedBy(schema.description, part));
}

/** The description of what is around a schema wins over its own. */
export const describedBy = (description: string | undefined, schema: Schema): Schema =>
  description === undefined ? schema : { ...schema, description };
