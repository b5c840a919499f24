/**
 * What a form needs beside the type of a value: the kind whose ids it takes, its unit, its default
 * and its limits. All of it is derived: from the kinds, the routes, names and docstrings.
 */
import { groupOf } from '../../src/sandbox/core/moves.js';
import { KINDS } from '../../src/sandbox/kinds/registry/index.js';
import { REMOVALS } from '../../src/sandbox/serve/control/control-routes.js';
import type { JsonSchema } from '../schemas/components.js';
import { idMark, inName, isText, KINDS_OF_NAMES } from './id-marks.js';

/** What an argument of a name is, where its method does not say more. */
const DESCRIPTIONS: ReadonlyMap<string, string> = new Map([
  ...KINDS.map(({ noun }) => [`${inName(noun)}Id`, `Id of the ${noun}.`] as const),
  ['webhookId', 'Id of the webhook.'],
  ['deliveryId', 'Id of the delivery.'],
  ['apiKey', 'The API key.'],
  ['symbol', 'Ticker of the asset.'],
]);

/** Whose ids an argument of a method takes. */
interface Ids {
  /** Kinds, or a collection. */
  readonly of: readonly string[];
  readonly description: string;
}

function idsOf(path: string, name: string): Ids | undefined {
  const description = DESCRIPTIONS.get(name);
  const [group = '', move = ''] = path.split('/');
  const moved = KINDS.filter((kind) => groupOf(kind) === group && kind.moves?.[move]);
  const [first] = moved;
  if (first !== undefined && moved.some(({ idName }) => idName === name)) {
    return { of: moved.map((kind) => kind.name), description: description ?? `Id of the ${first.noun}.` };
  }
  const [collection] = [...REMOVALS].find(([, removal]) => removal === path) ?? [];
  const of = KINDS_OF_NAMES.get(name) ?? collection;
  if (of === undefined) return undefined;
  return { of: [of], description: description ?? `One of those that \`GET ${of}\` lists.` };
}

/** The name of an operation of the service. */
const OPERATION: JsonSchema = { 'x-operation': true };

/** Marks an argument of the method at a path. Its description is derived if none is written. */
export function markedArgument(path: string, name: string, schema: JsonSchema): JsonSchema {
  const ids = isText(schema) ? idsOf(path, name) : undefined;
  if (ids === undefined) return marked(name, schema);
  return { ...marked(name, { description: ids.description, ...schema }), ...idMark(ids.of) };
}

/** Marks a member of an object. */
export function markedMember(name: string, schema: JsonSchema, owner?: string): JsonSchema {
  const items = schema['items'] as JsonSchema | undefined;
  const kind = KINDS_OF_NAMES.get(name);
  const ids = kind === undefined ? [] : [kind];
  if (name === 'operation' && isText(schema)) return { ...schema, ...OPERATION };
  if (name === 'operations' && items !== undefined) return { ...schema, items: { ...items, ...OPERATION } };
  if (isText(schema)) return { ...marked(name, schema, owner), ...idMark(ids) };
  const isList = items !== undefined && isText(items) && name.endsWith('s');
  return isList && kind !== undefined
    ? { ...schema, items: { ...items, ...idMark(ids) } }
    : marked(name, schema, owner);
}

/** Adds unit, default and limits. */
function marked(name: string, schema: JsonSchema, owner = ''): JsonSchema {
  const description = schema['description'] as string | undefined;
  return { ...schema, ...unitOf(name, schema, description ?? owner), ...factsIn(description ?? '', schema) };
}

const UNITS: readonly (readonly [unit: string, name: RegExp, text: RegExp])[] = [
  ['ms since the epoch', /^epochMs$/, /\b(ms|milliseconds) since the epoch/],
  ['ms', /^ms$|Ms$/, /\bms\b(?! ago)|\bmilliseconds\b/],
  ['s', /Seconds$/, /\bin seconds\b/],
  ['B/s', /PerSecond$/, /\bbytes per second\b/],
  ['%', /^percent$/, /\bper cent\b/],
];

function unitOf(name: string, schema: JsonSchema, text: string): JsonSchema {
  if (!isNumber(schema)) return {};
  const unit = UNITS.find(([, names]) => names.test(name)) ?? UNITS.find(([, , texts]) => texts.test(text));
  return unit === undefined ? {} : { 'x-unit': unit[0] };
}

const isNumber = ({ type, anyOf }: JsonSchema): boolean =>
  type === 'number' ||
  (Array.isArray(type) && type.includes('number')) ||
  (Array.isArray(anyOf) && anyOf.some((one: JsonSchema) => isNumber(one)));

const NUMBER = '(-?\\d+(?:,\\d{3})*(?:\\.\\d+)?)';
const DEFAULT = new RegExp(`\\bDefault (?:\`'?(\\w+)'?\`|${NUMBER})\\.?(?=$| [A-Z])`);
const toNumber = (text = ''): number => Number(text.replaceAll(',', ''));

/** The default and the limits that a docstring tells in one of these ways. */
function factsIn(description: string, schema: JsonSchema): JsonSchema {
  const { type } = schema;
  const [, word, number] = DEFAULT.exec(description) ?? [];
  if (type === 'boolean') return /^(true|false)$/.test(word ?? '') ? { default: word === 'true' } : {};
  if (type === 'string') return word === undefined ? {} : { default: word };
  if (type !== 'number') return {};
  return { ...limitsIn(description), ...(number === undefined ? {} : { default: toNumber(number) }) };
}

function limitsIn(description: string): JsonSchema {
  const between = new RegExp(`(?<!above |from )${NUMBER} to ${NUMBER}`).exec(description);
  if (between !== null) return { minimum: toNumber(between[1]), maximum: toNumber(between[2]) };
  const above = new RegExp(`[Aa]bove ${NUMBER}(?: to ${NUMBER}|, (?:at most ${NUMBER}|below ${NUMBER}))?`).exec(
    description,
  );
  if (above !== null) {
    const [, least, most, atMost, below] = above;
    const maximum = most ?? atMost;
    return {
      exclusiveMinimum: toNumber(least),
      ...(maximum === undefined ? {} : { maximum: toNumber(maximum) }),
      ...(below === undefined ? {} : { exclusiveMaximum: toNumber(below) }),
    };
  }
  const least = new RegExp(`${NUMBER} or more`).exec(description);
  return least === null ? {} : { minimum: toNumber(least[1]) };
}
