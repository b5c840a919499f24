import { putMember } from '../util/members.js';
import { isRecord } from '../util/options.js';
import { DECIMAL_TEXT, Decimal } from './decimal.js';
import { typeMessage } from './messages.js';
import { type Answer, type LazySchema, once, type PageBody, type PageMeta } from './operation.js';
import { decimalOf, MAX_DIGITS, NOT_AMOUNT } from './parse-decimal.js';
import { exactly } from './scalars.js';
import * as z from './zod.js';

type Schema<Output = unknown, Input = unknown> = z.core.$ZodType<Output, Input>;
type Text = z.ZodMiniString<string>;

/** Drops index signatures: schemas keep unknown members, hand-written interfaces do not. */
type Known<T> = T extends Decimal | string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? Known<Item>[]
    : T extends object
      ? { [Key in keyof T as string extends Key ? never : Key]: Known<T[Key]> }
      : T;

/** True when two types accept each other: that of a schema, and its hand-written interface. */
type Same<A, B> = [Known<A>] extends [Known<B>] ? ([Known<B>] extends [Known<A>] ? true : false) : false;

/**
 * Creates the schema of an interface that the service sends. The compiler rejects it when the two
 * differ: `output<Quote>()(() => z.looseObject({ … }))`.
 */
export function output<T>() {
  return <S extends Schema>(make: Same<z.output<S>, T> extends true ? () => S : () => S & { differsFrom: T }) =>
    once(make) as () => Schema<T>;
}

/** Creates the schema of an interface that the caller hands in, checked in the same way. */
export function input<T>() {
  return <S extends Schema>(make: Same<z.input<S>, T> extends true ? () => S : () => S & { differsFrom: T }) =>
    once(make) as () => Schema<unknown, T>;
}

/** A string of `min` to `max` characters, both included. */
export const text = (min: number, max: number): Text => z.string().check(z.minLength(min), z.maxLength(max));

export const optionalText = (): z.ZodMiniOptional<z.ZodMiniString<string>> => z.optional(z.string());

/** Lets the caller hand in a list that is `readonly`. */
export const readonlyList = <List extends Schema>(list: List): z.ZodMiniReadonly<List> =>
  list as Schema as z.ZodMiniReadonly<List>;

type Shape = Readonly<Record<string, z.core.$ZodType>>;
type Optional<Members extends Shape> = { [Name in keyof Members]: z.ZodMiniOptional<Members[Name]> };

export function allOptional<Members extends Shape>(
  object: z.ZodMiniObject<Members, z.core.$loose>,
): z.ZodMiniObject<Optional<Members>, z.core.$loose> {
  const members = Object.entries(object.shape).map(([name, member]) => [name, z.optional(member)]);
  return z.looseObject(Object.fromEntries(members) as Optional<Members>);
}

/** `account_id` and `user_id`: 14 to 42 characters. */
export const principalId = (): Text => text(14, 42);

/** A ticker used as an input: 3 to 16 characters. */
export const symbol = (): Text => text(3, 16);

export const ASSET_TYPES = ['fiat', 'crypto', 'stablecoin', 'xstock'] as const;

/** One of a fixed set. Its type is open: a value that was read from a response can be handed in. */
export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values): Schema<string, string> {
  return z.literal(values) as unknown as Schema<string, string>;
}

export const assetType = (): Schema<string, string> => oneOf(ASSET_TYPES);

const NOT_DECIMAL_TEXT =
  'must be a plain decimal such as "12.50" (digits, optionally a point and more digits; no exponent, no other sign than a minus)';
const TOO_MANY_DIGITS = `must have at most ${MAX_DIGITS} digits, written out without exponent`;

/** Advice about values that are handed in for money, by their types. */
const AMOUNT_ADVICE: Readonly<Record<string, string>> = {
  number: 'numbers lose digits of money',
  bigint: 'use .toString()',
};

/** The part of the message of `amountInput` that only a caller in JavaScript needs. */
export const OR_A_DECIMAL = ' or a Decimal';

/**
 * Money that the caller hands in. Strings are sent unchanged, a `Decimal` by `toFixed()`. Numbers
 * are rejected, and so are more than 256 digits.
 *
 * @param max Most characters of the string. Default: no limit.
 */
export function amountInput(max?: number): Schema<string, Decimal | string> {
  const kind = z.string({
    error: ({ input: value }) => {
      if (Decimal.isDecimal(value)) return TOO_MANY_DIGITS;
      if (value === undefined) return undefined;
      const advice = AMOUNT_ADVICE[typeof value];
      return `must be a decimal string${OR_A_DECIMAL}${advice === undefined ? '' : `, not a ${typeof value}: ${advice}`}`;
    },
  });
  const length = `must have 1 to ${max} characters`;
  const bounded = max === undefined ? kind : kind.check(z.minLength(1, length), z.maxLength(max, length));
  const schema = bounded.check(
    z.refine((text) => text.replace(/[-.]/g, '').length <= MAX_DIGITS, { error: TOO_MANY_DIGITS, abort: true }),
    z.regex(DECIMAL_TEXT, NOT_DECIMAL_TEXT),
  );
  amountInputs.add(schema);
  return schema as unknown as Schema<string, Decimal | string>;
}

/** A `Decimal` in the place of one of these becomes a string before the rules are applied. */
const amountInputs = new WeakSet<Schema>();

export const isAmountInput = (schema: Schema): boolean => amountInputs.has(schema);

/** Longest page token, where an operation does not say otherwise. */
export const MAX_TOKEN_LENGTH = 256;

/** Facts about an input that the documents show, and that no check needs. */
interface DocumentedFacts {
  /** The value that the service takes for an absent member. It is never sent. */
  readonly default?: string | number;
  /** The rules that are shown instead of the checked ones. */
  readonly shown?: Schema;
  /** The member beside which the service ignores this one, whatever it is. */
  readonly ignoredBeside?: string;
}

const documentedFacts = new WeakMap<Schema, DocumentedFacts>();

export const documentedFactsOf = (schema: Schema): DocumentedFacts => documentedFacts.get(schema) ?? {};

/** A member that may be absent: the service then takes `value`. */
export function withDefault<S extends Schema>(value: string | number, schema: S): z.ZodMiniOptional<S> {
  const member = z.optional(schema);
  documentedFacts.set(member, { default: value });
  return member;
}

interface PagingRules {
  /** The greatest `page_size`. Default: none, as the service documents none. */
  readonly max?: number;
  /** The service's default of `page_size`. Default: it documents none. */
  readonly default?: number;
  readonly maxTokenLength?: number;
}

/** `page_size` and `page_token` of a list. */
export function paging({ max, default: usual, maxTokenLength = MAX_TOKEN_LENGTH }: PagingRules = {}) {
  const size = z.int().check(z.minimum(1), ...(max === undefined ? [] : [z.maximum(max)]));
  return {
    page_size: usual === undefined ? z.optional(size) : withDefault(usual, size),
    page_token: z.optional(text(1, maxTokenLength)),
  };
}

/** The same for a list whose `page_token` holds the page size: `page_size` beside it is ignored. */
export const pagingBySizeOfToken = (max: number, usual: number) => {
  const { page_size: size, page_token } = paging({ max });
  const message = `must be a whole number from 1 to ${max}`;
  const checked = z.optional(z.number(message));
  documentedFacts.set(checked, { shown: paging({ default: usual }).page_size, ignoredBeside: 'page_token' });
  return z.object({ page_size: checked, page_token }).check(({ value, issues }) => {
    if (value.page_token !== undefined || z.safeParse(size, value.page_size).success) return;
    issues.push({ code: 'custom', path: ['page_size'], message, input: value });
  });
};

/** A pair of sides of which exactly one carries its amount. */
export type OneAmount<Sides> = Sides &
  (
    | { from: { amount: NonNullable<unknown> }; to: { amount?: undefined } }
    | { from: { amount?: undefined }; to: { amount: NonNullable<unknown> } }
  );

/** Adds an issue at the path of the first of two members, unless exactly one of the two is set. */
export function exactlyOne(members: Readonly<Record<string, unknown>>, issues: z.core.$ZodRawIssue[]): void {
  const given = Object.values(members).filter((member) => member !== undefined).length;
  if (given === 1) return;
  const [first = '', second] = Object.keys(members);
  const message = `exactly one of ${first} and ${second} must be set, ${given === 0 ? 'neither is' : 'both are'}`;
  issues.push({ code: 'custom', path: first.split('.'), message, input: members });
}

/**
 * A whole number that the service sends as a string, such as "18342". The client converts it to a
 * number, and also accepts a number.
 */
export const integerText = once(() => {
  const digits = z.string().check(...readText((given) => exactly('int', given), 'must be a whole number'));
  return z.union([digits, z.int()]) as unknown as z.ZodMiniType<number, string | number>;
});

/** Digits that are rejected as a number, which may have lost some. */
const digitsAsText = () =>
  z.string({ error: ({ input: given }) => (given === undefined ? undefined : typeMessage('amount', given)) });

/** Money in a response: a string that becomes a `Decimal`. */
export const amount = once(
  () => digitsAsText().check(...readText(decimalOf, NOT_AMOUNT)) as unknown as z.ZodMiniType<Decimal, string>,
);

/** An amount in base units: signed data, so it stays a string. */
export const baseUnits = once(digitsAsText);

/**
 * Checks that make another value of a string, which is wrong if `read` returns undefined. A
 * transform would do the same, but zod compiles this pair without an object for each value.
 */
function readText(read: (text: string) => unknown, message: string): z.core.$ZodCheck<string>[] {
  return [
    z.overwrite((text) => (read(text) ?? text) as string),
    z.refine((value) => typeof value !== 'string', message),
  ];
}

export const optionalAmount = (): z.ZodMiniOptional<ReturnType<typeof amount>> => z.optional(amount());

/** The last variant of a union that `type` tells apart: an object with an unknown `type`. */
export function unrecognized<T>(known: readonly string[]): Schema<T> {
  // Without `abort`, zod would report this variant's issue instead of those of the right variant.
  const isUnknown = z.string().check(z.refine((type) => !known.includes(type), { abort: true }));
  const schema = z.looseObject({ type: isUnknown });
  return schema as unknown as Schema<T>;
}

export function data<T>(value: () => Schema<T>): Answer<T> {
  return {
    kind: 'value',
    schema: once(() => z.looseObject({ data: essential(value()) })),
    select: (body) => dataMember(body) as T,
  };
}

/** A page with more items is rejected. Several lists document no limit of their `page_size`. */
export const MAX_PAGE_ITEMS = 10_000;

/** Marks a member that even a tolerant reading requires, such as the items of a page. */
export const essential = <S extends Schema>(schema: S): z.ZodMiniNonOptional<S> => z.nonoptional(schema);

interface PageRules<Meta> {
  /** An object schema of the members beside items and token. Default: any members. */
  readonly echoes?: LazySchema<Meta>;
  readonly maxTokenLength?: number;
  /** Brings the body of a list whose container is not known into this form. */
  readonly arrange?: typeof listAsData;
}

/** `{ data: [item…], next_page_token?, …echoes }`. An absent, null or empty token ends the list. */
export function page<Item, Meta = PageMeta>(
  item: () => Schema<Item>,
  { echoes, maxTokenLength = MAX_TOKEN_LENGTH, arrange }: PageRules<Meta> = {},
): Answer<PageBody<Item, Meta>> {
  return {
    kind: 'value',
    schema: once(() =>
      z.looseObject({
        ...(echoes?.() as unknown as z.ZodMiniObject | undefined)?.shape,
        data: essential(pageItems(item())),
        next_page_token: z.nullish(z.string().check(z.maxLength(maxTokenLength))),
      }),
    ),
    select: (body) => {
      const envelope = body as { data: unknown; next_page_token?: unknown };
      const items = pageOf<Item>(dataMember(envelope));
      const token = tokenOf(envelope.next_page_token);
      return { items, token, meta: without(envelope, 'data', 'next_page_token') as Meta };
    },
    ...(arrange && { arrange }),
  };
}

/**
 * For a list of which no form is known: as `listAsData`, and a `data` that is neither a list nor an
 * object with one list is the only item, so that no response is lost.
 */
export function anythingAsData(body: unknown): unknown {
  const arranged = listAsData(body);
  if (!isRecord(arranged)) return arranged;
  const only = arranged['data'];
  if (only !== undefined && only !== null && !Array.isArray(only)) arranged['data'] = [only];
  return arranged;
}

/**
 * For a list whose container the service does not document: `data` is the list, or an object with
 * exactly one list, whatever its name. The result is `{ data: [item…], … }`, where further members
 * of the object become echoes. The `next_page_token` may be inside or outside `data`. Returns any
 * other body unchanged.
 *
 * The members are put together in place: a hostile response has 300,000 of them.
 */
export function listAsData(body: unknown): unknown {
  if (!isRecord(body) || !isRecord(body['data'])) return body;
  const container = body['data'];
  const [list, ...others] = Object.keys(container).filter((name) => Array.isArray(container[name]));
  if (list === undefined || others.length > 0) return body;
  const token = body['next_page_token'] ?? container['next_page_token'];
  const items = container[list];
  Reflect.deleteProperty(container, list);
  for (const name of Object.keys(body)) if (name !== 'data') putMember(container, name, body[name]);
  putMember(container, 'next_page_token', token);
  putMember(container, 'data', items);
  return container;
}

export const pageItems = <Item extends Schema>(item: Item): z.ZodMiniArray<Item> =>
  z.array(item).check(z.maxLength(MAX_PAGE_ITEMS));

/** Returns the token of the next page: a string, or a number that is exactly one. */
export function tokenOf(token: unknown): string | undefined {
  if (token === undefined || token === null || token === '') return undefined;
  const text = typeof token === 'string' ? token : exactly('string', token);
  if (typeof text === 'string') return text;
  throw new TypeError('the page has no usable token');
}

/** An envelope with more members is not copied. No service has so many. */
const MAX_COPIED_MEMBERS = 1_000;

/**
 * Returns the other members of an envelope. One that has too many to be copied is changed in place:
 * a copy of 300,000 members stops the event loop for a moment that other calls notice.
 */
export function without(body: object, ...names: readonly string[]): object {
  if (!hasMoreMembers(body, MAX_COPIED_MEMBERS))
    return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
  for (const name of names) Reflect.deleteProperty(body, name);
  return body;
}

function hasMoreMembers(object: object, limit: number): boolean {
  let members = 0;
  for (const _name in object) if (++members > limit) return true;
  return false;
}

/** Throws without an envelope: `responseValidation: 'warn'` may hand over anything. */
function dataMember(body: unknown): unknown {
  if (typeof body === 'object' && body !== null && 'data' in body) return body.data;
  throw new TypeError('the response has no data');
}

/** Throws for a value that is not a list: `responseValidation: 'warn'` may hand over anything. */
export function arrayOf<Item>(value: unknown): Item[] {
  if (Array.isArray(value)) return value;
  throw new TypeError('the response has no list');
}

/** As `arrayOf`, and throws for a list that no page may have. */
export function pageOf<Item>(value: unknown): Item[] {
  const items = arrayOf<Item>(value);
  if (items.length > MAX_PAGE_ITEMS) throw new TypeError('the page has too many items');
  return items;
}

/** Another envelope. `select` takes the value out of it. */
export function answer<Body, T>(schema: LazySchema<Body>, select: (body: Body) => T): Answer<T> {
  return { kind: 'value', schema, select: (body) => select(body as Body) };
}

/** The body of a success is ignored: it may be absent, empty or any JSON. */
export const nothing: Answer<void> = { kind: 'nothing' };

/** The body of a success is ignored. The service documents this one. */
export const nothingBut = (body: LazySchema): Answer<void> => ({ kind: 'nothing', body });

/** As `nothingBut`, for a body `{data: value}`. */
export const nothingButData = (value: () => Schema): Answer<void> => ({
  kind: 'nothing',
  body: once(() => z.looseObject({ data: value() })),
  inData: true,
});
