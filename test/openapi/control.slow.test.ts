import { describe, expect, test } from 'vitest';
import { READ_METHODS } from '../../src/sandbox/serve/control/control-reading.js';
import { COLLECTIONS, METHODS, READABLE, REMOVALS } from '../../src/sandbox/serve/control/control-routes.js';
import { DOCUMENTS } from '../../src/sandbox/serve/files/documents.js';
import { FAULT_NAMES, FAULTS } from '../../src/sandbox/trouble/faults/fault-table.js';
import { makeDocuments } from '../../tools/openapi/build.js';
import { sharedSandbox } from '../sandbox/support/partner.js';
import { Validator } from './support/validator.js';

/** A JSON schema, as far as these tests look into it. */
type Schema = {
  readonly title?: string;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
};
interface Content {
  readonly content: { readonly 'application/json': { readonly schema: Schema } };
}
interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly requestBody?: Content;
  readonly responses: { readonly 200: Content };
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

const routes = [
  ...[...READABLE.keys(), ...READ_METHODS, ...DOCUMENTS].map((path) => `get ${path}`),
  ...new Set([...METHODS.keys(), ...READABLE.keys()].map((path) => `post ${path}`)),
  ...[...COLLECTIONS.keys()].map((path) => `get ${path}/{id}`),
  ...[...REMOVALS.keys()].map((path) => `delete ${path}/{id}`),
  // They are no members: a stream, and a receiver.
  ...['get events', 'post inbox/{id}'],
];

const described = Object.entries(control.paths as Record<string, Record<string, Operation>>).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => {
    const name = path.replace('/_sandbox/', '');
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

function schemaOf(content: Content | undefined): Schema {
  if (content === undefined) throw new Error('it has no content');
  return content.content['application/json'].schema;
}

const called = described.filter(({ method, name }) => method === 'post' && METHODS.has(name));

test.each(called)('$route names its arguments', ({ name, operation }) => {
  const method = METHODS.get(name);
  const { prefixItems = [], minItems, maxItems = 0 } = schemaOf(operation.requestBody);
  expect(prefixItems.map(({ title }) => title)).toEqual(method?.args);
  expect(maxItems).toBe(method?.args.length);
  expect(minItems).toBe(method?.needed);
  expect(operation.description).not.toMatch(/^Calls /);
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
});

test('an argument that the document refuses is refused by the sandbox', async () => {
  const { schema } = control.paths['/_sandbox/faults/add'].post.requestBody.content['application/json'];
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
