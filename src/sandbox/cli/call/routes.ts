import { isRecord } from '../../../util/options.js';
import { CONTROL_PREFIX } from '../../serve/control/control-messages.js';
import { at, resolved } from './values.js';

/** The document of a sandbox that describes its control plane. */
export const CONTROL_DOCUMENT = 'control.openapi.json';

/** The target of a name. */
export interface Route {
  readonly path: string;
  /** The names of the arguments. Undefined if it is not a method. */
  readonly args: readonly string[] | undefined;
  /** Number of arguments that cannot be left out. */
  readonly needed: number;
  readonly isRead: boolean;
  /** True for a collection, whose items are read by their ids. */
  readonly hasItems: boolean;
}

/** The methods and members of a sandbox, as its own document has them. */
export class Routes {
  readonly #document: unknown;
  readonly #paths: Readonly<Record<string, unknown>>;
  /** The kinds of resources. */
  readonly #kinds: readonly string[];

  /** @param document Without paths there are none. */
  constructor(document: unknown) {
    this.#document = document;
    const paths = at(document, 'paths');
    this.#paths = isRecord(paths) ? paths : {};
    const kinds = at(document, 'components', 'schemas', 'ResourceKind', 'enum');
    this.#kinds = Array.isArray(kinds) ? kinds.map(String) : [];
  }

  /** All names as people write them: `quotes.expire`. */
  names(): string[] {
    const paths = Object.keys(this.#paths).filter((path) => path.startsWith(CONTROL_PREFIX));
    const names = paths.map((path) => path.slice(CONTROL_PREFIX.length));
    const ofKinds = this.#kinds.map((kind) => `resources/${kind}`);
    return [...names, ...ofKinds].filter((name) => this.find(name)).map(dotted);
  }

  find(path: string): Route | undefined {
    const described = this.#described(path);
    const list = this.#contentAt(described, 'post', 'requestBody');
    const items = at(list, 'prefixItems') ?? [];
    const args = Array.isArray(items) ? items.map((item) => String(at(item, 'title'))) : [];
    // A path without JSON with `data`, such as a stream, is not a member.
    const isRead = at(this.#contentAt(described, 'get', 'responses', '200'), 'properties', 'data') !== undefined;
    if (path.includes('{') || (list === undefined && !isRead)) return undefined;
    const hasItems = this.#at(`${described}/{id}`, 'get') !== undefined;
    const least = at(list, 'minItems');
    const needed = typeof least === 'number' ? least : 0;
    return { path, args: list === undefined ? undefined : args, needed, isRead, hasItems };
  }

  /** The path in the document: resources of all kinds are described once. */
  #described(path: string): string {
    const [, kind = ''] = /^resources\/(\w+)$/.exec(path) ?? [];
    return this.#kinds.includes(kind) ? 'resources/{kind}' : path;
  }

  /** The schema of JSON in a body or an answer. */
  #contentAt(path: string, ...names: readonly string[]): unknown {
    const part = resolved(this.#document, this.#at(path, ...names));
    return resolved(this.#document, at(part, ...CONTENT));
  }

  #at(path: string, ...names: readonly string[]): unknown {
    return at(this.#paths, CONTROL_PREFIX + path, ...names);
  }
}

const CONTENT = ['content', 'application/json', 'schema'] as const;

/** A path's name as people write it. */
export const dotted = (path: string): string => path.replaceAll('/', '.');
