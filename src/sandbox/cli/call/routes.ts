import { isRecord } from '../../../util/options.js';
import { at, describedPath, kindsIn, resolved } from './values.js';

/** Document of a sandbox that describes its control plane. */
export const CONTROL_DOCUMENT = 'control.openapi.json';

/** A method or member of the control plane. */
export interface Route {
  readonly path: string;
  /** Names of the arguments. */
  readonly args: readonly string[];
  /** Number of required arguments. */
  readonly needed: number;
}

/** The methods and members of a sandbox, as its own document describes them. */
export class Routes {
  readonly #document: unknown;
  readonly #paths: Readonly<Record<string, unknown>>;

  /** @param document Without paths there are no routes. */
  constructor(document: unknown) {
    this.#document = document;
    const paths = at(document, 'paths');
    this.#paths = isRecord(paths) ? paths : {};
  }

  /** Returns all names in the form that people write: `quotes.expire`. */
  names(): string[] {
    const paths = Object.keys(this.#paths).filter((path) => path.startsWith('/'));
    const names = paths.map((path) => path.slice(1));
    const ofKinds = kindsIn(this.#document).map((kind) => `resources/${kind}`);
    return [...names, ...ofKinds].filter((name) => this.find(name)).map(dotted);
  }

  find(path: string): Route | undefined {
    const described = describedPath(this.#document, path);
    // A path whose answer has no JSON with `data`, such as a stream, is not a member.
    const isRead = at(this.#contentAt(described, 'get', 'responses', '200'), 'properties', 'data') !== undefined;
    const list = this.#contentAt(described, 'post', 'requestBody');
    if (path.includes('{') || (list === undefined && !isRead)) return undefined;
    const items = at(list, 'prefixItems') ?? [];
    const titles = Array.isArray(items) ? items.map((item) => String(at(item, 'title'))) : [];
    const isFiltered = list === undefined && at(this.#paths, `/${described}`, 'get', 'parameters') !== undefined;
    const least = at(list, 'minItems');
    return { path, args: isFiltered ? ['filter'] : titles, needed: typeof least === 'number' ? least : 0 };
  }

  /** Returns the schema of the JSON in a body or an answer. */
  #contentAt(path: string, ...names: readonly string[]): unknown {
    const part = resolved(this.#document, at(this.#paths, `/${path}`, ...names));
    return resolved(this.#document, at(part, ...CONTENT));
  }
}

const CONTENT = ['content', 'application/json', 'schema'] as const;

/** Returns the name of a path in the form that people write. */
export const dotted = (path: string): string => path.replaceAll('/', '.');
