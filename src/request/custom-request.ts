import type { Issue } from '../errors.js';
import {
  type Answer,
  defaultRetrySafety,
  type HttpMethod,
  newOperation,
  once,
  type PageBody,
} from '../schema/operation.js';
import { essential, pageItems, pageOf, tokenOf } from '../schema/schema.js';
import type { StandardSchema } from '../schema/standard-schema.js';
import * as z from '../schema/zod.js';
import { copyMembers, type Members, membersNamed } from '../util/members.js';
import {
  ANYTHING,
  type AnyRules,
  BOOLEAN,
  isFunction,
  isRecord,
  type Rules,
  readOptions,
  rule,
} from '../util/options.js';
import { issuesOf, LIST_OPTION_NAMES, type ListOptions, REQUEST_OPTION_NAMES, type RequestOptions } from './options.js';
import { callRequest } from './prepare.js';
import { fillPath, normalisePath } from './url.js';

/** The argument of `client.request()`: an operation without a method of its own. */
export type CustomRequest<Output = unknown> = RequestDescription<Output> & MethodAndKey;

/** A read takes no `Idempotency-Key`. */
type MethodAndKey =
  | { readonly method: 'GET'; readonly idempotencyKey?: undefined }
  | ({ readonly method: Exclude<HttpMethod, 'GET'> } & Pick<RequestOptions, 'idempotencyKey'>);

/** All members except `method` and `idempotencyKey`. */
interface RequestDescription<Output = unknown> extends Omit<RequestOptions, 'otp' | 'idempotencyKey'> {
  /**
   * Path below `baseUrl`. With `params` it is a template such as
   * `/v1/accounts/{account_id}/transfers`, which logs, hooks and `error.operation` show. Without
   * `params` it is sent unchanged, so you percent-encode its ids. Since any part of it may be an
   * id, none is shown: the name of the operation is only the method, and `path` of its events is
   * `''`.
   */
  readonly path: string;
  /**
   * The ids of the path's template, by name. Each is percent-encoded. `{}` says that the path has
   * no ids and may be shown. `.`, `..`, an empty string and a lone surrogate are rejected.
   *
   * @example
   * const path = '/v1/users/{user_id}';
   * const user = await client.request({ method: 'GET', path, params: { user_id: userId } });
   */
  readonly params?: Readonly<Record<string, string>> | undefined;
  /**
   * Query parameters, in order. An array becomes one for each element; undefined is left out.
   *
   * @example
   * const query = { type: ['crypto', 'stablecoin'], page_size: 10 };
   * const assets = await client.request({ method: 'GET', path: '/v1/assets', params: {}, query });
   */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** A JSON value of at most 100 levels. A `Decimal` in it is sent as a plain decimal string. */
  readonly body?: unknown;
  /**
   * Validates and types the value. Default: no validation, and the value is `unknown`.
   *
   * @example
   * import { z } from 'zod';
   *
   * const schema = z.object({ id: z.string(), created_at: z.string() });
   * const [path, params] = ['/v1/users/{user_id}', { user_id: userId }] as const;
   * const user = await client.request({ method: 'GET', path, params, schema });
   * console.log(user.created_at); // typed by the schema
   */
  readonly schema?: StandardSchema<Output> | undefined;
  /**
   * Set it to true if the service honours `Idempotency-Key` for this write. The client then sends
   * an idempotency key, and retries the write like every other write with an idempotency key.
   * Default false: a POST, PUT or PATCH has no idempotency key and is retried only if it cannot
   * have had an effect.
   */
  readonly idempotent?: boolean | undefined;
  /**
   * One-time password (`API-Otp`): a string, a function that is called once per attempt, or `true`
   * for the client's, which is then required. Default: a function of the client is called for
   * writes, and what it returns is sent; a string of the client is not sent.
   *
   * @example
   * const body = { via: 'bitcoin', address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' };
   * const path = '/v1/accounts/{account_id}/wallets/whitelist';
   * const otp = () => authenticator.code();
   * const params = { account_id: accountId };
   * await client.request({ method: 'POST', path, params, body, otp, idempotent: true });
   */
  readonly otp?: RequestOptions['otp'] | true;
  /**
   * If true, the value is the `data` member of the response, or the whole body if there is no
   * `data`. If false, the value is the whole body. Default true.
   */
  readonly unwrap?: boolean | undefined;
}

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies HttpMethod[];

const copyRecord = (value: unknown) => (isRecord(value) ? copyMembers(value) : value);

/** The rules of the members that describe the operation. */
const DESCRIPTION_RULES = {
  method: { ...rule(isMethod, `must be one of ${METHODS.join(', ')}`), required: true },
  path: ANYTHING,
  params: rule(isRecord, 'must be an object', copyRecord),
  query: rule(isRecord, 'must be an object', copyRecord),
  body: ANYTHING,
  schema: rule(isStandardSchema, 'must be a Standard Schema, as zod, valibot and arktype make them'),
  idempotent: BOOLEAN,
  unwrap: BOOLEAN,
} satisfies Rules<Omit<CustomRequest, keyof RequestOptions>>;

/** All members. The options of the call are checked later, like those of every call. */
const RULES: AnyRules = {
  ...Object.fromEntries(REQUEST_OPTION_NAMES.map((name) => [name, ANYTHING])),
  ...DESCRIPTION_RULES,
};

function isMethod(value: unknown): value is HttpMethod {
  return METHODS.includes(value as string);
}

function isStandardSchema(value: unknown): boolean {
  return isFunction((value as Partial<StandardSchema> | null)?.['~standard']?.validate);
}

/** Returns the call that `client.request()` describes, and what is wrong with its description. */
export function operationOf<T>(given: CustomRequest<T>) {
  const read = readOptions(isRecord(given) ? given : {}, RULES);
  const described = read.options as Partial<CustomRequest<T>>;
  const { method = 'GET', query, body, schema, idempotent, unwrap } = described;
  const issues = issuesOf(read.faults, read.options);
  const { path, template } = pathOf(described, issues);
  if (path.includes('?') && Object.keys(query ?? {}).length > 0) {
    issues.push({ path: 'query', message: 'must not be given when the path has a query' });
  }
  if (method === 'GET' && body !== undefined) issues.push({ path: 'body', message: 'must not be given with GET' });
  if (idempotent && (method === 'GET' || method === 'DELETE')) {
    issues.push({ path: 'idempotent', message: `must not be given with ${method}: it is retried without a key` });
  }
  const operation = newOperation<T>({
    name: nameOf(described.method, template),
    method,
    path,
    template,
    retrySafety: idempotent === true ? 'keyed' : defaultRetrySafety(method),
    refusesKey: 'state idempotent: true if this operation honours Idempotency-Key; without it no key is sent',
    otp: described.otp === true,
    answer: { kind: 'json', unwrap: unwrap ?? true },
  });
  return { request: callRequest(operation, requestOptionsOf(described), { schema, issues }), input: { query, body } };
}

/** The options of the call among the members. `otp: true` selects the client's. */
function requestOptionsOf(described: Partial<CustomRequest>): RequestOptions {
  const options = membersNamed(described, REQUEST_OPTION_NAMES);
  if (options['otp'] === true) options['otp'] = undefined;
  return options;
}

/** Returns the name of the call in logs. A path without a template may have ids: not shown. */
function nameOf(method: unknown, template: string): string {
  if (!isMethod(method)) return 'client.request';
  return template === '' ? method : `${method} ${template}`;
}

/** Returns the path to send, and what logs show of it: the template, or `''`. */
function pathOf(
  { path, params }: Pick<Partial<CustomRequest>, 'path' | 'params'>,
  issues: Issue[],
): { path: string; template: string } {
  const isTemplate = params !== undefined || (typeof path === 'string' && /[{}]/.test(path));
  if (!isTemplate || typeof path !== 'string') return { path: normalisePath(path, issues), template: '' };
  const found = issues.length;
  const filled = fillPath(path, isRecord(params) ? params : {}, issues);
  // The template itself is not shown until it is known to be one.
  if (issues.length > found) return { path: '', template: '' };
  const normalised = normalisePath(filled, issues);
  return { path: normalised, template: normalised === '' ? '' : (path.split('?', 1)[0] ?? '') };
}

/** The argument of `client.list()`: a paged operation without a method of its own. */
export interface CustomList<Item = unknown> extends ListOptions, Pick<CustomRequest, 'path' | 'params' | 'query'> {
  /**
   * Validates and types one item. Default: no validation, and items are `unknown`.
   *
   * @example
   * import { z } from 'zod';
   *
   * const schema = z.object({ symbol: z.string(), name: z.string() });
   * const assets = client.list({ path: '/v1/assets', params: {}, schema });
   * for await (const { symbol, name } of assets) console.log(symbol, name);
   */
  readonly schema?: StandardSchema<Item> | undefined;
  /** The response's member with the items, for example `data.verifications`. Default `data`. */
  readonly items?: string | undefined;
  /** The query parameter that takes the token of a page. Default `page_token`. */
  readonly cursor?: string | undefined;
  /** The response's member with the token of the next page. Default `next_page_token`. */
  readonly next?: string | undefined;
  /** The name that errors, logs and hooks show. Default: `GET` with the path's template. */
  readonly operation?: string | undefined;
}

const MEMBER_PATH = /^[^.]+(?:\.[^.]+)*$/;
const memberPath = rule(
  (value) => typeof value === 'string' && MEMBER_PATH.test(value),
  'must be the name of a member, or names with dots between',
);
const name = rule((value) => typeof value === 'string' && value !== '', 'must be a non-empty string');

const LIST_DESCRIPTION_RULES = {
  path: DESCRIPTION_RULES.path,
  params: DESCRIPTION_RULES.params,
  query: DESCRIPTION_RULES.query,
  schema: DESCRIPTION_RULES.schema,
  items: memberPath,
  cursor: name,
  next: memberPath,
  operation: name,
} satisfies Rules<Omit<CustomList, keyof ListOptions>>;

/** All members. The options of the list are checked later, like those of every call. */
const LIST_RULES: AnyRules = {
  ...Object.fromEntries(LIST_OPTION_NAMES.map((option) => [option, ANYTHING])),
  ...LIST_DESCRIPTION_RULES,
};

/** Returns the list that `client.list()` describes, and what is wrong with its description. */
export function listOf<Item>(given: CustomList<Item>) {
  const read = readOptions(isRecord(given) ? given : {}, LIST_RULES);
  const described = read.options as Partial<CustomList<Item>>;
  const { query, schema, items = 'data', cursor = 'page_token', next = 'next_page_token' } = described;
  const issues = issuesOf(read.faults, read.options);
  const { path, template } = pathOf(described, issues);
  if (path.includes('?')) issues.push({ path: 'path', message: 'must have no query: give it as query' });
  const operation = newOperation<PageBody<Item>>({
    name: described.operation ?? nameOf('GET', template),
    method: 'GET',
    path,
    template,
    cursor,
    retrySafety: 'always',
    answer: issues.length > 0 ? NO_PAGE : pageAt<Item>(items.split('.'), next.split('.')),
  });
  return {
    operation,
    schema: schema && pageSchema(schema, items),
    input: { query },
    options: membersNamed(described, LIST_OPTION_NAMES),
    issues,
  };
}

/** A page token longer than this is rejected. */
const MAX_CUSTOM_TOKEN_LENGTH = 4_096;

/** A call whose description is wrong is never sent. */
const NO_PAGE: Answer<never> = { kind: 'nothing' } as Answer<never>;

/** A page whose items and token are found at these paths. */
function pageAt<Item>(items: readonly string[], next: readonly string[]): Answer<PageBody<Item>> {
  return {
    kind: 'value',
    schema: once(() =>
      envelopeOf([
        { path: items, schema: essential(pageItems(z.unknown())), isEssential: true },
        { path: next, schema: z.nullish(z.string().check(z.maxLength(MAX_CUSTOM_TOKEN_LENGTH))), isEssential: false },
      ]),
    ),
    select: (body) => ({
      items: pageOf<Item>(memberAt(body, items)),
      token: tokenOf(memberAt(body, next)),
      meta: withoutMember(withoutMember(body, items), next) as Members,
    }),
  };
}

/** A member of a response: its place, its rules, and whether the response is useless without it. */
interface EnvelopeMember {
  readonly path: readonly string[];
  readonly schema: z.core.$ZodType;
  readonly isEssential: boolean;
}

/** The schema of a response that has these members, in nested objects where paths are long. */
function envelopeOf(members: readonly EnvelopeMember[]): z.ZodMiniObject {
  const shape: Record<string, z.core.$ZodType> = {};
  for (const name of new Set(members.map(({ path }) => path[0] ?? ''))) {
    const inner = members.filter(({ path }) => path[0] === name).map((one) => ({ ...one, path: one.path.slice(1) }));
    const leaf = inner.find(({ path }) => path.length === 0);
    const object = leaf === undefined ? envelopeOf(inner) : leaf.schema;
    if (leaf !== undefined) shape[name] = object;
    else shape[name] = inner.some(({ isEssential }) => isEssential) ? essential(object) : z.nullish(object);
  }
  return z.looseObject(shape);
}

function memberAt(body: unknown, path: readonly string[]): unknown {
  return path.reduce((value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined), body);
}

/** Returns a copy of the response without one member. */
function withoutMember(body: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (!isRecord(body) || !Object.hasOwn(body, name)) return body;
  const { [name]: member, ...others } = body;
  return rest.length === 0 ? others : { ...others, [name]: withoutMember(member, rest) };
}

/** The schema of a page whose items are read by the schema of one item. */
function pageSchema<Item>(item: StandardSchema<Item>, path: string): StandardSchema<PageBody<Item>> {
  const validate = async (value: unknown) => {
    const page = value as PageBody<unknown>;
    const results = await Promise.all(page.items.map((one) => item['~standard'].validate(one)));
    const issues = results.flatMap(({ issues: found = [] }, index) =>
      found.map((issue) => ({ ...issue, path: [path, index, ...(issue.path ?? [])] })),
    );
    if (issues.length > 0) return { issues };
    return { value: { ...page, items: results.map((result) => (result as { readonly value: Item }).value) } };
  };
  return { '~standard': { version: 1, vendor: 'partner-sdk', validate } };
}
