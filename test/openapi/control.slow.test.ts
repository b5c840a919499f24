import { describe, expect, test } from 'vitest';
import { RESOURCE_KINDS } from '../../src/sandbox/drive/look/kinds.js';
import {
  COLLECTIONS,
  METHODS,
  READ_METHODS,
  READABLE,
  REMOVALS,
} from '../../src/sandbox/serve/control/control-routes.js';
import { DOCUMENTS } from '../../src/sandbox/serve/control/documents.js';
import { FAULT_NAMES, FAULTS } from '../../src/sandbox/trouble/faults/fault-table.js';
import { makeDocuments } from '../../tools/openapi/build.js';
import { sharedSandbox } from '../sandbox/support/partner.js';
import { Validator } from './support/validator.js';

/** A JSON schema, as far as these tests look into it. */
type Schema = {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
};
interface Content {
  readonly content: { readonly 'application/json': { readonly schema: Schema } };
}
type Part = Content | { readonly $ref: string };
interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly requestBody?: Part;
  readonly responses: { readonly 200: Part };
}

const documents = await makeDocuments();
const control = JSON.parse(documents.get('control.openapi.json') ?? '');
const validator = new Validator(control);
const partner = await sharedSandbox();
const { url, sandbox } = partner;
// So that the lists are not empty.
await partner.get(`/v1/users/${sandbox.fixtures.userId}`);
await partner.get('/v1/unknown');
sandbox.faults.add({ fault: 503, match: { key: 'none' } });
sandbox.webhooks.register({ url: 'http://127.0.0.1:1/hook' });

/** Resources of all kinds are described once. */
const ofAnyKind = (path: string) =>
  RESOURCE_KINDS.some((kind) => path === `resources/${kind}`) ? 'resources/{kind}' : path;

const routes = [
  ...new Set([...READABLE.keys(), ...DOCUMENTS].map((path) => `get ${ofAnyKind(path)}`)),
  ...[...METHODS.keys()].map((path) => `post ${path}`),
  ...new Set([...COLLECTIONS.keys()].map((path) => `get ${ofAnyKind(path)}/{id}`)),
  ...[...REMOVALS.keys()].map((path) => `delete ${path}/{id}`),
  // They are no members: a stream, and a receiver.
  ...['get events', 'post inbox/{id}'],
];

const described = Object.entries(control.paths as Record<string, Record<string, Operation>>).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => {
    const name = path.slice(1);
    return { route: `${method} ${name}`, method, name, operation };
  }),
);

test('each route of the control plane is described, and nothing else', () => {
  expect(described.map(({ route }) => route).sort()).toEqual(routes.sort());
});

test('each operation has an id of its own', () => {
  const ids = described.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test('each named fault is described by its label', () => {
  const { enum: names, description } = control.components.schemas.FaultName;
  expect([...names].sort()).toEqual([...FAULT_NAMES].sort());
  for (const name of FAULT_NAMES) expect(description).toContain(`\`${name}\`: ${FAULTS[name].label}`);
});

function resolved<T extends object>(part: T | { readonly $ref: string }): T {
  if (!('$ref' in part) || typeof part.$ref !== 'string') return part as T;
  const names = part.$ref.replace('#/', '').split('/');
  return names.reduce((inner, name) => inner[name], control);
}

function schemaOf(part: Part | undefined): Schema {
  if (part === undefined) throw new Error('it has no content');
  return resolved<Content>(part).content['application/json'].schema;
}

const called = described.filter(({ method, name }) => method === 'post' && METHODS.has(name));

test.each(called)('$route names its arguments', ({ name, operation }) => {
  const method = METHODS.get(name);
  const { prefixItems = [], minItems, maxItems = 0 } = schemaOf(operation.requestBody);
  expect(prefixItems.map((item) => item.description ?? resolved<Schema>(item as Schema).description)).not.toContain(
    undefined,
  );
  expect(prefixItems.map(({ title }) => title)).toEqual(method?.args);
  expect(maxItems).toBe(method?.args.length);
  expect(minItems).toBe(method?.needed);
  expect(operation.description).not.toMatch(/^Calls /);
});

/** The schema of an argument, with its members. */
function argument(path: string, index: number): Schema & { readonly [name: string]: unknown } {
  const of = described.find(({ route }) => route === `post ${path}`);
  return resolved(schemaOf(of?.operation.requestBody).prefixItems?.[index] as Schema) as never;
}

test('a member says that it names an operation', () => {
  const { properties = {} } = argument('latency/set', 0);
  expect(properties['operation']).toMatchObject({ 'x-operation': true });
});

test('a method of two forms has both', () => {
  const { oneOf } = argument('accounts/deposit', 1) as { readonly oneOf?: readonly Schema[] };
  expect(oneOf?.map((one) => Object.keys(resolved<Schema>(one).properties ?? {}))).toEqual([
    ['amount', 'method_id', 'symbol', 'asset_type'],
    ['address', 'amount', 'tag', 'memo'],
  ]);
});

test('an argument says whose id it is, by the kinds and the collections', () => {
  const marks = [
    argument('transfers/fail', 0),
    argument('onchainQuotes/fail', 0),
    argument('deposits/credit', 0),
    argument('keys/revoke', 0),
    argument('transfers/fail', 1),
  ].map((one) => one['x-id-of']);
  const both = ['deposits', 'expectedDeposits'];
  expect(marks).toEqual(['transfers', 'onchainQuotes', both, 'keys', undefined]);
  const known = new Set([...RESOURCE_KINDS, ...READABLE.keys()]);
  const named = JSON.stringify(control).matchAll(/"x-id-of":(\[.*?\]|".*?")/g);
  const names = [...named].flatMap(([, value]) => JSON.parse(value ?? '') as string | string[]).flat();
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});

test('a number has its unit, its default and its limits', () => {
  const members = argument('faults/add', 0).properties ?? {};
  expect(members['bytesPerSecond']).toMatchObject({ 'x-unit': 'B/s', exclusiveMinimum: 0, default: 10 });
  expect(members['probability']).toMatchObject({ exclusiveMinimum: 0, maximum: 1, default: 1 });
  expect(members['afterMs']).toMatchObject({ 'x-unit': 'ms', default: 0 });
  expect(argument('clock/advance', 0)).toMatchObject({ 'x-unit': 'ms', minimum: 0 });
  expect(argument('executionTimes/set', 0).properties?.['quote.finish']).toMatchObject({ 'x-unit': 'ms' });
});

const dataOf = ({ responses }: Operation) => schemaOf(responses[200]);

describe('what is read has the described form', () => {
  const readings = described.filter(
    ({ method, name }) => method === 'get' && !name.includes('{') && name !== 'events' && !DOCUMENTS.includes(name),
  );

  test.each(readings)('$route', async ({ name, operation }) => {
    expect(Object.keys(dataOf(operation).properties?.['data'] ?? {}).length).toBeGreaterThan(0);
    const answer = await fetch(`${url}/_sandbox/${name}`);
    expect(validator.issuesOf(dataOf(operation), await answer.json())).toEqual([]);
  });

  const ofKinds = described.find(({ route }) => route === 'get resources/{kind}');

  test.each(RESOURCE_KINDS)('get resources/%s', async (kind) => {
    if (ofKinds === undefined) throw new Error('resources of kinds are not described');
    const answer = await fetch(`${url}/_sandbox/resources/${kind}`);
    expect(validator.issuesOf(dataOf(ofKinds.operation), await answer.json())).toEqual([]);
  });

  test.each(READ_METHODS)('GET of the method %s', async (path) => {
    const of = described.find(({ route }) => route === `post ${path}`);
    if (of === undefined) throw new Error('the method is not described');
    const answer = await fetch(`${url}/_sandbox/${path}`);
    expect(validator.issuesOf(dataOf(of.operation), await answer.json())).toEqual([]);
  });
});

test('an argument that the document refuses is refused by the sandbox', async () => {
  const { schema } = control.paths['/faults/add'].post.requestBody.content['application/json'];
  const post = async (args: unknown) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(args) };
    return (await fetch(`${url}/_sandbox/faults/add`, init)).status;
  };
  for (const args of [[], [{ fault: 503, surplus: 1 }], [{ fault: 503 }, 1]]) {
    expect(validator.issuesOf(schema, args)).not.toEqual([]);
    expect(await post(args)).toBe(400);
  }
  expect(validator.issuesOf(schema, [{ fault: 503 }])).toEqual([]);
  expect(await post([{ fault: 503 }])).toBe(200);
  sandbox.faults.clear();
});
