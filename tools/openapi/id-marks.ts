/**
 * The kind whose ids a value is, and how a resource of the kind is made. All of it is derived: from
 * the kinds, the paths of operations, names and docstrings.
 */
import { operations } from '../../src/resources/operations.js';
import type { AnyKind } from '../../src/sandbox/core/kind/kind.js';
import { KINDS } from '../../src/sandbox/kinds/registry/index.js';
import type { Operation } from '../../src/schema/operation.js';
import type { JsonSchema } from '../schemas/components.js';

/** `on-chain quote` is `onchainQuote` in names. */
export const inName = (noun: string): string =>
  noun.replaceAll(/(?<=\w)-chain/g, 'chain').replaceAll(/[ -](\w)/g, (_, letter: string) => letter.toUpperCase());

/** The kinds whose ids a name stands for wherever it is used: `userId`, `user`, `users`. */
export const KINDS_OF_NAMES: ReadonlyMap<string, string> = new Map<string, string>([
  ...[...KINDS, { name: 'webhooks', noun: 'webhook' }].flatMap(({ name, noun }): [string, string][] => [
    [name, name],
    [inName(noun), name],
    [`${inName(noun)}Id`, name],
  ]),
  ['apiKey', 'keys'],
  ['deliveryId', 'webhooks/deliveries'],
  ['symbol', 'assets'],
  ['assetSymbol', 'assets'],
  ['symbols', 'assets'],
]);

export const isText = ({ type, enum: known }: JsonSchema): boolean =>
  known === undefined && (type === 'string' || (Array.isArray(type) && type.includes('string')));

export function idMark(kinds: readonly string[]): JsonSchema {
  if (kinds.length === 0) return {};
  return { 'x-id-of': kinds.length === 1 ? kinds[0] : kinds };
}

/** `quote_id` is `quoteId`. */
export const camelCase = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Marks a member of the service's API. */
export function markedServiceMember(name: string, schema: JsonSchema): JsonSchema {
  if (!isText(schema)) return schema;
  const kind = KINDS_OF_NAMES.get(camelCase(name));
  return { ...schema, ...(kind === undefined ? listMark(schema) : idMark([kind])) };
}

/** The operation that a docstring names as the source of an id: `depositMethods.list`. */
function listMark({ description }: JsonSchema): JsonSchema {
  const [, list] = /\bthat `(\w+\.list)` returns/.exec(String(description)) ?? [];
  const found = operations.find(({ name }) => list !== undefined && name.endsWith(`.${list}`));
  return found === undefined ? {} : { 'x-listed-by': found.name };
}

/** Marks a parameter of a path: the path up to it tells the kind, and else its name. */
export function parameterMarks(operation: Operation, name: string): JsonSchema {
  const path = pathTo(operation, name);
  const kind = KINDS.find((one) => isOf(one, ({ path: own, name: of }) => own === path && !of.endsWith('.list')));
  const named = kind?.name ?? KINDS_OF_NAMES.get(camelCase(name));
  if (named === undefined) return listingMark(path, name);
  const states = (kind?.transitions ?? []).filter(({ by }) => by === operation.name);
  return { ...idMark([named]), ...(states.length === 0 ? {} : { 'x-in-state': states.map(({ from }) => from) }) };
}

const pathTo = ({ path }: Operation, name: string): string =>
  path.slice(0, path.indexOf(`{${name}}`) + name.length + 2);

const isOf = ({ operations: own = [] }: AnyKind, fits: (operation: Operation) => boolean): boolean =>
  own.some(({ operation }) => fits(operation));

function listingMark(path: string, name: string): JsonSchema {
  if (!name.endsWith('_id')) return {};
  const found = operations.find((one) => one.method === 'GET' && `${one.path}/{${name}}` === path);
  return found === undefined ? {} : { 'x-listed-by': found.name };
}

/**
 * Marks an operation that makes a resource: a POST of the group of its kind, without an id of that
 * kind.
 */
export function makingMark(operation: Operation): JsonSchema {
  const { method, name, path } = operation;
  const group = name.split('.').at(-2) ?? '';
  const own = KINDS.find((one) => isOf(one, (other) => other === operation))?.name ?? KINDS_OF_NAMES.get(group);
  if (method !== 'POST' || own === undefined || KINDS_OF_NAMES.get(group) === undefined) return {};
  const params = Array.from(path.matchAll(/\{(\w+)\}/g), ([, param = '']) => parameterMarks(operation, param));
  return params.some((marks) => marks['x-id-of'] === own) ? {} : { 'x-makes': own };
}
