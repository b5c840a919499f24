import { nearestName } from '../../util/did-you-mean.js';
import { isRecord } from '../../util/options.js';
import { COLLECTIONS, METHODS, OLD_PATHS, READABLE, SHORT_PATHS } from '../http/control-routes.js';
import type { Connection } from './connection.js';
import { argumentSchemas, meantBy, memberSchema, type Schema, type Schemas } from './values.js';
import { OWN, type Words, wrongWords } from './words.js';

/** A method's name as people write it. */
const dotted = (path: string): string => path.replaceAll('/', '.');

/** Every method and member by name, in the order of the sandbox's own tables. */
export function memberNames(): string[] {
  return [...new Set([...METHODS.keys(), ...READABLE.keys(), ...SHORT_PATHS.keys()].map(dotted))];
}

/**
 * Calls the method or reads the member of that name: `quotes.expire <id>`, `faults`, `faults
 * fault_1`, `journal --verdict bad_signature`. Options are members of the last argument, or of the
 * query.
 *
 * @param others Names to choose from if this is none.
 */
export async function callMember(connection: Connection, words: Words, others: readonly string[]): Promise<unknown> {
  const [name = '', ...plain] = words.plain;
  const asked = name.replaceAll('.', '/');
  const path = OLD_PATHS.get(asked) ?? SHORT_PATHS.get(asked) ?? asked;
  const options = [...words.options].filter(([option]) => !OWN.includes(option));
  const method = METHODS.get(path);
  if (READABLE.has(path) && (method === undefined || plain.length + options.length === 0)) {
    return connection.ask('GET', readPath(path, plain, options));
  }
  if (method === undefined) throw unknownName(name, others);
  const surplus = plain.length + (options.length === 0 ? 0 : 1) - method.args.length;
  if (surplus > 0) throw wrongWords(`${name} takes ${usage(method.args) || 'no arguments'}`);
  const document = plain.length + options.length === 0 ? undefined : await connection.document('control.openapi.json');
  return connection.ask('POST', path, argumentsOf(path, plain, options, document));
}

/** Calls a method that need not be known here, such as one of a newer sandbox. */
export async function callAny(connection: Connection, words: Words): Promise<unknown> {
  const [name, ...plain] = words.plain.slice(1);
  if (name === undefined) throw wrongWords('call needs the name of a method, for instance prices.set');
  const path = name.replaceAll('.', '/');
  const options = [...words.options].filter(([option]) => !OWN.includes(option));
  const document = await connection.document('control.openapi.json');
  return connection.ask('POST', path, argumentsOf(path, plain, options, document));
}

type Options = readonly (readonly [name: string, value: string | true])[];

function argumentsOf(path: string, plain: readonly string[], options: Options, document: Schemas): unknown[] {
  const schemas = argumentSchemas(document, path);
  const args = plain.map((word, index) => meantBy(word, document, schemas[index]));
  if (options.length > 0) args.push(optionsOf(options, document, schemas[plain.length]));
  return args;
}

/** `--retry-after 5 --match.account X` becomes `{ retryAfter: 5, match: { account: 'X' } }`. */
export function optionsOf(options: Options, document: Schemas, schema: Schema): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [name, word] of options) {
    const names = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()).split('.');
    let [owner, inner] = [made, schema];
    for (const [index, member] of names.entries()) {
      if (member === '__proto__') throw wrongWords(`--${name} is no option`);
      inner = memberSchema(document, inner, member);
      if (index === names.length - 1) owner[member] = word === true ? true : meantBy(word, document, inner);
      else owner = innerOf(owner, member);
    }
  }
  return made;
}

function innerOf(owner: Record<string, unknown>, member: string): Record<string, unknown> {
  const inner = isRecord(owner[member]) ? owner[member] : {};
  owner[member] = inner;
  return inner;
}

function readPath(path: string, plain: readonly string[], options: Options): string {
  const [id, ...more] = plain;
  if (more.length > 0 || (id !== undefined && options.length > 0)) {
    throw wrongWords(`${dotted(path)} takes ${COLLECTIONS.has(path) ? 'an id, or options' : 'options'}`);
  }
  if (id !== undefined) return `${path}/${encodeURIComponent(id)}`;
  const query = new URLSearchParams(Object.fromEntries(options.map(([name, value]) => [name, String(value)])));
  return options.length === 0 ? path : `${path}?${query}`;
}

function unknownName(name: string, others: readonly string[]): Error {
  const nearest = nearestName(name, [...others, ...memberNames(), ...OLD_PATHS.keys(), ...SHORT_PATHS.keys()]);
  return wrongWords(`there is no ${JSON.stringify(name)}${nearest === undefined ? '' : `: did you mean ${nearest}?`}`);
}

const usage = (args: readonly string[]): string => args.map((arg) => `<${arg}>`).join(' ');
