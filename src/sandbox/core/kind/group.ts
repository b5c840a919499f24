import type * as z from 'zod/mini';
import { checked } from '../basics/checked.js';

/**
 * A group of methods and members that drive the sandbox, for example `sandbox.prices`. The methods
 * in code, the check of their arguments, and their routes follow from this definition.
 */
export interface Group<Host> {
  readonly name: string;
  /** Methods other than the moves of a kind. */
  readonly methods?: Readonly<Record<string, Method<Host>>>;
  /** Read-only members by name. */
  readonly members?: Readonly<Record<string, (host: Host) => unknown>>;
  /** The method that `DELETE` calls with the id of an item of `list`. */
  readonly removal?: string;
}

/** A method of a group. */
export interface Method<Host> {
  /** The schemas of its arguments by name, in the order of the arguments. Default: none. */
  readonly takes?: Readonly<Record<string, z.core.$ZodType>>;
  /**
   * Path below the group at which GET calls it, `''` for the group itself. The query is the
   * argument `filter`; an argument that it needs is the last part of the path. Default: `''` for
   * `list`, and no path for others.
   */
  readonly get?: string;
  /** Only for `list`: the member of an item that contains its id. */
  readonly id?: string;
  /** True if it returns a promise, which a wrong argument rejects. */
  readonly isAsync?: boolean;
  /** True if it also takes a signal, which aborts when its caller closes the connection. */
  readonly waits?: true;
  /** Gets the arguments as their schemas have read them. */
  readonly run: (host: Host, ...args: never[]) => unknown;
}

type AnyMethod = (...args: never[]) => unknown;

/** A definition for each method of a public interface, with the same arguments and result. */
export type MethodsOf<Host, Public> = {
  readonly [Name in keyof Public as Public[Name] extends AnyMethod ? Name : never]: Public[Name] extends (
    ...args: infer Args
  ) => infer Result
    ? Method<Host> & Promised<Result> & { readonly run: (host: Host, ...args: Args) => Result }
    : never;
};

/** A method that may return a promise says whether it always does. */
type Promised<Result> = Result extends Promise<unknown> ? { readonly isAsync: boolean } : { readonly isAsync?: never };

/** The definition of a group with a public interface. */
export interface GroupOf<Host, Public extends object> extends Group<Host> {
  readonly methods: MethodsOf<Host, Public>;
  /** Never present: it holds the type of what the group makes. */
  readonly makes?: Public;
}

/** True for an argument that may be left out. */
export const isOptional = ({ _zod }: z.core.$ZodType): boolean => _zod.optin === 'optional';

/** Makes the methods and members of a group. The cast is sound: each method has its definition. */
export function controlsOfGroup<Host, Public extends object>(
  host: Host,
  { name: group, methods, members = {} }: GroupOf<Host, Public>,
): Public {
  const made: Record<string, unknown> = {};
  for (const [name, method] of Object.entries<Method<Host>>(methods)) {
    made[name] = methodOf(host, `${group}.${name}`, method);
  }
  for (const [name, read] of Object.entries(members)) {
    Object.defineProperty(made, name, { enumerable: true, get: () => read(host) });
  }
  return made as Public;
}

/** @param name For example `keys.issue`: it begins the messages of errors. */
export function methodOf<Host>(
  host: Host,
  name: string,
  { takes = {}, isAsync, waits, run }: Method<Host>,
): (...given: unknown[]) => unknown {
  const schemas = Object.entries(takes);
  const call = (...given: unknown[]) => {
    const args = schemas.map(([arg, schema], index) => checked(name, schema, given[index], arg));
    if (waits === true) args.push(given[schemas.length]);
    return run(host, ...(args as never[]));
  };
  return isAsync === true ? async (...given) => call(...given) : call;
}
