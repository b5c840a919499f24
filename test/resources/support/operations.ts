import type { Page, PartnerClient } from '../../../src/index.js';
import { operations } from '../../../src/resources/operations.js';
import { sampleOf } from './samples.js';
import { OTP } from './service.js';

const [ACCOUNT, ADDRESS_ID] = Object.values(sampleOf('funds.addresses.delete').params) as [string, string];
const [USER] = Object.values(sampleOf('users.get').params) as [string];

export { ACCOUNT, ADDRESS_ID, USER };

export type RequestOptions = NonNullable<Parameters<PartnerClient['accounts']['quotes']['create']>[2]>;

/** What a test hands to an operation. */
export interface Given {
  readonly ids: readonly string[];
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

/** One of the operations: what it is called with, what must arrive, and what is answered. */
export interface OperationCase extends Given {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly template: string;
  readonly key?: boolean;
  readonly otp?: boolean;
  readonly paged?: boolean;
  /** What is answered has no rules. */
  readonly nothing?: boolean;
  /** The body of the answer is the value: it has no `data`. */
  readonly bare?: boolean;
  /** A whole body that the service may answer. */
  readonly answer: unknown;
}

/** Each operation as its example has it, with every parameter. */
export const OPERATIONS: readonly OperationCase[] = operations.map(({ name, method, path, answer, ...facts }) => {
  const { params, query, body, answer: answered } = sampleOf(name);
  const { next_page_token: _, ...lastPage } = Object(answered);
  return {
    name,
    method: method as OperationCase['method'],
    template: path,
    query,
    body,
    ids: Object.values(params),
    answer: facts.cursor === undefined ? answered : lastPage,
    ...(facts.retrySafety === 'keyed' && { key: true }),
    ...(facts.otp && { otp: true }),
    ...(facts.cursor !== undefined && { paged: true }),
    ...(answer.kind !== 'value' && { nothing: true }),
    ...(!Object.hasOwn(Object(answered), 'data') && { bare: true }),
  };
});

export function operation(name: string): OperationCase {
  const found = OPERATIONS.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`no operation ${name}`);
  return found;
}

/** The names of a template's path ids, in order. */
export function idNames({ template }: Pick<OperationCase, 'template'>): string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
}

/** The path with each id in place, encoded by `encode`. */
export function pathOf(operation: OperationCase, ids: readonly string[], encode = encodeURIComponent): string {
  let index = 0;
  return operation.template.replace(/\{\w+\}/g, () => encode(ids[index++] as string));
}

/** Calls the method of an operation's name with its sample input, or with parts of it replaced. */
export function invoke(
  { name, ids, query, body, otp }: OperationCase,
  client: PartnerClient,
  given: Partial<Given> = {},
  options?: RequestOptions,
): PromiseLike<unknown> {
  const names = name.split('.');
  const method = names.pop() as string;
  const resource = names.reduce<object>((holder, member) => Reflect.get(holder, member), client);
  const all = { ids, query, body, ...given };
  const inputs = [...(query ? [all.query] : []), ...(body ? [all.body] : [])];
  const call = Reflect.get(resource, method) as (...args: unknown[]) => PromiseLike<unknown>;
  const args = [...ids.map((_, index) => all.ids[index]), ...inputs, otp ? { otp: OTP, ...options } : options];
  return call.apply(resource, args);
}

/** The id at `index` replaced. */
export const withId = (operation: OperationCase, index: number, value: string): string[] =>
  operation.ids.map((given, at) => (at === index ? value : given));

/** A copy of a plain value with the member at a dotted path set, or taken out when `value` is undefined. */
export function withMember(target: unknown, path: string, value: unknown): Record<string, unknown> {
  const copy = structuredClone(target ?? {}) as Record<string, unknown>;
  const names = path.split('.');
  const last = names.pop() as string;
  let at = copy;
  for (const name of names) {
    at[name] ??= {};
    at = at[name] as Record<string, unknown>;
  }
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

/** True if the method gives all members of the body, not only those of `data`. */
export const givesEnvelope = ({ name, paged, bare }: OperationCase): boolean =>
  paged === true || bare === true || ['accounts.portfolio.details', 'accounts.portfolio.history'].includes(name);

/** What the method gives, put back into the form of the envelope it came in. */
export function envelope(op: OperationCase, result: unknown): unknown {
  if (op.paged) {
    const { items, nextPageToken, meta } = result as Page<unknown>;
    return {
      ...(meta as object),
      data: items,
      ...(nextPageToken === undefined ? {} : { next_page_token: nextPageToken }),
    };
  }
  if (givesEnvelope(op) && !op.bare) {
    const { items, ...rest } = result as { items: unknown };
    return { ...rest, data: items };
  }
  return op.name === 'users.verifications.list' ? { verifications: result } : result;
}
