import type { KeyedOperation } from '../request/idempotency-key.js';
import {
  defaultRetrySafety,
  type HttpMethod,
  type LazySchema,
  newOperation,
  type Operation,
  once,
  partsOf,
  type RetrySafety,
} from '../schema/operation.js';
import * as s from '../schema/schema.js';
import * as z from '../schema/zod.js';

/** The beginning of the path of each operation of one account. */
export const ACCOUNT = '/v1/accounts/{account_id}';

/** Method and path, for example `GET /v1/users/{user_id}`. */
type Route = `${HttpMethod} /${string}`;

/** The facts about an operation that follow neither from its name nor from its route. */
interface OperationFacts<Result>
  extends Omit<Operation<Result>, 'name' | 'method' | 'path' | 'params' | 'retrySafety' | 'cursor'> {
  /** Default: the rules of the names in the path, see `RULES_OF_PATH`. */
  readonly params?: LazySchema;
  readonly cursor?: string;
}

/**
 * `keyed` for exactly the names in `KEYED_OPERATIONS`, so that `idempotencyKeyFor` accepts them.
 * Default for others: `always` for GET and DELETE, otherwise `unkeyed`.
 */
type SafetyOf<Name> = Name extends KeyedOperation
  ? { readonly retrySafety: 'keyed' }
  : { readonly retrySafety?: Exclude<RetrySafety, 'keyed'> };

/**
 * Describes an operation.
 *
 * @param name The call in the client's tree, for example `accounts.quotes.get`.
 */
export function defineOperation<Result, Name extends string>(
  name: Name,
  route: Route,
  facts: OperationFacts<Result> & SafetyOf<Name>,
): Operation<Result> {
  const [method, path] = route.split(' ') as [HttpMethod, string];
  const params = paramsOf(path);
  return newOperation({ retrySafety: defaultRetrySafety(method), params, ...facts, name, method, path });
}

/** Defines an operation that returns its response in pages. */
export function defineList<Result>(name: string, route: Route, facts: OperationFacts<Result>): Operation<Result> {
  return defineOperation(name, route, { cursor: 'page_token', ...facts });
}

/** Rules of the names in paths. Any other name is an id of at least one character. */
const RULES_OF_PATH: ReadonlyMap<string, () => z.core.$ZodType> = new Map([
  ['account_id', s.principalId],
  ['user_id', s.principalId],
  ['quote_id', () => s.text(1, 64)],
  ['asset_type', s.assetType],
  ['asset_symbol', () => s.text(1, 16)],
]);

const anyId = () => z.string().check(z.minLength(1));

/** Operations with the same names share one schema, so that it is compiled once. */
const paramsOfNames = new Map<string, LazySchema>();

function paramsOf(path: string): LazySchema | undefined {
  const { names } = partsOf(path);
  if (names.length === 0) return undefined;
  const key = names.join();
  let params = paramsOfNames.get(key);
  if (params === undefined) {
    params = once(() =>
      z.object(Object.fromEntries(names.map((name) => [name, (RULES_OF_PATH.get(name) ?? anyId)()]))),
    );
    paramsOfNames.set(key, params);
  }
  return params;
}
