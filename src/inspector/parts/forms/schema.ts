/** The parts of a JSON schema that the documents of the sandbox use. */
export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  /** The kinds whose ids it takes. */
  readonly 'x-id-of'?: string | readonly string[];
  /** The states in which the operation takes the resource. */
  readonly 'x-in-state'?: readonly string[];
  /** The operation that answers such ids. */
  readonly 'x-listed-by'?: string;
  readonly 'x-unit'?: string;
  /** True for the name of an operation. */
  readonly 'x-operation'?: true;
}

/** A document whose schemas refer to others. */
export interface Api {
  /** Follows a reference. A description beside the reference wins. */
  resolved(schema: Schema): Schema;
}

/** The name at the end of a reference. */
export const lastOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

export function apiOf(schemas: Readonly<Record<string, Schema>>): Api {
  const resolved = ({ $ref, ...nearer }: Schema): Schema =>
    $ref === undefined ? nearer : { ...resolved(schemas[lastOf($ref)] ?? {}), ...nearer };
  return { resolved };
}

export type Members = Readonly<Record<string, unknown>>;

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The way to a value in a form: names of members, and indexes of lists. A name may have a dot. */
export type Path = readonly string[];

export const at = (value: unknown, path: Path): unknown =>
  path.reduce((inner: unknown, name) => (inner as Members | undefined | null)?.[name], value);

/** Returns a copy with another value at a path. What is undefined, or empty now, is left out. */
export function put(value: unknown, [name, ...rest]: Path, next: unknown): unknown {
  if (name === undefined) return next;
  const inner = put(at(value, [name]), rest, next);
  if (Array.isArray(value)) {
    const items = inner === undefined ? value.toSpliced(Number(name), 1) : value.with(Number(name), inner);
    return items.length === 0 ? undefined : items;
  }
  const members: Members = { ...(isMembers(value) && value), [name]: inner };
  const present = Object.entries(members).filter(([, one]) => one !== undefined);
  return present.length === 0 ? undefined : Object.fromEntries(present);
}

export function typeOf({ type }: Schema): string | undefined {
  return typeof type === 'string' ? type : type?.find((one) => one !== 'null');
}

/** A value and its text. */
export type Choices = readonly (readonly [value: string, text: string])[];

/** True for an amount, whose pattern the documents have from the package. */
export const isDecimal = ({ pattern }: Schema): boolean => pattern === '^-?[0-9]+(\\.[0-9]+)?$';

/** Returns the description of a field, or else its limits. */
export function hintOf(schema: Schema): string {
  const { minLength, maxLength, minimum, maximum, description } = schema;
  if (description !== undefined) return description;
  if (isDecimal(schema)) return 'A decimal number as text.';
  if (maxLength !== undefined) return `${minLength ?? 0} to ${maxLength} characters.`;
  return minimum !== undefined && maximum !== undefined ? `${minimum} to ${maximum}.` : '';
}
