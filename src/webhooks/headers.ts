import { hasMethod } from '../util/members.js';

/**
 * An object that reads headers as the fetch standard's `Headers` does: names in any letter case,
 * several values joined by `, `.
 */
export interface WebhookHeadersReader {
  get(name: string): string | null | undefined;
}

/**
 * A delivery's headers: a fetch `Headers`, a `Map`, or a plain record with names in any letter
 * case, such as `request.headers` of Node, Express and Fastify.
 */
export type WebhookHeaders = WebhookHeadersReader | { readonly [name: string]: string | readonly string[] | undefined };

/** Returns a header's value, several joined by a comma; undefined if it is absent or blank. */
export function readHeader(headers: WebhookHeaders | undefined, name: string): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  const value = isReader(headers) ? headers.get(name) : readEntries(headers, name);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** A `Map` has the method too, but finds a name only in its exact letter case. */
const isMap = (headers: unknown): boolean => Object.prototype.toString.call(headers) === '[object Map]';

const isReader = (headers: WebhookHeaders): headers is WebhookHeadersReader =>
  hasMethod(headers, 'get') && !isMap(headers);

function readEntries(headers: Exclude<WebhookHeaders, WebhookHeadersReader>, name: string): string {
  const wanted = name.toLowerCase();
  const entries = isMap(headers)
    ? (headers as unknown as Map<string, string | readonly string[]>)
    : Object.entries(headers);
  return Array.from(entries)
    .filter(([key]) => String(key).toLowerCase() === wanted)
    .flatMap(([, value]) => value ?? [])
    .join(',');
}
