import { type Api, apiOf, type Schema } from '../../parts/forms/schema.js';
import { type Reading, useReading } from '../../parts/hooks.js';
import { readFile } from '../../wire/api.js';

/** A member of a path or of a query. */
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
  /** The group that it is in, for example `accounts.quotes`. */
  readonly tag: string;
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  readonly stability: string;
  readonly idempotency: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly schema: Schema; readonly example: unknown } | undefined;
  /** Choices of the sandbox. */
  readonly invented: readonly string[];
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
  readonly 'x-pagination'?: { readonly request: string };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

/** The API as the sandbox describes it. */
export interface ServiceApi extends Api {
  readonly operations: readonly Operation[];
}

function serviceApi({ paths, components }: Document): ServiceApi {
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
        parameters: (described.parameters ?? []).flatMap((one) => {
          const found = '$ref' in one ? components.parameters[one.$ref.slice(one.$ref.lastIndexOf('/') + 1)] : one;
          return found === undefined ? [] : [asList(found)];
        }),
        body: json && { schema: json.schema, example: json.example },
        invented: described['x-invented'] ?? [],
        cursor: described['x-pagination']?.request,
      };
    }),
  );
  return { operations, ...apiOf(components.schemas) };
}

/** Objects whose names are numbers stand for a list: `assets[0][symbol]`. */
function asList(parameter: Parameter): Parameter {
  const { type, additionalProperties: items } = parameter.schema;
  if (type !== 'object' || typeof items !== 'object') return parameter;
  const { example } = parameter;
  const list = example === undefined ? undefined : Object.values(example as object);
  return { ...parameter, schema: { type: 'array', items }, example: list };
}

const readDocument = async (name: string): Promise<ServiceApi> => serviceApi(await readFile<Document>(name));

/** Reads the document of the service. */
export const useApi = (): Reading<ServiceApi> => useReading('openapi.json', readDocument);
