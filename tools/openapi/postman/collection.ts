/** `collection.json`: a Postman collection of all operations, made from `openapi.json`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonSchema } from '../../schemas/components.js';
import { type ApiDocument, type Described, type Parameter, parametersIn } from '../document.js';
import { formsOf } from './forms.js';

/** One operation, where it is. */
interface Placed {
  readonly path: string;
  readonly method: string;
  readonly operation: Described;
  readonly parameters: readonly Parameter[];
}

/** The place of an id in an answer: a later request needs it. */
interface Origin {
  readonly variable: string;
  readonly place: readonly (string | number)[];
}

const VARIABLES = ['apiKey', 'apiSecret', 'otp', 'lastNonce'];

/** @param order Names of the operations, in an order in which they can be sent one by one. */
export function postmanCollection(document: JsonSchema, order: readonly string[]): JsonSchema {
  const api = document as unknown as ApiDocument;
  const placed = placedIn(api).sort((a, b) => rank(order, a) - rank(order, b));
  const { variables, origins } = traceIds(placed);
  const folders = [...new Set(placed.map(folderOf))];
  return {
    info: {
      name: api.info.title,
      description: `${api.info.description}\n\nSet the variables \`baseUrl\`, \`apiKey\`, \`apiSecret\` and \`otp\`. A script signs each request, another checks status and form of each answer. Ids go from the answers to the requests that need them.`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'noauth' },
    event: [scriptOf('prerequest', scriptIn('sign.js')), scriptOf('test', checkOf(placed, api))],
    variable: [
      { key: 'baseUrl', value: api.servers[0]?.url },
      ...VARIABLES.map((key) => ({ key, value: key === 'otp' ? '123456' : '' })),
      ...[...variables].map(([key, value]) => ({ key, value })),
    ],
    item: folders.map((name) => ({
      name,
      item: placed.filter((one) => folderOf(one) === name).map((one) => itemOf(one, origins)),
    })),
  };
}

const scriptIn = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8').trimEnd();

/** The script that checks the answers: it finds the form of each by the name of the request. */
function checkOf(placed: readonly Placed[], { components }: ApiDocument): string {
  const answers = placed.flatMap(({ operation: { summary, responses } }): [string, JsonSchema][] => {
    const content = responses['200']?.content?.['application/json'];
    return content === undefined ? [] : [[summary, content.schema]];
  });
  const byName = new Map(answers);
  if (byName.size < answers.length) throw new Error('two operations have one title');
  return `const FORMS = ${JSON.stringify(formsOf(byName, components.schemas))};\n\n${scriptIn('answers.js')}`;
}

const folderOf = ({ operation }: Placed): string => operation.operationId.split('.', 1)[0] ?? '';

const rank = (order: readonly string[], { operation }: Placed): number => order.indexOf(operation.operationId);

function placedIn({ paths, components }: ApiDocument): Placed[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      return { path, method, operation, parameters: parametersIn(operation, components) };
    }),
  );
}

/** Finds the answer that each id of a path comes from. Ids of the seed come from none. */
function traceIds(placed: readonly Placed[]) {
  const variables = new Map<string, string>();
  const origins = new Map<string, Origin[]>();
  for (const [index, { parameters }] of placed.entries()) {
    for (const { name, example } of parameters.filter((one) => one.in === 'path')) {
      if (!isId(name) || typeof example !== 'string') continue;
      if (!variables.has(name)) variables.set(name, example);
      const maker = placed
        .slice(0, index)
        .find(({ operation }) => placeIn(exampleOf(operation), example) !== undefined);
      const place = maker && placeIn(exampleOf(maker.operation), example);
      if (maker === undefined || place === undefined) continue;
      const { operationId } = maker.operation;
      const known = origins.get(operationId) ?? [];
      if (!known.some(({ variable }) => variable === name))
        origins.set(operationId, [...known, { variable: name, place }]);
    }
  }
  return { variables, origins };
}

const exampleOf = ({ responses }: Described): unknown => responses['200']?.content?.['application/json'].example;

/** Returns the way to the member `id`, or one that ends so, that has this value. */
function placeIn(
  value: unknown,
  id: string,
  place: readonly (string | number)[] = [],
): (string | number)[] | undefined {
  if (typeof value !== 'object' || value === null) {
    return value === id && /(^|_)id$/.test(String(place.at(-1))) ? [...place] : undefined;
  }
  const entries = Array.isArray(value) ? value.map((item, index) => [index, item] as const) : Object.entries(value);
  for (const [name, member] of entries) {
    const found = placeIn(member, id, [...place, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function itemOf(
  { path, method, operation, parameters }: Placed,
  origins: ReadonlyMap<string, readonly Origin[]>,
): JsonSchema {
  const body = operation.requestBody?.content?.['application/json'].example;
  const kept = origins.get(operation.operationId) ?? [];
  return {
    name: operation.summary,
    ...(kept.length > 0 ? { event: [scriptOf('test', keepIds(kept))] } : {}),
    request: {
      method: method.toUpperCase(),
      description: operation.description,
      header: headersOf(parameters, body !== undefined),
      url: urlOf(path, parameters),
      ...(body === undefined ? {} : { body: { mode: 'raw', raw: JSON.stringify(body, undefined, 2) } }),
    },
  };
}

function headersOf(parameters: readonly Parameter[], hasBody: boolean): JsonSchema[] {
  const names = parameters.filter((one) => one.in === 'header').map(({ name }) => name);
  return [
    ...(hasBody ? [{ key: 'Content-Type', value: 'application/json' }] : []),
    ...(names.includes('API-Otp') ? [{ key: 'API-Otp', value: '{{otp}}' }] : []),
    // Postman draws another key for each request. To retry one, write its key down.
    ...(names.includes('Idempotency-Key') ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : []),
  ];
}

function urlOf(path: string, parameters: readonly Parameter[]): JsonSchema {
  const segments = path
    .slice(1)
    .replace(/\{(\w+)\}/g, ':$1')
    .split('/');
  const query = parameters.filter((one) => one.in === 'query').flatMap(queryOf);
  const enabled = query.filter(({ disabled }) => disabled !== true).map(({ key, value }) => `${key}=${value}`);
  return {
    raw: `{{baseUrl}}/${segments.join('/')}${enabled.length > 0 ? `?${enabled.join('&')}` : ''}`,
    host: ['{{baseUrl}}'],
    path: segments,
    ...(query.length > 0 ? { query } : {}),
    variable: parameters
      .filter((one) => one.in === 'path')
      .map(({ name, example, description }) => ({
        key: name,
        value: isId(name) ? `{{${name}}}` : example,
        description,
      })),
  };
}

const isId = (name: string): boolean => /(^|_)id$/.test(name);

function queryOf({ name, example, description, required }: Parameter): JsonSchema[] {
  const about = description === undefined ? {} : { description };
  if (example === undefined) return [{ key: name, value: '', ...about, disabled: required !== true }];
  const values: unknown[] = Array.isArray(example) ? example : [example];
  return values.map((value) => ({ key: name, value: String(value), ...about }));
}

function keepIds(origins: readonly Origin[]): string {
  const lines = origins.map(({ variable, place }) => {
    const path = place.map((name) => `[${JSON.stringify(name)}]`).join('');
    return `  pm.collectionVariables.set(${JSON.stringify(variable)}, pm.response.json()${path});`;
  });
  return ['// Later requests need it.', 'if (pm.response.code === 200) {', ...lines, '}'].join('\n');
}

const scriptOf = (listen: string, code: string): JsonSchema => ({
  listen,
  script: { type: 'text/javascript', exec: code.split('\n') },
});
