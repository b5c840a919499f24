import { readFile } from '../../wire/api.js';
import { type Reading, useReading } from '../hooks.js';
import { type Api, apiOf, type Schema } from './schema.js';

/** A parameter of a path, a query or the headers. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

/** An operation as `openapi.json` describes it. */
export interface Operation {
  /** For example `accounts.quotes.get`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Group of the operation, for example `accounts.quotes`. */
  readonly tag: string;
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  readonly stability: string;
  readonly idempotency: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly schema: Schema; readonly example: unknown } | undefined;
  /** What the sandbox had to choose, as sentences. */
  readonly invented: readonly string[];
  /** The kind of the resource that it makes. */
  readonly makes: string | undefined;
  /** The parameter that takes the token of the next page. */
  readonly cursor: string | undefined;
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly [string];
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: Schema; readonly example?: unknown } };
  };
  readonly 'x-stability': string;
  readonly 'x-idempotency': string;
  readonly 'x-invented'?: readonly string[];
  readonly 'x-makes'?: string;
  readonly 'x-pagination'?: { readonly request: string };
}

interface ServiceDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

/** The API of the service, as `openapi.json` describes it. */
export interface ServiceApi extends Api {
  readonly operations: readonly Operation[];
}

async function readService(name: string): Promise<ServiceApi> {
  const { paths, components } = await readFile<ServiceDocument>(name);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]): Operation => {
      const json = described.requestBody?.content['application/json'];
      return {
        name: described.operationId,
        title: described.summary,
        description: described.description,
        tag: described.tags[0],
        method: method.toUpperCase(),
        path,
        stability: described['x-stability'],
        idempotency: described['x-idempotency'],
        parameters: withLists(
          (described.parameters ?? []).flatMap((one) =>
            '$ref' in one ? (components.parameters[one.$ref.slice(one.$ref.lastIndexOf('/') + 1)] ?? []) : one,
          ),
        ),
        body: json && { schema: json.schema, example: json.example },
        invented: described['x-invented'] ?? [],
        makes: described['x-makes'],
        cursor: described['x-pagination']?.request,
      };
    }),
  );
  return { operations, ...apiOf(components.schemas) };
}

/** Makes one list of the parameters for the members of its objects: `assets[0][symbol]`. */
function withLists(parameters: readonly Parameter[]): Parameter[] {
  return parameters.flatMap((one) => {
    const [, name = ''] = /^(\w+)\[\d+\]\[/.exec(one.name) ?? [];
    if (name === '') return [one];
    const members = parameters.filter((other) => other.name.startsWith(`${name}[0][`));
    if (one !== members[0]) return [];
    const named = (member: Parameter) => member.name.slice(`${name}[0][`.length, -1);
    const properties = Object.fromEntries(members.map((member) => [named(member), member.schema]));
    const example = Object.fromEntries(members.map((member) => [named(member), member.example]));
    const list = { type: 'array', items: { type: 'object', properties } };
    return [{ ...one, name, schema: list, example: one.example === undefined ? undefined : [example] }];
  });
}

/** Reads `openapi.json`. It is large: it is read when it is needed. */
export const useServiceApi = (): Reading<ServiceApi> => useReading('openapi.json', readService);
export const readServiceApi = (): Promise<ServiceApi> => readService('openapi.json');

interface ControlDocument {
  readonly paths: Readonly<Record<string, { readonly post?: Partial<Described> }>>;
}

/** The control plane, as `control.openapi.json` describes it. */
export interface ControlApi extends Api {
  /** The arguments of a method. */
  argumentsOf(method: string): readonly Schema[];
  /** Number of required arguments. */
  neededOf(method: string): number;
  /** Effects, defaults and limits of a method. */
  descriptionOf(method: string): string;
}

async function readControl(name: string): Promise<ControlApi> {
  const { paths } = await readFile<ControlDocument>(name);
  const bodyOf = (method: string): Schema =>
    paths[`/${method}`]?.post?.requestBody?.content['application/json'].schema ?? {};
  return {
    ...apiOf({}),
    argumentsOf: (method) => bodyOf(method).prefixItems ?? [],
    neededOf: (method) => bodyOf(method).minItems ?? 0,
    descriptionOf: (method) => paths[`/${method}`]?.post?.description ?? '',
  };
}

/** Reads `control.openapi.json`. */
export const useControlApi = (): Reading<ControlApi> => useReading('control.openapi.json', readControl);
