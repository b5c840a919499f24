import { Bare } from '../util/members.js';
import type { Correlation } from './correlation.js';
import type * as z from './zod.js';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Builds its schema at the first use: an import of the package does not pay for it. */
export type LazySchema<Output = unknown, Input = unknown> = () => z.core.$ZodType<Output, Input>;

/**
 * The body of a 2xx response:
 *
 * - `value`: `schema` describes the whole body, `select` takes the method's value out of it. With
 *   `arrange`, the body is first brought into the form of `schema`.
 * - `nothing`: the body is ignored. `body` describes it where the service does, `inData` says that
 *   it has a member `data`.
 * - `json`: JSON that no schema describes. With `unwrap`, the value is its `data` member.
 */
export type Answer<Result> =
  | {
      readonly kind: 'value';
      readonly schema: LazySchema;
      readonly select: (body: unknown) => Result;
      readonly arrange?: (body: unknown) => unknown;
    }
  | { readonly kind: 'nothing'; readonly body?: LazySchema; readonly inData?: true }
  | { readonly kind: 'json'; readonly unwrap: boolean };

/** One page: its items, the token of the next page, and every other member of the envelope. */
export interface PageBody<Item, Meta = PageMeta> {
  readonly items: Item[];
  readonly token: string | undefined;
  readonly meta: Meta;
}

/** Members of a page's envelope besides `data` and `next_page_token`, where none are documented. */
export type PageMeta = Readonly<Record<string, unknown>>;

/**
 * The condition under which a retry has no second effect:
 *
 * - `always`: every GET and DELETE, and a write that moves nothing.
 * - `keyed`: a write with an `Idempotency-Key`, which each of its calls sends.
 * - `unkeyed`: every other write, retried only if the failed attempt certainly had no effect.
 */
export type RetrySafety = 'always' | 'keyed' | 'unkeyed';

/** One operation as plain data: client, sandbox and documents are created from it. */
export interface Operation<Result = unknown> {
  /** The call in the client's tree, for example `accounts.quotes.get`. */
  readonly name: string;
  readonly method: HttpMethod;
  /** Path template, for example `/v1/users/{user_id}`. Every `{name}` has a rule in `params`. */
  readonly path: string;
  /** Path template for logs, where `path` holds ids. Default: `path`. */
  readonly template?: string;
  /** Rules of the path's parameters: an object schema with one string member for each `{name}`. */
  readonly params?: LazySchema | undefined;
  /**
   * Rules of the query: an object schema. Each item of an array is sent with the key, and the
   * members of an object in it as `key[0][member]`. Unknown members are rejected by a `z.object`,
   * and sent by a `z.looseObject` (of a `partial` operation).
   */
  readonly query?: LazySchema;
  /** Rules of the JSON body. Unknown members as in the query, at any depth. */
  readonly body?: LazySchema;
  readonly answer: Answer<Result>;
  /** Members of the response that are compared with the call. The service may normalise others. */
  readonly correlation?: readonly Correlation[];
  /**
   * The query parameter that asks for a page of a list, for example `page_token`. Its value is the
   * `next_page_token` of the page before. Absent: the response is not paged.
   */
  readonly cursor?: string;
  /** True if a `waitFor` beside this read polls it; the name of a wait elsewhere. */
  readonly waitFor?: true | string;
  readonly retrySafety: RetrySafety;
  /** Member of the response's `data` that is a secret: no error, log or header shows it. */
  readonly secretMember?: string;
  /**
   * Member of the body with a URL that the service sends to. Over plain http on a private network
   * only a sandbox reaches it.
   */
  readonly receiver?: string;
  /** Lists of strings in the input, by name, with known ones. Others are sent with a warning. */
  readonly knownTexts?: Readonly<Record<string, readonly string[]>>;
  /** Requires the `API-Otp` header. */
  readonly otp?: boolean;
  /** True for an *assumed* operation: the error of a 404, 405 or 501 doubts the path. */
  readonly isAssumed?: true;
  /** The message about an idempotency key that has no use here. Default: it takes none. */
  readonly refusesKey?: string;
}

/** True if each success of the service has a member `data`, by which the service is recognised. */
export const declaresData = ({ answer }: Operation): boolean =>
  answer.kind === 'value' || (answer.kind === 'nothing' && answer.inData === true);

/** Creates an operation that inherits nothing. */
export function newOperation<Result>(facts: Operation<Result>): Operation<Result> {
  return Object.assign(new Bare(), facts);
}

export const defaultRetrySafety = (method: HttpMethod): RetrySafety =>
  method === 'GET' || method === 'DELETE' ? 'always' : 'unkeyed';

/** Returns the path for logs, without ids and query. */
export function templateOf({ template, path }: Pick<Operation, 'template' | 'path'>): string {
  return template ?? path;
}

export interface OperationInput {
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: unknown;
  readonly body?: unknown;
}

/**
 * Returns the input of a call from the arguments of its method, without the options: the values of
 * the path in its order, then the query or the body.
 */
export function inputOf({ path, query, body }: Operation, given: readonly unknown[]): OperationInput {
  const params = new Bare() as Record<string, unknown>;
  const { names } = partsOf(path);
  names.forEach((name, place) => {
    params[name] = given[place];
  });
  const last = given[names.length];
  return { params, query: query && last, body: body && last };
}

/** The parts of a path template: `/v1/users/` and `/assets` with the name `user_id` in between. */
export interface PathParts {
  /** One more than names. */
  readonly texts: readonly string[];
  readonly names: readonly string[];
}

const partsOfPaths = new Map<string, PathParts>();

/** Splits the path template of an operation, once. */
export function partsOf(path: string): PathParts {
  let parts = partsOfPaths.get(path);
  if (parts === undefined) {
    const all = path.split(/[{}]/);
    const isName = (_: string, place: number) => place % 2 === 1;
    parts = { texts: all.filter((part, place) => !isName(part, place)), names: all.filter(isName) };
    partsOfPaths.set(path, parts);
  }
  return parts;
}

/** Returns a function that calls `make` at its first call and stores the value. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
