/**
 * `control.openapi.json`: the sandbox's members over HTTP, made from its declarations and its
 * routes.
 */
import ts from 'typescript';
import { ANNOUNCED } from '../../src/sandbox/core/basics/changes.js';
import { RESOURCE_KINDS } from '../../src/sandbox/drive/look/kinds.js';
import type { FilterKind, FilterTable } from '../../src/sandbox/serve/control/control-filters.js';
import {
  COLLECTIONS,
  type ControlMethod,
  METHODS,
  READABLE,
  REMOVALS,
  readingMethod,
} from '../../src/sandbox/serve/control/control-routes.js';
import { DOCUMENTS } from '../../src/sandbox/serve/control/documents.js';
import { EVENT_FILTERS } from '../../src/sandbox/serve/control/event-stream.js';
import { FAULT_NAMES, FAULTS } from '../../src/sandbox/trouble/fault-table.js';
import { VERSION } from '../../src/version.js';
import { Components, type JsonSchema } from '../schemas/components.js';
import { Schemas } from '../schemas/schemas.js';
import type { Sources } from '../schemas/sources.js';
import { markedArgument, markedMember } from './control-marks.js';
import { SharedParts } from './control-parts.js';

const DESCRIPTION = `Drives the sandbox from programs in any language, unsigned. The method \`sandbox.a.b(x, y)\` is \`POST /_sandbox/a/b\` with the JSON array \`[x, y]\`. A collection is read with GET, and its members by their ids. What GET reads, POST reads too, with the filters as members of one object, \`[{ … }]\`; and the method that reads it takes GET. Each is described once.

\`x-id-of\` names the kinds whose ids an argument takes: \`GET /_sandbox/resources/{kind}\` lists them, or \`GET /_sandbox/\` with the name of a collection. \`x-unit\` is the unit of a number.

Each answer is \`{"data": …}\`, or \`{"error": {"message": …}}\`. A method without a result answers \`{"data": null}\`.`;

const SERVERS: readonly JsonSchema[] = [
  { url: 'http://127.0.0.1:8420/_sandbox', description: 'The sandbox on this machine.' },
];

/** Describes each route of the control plane. */
export function controlDocument(sources: Sources): JsonSchema {
  return new ControlPlane(sources).document();
}

class ControlPlane {
  readonly #sources: Sources;
  readonly #sandbox: ts.Type;
  readonly #components = new Components();
  readonly #parts = new SharedParts();
  readonly #output: Schemas;
  readonly #input: Schemas;

  constructor(sources: Sources) {
    this.#sources = sources;
    this.#sandbox = sources.exported('src/sandbox/serve/sandbox/sandbox.ts', 'Sandbox');
    this.#output = new Schemas(sources, this.#components, 'output', { mark: markedMember, extendsBases: true });
    this.#input = new Schemas(sources, this.#components, 'input', { refusesUnknown: true, mark: markedMember });
  }

  document(): JsonSchema {
    const paths = new Map<string, Record<string, JsonSchema>>();
    const add: Add = (path, method, operation) => {
      paths.set(`/${path}`, { ...paths.get(`/${path}`), [method]: operation });
    };
    const readable = [...READABLE.keys()].filter((path) => !isOfKind(path));
    // Results first: the names of types are theirs.
    for (const path of readable) add(path, 'get', this.#reading(path));
    for (const collection of COLLECTIONS.keys()) {
      if (!isOfKind(collection)) add(`${collection}/{id}`, 'get', this.#member(collection));
    }
    for (const [path, method] of METHODS) add(path, 'post', this.#calling(path, method));
    for (const [collection, path] of REMOVALS) add(`${collection}/{id}`, 'delete', this.#removal(collection, path));
    this.#addResources(add);
    add('events', 'get', this.#events());
    add('inbox/{id}', 'post', INBOX);
    for (const name of DOCUMENTS) add(name, 'get', documentReading(name));
    const document = {
      openapi: '3.1.0',
      info: {
        title: 'Control plane of the sandbox',
        version: VERSION,
        description: DESCRIPTION,
        license: { name: 'MIT', identifier: 'MIT' },
        contact: { name: 'partner-sdk' },
      },
      servers: SERVERS,
      security: [],
      tags: this.#tags([...paths.keys()]),
      paths: Object.fromEntries([...paths].sort(([a], [b]) => (a < b ? -1 : 1))),
    };
    return this.#parts.complete(document, {
      ResourceKind: { type: 'string', enum: RESOURCE_KINDS },
      ...withFaultLabels(this.#components.all()),
    });
  }

  /** Resources of all kinds are read alike: the kind is a part of the path. */
  #addResources(add: Add): void {
    const [kind = ''] = RESOURCE_KINDS;
    const { parameters: filters = [], ...list } = this.#reading(`resources/${kind}`, RESOURCES);
    const { parameters: ids = [], ...member } = this.#member(`resources/${kind}`, RESOURCES);
    add(RESOURCES, 'get', { ...list, parameters: [KIND, ...(filters as JsonSchema[])] });
    add(`${RESOURCES}/{id}`, 'get', { ...member, parameters: [KIND, ...(ids as JsonSchema[])] });
  }

  /** The entries of the timeline. */
  #events(): JsonSchema {
    const member = this.#sources.memberAt(this.#sandbox, ['events']);
    const description =
      'Server-sent events. The data of each is one entry of the timeline, its id the `seq` of the entry. ' +
      'Without `kinds`, an event `changed` without an id names the readings that have changed without an entry: ' +
      `\`{"kind":"changed","what":["latency"]}\`. They are: ${ANNOUNCED.join(', ')}.`;
    return {
      operationId: 'events.read',
      ...this.#titles(member, 'Streams what happens.'),
      tags: ['sandbox'],
      parameters: this.#filters('events', EVENT_FILTERS, member),
      responses: {
        200: { description, content: { 'text/event-stream': { schema: { type: 'string' } } } },
        '4XX': { $ref: '#/components/responses/Refused' },
      },
    };
  }

  /** @param shown The path in the document. */
  #reading(path: string, shown = path): JsonSchema {
    const method = readingMethod(path);
    const filters = READABLE.get(path)?.filters ?? {};
    const member = this.#memberNamed(method ?? path);
    return {
      operationId: `${idOf(shown)}.read`,
      ...(method === undefined || isOfKind(path) ? this.#titles(member, `Reads ${shown}.`) : sameAs(shown, method)),
      tags: [tagOf(path)],
      ...(Object.keys(filters).length > 0 ? { parameters: this.#filters(path, filters, member) } : {}),
      responses: this.#parts.answers(member === undefined ? {} : this.#resultOf(member)),
    };
  }

  #memberNamed(path: string): ts.Symbol | undefined {
    return this.#sources.memberAt(this.#sandbox, path.split('/'));
  }

  /** The filters of a list, with the docstrings of the options that they become. */
  #filters(path: string, filters: FilterTable, member: ts.Symbol | undefined): JsonSchema[] {
    const parameters = (member && this.#sources.signatureOf(member)?.parameters) ?? [];
    const options = parameters.find(({ name }) => name === 'filter') ?? parameters[0];
    const { checker } = this.#sources;
    const type = options && checker.getNonNullableType(checker.getTypeOfSymbol(options));
    return Object.entries(filters).map(([name, kind]) => {
      const option = type && checker.getPropertyOfType(type, name);
      const description = option && this.#sources.docOf(option);
      const { schema, form } = FORMS[kind];
      const { description: text, ...marked } = markedMember(name, {
        ...schema,
        ...(description === undefined ? {} : { description }),
      });
      const described = text === undefined ? {} : { description: text };
      return this.#parts.parameter(path, { name, in: 'query', ...described, ...form, schema: marked });
    });
  }

  #member(collection: string, shown = collection): JsonSchema {
    const { path, isItemOfList = false } = COLLECTIONS.get(collection) ?? {};
    const member = path === undefined ? undefined : this.#memberNamed(path);
    const result = (member === undefined ? {} : this.#resultOf(member)) as { items?: JsonSchema };
    const description = `Reads one of ${shown}, by its id.`;
    return {
      operationId: `${idOf(shown)}.readOne`,
      ...{ summary: description, description },
      tags: [tagOf(`${collection}/`)],
      parameters: [ID_PARAMETER],
      responses: this.#parts.answers(isItemOfList ? (result.items ?? {}) : result),
    };
  }

  #removal(collection: string, path: string): JsonSchema {
    const method = METHODS.get(path);
    if (method === undefined) throw new Error(`there is no method ${path}`);
    const { requestBody: _, ...called } = this.#calling(path, method);
    return {
      ...called,
      operationId: `${idOf(collection)}.delete`,
      ...sameAs(collection, path),
      parameters: [ID_PARAMETER],
    };
  }

  #calling(path: string, method: ControlMethod): JsonSchema {
    const symbol = this.#sources.memberAt(this.#sandbox, method.name.split('.'));
    if (symbol === undefined) throw new Error(`the sandbox has no method ${method.name}`);
    return {
      operationId: idOf(path),
      ...this.#titles(symbol, `Calls ${method.name}.`),
      tags: [tagOf(path)],
      requestBody: this.#argumentsOf(symbol, method),
      responses: this.#parts.answers(this.#resultOf(symbol)),
    };
  }

  #argumentsOf(symbol: ts.Symbol, { name: method, args }: ControlMethod): JsonSchema {
    const overloads = this.#sources.checker.getTypeOfSymbol(symbol).getCallSignatures();
    const parameters = (this.#sources.signatureOf(symbol)?.parameters ?? [])
      .map(({ valueDeclaration }) => valueDeclaration)
      .filter((one) => one !== undefined)
      .filter(ts.isParameter)
      // JavaScript alone has the others.
      .filter(({ name }) => args.includes(name.getText()));
    const items = parameters.map(({ name: written, type }) => {
      const name = written.getText();
      const description = this.#sources.docOfParameter(symbol, name);
      const isKind = name === 'kind' && tagOf(`${method.replaceAll('.', '/')}`) === 'resources';
      const schema = type === undefined ? {} : isKind ? KIND.schema : this.#alternatives(overloads, name, type);
      const described = { title: name, ...(description === undefined ? {} : { description }), ...schema };
      return markedArgument(method.replaceAll('.', '/'), name, described);
    });
    return this.#parts.body(method, listBody(items, Math.min(...overloads.map(neededOf))));
  }

  /** The schema of a parameter, which may differ from overload to overload. */
  #alternatives(overloads: readonly ts.Signature[], name: string, first: ts.TypeNode): JsonSchema {
    const types = overloads
      .map(({ parameters }) => parameters.find((one) => one.name === name)?.valueDeclaration)
      .flatMap((one) => (one !== undefined && ts.isParameter(one) ? (one.type ?? []) : []));
    const different = new Map(types.map((type) => [type.getText(), type]));
    if (different.size < 2) return this.#input.ofNode(first);
    return {
      description: 'In one of these forms.',
      oneOf: [...different.values()].map((type) => this.#input.ofNode(type)),
    };
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
    const names = new Set(paths.map((path) => tagOf(path.slice(1))));
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
const FORMS: Readonly<Record<FilterKind, { readonly schema: JsonSchema; readonly form?: JsonSchema }>> = {
  text: { schema: { type: 'string' } },
  number: { schema: { type: 'integer', minimum: 0 } },
  list: { schema: { type: 'array', items: { type: 'string' } }, form: { style: 'form', explode: false } },
};

/** The path of the resources of any kind. */
const RESOURCES = 'resources/{kind}';

const isOfKind = (path: string): boolean => RESOURCE_KINDS.some((kind) => path === `resources/${kind}`);

const KIND = { name: 'kind', in: 'path', required: true, schema: { $ref: '#/components/schemas/ResourceKind' } };
const ID_PARAMETER = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

/** It is no member: it takes what a sender of webhooks posts. */
const INBOX: JsonSchema = {
  operationId: 'inbox.receive',
  ...{ summary: 'Receives a delivery.', description: 'Receives a delivery, of any sender, in the inbox of this name.' },
  tags: ['inbox'],
  parameters: [ID_PARAMETER],
  requestBody: { content: { '*/*': { schema: {} } } },
  responses: { 200: { description: 'Taken.' }, default: { description: 'What `inbox.answer` has told it to answer.' } },
};

/** Adds what the client sees of each named fault: the declarations have their names alone. */
function withFaultLabels({ FaultName: schema, ...others }: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const labels = FAULT_NAMES.map((name) => `- \`${name}\`: ${FAULTS[name].label}`);
  const description = `What the client sees of each named fault:\n\n${labels.join('\n')}`;
  return { ...others, FaultName: { ...schema, description } };
}

/** The body of a call: the list of its arguments. */
const listBody = (items: readonly JsonSchema[], minItems: number): JsonSchema => ({
  required: true,
  content: {
    'application/json': {
      schema: {
        type: 'array',
        ...(items.length > 0 ? { prefixItems: items } : {}),
        ...{ items: {}, minItems, maxItems: items.length },
      },
    },
  },
});

/** The name of a path in the ids of operations. */
const idOf = (path: string): string => path.replaceAll('/', '.').replace('{kind}', 'ofKind');

/** Refers to the one description of what several routes do. */
function sameAs(path: string, described: string): JsonSchema {
  const text = `${described.startsWith('GET ') ? 'The same as' : 'See'} \`${described.replaceAll('/', '.')}\`.`;
  return { summary: path.replaceAll('/', '.'), description: text };
}

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
