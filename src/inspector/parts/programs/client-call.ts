import { decoded } from '../../wire/address.js';
import type { Operation, ServiceApi } from '../forms/documents.js';
import { typeOf } from '../forms/schema.js';
import { linesOf } from '../json-lines.js';
import type { Sendable } from './sendable.js';

/** A call of the client in TypeScript. */
export interface ClientCall {
  /** For example `client.users.get("u1")`. */
  readonly text: string;
  readonly isList: boolean;
}

/** Writes a request as a call of the client, or says why that cannot be. */
export function clientCallOf(api: ServiceApi, name: string | undefined, sendable: Sendable): ClientCall | string {
  const operation = api.operations.find((one) => one.name === name && one.method === sendable.method);
  if (operation === undefined) return 'No method of the client makes this request.';
  const { body, key, hasOtp, path } = sendable;
  if (body !== undefined && /"__proto__"/.test(body)) return 'TypeScript has no literal that is exactly this body.';
  const args = idsIn(operation.path, path).map((id) => JSON.stringify(id));
  if (operation.body !== undefined) {
    const lines = linesOf(body ?? '');
    if (lines === undefined) return 'The client sends JSON, and this body is none.';
    args.push(lines.map(({ text }) => text).join('\n'));
  } else if (body !== undefined) return 'The client sends no body with this operation.';
  const query = queryOf(api, operation, path);
  if (query === undefined) return 'The client would write this query in another way.';
  if (operation.body === undefined && query !== '') args.push(query);
  const options = [
    ...(key === undefined ? [] : [`idempotencyKey: ${JSON.stringify(key)}`]),
    ...(hasOtp ? ["otp: process.env['PARTNER_OTP'] ?? ''"] : []),
  ];
  if (options.length > 0) args.push(`{ ${options.join(', ')} }`);
  return { text: `client.${operation.name}(${args.join(', ')})`, isList: operation.cursor !== undefined };
}

/** The parts of the path in the places of the template's parameters. */
function idsIn(template: string, path: string): string[] {
  const segments = (path.split('?')[0] ?? '').split('/');
  return template.split('/').flatMap((part, index) => (part.startsWith('{') ? [decoded(segments[index] ?? '')] : []));
}

/** The query as an object of the client; empty for none, undefined if it cannot be told. */
function queryOf(api: ServiceApi, { parameters }: Operation, path: string): string | undefined {
  const given = new URLSearchParams(path.split('?')[1] ?? '');
  const members: string[] = [];
  for (const name of new Set(given.keys())) {
    const { schema = {} } = parameters.find((one) => one.in === 'query' && one.name === name) ?? {};
    const { items = {}, ...own } = api.resolved(schema);
    const type = typeOf(own);
    const values = given.getAll(name);
    const isPlain = /^\w+$/.test(name) && (type === 'array' || values.length === 1);
    if (!isPlain || typeOf(api.resolved(items)) === 'object') return undefined;
    members.push(`${name}: ${literalOf(type, values)}`);
  }
  return members.length === 0 ? '' : `{ ${members.join(', ')} }`;
}

const BARE: Readonly<Record<string, RegExp>> = {
  boolean: /^(true|false)$/,
  integer: /^\d{1,15}$/,
  number: /^\d{1,15}$/,
};

function literalOf(type: string | undefined, values: readonly string[]): string {
  if (type === 'array') return JSON.stringify(values);
  const [value = ''] = values;
  return BARE[type ?? '']?.test(value) === true ? value : JSON.stringify(value);
}

/** Writes a program that makes the call with the client of this package. */
export function typescriptCode({ text, isList }: ClientCall, origin: string): string {
  return [
    "import { PartnerClient } from 'partner-sdk';",
    '',
    '// Reads PARTNER_API_KEY and PARTNER_API_SECRET.',
    `const client = new PartnerClient({ baseUrl: process.env['PARTNER_BASE_URL'] ?? ${JSON.stringify(origin)} });`,
    `const answer = await ${text};`,
    `console.log(answer${isList ? '.items' : ''});`,
    'await client.close();',
    '',
  ].join('\n');
}
