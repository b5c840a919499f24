import type { z } from 'zod';
import { Bare } from '../util/members.js';
import type { Correlation } from './correlation.js';

/**
 * How well an operation is known: from the API description, from the service's public reference, or its path and parts
 * of its shape.
 */
export type Stability = 'specified' | 'documented' | 'partial';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Builds its schema at the first use and keeps it: importing the package must not pay for operations nobody calls. */
export type LazySchema<Output = unknown, Input = unknown> = () => z.ZodType<Output, Input>;

/**
 * What a 2xx answer holds: a `value` (`schema` describes the whole body, `select` takes the method's value out of the checked body),
 * `nothing` that matters, or `any` JSON (of which `unwrap` takes the `data` member).
 */
export type Answer<Result> =
  | { readonly kind: 'value'; readonly schema: LazySchema; readonly select: (body: unknown) => Result }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'any'; readonly unwrap: boolean };

/** One page as it came: the items, where the next page begins, and every other member of the envelope. */
export interface PageBody<Item, Meta = PageMeta> {
  readonly items: Item[];
  readonly token: string | undefined;
  readonly meta: Meta;
}

/** Members of a page's envelope besides `data` and `next_page_token`, where none are documented. */
export type PageMeta = Readonly<Record<string, unknown>>;

/**
 * When a retry cannot have a second effect:
 *
 * - `always`: every GET and DELETE, and a write that moves nothing;
 * - `keyed`: a write that honours the `Idempotency-Key` header, by the key that each of its calls has;
 * - `unkeyed`: any other write. It is retried only when an attempt cannot have had an effect.
 */
export type RetrySafety = 'always' | 'keyed' | 'unkeyed';

/**
 * One operation of the API as plain data: the single description from which the client, the sandbox's routing and
 * checking, and the documentation are made.
 */
export interface Operation<Result = unknown> {
  /** The call in the client's tree, for example `accounts.quotes.get`. */
  readonly name: string;
  /** The service's name for it, for example `Get quote`. */
  readonly title: string;
  readonly stability: Stability;
  readonly method: HttpMethod;
  /** Path template: `/v1/accounts/{account_id}/quotes/{quote_id}`. Every `{name}` has a rule in `params`. */
  readonly path: string;
  /** Path template for logs, where `path` holds ids. Default: `path`. */
  readonly template?: string;
  /** Rules of the path's parameters: an object schema with one string member for each `{name}`. */
  readonly params?: LazySchema;
  /**
   * Rules of the query: an object schema. Arrays are sent as repeated keys. Members that a `z.object` does not have are
   * refused before sending; a `z.looseObject` (an operation that is known in part) lets them pass.
   */
  readonly query?: LazySchema;
  /** Rules of the JSON body. Unknown members as in the query, at any depth. */
  readonly body?: LazySchema;
  readonly answer: Answer<Result>;
  /** Members of the answer that are compared with the call. No other is: the service may normalise it. */
  readonly correlation?: readonly Correlation[];
  /** A cursor-paginated list: `query` has `page_token`, the answer `next_page_token`. */
  readonly paged?: boolean;
  readonly retrySafety: RetrySafety;
  /** Requires the `API-Otp` header. */
  readonly otp?: boolean;
  /** The message about an idempotency key that is given but not sent. Default: that this operation takes none. */
  readonly refusesKey?: string;
}

/** An operation as it is written down, with method and path in one text. */
interface OperationFacts<Result> extends Omit<Operation<Result>, 'method' | 'path' | 'retrySafety'> {
  /** For example `GET /v1/users/{user_id}`. */
  readonly route: `${HttpMethod} /${string}`;
  /** Default: `always` for GET and DELETE, otherwise `unkeyed`. */
  readonly retrySafety?: RetrySafety;
}

export function defineOperation<Result>({ route, ...facts }: OperationFacts<Result>): Operation<Result> {
  const [method, path] = route.split(' ') as [HttpMethod, string];
  return newOperation({ retrySafety: defaultRetrySafety(method), ...facts, method, path });
}

/** Makes an operation that inherits nothing: what it does not say is undefined, whatever `Object.prototype` has. */
export function newOperation<Result>(facts: Operation<Result>): Operation<Result> {
  return Object.assign(new Bare(), facts);
}

export const defaultRetrySafety = (method: HttpMethod): RetrySafety =>
  method === 'GET' || method === 'DELETE' ? 'always' : 'unkeyed';

/** The path for logs: without ids and query. */
export function templateOf({ template, path }: Pick<Operation, 'template' | 'path'>): string {
  return template ?? path;
}

/** What a caller hands to one operation. */
export interface OperationInput {
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** Remembers the one value of `make`, made at the first call. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
