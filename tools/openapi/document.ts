/** What `openapi.json` has, as far as the Postman collection and the site read it. */
import type { JsonSchema } from '../schemas/components.js';

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: JsonSchema;
}

export interface Content {
  readonly description?: string;
  readonly content?: { readonly 'application/json': { readonly schema: JsonSchema; readonly example?: unknown } };
}

interface Reference {
  readonly $ref: string;
}

/** One operation. */
export interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & Partial<Reference>>>;
  readonly 'x-invented'?: readonly string[];
}

export interface Components {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly responses: Readonly<Record<string, Content & { readonly 'x-common'?: true }>>;
}

export interface ApiDocument {
  readonly info: { readonly title: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: Components;
}

/** Returns the parameters of an operation, also those that it shares with others. */
export const parametersIn = ({ parameters = [] }: Described, components: Components): Parameter[] =>
  parameters
    .map((one) => ('$ref' in one ? components.parameters[nameIn(one.$ref)] : one))
    .filter((one) => one !== undefined);

/** Returns the name of what a reference leads to. */
export const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);
