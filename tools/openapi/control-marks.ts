/**
 * What a form needs beside the type of a value: the kind whose ids it takes, its unit and its
 * default. All of it is derived: from the kinds, the groups, names and docstrings.
 */
import { groupOf } from '../../src/sandbox/core/moves.js';
import { CONTROL_GROUPS } from '../../src/sandbox/drive/controls.js';
import { KINDS } from '../../src/sandbox/kinds/registry/index.js';
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

/** Marks an argument of a method. Its description is derived if none is written. */
export function markedArgument(method: string, name: string, schema: JsonSchema): JsonSchema {
  const [group, move] = [method.slice(0, method.lastIndexOf('.')), method.slice(method.lastIndexOf('.') + 1)];
  const moved = KINDS.filter((kind) => groupOf(kind) === group && kind.moves?.[move]);
  const isMoved = moved.some(({ idName }) => idName === name);
  const isRemoved = CONTROL_GROUPS.some((one) => one.name === group && one.removal === move);
  const collection = isRemoved ? group : undefined;
  const of = isMoved ? moved.map((kind) => kind.name) : [KINDS_OF_NAMES.get(name) ?? collection ?? []].flat();
  const derived =
    DESCRIPTIONS.get(name) ?? (isMoved ? `Id of the ${moved[0]?.noun}.` : `One of those that \`GET ${of}\` lists.`);
  const description = schema['description'] ?? (of.length === 0 ? undefined : derived);
  const marked = markedMember(name, { ...schema, ...(description === undefined ? {} : { description }) });
  return isText(schema) ? { ...marked, ...idMark(of) } : marked;
}

/** The name of an operation of the service. */
const OPERATION: JsonSchema = { 'x-operation': true };

/**
 * Marks a member of an object.
 *
 * @param owner The docstring of the object.
 */
export function markedMember(name: string, schema: JsonSchema, owner = ''): JsonSchema {
  const mark = name.startsWith('operation') ? OPERATION : idMark([KINDS_OF_NAMES.get(name) ?? []].flat());
  const { items, description = owner } = schema as { items?: JsonSchema; description?: string };
  if (items !== undefined && isText(items) && name.endsWith('s')) return { ...schema, items: { ...items, ...mark } };
  if (isText(schema)) return { ...schema, ...mark, ...defaultIn(description, schema) };
  return { ...schema, ...unitOf(name, schema, description), ...defaultIn(description, schema) };
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
  type === 'number' || type === 'integer' || (Array.isArray(anyOf) && anyOf.some((one: JsonSchema) => isNumber(one)));

const DEFAULT = /\bDefault (?:`'?(\w+)'?`|(-?\d+(?:,\d{3})*(?:\.\d+)?))\.?(?=$| [A-Z])/;

/** The default that a docstring tells in one of these ways. */
function defaultIn(description: string, { type }: JsonSchema): JsonSchema {
  const [, word, number] = DEFAULT.exec(description) ?? [];
  if (type === 'boolean') return /^(true|false)$/.test(word ?? '') ? { default: word === 'true' } : {};
  if (type === 'string') return word === undefined ? {} : { default: word };
  return isNumber({ type }) && number !== undefined ? { default: Number(number.replaceAll(',', '')) } : {};
}
