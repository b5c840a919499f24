import { readDocument } from '../../sandbox/serve/control/documents.js';
import { unknownName } from '../flags.js';
import { describedBy, type Member, membersOf, type Resolve, type Schema } from './members.js';

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

/** One operation as the package's description has it. */
interface Described {
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly description?: string;
    readonly content: { readonly 'application/json': { readonly schema: Schema; readonly example?: unknown } };
  };
  readonly 'x-stability': string;
  /** `safe`: a retry has no second effect; `keyed`: none with the same `Idempotency-Key`. */
  readonly 'x-idempotency': 'safe' | 'keyed' | 'unkeyed';
  /** Of a list of pages. */
  readonly 'x-pagination'?: { readonly request: string };
}

export interface CommandOperation extends Described {
  /** The call in the client's tree: `accounts.quotes.create`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** Values of the path, in the order of the route. */
  readonly args: readonly Parameter[];
  /** Members of query or body by the names of their flags. */
  readonly members: ReadonlyMap<string, Member>;
  readonly needsOtp: boolean;
  /** The example of query or body. */
  readonly example: unknown;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Described & { readonly operationId: string }>>>>;

/** All operations: `openapi.json` is created from their data and descriptions. */
export class Operations {
  readonly #document = JSON.parse(readDocument('openapi.json')) as { readonly paths: Paths };

  all(): CommandOperation[] {
    return Object.entries(this.#document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]) => this.#read(one.operationId, method.toUpperCase(), path, one)),
    );
  }

  /** @throws UsageError if there is none of that name. */
  named(name: string): CommandOperation {
    const all = new Map(this.all().map((one) => [one.name, one]));
    const found = all.get(name);
    if (found === undefined) throw unknownName('there is no operation', name, all.keys());
    return found;
  }

  #read(name: string, method: string, path: string, operation: Described): CommandOperation {
    const parameters = (operation.parameters ?? []).map((one) => this.#resolved(one));
    const query = parameters.filter((one) => one.in === 'query');
    const body = operation.requestBody?.content['application/json'];
    const examples = query.flatMap((one) => (one.example === undefined ? [] : [[flagOf(one.name), one.example]]));
    const members = body
      ? membersOf(this.#resolved, [body.schema], { path: [], list: 0, required: true })
      : query.flatMap((one) => this.#membersOfParameter(one));
    return {
      ...operation,
      name,
      method,
      path,
      args: parameters.filter((one) => one.in === 'path'),
      members: new Map(members.map((member) => [member.path.join('.'), member])),
      needsOtp: parameters.some((one) => one.name === 'API-Otp'),
      example: body ? body.example : Object.fromEntries(examples),
    };
  }

  /** The members of the objects in a list are parameters of their own: `name[0][member]`. */
  #membersOfParameter({ name, required = false, description, schema }: Parameter): Member[] {
    const path = flagOf(name).split('.');
    const described = describedBy(description, this.#resolved(schema));
    return /\[[1-9]/.test(name)
      ? []
      : membersOf(this.#resolved, [described], { path, list: path.length - 1, required });
  }

  /** Follows a reference. Members beside it win over its target. */
  readonly #resolved: Resolve = (part) => {
    const { $ref, ...beside } = part;
    if ($ref === undefined) return part;
    const names = $ref.replace(/^#\//, '').split('/');
    const target = names.reduce<unknown>((inner, name) => Reflect.get(Object(inner), name), this.#document);
    return { ...this.#resolved(target as typeof part), ...beside };
  };
}

/** The flag of a parameter: `assets.symbol` for `assets[0][symbol]`. */
const flagOf = (name: string): string => name.replace(/\[\d+\]\[(\w+)\]$/, '.$1');
