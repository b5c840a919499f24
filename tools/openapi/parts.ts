/** The parts that the descriptions of all operations share. */
import { isDeepStrictEqual } from 'node:util';
import type ts from 'typescript';
import type { Operation } from '../../src/schema/operation.js';
import type { Example } from '../examples/examples.js';
import type { Components, JsonSchema } from '../schemas/components.js';
import type { Schemas } from '../schemas/schemas.js';
import type { Sources } from '../schemas/sources.js';

/** Shared by all operations of a document. */
export interface Parts {
  readonly sources: Sources;
  readonly client: ts.Type;
  readonly components: Components;
  readonly output: Schemas;
  readonly input: Schemas;
  readonly parameters: Parameters;
  readonly examples: ReadonlyMap<string, Example>;
}

/** The parameters of paths, and headers, of which several operations have the same. */
export class Parameters {
  readonly #shared = new Map<string, JsonSchema>();

  named(name: string, parameter: JsonSchema): JsonSchema {
    const known = this.#shared.get(name);
    if (known !== undefined && !isDeepStrictEqual(known, parameter)) return parameter;
    this.#shared.set(name, parameter);
    return { $ref: `#/components/parameters/${name}` };
  }

  all(): Record<string, JsonSchema> {
    return Object.fromEntries(this.#shared);
  }
}

/** Returns the method of the client that makes the operation. */
export function methodOf(
  { sources, client }: Parts,
  { name }: Operation,
): { symbol: ts.Symbol; signature: ts.Signature } {
  const symbol = sources.memberAt(client, name.split('.'));
  const signature = symbol && sources.signatureOf(symbol);
  if (symbol === undefined || signature === undefined) throw new Error(`the client has no method ${name}`);
  return { symbol, signature };
}
