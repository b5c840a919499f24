import { nearestName } from '../../../util/did-you-mean.js';
import { isRecord } from '../../../util/options.js';
import { excerpt } from '../../core/excerpt.js';
import { quoted } from '../text.js';
import type { Connection } from './connection.js';
import { CONTROL_DOCUMENT, dotted, type Route, Routes } from './routes.js';
import { argumentSchemas, meantBy, memberSchema, type Schema, type Schemas } from './values.js';
import { OWN, type Words, wrongWords } from './words.js';

/**
 * Calls the method or reads the member of that name: `quotes.expire <id>`, `faults`, `faults
 * fault_1`, `journal --verdict bad_signature`. Options are members of the last argument, or of the
 * query.
 *
 * @param others Names to choose from if this is none.
 */
export async function callMember(connection: Connection, words: Words, others: readonly string[]): Promise<unknown> {
  const [name = '', ...plain] = words.plain;
  const options = [...words.options].filter(([option]) => !OWN.includes(option));
  const document = await connection.document(CONTROL_DOCUMENT);
  // Without its document, the sandbox says itself what it has.
  if (document === undefined) return connection.ask('POST', pathOf(name), argumentsOf('', plain, options, document));
  const routes = new Routes(document);
  const route = routes.find(pathOf(name));
  if (route === undefined) throw unknownName(name, [...others, ...routes.names()]);
  const { path, args, isRead } = route;
  const count = plain.length + (options.length === 0 ? 0 : 1);
  if (args === undefined || (isRead && count === 0)) return connection.ask('GET', readPath(route, plain, options));
  checkCount(route, count);
  return connection.ask('POST', path, argumentsOf(path, plain, options, document));
}

const pathOf = (name: string): string => name.replaceAll('.', '/');

/** @throws Failure (2) for more or fewer arguments than the method takes. */
function checkCount({ path, args = [], needed }: Route, count: number): void {
  if (count >= needed && count <= args.length) return;
  const usage = args.map((arg, index) => (index < needed ? `<${arg}>` : `[${arg}]`)).join(' ');
  throw wrongWords(`${dotted(path)} takes ${usage || 'no arguments'}`);
}

/** Calls a method that the sandbox need not describe. */
export async function callAny(connection: Connection, words: Words): Promise<unknown> {
  const [name, ...plain] = words.plain.slice(1);
  if (name === undefined) throw wrongWords('call needs the name of a method, for instance prices.set');
  const path = pathOf(name);
  const options = [...words.options].filter(([option]) => !OWN.includes(option));
  const document = await connection.document(CONTROL_DOCUMENT);
  const route = new Routes(document).find(path);
  if (route?.args !== undefined) checkCount(route, plain.length + (options.length === 0 ? 0 : 1));
  return connection.ask('POST', path, argumentsOf(path, plain, options, document));
}

type Options = readonly (readonly [name: string, value: string | true])[];

function argumentsOf(path: string, plain: readonly string[], options: Options, document: Schemas): unknown[] {
  const schemas = argumentSchemas(document, path);
  const args = plain.map((word, index) => meantBy(word, document, schemas[index]));
  if (options.length > 0) args.push(optionsOf(options, document, schemas[plain.length]));
  return args;
}

/** `--after-ms 5 --match.account X` becomes `{ afterMs: 5, match: { account: 'X' } }`. */
export function optionsOf(options: Options, document: Schemas, schema: Schema): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [name, word] of options) {
    const names = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()).split('.');
    let [owner, inner] = [made, schema];
    for (const [index, member] of names.entries()) {
      if (member === '__proto__') throw wrongWords(`--${excerpt(name)} is no option`);
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

function readPath({ path, hasItems }: Route, plain: readonly string[], options: Options): string {
  const [id, ...more] = plain;
  if (more.length > 0 || (id !== undefined && options.length > 0)) {
    throw wrongWords(`${dotted(path)} takes ${hasItems ? 'an id, or options' : 'options'}`);
  }
  if (id !== undefined) return `${path}/${encodeURIComponent(id)}`;
  const query = new URLSearchParams(Object.fromEntries(options.map(([name, value]) => [name, String(value)])));
  return options.length === 0 ? path : `${path}?${query}`;
}

function unknownName(name: string, names: readonly string[]): Error {
  const nearest = nearestName(name, names);
  return wrongWords(`there is no ${quoted(name)}${nearest === undefined ? '' : `: did you mean ${nearest}?`}`);
}
