import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { CONTROL_GROUPS } from '../../src/sandbox/drive/controls.js';
import { RESOURCE_KINDS } from '../../src/sandbox/drive/look/kinds.js';
import { COLLECTIONS, METHODS, READABLE } from '../../src/sandbox/serve/control/control-routes.js';
import { DOCUMENTS } from '../../src/sandbox/serve/control/documents.js';
import { FAULT_NAMES, FAULTS } from '../../src/sandbox/trouble/fault-table.js';
import { makeDocuments } from '../../tools/openapi/build.js';
import { declared } from '../../tools/openapi/control-docs.js';
import { described, formOf, problems } from '../../tools/openapi/control-forms.js';
import { sharedSandbox } from '../sandbox/support/partner.js';
import { Validator } from './support/validator.js';

/** A JSON schema, as far as these tests look into it. */
type Schema = {
  readonly title?: string;
  readonly description?: string;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
};
interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
  readonly responses: { readonly 200: { readonly description: string } };
}

const documents = await makeDocuments();
const control = JSON.parse(documents.get('control.openapi.json') ?? '');
const validator = new Validator(control);
const { url } = await sharedSandbox();

const pathOf = (name: string) => name.replaceAll('.', '/');

/** Resources of all kinds are described once. */
const ofAnyKind = (path: string) =>
  RESOURCE_KINDS.some((kind) => path === `resources/${kind}`) ? 'resources/{kind}' : path;

const routes = [
  ...new Set([...READABLE.keys(), ...DOCUMENTS].map((path) => `get ${ofAnyKind(path)}`)),
  ...CONTROL_GROUPS.flatMap(({ name, methods = {} }) =>
    Object.keys(methods).map((one) => `post ${pathOf(name)}/${one}`),
  ),
  ...new Set([...COLLECTIONS.keys()].map((path) => `get ${ofAnyKind(path)}/{id}`)),
  ...CONTROL_GROUPS.flatMap(({ name, removal }) => (removal === undefined ? [] : [`delete ${pathOf(name)}/{id}`])),
  // They are in no group, and the last two are no members: a stream, and a receiver.
  ...['post reset', 'post restore', 'get events', 'post inbox/{id}'],
];

const operations = Object.entries(control.paths as Record<string, Record<string, Operation>>).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => {
    const name = path.slice(1);
    return { route: `${method} ${name}`, method, name, operation };
  }),
);

test('each route of the control plane is described, and nothing else', () => {
  expect(operations.map(({ route }) => route).sort()).toEqual(routes.sort());
});

test('each operation has an id of its own', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

const bodyOf = ({ requestBody }: Operation): Schema => requestBody?.content['application/json'].schema ?? {};

const called = operations.filter(({ method, name }) => method === 'post' && METHODS.has(name));

test.each(called)('$route names its arguments', ({ name, operation }) => {
  const method = METHODS.get(name);
  const { prefixItems = [], minItems, maxItems = 0 } = bodyOf(operation);
  expect(prefixItems.map(({ description }) => description)).not.toContain(undefined);
  expect(prefixItems.map(({ title }) => title)).toEqual(method?.args);
  expect(maxItems).toBe(method?.args.length);
  expect(minItems).toBe(method?.needed);
  expect(operation.description).not.toMatch(/^Calls /);
});

/** The schema of an argument, with its members. */
function argument(path: string, index: number): Schema & Readonly<Record<string, unknown>> {
  const of = operations.find(({ route }) => route === `post ${path}`);
  return (of && bodyOf(of.operation).prefixItems?.[index]) ?? {};
}

test('a member says that it names an operation', () => {
  const { properties = {} } = argument('requests/list', 0);
  expect(properties['operation']).toMatchObject({ 'x-operation': true });
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

test('an argument that the document refuses is refused by the sandbox', async () => {
  const { schema } = control.paths['/keys/issue'].post.requestBody.content['application/json'];
  const post = async (args: unknown) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(args) };
    return (await fetch(`${url}/_sandbox/keys/issue`, init)).status;
  };
  for (const args of [[{ nonceWindow: -1 }], [{ surplus: 1 }], [{}, 1]]) {
    expect(validator.issuesOf(schema, args)).not.toEqual([]);
    expect(await post(args)).toBe(400);
  }
  expect(validator.issuesOf(schema, [{ nonceWindow: 1 }])).toEqual([]);
  expect(await post([{ nonceWindow: 1 }])).toBe(200);
});

/** Read as text. */
interface Example extends Omit<Base, 'gone'> {
  /** At most this many bytes per second. Default 10. */
  readonly bytesPerSecond?: number;
  readonly bare?: number;
  readonly surplus?: number;
}
interface Base {
  /** Pause in ms. */
  readonly pause: number;
  readonly gone: number;
}
const EXAMPLE: keyof Example = 'pause';

function describedExample(name: 'pause' | 'bytesPerSecond' | 'bare' | 'unknown', schema: z.core.$ZodType) {
  problems.length = 0;
  const types = declared('Example', fileURLToPath(import.meta.url));
  const { properties } = described(formOf(z.strictObject({ [name]: schema })), types, 'example') as Schema;
  return { member: properties?.[name], problems: problems.splice(0) };
}

test('a member has the docstring of the interface, its unit and its default, and the limits of the schema', () => {
  const pause = describedExample(EXAMPLE, z.number().check(z.nonnegative()));
  expect(pause.member).toEqual({ type: 'number', minimum: 0, description: 'Pause in ms.', 'x-unit': 'ms' });
  const { member } = describedExample('bytesPerSecond', z.int().check(z.positive()));
  expect(member).toMatchObject({ type: 'integer', exclusiveMinimum: 0, default: 10, 'x-unit': 'B/s' });
});

test('what has no docstring is named, and what only the schema or only the interface has', () => {
  expect(describedExample('bare', z.number()).problems).toContain('example.bare has no docstring');
  const { problems } = describedExample('unknown', z.number());
  expect(problems).toEqual(
    expect.arrayContaining(['example: only the schema has unknown', 'example: only the interface has surplus']),
  );
  expect(problems).not.toContain('example: only the interface has gone');
});

test('the names of faults are told with their labels', () => {
  const { description } = formOf(z.enum(FAULT_NAMES));
  for (const name of FAULT_NAMES) expect(description).toContain(`\`${name}\`: ${FAULTS[name].label}`);
});

test('alternatives that are objects are a choice of one', () => {
  const [one, other] = [z.strictObject({ a: z.string() }), z.strictObject({ b: z.literal('x') })];
  const { oneOf } = formOf(z.union([one, other])) as { readonly oneOf: readonly Schema[] };
  expect(oneOf.map(({ properties }) => properties)).toEqual([
    { a: { type: 'string' } },
    { b: { type: 'string', enum: ['x'] } },
  ]);
});
