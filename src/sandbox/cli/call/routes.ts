import { isRecord } from '../../../util/options.js';
import { CONTROL_PREFIX } from '../../serve/control/control-messages.js';
import { at } from './values.js';

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
  readonly #paths: Readonly<Record<string, unknown>>;

  /** @param document Without paths there are none. */
  constructor(document: unknown) {
    const paths = at(document, 'paths');
    this.#paths = isRecord(paths) ? paths : {};
  }

  /** All names as people write them: `quotes.expire`. */
  names(): string[] {
    const paths = Object.keys(this.#paths).filter((path) => path.startsWith(CONTROL_PREFIX));
    const names = paths.map((path) => path.slice(CONTROL_PREFIX.length));
    return names.filter((name) => this.find(name)).map(dotted);
  }

  find(path: string): Route | undefined {
    const list = this.#at(path, 'post', 'requestBody', ...CONTENT);
    const items = at(list, 'prefixItems') ?? [];
    const args = Array.isArray(items) ? items.map((item) => String(at(item, 'title'))) : [];
    // A path without JSON with `data`, such as a stream, is not a member.
    const isRead = this.#at(path, 'get', 'responses', '200', ...CONTENT, 'properties', 'data') !== undefined;
    if (path.includes('{') || (list === undefined && !isRead)) return undefined;
    const hasItems = this.#at(`${path}/{id}`, 'get') !== undefined;
    const least = at(list, 'minItems');
    const needed = typeof least === 'number' ? least : 0;
    return { path, args: list === undefined ? undefined : args, needed, isRead, hasItems };
  }

  #at(path: string, ...names: readonly string[]): unknown {
    return at(this.#paths, CONTROL_PREFIX + path, ...names);
  }
}

const CONTENT = ['content', 'application/json', 'schema'] as const;

/** A path's name as people write it. */
export const dotted = (path: string): string => path.replaceAll('/', '.');
