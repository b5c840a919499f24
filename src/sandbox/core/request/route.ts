import type { Operation } from '../../../schema/operation.js';

/** The operation of a request, if it has one, and its path parameters, still percent-encoded. */
export interface RouteMatch {
  readonly operation: Operation | undefined;
  readonly encodedParams: Readonly<Record<string, string>>;
  /** Text of the query, without its question mark. */
  readonly query: string;
}

interface Segment {
  /** The fixed text, or the name of the parameter. */
  readonly text: string;
  readonly isParameter: boolean;
}

interface Template {
  readonly operation: Operation;
  readonly segments: readonly Segment[];
}

const PARAMETER = /^\{(.+)\}$/;

export class Router {
  readonly #templates: readonly Template[];

  constructor(operations: readonly Operation[]) {
    const templates = operations.map((operation) => {
      return { operation, segments: operation.path.split('/').map(segmentOf) };
    });
    // A fixed segment has priority over a parameter at the same position.
    this.#templates = templates.sort((a, b) => parameterCount(a) - parameterCount(b));
  }

  /** Returns method and template of each operation with this path, as in `GET /v1/webhooks`. */
  templatesOf(target: string): string[] {
    const segments = pathOf(target).split('/');
    const found = this.#templates.filter((template) => match(template.segments, segments) !== undefined);
    return found.map(({ operation }) => `${operation.method} ${operation.path}`);
  }

  find(method: string, target: string): RouteMatch {
    const path = pathOf(target);
    const query = target.slice(path.length + 1);
    // Splits before decoding: an encoded slash is a part of its parameter.
    const segments = path.split('/');
    for (const template of this.#templates) {
      if (template.operation.method !== method) continue;
      const encodedParams = match(template.segments, segments);
      if (encodedParams !== undefined) return { operation: template.operation, encodedParams, query };
    }
    return { operation: undefined, encodedParams: {}, query };
  }
}

/** Returns the account id in a path. Undefined if there is none. */
export const accountIn = (match: RouteMatch): string | undefined => idIn(match, 'account_id');

/** Returns an id in a path by the name of its parameter. Undefined if there is none. */
export function idIn({ encodedParams }: RouteMatch, name: string): string | undefined {
  const encoded = encodedParams[name];
  return encoded === undefined ? undefined : decoded(encoded);
}

/** Decodes percent-encoding. Returns text that is not encoded UTF-8 unchanged. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function pathOf(target: string): string {
  const mark = target.indexOf('?');
  return mark < 0 ? target : target.slice(0, mark);
}

function parameterCount({ segments }: Template): number {
  return segments.filter(({ isParameter }) => isParameter).length;
}

/** Parsed once, since each request is compared with many templates. */
function segmentOf(text: string): Segment {
  const name = PARAMETER.exec(text)?.[1];
  return { text: name ?? text, isParameter: name !== undefined };
}

function match(template: readonly Segment[], segments: readonly string[]): Record<string, string> | undefined {
  if (template.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, { text, isParameter }] of template.entries()) {
    const segment = segments[index] ?? '';
    if (isParameter ? segment === '' : segment !== text) return undefined;
    if (isParameter) params[text] = segment;
  }
  return params;
}
