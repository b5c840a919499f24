import { readFile } from '../../wire/api.js';
import { type Reading, useReading } from '../hooks.js';
import { type Api, apiOf, lastOf, type Schema } from './schema.js';

/** A parameter of a path, a query or the headers. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Described {
  readonly summary: string;
  readonly description: string;
  /** Group of the operation, for example `accounts.quotes`. */
  readonly tags: readonly [string];
  readonly 'x-stability': string;
  readonly 'x-idempotency': string;
  /** What the sandbox had to choose, as sentences. */
  readonly 'x-invented'?: readonly string[];
  /** The kind of the resource that it makes. */
  readonly 'x-makes'?: string;
}

/** An operation as `openapi.json` describes it. */
export interface Operation extends Described {
  /** For example `accounts.quotes.get`. */
  readonly name: string;
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly schema: Schema; readonly example?: unknown } | undefined;
  /** The parameter that takes the token of the next page. */
  readonly cursor: string | undefined;
}

interface InDocument extends Described {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: { readonly 'application/json': NonNullable<Operation['body']> } };
  readonly 'x-pagination'?: { readonly request: string };
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, InDocument>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

/** The API of the service, as `openapi.json` describes it. */
export interface ServiceApi extends Api {
  readonly operations: readonly Operation[];
}

async function readService(file: string): Promise<ServiceApi> {
  const { paths, components } = await readFile<OpenApi>(file);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], ...described }]) => ({
      ...described,
      name: described.operationId,
      method: method.toUpperCase(),
      path,
      parameters: parameters.flatMap((one) => ('$ref' in one ? (components.parameters[lastOf(one.$ref)] ?? []) : one)),
      body: described.requestBody?.content['application/json'],
      cursor: described['x-pagination']?.request,
    })),
  );
  return { operations, ...apiOf(components.schemas) };
}

/** Reads `openapi.json`. It is large: it is read when it is needed. */
export const useServiceApi = (): Reading<ServiceApi> => useReading('openapi.json', readService);
export const readServiceApi = (): Promise<ServiceApi> => readService('openapi.json');

/** The control plane, as `control.openapi.json` describes it. */
export interface ControlApi extends Api {
  /** The arguments of a method, as members of one object in their order. */
  argumentsOf(method: string): Schema;
  /** Effects, defaults and limits of a method. */
  descriptionOf(method: string): string;
}

async function readControl(file: string): Promise<ControlApi> {
  const { paths } = await readFile<OpenApi>(file);
  const found = (method: string): InDocument | undefined => paths[`/${method}`]?.['post'];
  return {
    ...apiOf({}),
    argumentsOf: (method) => {
      const { prefixItems = [], minItems } = found(method)?.requestBody?.content['application/json'].schema ?? {};
      const named = prefixItems.map((one) => [one.title ?? '', one] as const);
      return { properties: Object.fromEntries(named), required: named.slice(0, minItems).map(([name]) => name) };
    },
    descriptionOf: (method) => found(method)?.description ?? '',
  };
}

export const useControlApi = (): Reading<ControlApi> => useReading('control.openapi.json', readControl);
