import { nearestName } from '../../../util/did-you-mean.js';
import { excerpt } from '../../core/basics/excerpt.js';
import { quoted } from '../output/text.js';
import { type CommandLine, OWN, usageError } from './command-line.js';
import type { Connection } from './connection.js';
import { CONTROL_DOCUMENT, dotted, type Route, Routes } from './routes.js';
import { argumentSchemas, meantBy, memberSchema, type Schema, type Schemas } from './values.js';

/**
 * Calls the method with a name: `quotes.expire <id>`, `requests.list --verdict bad_signature`.
 * Options become members of the last argument.
 *
 * @param others Names to suggest if the sandbox describes no such method. Undefined: the method may
 * be undescribed.
 */
export async function callMethod(
  connection: Connection,
  line: CommandLine,
  others?: readonly string[],
): Promise<unknown> {
  const [name = '', ...plain] = line.plain;
  const options = [...line.options].filter(([option]) => !OWN.includes(option));
  const document = await connection.document(CONTROL_DOCUMENT);
  const routes = new Routes(document);
  const path = name.replaceAll('.', '/');
  const route = routes.find(path);
  // Without the document, the sandbox itself answers for an unknown method.
  if (route === undefined && others !== undefined && document !== undefined) {
    throw unknownName(name, [...others, ...routes.names()]);
  }
  if (route !== undefined) checkCount(route, plain.length + (options.length === 0 ? 0 : 1));
  return connection.ask('POST', path, argumentsOf(path, plain, options, document));
}

/** @throws Failure (2) for a wrong number of arguments. */
function checkCount({ path, args, needed }: Route, count: number): void {
  if (count >= needed && count <= args.length) return;
  const usage = args.map((arg, index) => (index < needed ? `<${arg}>` : `[${arg}]`)).join(' ');
  throw usageError(`${dotted(path)} takes ${usage || 'no arguments'}`);
}

type Options = readonly (readonly [name: string, value: string | true])[];

function argumentsOf(path: string, plain: readonly string[], options: Options, document: Schemas): unknown[] {
  const schemas = argumentSchemas(document, path);
  const args = plain.map((word, index) => meantBy(word, document, schemas[index]));
  if (options.length > 0) args.push(optionsOf(options, document, schemas[plain.length]));
  return args;
}

/** `--times 2 --match '{"account": "X"}'` becomes `{ times: 2, match: { account: 'X' } }`. */
export function optionsOf(options: Options, document: Schemas, schema: Schema): Record<string, unknown> {
  return Object.fromEntries(
    options.map(([name, word]) => {
      if (name === '__proto__') throw usageError(`--${excerpt(name)} is no option`);
      return [name, word === true ? true : meantBy(word, document, memberSchema(document, schema, name))];
    }),
  );
}

function unknownName(name: string, names: readonly string[]): Error {
  const nearest = nearestName(name, names);
  return usageError(`there is no ${quoted(name)}${nearest === undefined ? '' : `: did you mean ${nearest}?`}`);
}
