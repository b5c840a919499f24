/**
 * `control.openapi.json`: the sandbox's members over HTTP. Their forms come from the definitions of
 * the groups, and all texts from the docstrings of the interfaces.
 */

import { resolve } from 'node:path';
import type ts from 'typescript';
import * as z from 'zod/mini';
import { ANNOUNCED } from '../../src/sandbox/core/basics/changes.js';
import type { Method } from '../../src/sandbox/core/kind/group.js';
import { CONTROL_GROUPS } from '../../src/sandbox/drive/controls.js';
import { RESOURCE_KINDS } from '../../src/sandbox/drive/look/kinds.js';
import { eventsOptions } from '../../src/sandbox/drive/timeline/events.js';
import { COLLECTIONS, METHODS, READABLE } from '../../src/sandbox/serve/control/control-routes.js';
import { DOCUMENTS } from '../../src/sandbox/serve/control/documents.js';
import { VERSION } from '../../src/version.js';
import type { JsonSchema } from '../schemas/components.js';
import { declared, docOf, membersOf, parametersOf, partsOf, typesOf } from './control-docs.js';
import { described, formOf, problems, textOf } from './control-forms.js';
import { markedArgument } from './control-marks.js';

const DESCRIPTION = `Drives the sandbox from programs in any language, unsigned. The method \`sandbox.a.b(x, y)\` is \`POST /_sandbox/a/b\` with the JSON array \`[x, y]\`. A collection is read with GET, and its members by their ids. What GET reads, POST reads too, with the filters as members of one object, \`[{ … }]\`; and the method that reads it takes GET. Each is described once.

\`x-id-of\` names the kinds whose ids an argument takes: \`GET /_sandbox/resources/{kind}\` lists them, or \`GET /_sandbox/\` with the name of a collection. \`x-unit\` is the unit of a number.

Each answer is \`{"data": …}\`, or \`{"error": {"message": …}}\`. A method without a result answers \`{"data": null}\`.`;

type Takes = NonNullable<Method<never>['takes']>;

/** The arguments of each method. */
const TAKES: ReadonlyMap<string, Takes> = new Map([
  ['reset', {}],
  ['restore', { snapshot: z.record(z.string(), z.unknown()) }],
  ...CONTROL_GROUPS.flatMap(({ name, methods = {} }) =>
    Object.entries(methods).map(([method, { takes = {} }]) => [`${name}.${method}`, takes] as const),
  ),
]);

const SANDBOX = declared('Sandbox', resolve(import.meta.dirname, '../../src/sandbox/serve/sandbox/sandbox.ts'));

const pathOf = (name: string): string => name.replaceAll('.', '/');

/** Returns the declarations of a member of the sandbox, for example of `keys.issue`. */
function memberAt(name: string): readonly ts.Node[] {
  let found: readonly ts.Node[] = SANDBOX;
  for (const part of name.split('.')) found = membersOf([...found, ...typesOf(found)]).get(part) ?? [];
  return found;
}

/** Describes each route of the control plane. @throws Error that names what has no docstring. */
export function controlDocument(): JsonSchema {
  const paths = pathsOf();
  const names = [...new Set(Object.keys(paths).map((path) => tagOf(path.slice(1))))].sort();
  const tags = names.map((name) => ({ name, description: tagText(name) }));
  if (problems.length > 0) throw new Error(`control.openapi.json:\n${[...new Set(problems)].join('\n')}`);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control plane of the sandbox',
      version: VERSION,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'partner-sdk' },
    },
    servers: [{ url: 'http://127.0.0.1:8420/_sandbox', description: 'The sandbox on this machine.' }],
    security: [],
    tags,
    paths,
    components: { responses: { Refused: REFUSED }, schemas: { Answer: ANSWER } },
  };
}

/** The docstring of a group, or else of its interface. */
function tagText(name: string): string {
  const nodes = name === 'sandbox' ? SANDBOX : memberAt(name);
  return docOf(nodes) ?? textOf(typesOf(nodes).flatMap(partsOf), name);
}

function pathsOf(): Readonly<Record<string, JsonSchema>> {
  const paths = new Map<string, JsonSchema>();
  const add = (path: string, verb: string, operation: JsonSchema) =>
    paths.set(`/${path}`, { ...paths.get(`/${path}`), [verb]: operation });
  const isOfKind = (path: string): boolean => path.startsWith('resources/');
  for (const [path, { name }] of READABLE) if (!isOfKind(path)) add(path, 'get', reading(path, name));
  for (const path of COLLECTIONS.keys()) if (!isOfKind(path)) add(`${path}/{id}`, 'get', item(path));
  for (const name of TAKES.keys()) add(pathOf(name), 'post', calling(name));
  for (const { name, removal } of CONTROL_GROUPS) {
    if (removal !== undefined) add(`${pathOf(name)}/{id}`, 'delete', removing(name, removal));
  }
  const parameters = [KIND, ...queryOf('resources.list')];
  add(RESOURCES, 'get', { ...reading(RESOURCES, 'resources.list'), parameters });
  add(`${RESOURCES}/{id}`, 'get', { ...item(RESOURCES), parameters: [KIND, ID] });
  add('events', 'get', events());
  add('inbox/{id}', 'post', inbox());
  for (const name of DOCUMENTS) add(name, 'get', documentReading(name));
  return Object.fromEntries([...paths].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The path of the resources of any kind. Resources of all kinds are read alike. */
const RESOURCES = 'resources/{kind}';
const KIND = { name: 'kind', in: 'path', required: true, schema: { type: 'string', enum: RESOURCE_KINDS } };
const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

/** The name of a path in the ids of operations. */
const idOf = (path: string): string => path.replaceAll('/', '.').replace('{kind}', 'ofKind');

/** The group of a path; members without a group are the sandbox's own. */
const tagOf = (path: string): string => {
  const [group = ''] = path.split('/');
  return group !== path || COLLECTIONS.has(path) ? group : 'sandbox';
};

interface Texts {
  readonly summary: string;
  readonly description: string;
}

/** @param path Its group is the tag. */
const operation = (operationId: string, path: string, texts: Texts, more: JsonSchema): JsonSchema => ({
  operationId,
  ...texts,
  tags: [tagOf(path)],
  responses: answers(''),
  ...more,
});

function reading(path: string, name: string): JsonSchema {
  const text = textOf(memberAt(name), name);
  const isOfMethod = TAKES.has(name) && path !== RESOURCES;
  const parameters = queryOf(name);
  return operation(`${idOf(path)}.read`, path, isOfMethod ? sameAs(idOf(path), name) : titles(text), {
    ...(parameters.length > 0 ? { parameters } : {}),
    responses: answers(text),
  });
}

const item = (path: string): JsonSchema =>
  operation(`${idOf(path)}.readOne`, `${path}/`, titles(`Reads one of ${path}, by its id.`), { parameters: [ID] });

function calling(name: string): JsonSchema {
  const [text, items] = [textOf(memberAt(name), name), argumentsOf(name)];
  const [minItems, maxItems] = [METHODS.get(pathOf(name))?.needed, items.length];
  const arrayOf = maxItems > 0 ? { prefixItems: items } : {};
  const schema = { type: 'array', ...arrayOf, items: {}, minItems, maxItems };
  return operation(name, pathOf(name), titles(text), {
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: answers(text),
  });
}

const removing = (group: string, removal: string): JsonSchema =>
  operation(`${group}.delete`, `${pathOf(group)}/`, sameAs(group, `${group}.${removal}`), { parameters: [ID] });

/** The entries of the timeline. */
function events(): JsonSchema {
  const nodes = memberAt('events');
  const schema = described(formOf(eventsOptions), typesOf(parametersOf(nodes, 'options')), 'events');
  const description =
    'Server-sent events. The data of each is one entry of the timeline, its id the `seq` of the entry. ' +
    'Without `kinds`, an event `changed` without an id names the readings that have changed without an entry: ' +
    `\`{"kind":"changed","what":["latency"]}\`. They are: ${ANNOUNCED.join(', ')}.`;
  return operation('events.read', 'events', titles(textOf(nodes, 'events')), {
    parameters: queryWith({ title: 'filter', ...schema }),
    responses: { 200: { description, content: { 'text/event-stream': { schema: { type: 'string' } } } }, ...REFUSAL },
  });
}

/** It is no member: it takes what a sender of webhooks posts. */
const inbox = (): JsonSchema =>
  operation('inbox.receive', 'inbox/', titles('Receives a delivery, of any sender, in the inbox of this name.'), {
    parameters: [ID],
    requestBody: { content: { '*/*': { schema: {} } } },
    responses: {
      200: { description: 'Taken.' },
      default: { description: 'What `inbox.answer` has told it to answer.' },
    },
  });

/** A file of the package, without `data` around it. */
const documentReading = (name: string): JsonSchema =>
  operation(
    `${name}.read`,
    name,
    { summary: `Reads ${name}.`, description: `Returns ${name} of the package.` },
    {
      responses: {
        200: { description: 'The document.', content: { 'application/json': { schema: { type: 'object' } } } },
        ...REFUSAL,
      },
    },
  );

/** The first sentence is the summary. */
function titles(description: string): Texts {
  const [, first = description] = /^(.+?[.:])(\s|$)/.exec(description) ?? [];
  return { summary: first.replace(/:$/, '.'), description };
}

/** Refers to the one description of what several routes do. */
const sameAs = (summary: string, method: string): Texts => ({ summary, description: `See \`${method}\`.` });

const REFUSAL = { '4XX': { $ref: '#/components/responses/Refused' } };

/** The answers of a method with this docstring: its result in `data`, or a refusal. */
function answers(text: string): JsonSchema {
  const [description = 'Done.'] = /\bReturns .+?\.(?=\s|$)/.exec(text) ?? [];
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Answer' } } };
  return { 200: { description, content }, ...REFUSAL };
}

const ANSWER: JsonSchema = { type: 'object', properties: { data: {} }, required: ['data'] };

const ERROR: JsonSchema = { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] };
const REFUSED: JsonSchema = {
  description: 'The sandbox refuses the call: `message` says why, and what it takes.',
  content: {
    'application/json': { schema: { type: 'object', properties: { error: ERROR }, required: ['error'] } },
  },
};

/** The query of a method that is read: its optional arguments, of a filter the members. */
const queryOf = (name: string): JsonSchema[] =>
  argumentsOf(name)
    .slice(METHODS.get(pathOf(name))?.needed)
    .flatMap(queryWith);

function queryWith(argument: JsonSchema): JsonSchema[] {
  const { title = '', properties = {} } = argument as { title?: string; properties?: Record<string, JsonSchema> };
  return Object.entries(title === 'filter' ? properties : { [title]: argument }).map(([name, schema]) => {
    const { title: _, description, ...form } = schema;
    const list = form['type'] === 'array' ? { style: 'form', explode: false } : {};
    return { name, in: 'query', description, ...list, schema: form };
  });
}

/** The arguments of a method, described by its interface. */
function argumentsOf(name: string): JsonSchema[] {
  const nodes = memberAt(name);
  return Object.entries(TAKES.get(name) ?? {}).map(([title, schema]) => {
    const where = `${name}: the argument ${title}`;
    const parameters = parametersOf(nodes, title);
    if (parameters.length === 0) problems.push(`${where} is none of the interface`);
    const types = typesOf(parameters);
    const description = docOf(parameters) ?? docOf(types.flatMap(partsOf));
    const form = { title, ...described(formOf(schema), types, where), ...(description && { description }) };
    const marked = markedArgument(name, title, form);
    if (marked['description'] === undefined) problems.push(`${where} has no docstring`);
    return marked;
  });
}
