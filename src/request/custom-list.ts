import type { Issue } from '../errors.js';
import { type Answer, newOperation, type OperationInput, once, type PageBody } from '../schema/operation.js';
import { essential, pageItems, pageOf, tokenOf } from '../schema/schema.js';
import type { StandardSchema } from '../schema/standard-schema.js';
import * as z from '../schema/zod.js';
import { type Members, membersNamed } from '../util/members.js';
import { ANYTHING, type AnyRules, isRecord, type Rules, readOptions, rule } from '../util/options.js';
import { type CustomRequest, DESCRIPTION_RULES, nameOf, pathOf } from './custom-request.js';
import { issuesOf, LIST_OPTION_NAMES, type ListOptions } from './options.js';

/** The argument of `client.list()`: a paged operation without a method of its own. */
export interface CustomList<Item = unknown> extends ListOptions, Pick<CustomRequest, 'path' | 'params' | 'query'> {
  /**
   * Checks and types one item. Default: none, and items are `unknown`.
   *
   * @example
   * import { z } from 'zod';
   *
   * const schema = z.object({ symbol: z.string(), name: z.string() });
   * const assets = client.list({ path: '/v1/assets', params: {}, schema });
   * for await (const { symbol, name } of assets) console.log(symbol, name);
   */
  readonly schema?: StandardSchema<Item> | undefined;
  /**
   * The member of the answer that has the items, for example `data.verifications`. Default `data`.
   */
  readonly items?: string | undefined;
  /** The query parameter that takes the token of a page. Default `page_token`. */
  readonly cursor?: string | undefined;
  /** The member of the answer that has the token of the next page. Default `next_page_token`. */
  readonly next?: string | undefined;
  /** The name that errors, logs and hooks show. Default: `GET` with the path's template. */
  readonly operation?: string | undefined;
}

const MEMBER_PATH = /^[^.]+(?:\.[^.]+)*$/;
const memberPath = rule(
  (value) => typeof value === 'string' && MEMBER_PATH.test(value),
  'must be the name of a member, or names with dots between',
);
const name = rule((value) => typeof value === 'string' && value !== '', 'must be non-empty text');

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

/** All members. Options of the list are checked later, with those of every call. */
const RULES: AnyRules = {
  ...Object.fromEntries(LIST_OPTION_NAMES.map((option) => [option, ANYTHING])),
  ...LIST_DESCRIPTION_RULES,
};

/** A list that `client.list()` describes. */
export interface DescribedList<Item> {
  readonly operation: ReturnType<typeof newOperation<PageBody<Item>>>;
  readonly schema: StandardSchema<PageBody<Item>> | undefined;
  readonly input: OperationInput;
  readonly options: ListOptions;
  /** The broken rules of the description. */
  readonly issues: readonly Issue[];
}

/** Returns the list that `client.list()` describes, and what is wrong with its description. */
export function listOf<Item>(given: CustomList<Item>): DescribedList<Item> {
  const read = readOptions(isRecord(given) ? given : {}, RULES);
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

/** A longer token of a page is refused. */
const MAX_CUSTOM_TOKEN_LENGTH = 4_096;

/** A wrong description is never sent. */
const NO_PAGE: Answer<never> = { kind: 'nothing' } as Answer<never>;

/** A page whose items and token stand at these paths. */
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

/** A member of an answer: its place, its rules, and whether the answer is useless without it. */
interface EnvelopeMember {
  readonly path: readonly string[];
  readonly schema: z.core.$ZodType;
  readonly isEssential: boolean;
}

/** The schema of an answer that has these members, in objects of their own where paths are long. */
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

/** Returns a copy of the answer without one member. */
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
