/**
 * `control.openapi.json`: the sandbox's members over HTTP, made from its declarations and its
 * routes.
 */
import ts from 'typescript';
import { FILTERS, type FilterKind } from '../../src/sandbox/serve/control/control-filters.js';
import { READ_METHODS, readablePath } from '../../src/sandbox/serve/control/control-reading.js';
import {
  COLLECTIONS,
  type ControlMethod,
  METHODS,
  READABLE,
  REMOVALS,
} from '../../src/sandbox/serve/control/control-routes.js';
import { DOCUMENTS } from '../../src/sandbox/serve/files/documents.js';
import { FAULT_NAMES, FAULTS } from '../../src/sandbox/trouble/faults/fault-table.js';
import { VERSION } from '../../src/version.js';
import { Components, type JsonSchema } from '../schemas/components.js';
import { Schemas } from '../schemas/schemas.js';
import type { Sources } from '../schemas/sources.js';

const DESCRIPTION = `Drives the sandbox from programs in any language, unsigned. The method \`sandbox.a.b(x, y)\` is \`POST /_sandbox/a/b\` with the JSON array \`[x, y]\`. A collection is read with GET, and its members by their ids. What GET reads, POST reads too: then the filters are members of one object, \`[{ … }]\`.

Each answer is \`{"data": …}\`, or \`{"error": {"message": …}}\`. A method without a result answers \`{"data": null}\`.`;

/** Describes each route of the control plane. */
export function controlDocument(sources: Sources): JsonSchema {
  return new ControlPlane(sources).document();
}

class ControlPlane {
  readonly #sources: Sources;
  readonly #sandbox: ts.Type;
  readonly #components = new Components();
  readonly #output: Schemas;
  readonly #input: Schemas;

  constructor(sources: Sources) {
    this.#sources = sources;
    this.#sandbox = sources.exported('src/sandbox/serve/sandbox.ts', 'Sandbox');
    this.#output = new Schemas(sources, this.#components, 'output');
    this.#input = new Schemas(sources, this.#components, 'input', { refusesUnknown: true });
  }

  document(): JsonSchema {
    const paths = new Map<string, Record<string, JsonSchema>>();
    const add: Add = (path, method, operation) => {
      paths.set(`/_sandbox/${path}`, { ...paths.get(`/_sandbox/${path}`), [method]: operation });
    };
    // Results first: the names of types are theirs.
    for (const path of [...READABLE.keys(), ...READ_METHODS]) add(path, 'get', this.#reading(path));
    for (const collection of COLLECTIONS.keys()) add(`${collection}/{id}`, 'get', this.#member(collection));
    for (const [path, method] of METHODS) add(path, 'post', this.#calling(path, method));
    for (const path of READABLE.keys()) if (!METHODS.has(path)) add(path, 'post', readingByPost(path));
    for (const [collection, path] of REMOVALS) add(`${collection}/{id}`, 'delete', this.#removal(collection, path));
    add('events', 'get', this.#events());
    add('inbox/{id}', 'post', INBOX);
    for (const name of DOCUMENTS) add(name, 'get', documentReading(name));
    return {
      openapi: '3.1.0',
      info: {
        title: 'Control plane of the sandbox',
        version: VERSION,
        description: DESCRIPTION,
        license: { name: 'MIT', identifier: 'MIT' },
        contact: { name: 'partner-sdk' },
      },
      servers: [{ url: 'http://127.0.0.1:8420', description: 'The sandbox on this machine.' }],
      security: [],
      tags: this.#tags([...paths.keys()]),
      paths: Object.fromEntries([...paths].sort(([a], [b]) => (a < b ? -1 : 1))),
      components: {
        requestBodies: { Filter: FILTER, NoArguments: NO_ARGUMENTS },
        responses: { Refused: REFUSED, Nothing: success({ type: 'null' }) },
        schemas: { Refusal: REFUSAL, ...withFaultLabels(this.#components.all()) },
      },
    };
  }

  /** The entries of the timeline. */
  #events(): JsonSchema {
    const member = this.#sources.memberAt(this.#sandbox, ['events']);
    const description =
      'Server-sent events. The data of each is one entry of the timeline, its id the `seq` of the entry.';
    return {
      operationId: 'events.read',
      ...this.#titles(member, 'Streams what happens.'),
      tags: ['sandbox'],
      parameters: this.#filters('events', member),
      responses: {
        200: { description, content: { 'text/event-stream': { schema: { type: 'string' } } } },
        '4XX': { $ref: '#/components/responses/Refused' },
      },
    };
  }

  /** @param path A readable path, or that of a method that reads one. */
  #reading(path: string): JsonSchema {
    const readable = readablePath(path) ?? path;
    const member = this.#memberReadBy(READABLE.get(readable)) ?? this.#memberAt(readable);
    return {
      operationId: `${path.replaceAll('/', '.')}.read`,
      ...this.#titles(member, `Reads ${path}.`),
      tags: [tagOf(path)],
      ...(FILTERS.has(readable) ? { parameters: this.#filters(readable, member) } : {}),
      responses: answered(member === undefined ? {} : this.#resultOf(member)),
    };
  }

  /** The filters of a list, with the docstrings of the options that they become. */
  #filters(path: string, member: ts.Symbol | undefined): JsonSchema[] {
    const [options] = (member && this.#sources.signatureOf(member)?.parameters) ?? [];
    const { checker } = this.#sources;
    const type = options && checker.getNonNullableType(checker.getTypeOfSymbol(options));
    return Object.entries(FILTERS.get(path) ?? {}).map(([name, kind]) => {
      const option = type && checker.getPropertyOfType(type, name);
      const description = option && this.#sources.docOf(option);
      return { name, in: 'query', ...(description === undefined ? {} : { description }), ...FORMS[kind] };
    });
  }

  #member(collection: string): JsonSchema {
    const read = COLLECTIONS.get(collection);
    const member = this.#memberReadBy(read);
    const result = (member === undefined ? {} : this.#resultOf(member)) as { items?: JsonSchema };
    const isFound = String(read).includes('.find(');
    return {
      operationId: `${collection.replaceAll('/', '.')}.readOne`,
      ...{ summary: `Reads one of ${collection}.`, description: `Reads one of ${collection}, by its id.` },
      tags: [tagOf(`${collection}/`)],
      parameters: [ID],
      responses: answered(isFound ? (result.items ?? {}) : result),
    };
  }

  /** The member of the sandbox that a route hands out: its function begins with `sandbox.a.b`. */
  #memberReadBy(read: ((sandbox: never, id: never) => unknown) | undefined): ts.Symbol | undefined {
    const [, chain = ''] = /\bsandbox\.([\w.]+)/.exec(String(read)) ?? [];
    return this.#sources.memberAt(this.#sandbox, chain.replace(/\.find$/, '').split('.'));
  }

  /** The member of a group that its kind defines: its path has the names. A list is its `list`. */
  #memberAt(path: string): ts.Symbol | undefined {
    const names = path.split('/');
    const list = this.#sources.memberAt(this.#sandbox, [...names, 'list']);
    return list ?? this.#sources.memberAt(this.#sandbox, names);
  }

  #removal(collection: string, path: string): JsonSchema {
    const method = METHODS.get(path);
    if (method === undefined) throw new Error(`there is no method ${path}`);
    const { requestBody: _, ...called } = this.#calling(path, method);
    return { ...called, operationId: `${collection.replaceAll('/', '.')}.delete`, parameters: [ID] };
  }

  #calling(path: string, method: ControlMethod): JsonSchema {
    const symbol = this.#sources.memberAt(this.#sandbox, method.name.split('.'));
    if (symbol === undefined) throw new Error(`the sandbox has no method ${method.name}`);
    return {
      operationId: path.replaceAll('/', '.'),
      ...this.#titles(symbol, `Calls ${method.name}.`),
      tags: [tagOf(path)],
      requestBody: this.#argumentsOf(symbol, method),
      responses: answered(this.#resultOf(symbol)),
    };
  }

  #argumentsOf(symbol: ts.Symbol, { args }: ControlMethod): JsonSchema {
    const overloads = this.#sources.checker.getTypeOfSymbol(symbol).getCallSignatures();
    const parameters = (this.#sources.signatureOf(symbol)?.parameters ?? [])
      .map(({ valueDeclaration }) => valueDeclaration)
      .filter((one) => one !== undefined)
      .filter(ts.isParameter)
      // JavaScript alone has the others.
      .filter(({ name }) => args.includes(name.getText()));
    const items = parameters.map(({ name, type }) => {
      const description = this.#sources.docOfParameter(symbol, name.getText());
      const schema = type === undefined ? {} : this.#input.ofNode(type);
      return { title: name.getText(), ...(description === undefined ? {} : { description }), ...schema };
    });
    const schema = {
      type: 'array',
      ...(items.length > 0 ? { prefixItems: items } : {}),
      ...{ items: {}, minItems: Math.min(...overloads.map(neededOf)), maxItems: items.length },
    };
    return { required: true, content: { 'application/json': { schema } } };
  }

  /** The type of a property, or of a method's result. */
  #resultOf(member: ts.Symbol): JsonSchema {
    const declared = this.#sources.signatureOf(member)?.getDeclaration() ?? member.valueDeclaration;
    const node =
      declared && (ts.isMethodSignature(declared) || ts.isPropertySignature(declared)) ? declared.type : undefined;
    if (node === undefined) return {};
    // A function cannot be sent: its caller gets nothing.
    return ts.isFunctionTypeNode(node) ? { type: 'null' } : this.#output.ofNode(node);
  }

  #titles(member: ts.Symbol | undefined, title: string): JsonSchema {
    const description = member && this.#sources.docOf(member);
    const [, first] = /^(.+?[.:])(\s|$)/.exec(description ?? '') ?? [];
    return { summary: (first ?? title).replace(/:$/, '.'), description: description ?? title };
  }

  #tags(paths: readonly string[]): JsonSchema[] {
    const names = new Set(paths.map((path) => tagOf(path.slice('/_sandbox/'.length))));
    const { checker } = this.#sources;
    return [...names].sort().map((name) => {
      const group = this.#sources.memberAt(this.#sandbox, [name]);
      const type = group === undefined ? this.#sandbox : checker.getTypeOfSymbol(group);
      const named = type.getSymbol();
      const description = (group && this.#sources.docOf(group)) ?? (named && this.#sources.docOf(named));
      return { name, description: description ?? name };
    });
  }
}

type Add = (path: string, method: string, operation: JsonSchema) => void;

/** The number of arguments that cannot be left out. */
const neededOf = ({ parameters }: ts.Signature): number =>
  parameters.filter(({ valueDeclaration: one }) => one && ts.isParameter(one) && !one.questionToken && !one.initializer)
    .length;

/** The forms of filters in the query. */
const FORMS: Readonly<Record<FilterKind, JsonSchema>> = {
  text: { schema: { type: 'string' } },
  number: { schema: { type: 'integer', minimum: 0 } },
  list: { style: 'form', explode: false, schema: { type: 'array', items: { type: 'string' } } },
};

const REFUSAL: JsonSchema = {
  type: 'object',
  properties: {
    error: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
  },
  required: ['error'],
};

const REFUSED: JsonSchema = {
  description: 'The sandbox refuses the call: `message` says why, and what it takes.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
};

const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

/** It is no member: it takes what a sender of webhooks posts. */
const INBOX: JsonSchema = {
  operationId: 'inbox.receive',
  ...{ summary: 'Receives a delivery.', description: 'Receives a delivery, of any sender, in the inbox of this name.' },
  tags: ['inbox'],
  parameters: [ID],
  requestBody: { content: { '*/*': { schema: {} } } },
  responses: { 200: { description: 'Taken.' }, default: { description: 'What `inbox.answer` has told it to answer.' } },
};

/** Adds what the client sees of each named fault: the declarations have their names alone. */
function withFaultLabels({ FaultName: schema, ...others }: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const labels = FAULT_NAMES.map((name) => `- \`${name}\`: ${FAULTS[name].label}`);
  const description = `What the client sees of each named fault:\n\n${labels.join('\n')}`;
  return { ...others, FaultName: { ...schema, description } };
}

function success(data: JsonSchema): JsonSchema {
  const schema = { type: 'object', properties: { data }, required: ['data'] };
  return { description: 'Done.', content: { 'application/json': { schema } } };
}

function answered(data: JsonSchema): JsonSchema {
  return {
    200: data['type'] === 'null' ? { $ref: '#/components/responses/Nothing' } : success(data),
    '4XX': { $ref: '#/components/responses/Refused' },
  };
}

/** The body of a reading with POST: a list with the filter, or an empty one. */
const readingBody = (items: readonly JsonSchema[]): JsonSchema => ({
  content: {
    'application/json': { schema: { type: 'array', prefixItems: items, items: {}, maxItems: items.length } },
  },
});

const FILTER = readingBody([{ title: 'filter', description: 'The parameters of GET.', type: 'object' }]);
const NO_ARGUMENTS: JsonSchema = {
  content: { 'application/json': { schema: { type: 'array', items: {}, maxItems: 0 } } },
};

/** A path that is no method: POST answers as GET does. */
const readingByPost = (path: string): JsonSchema => ({
  operationId: `${path.replaceAll('/', '.')}.readByPost`,
  ...{ summary: `Reads ${path}, as GET does.`, description: `Reads ${path}, as GET does.` },
  tags: [tagOf(path)],
  requestBody: { $ref: `#/components/requestBodies/${FILTERS.has(path) ? 'Filter' : 'NoArguments'}` },
  responses: {
    200: { $ref: `#/paths/~1_sandbox~1${path.replaceAll('/', '~1')}/get/responses/200` },
    '4XX': { $ref: '#/components/responses/Refused' },
  },
});

/** A file of the package, without `data` around it. */
const documentReading = (name: string): JsonSchema => ({
  ...{ operationId: `${name}.read`, summary: `Reads ${name}.`, description: `Returns ${name} of the package.` },
  tags: ['sandbox'],
  responses: {
    200: { description: 'The document.', content: { 'application/json': { schema: { type: 'object' } } } },
    '4XX': { $ref: '#/components/responses/Refused' },
  },
});

/** The group of a path; members without a group are the sandbox's own. */
function tagOf(path: string): string {
  const [group = ''] = path.split('/');
  return group === path && !COLLECTIONS.has(path) ? 'sandbox' : group;
}
