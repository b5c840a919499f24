import type { Issue } from '../errors.js';
import { Decimal } from '../schema/decimal.js';
import { partsOf } from '../schema/operation.js';
import { writtenOut } from '../schema/parse-decimal.js';
import { Bare, isPlain } from '../util/members.js';

/**
 * Percent-encodes all but the unreserved characters of RFC 3986. `encodeURIComponent` leaves
 * `!'()*`, which `fetch` may encode later, but the path sent must be the path signed.
 */
function encodeComponent(text: string): string {
  return text.replace(/[^\w.~-]+/g, (run) => encodeURIComponent(run).replace(/[!'()*]/g, percentEncoded));
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** True for a string with half of a surrogate pair, which has no UTF-8 form. */
export function hasLoneSurrogate(text: string): boolean {
  return LONE_SURROGATE.test(text);
}

/** Puts the encoded ids into the template. A dot segment is an issue: it would change the path. */
export function fillTemplate(template: string, params: Readonly<Record<string, string>>, issues: Issue[]): string {
  const { texts, names } = partsOf(template);
  let path = texts[0] ?? '';
  names.forEach((name, place) => {
    path += encodeSegment(name, params[name] ?? '', issues) + texts[place + 1];
  });
  return path;
}

/** A string that is its own encoding and not a dot segment. */
const PLAIN_ID = /^[\w~-]+$/;

function encodeSegment(name: string, value: string, issues: Issue[]): string {
  if (PLAIN_ID.test(value)) return value;
  if (value === '.' || value === '..') {
    issues.push({ path: name, message: 'must not be a dot segment ("." or "..") of the path' });
    return '';
  }
  if (hasLoneSurrogate(value)) {
    issues.push({ path: name, message: 'must not have a lone surrogate (half of a UTF-16 pair)' });
    return '';
  }
  return encodeComponent(value);
}

const PARAMETER = /^\{([A-Za-z_]\w*)\}$/;

/**
 * Puts the encoded ids into a user-supplied template. Each `{name}` must be a whole segment, and
 * `params` must have the same names as the template.
 */
export function fillPath(template: string, params: Readonly<Record<string, unknown>>, issues: Issue[]): string {
  const [path = '', ...query] = template.split('?');
  const names = new Set<string>();
  const segments = path.split('/').map((segment) => {
    const name = PARAMETER.exec(segment)?.[1];
    if (name === undefined) return fixedSegment(segment, issues);
    names.add(name);
    return encodeParameter(name, params[name], issues);
  });
  for (const name of Object.keys(params)) {
    if (!names.has(name)) issues.push({ path: `params.${name}`, message: `is not in the path: it has no {${name}}` });
  }
  return [segments.join('/'), ...query].join('?');
}

function fixedSegment(segment: string, issues: Issue[]): string {
  if (/[{}]/.test(segment)) issues.push({ path: 'path', message: 'must have each {name} as a whole segment' });
  return segment;
}

function encodeParameter(name: string, value: unknown, issues: Issue[]): string {
  const path = `params.${name}`;
  if (typeof value === 'string' && value !== '') return encodeSegment(path, value, issues);
  const message =
    value === undefined ? `is missing: the path has {${name}}` : 'must be a string, at least one character';
  issues.push({ path, message });
  return '';
}

/** Control characters (the URL parser drops some of them), backslash and fragment. */
const UNSENDABLE = /[\p{Cc}\\#]/u;
const DOT_SEGMENT = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|\?|$)/i;

/**
 * Returns a user-supplied path with its query, in the form that the URL parser of every transport
 * produces. A path that cannot be sent is an issue, and the result is `''`.
 */
export function normalisePath(path: unknown, issues: Issue[]): string {
  const message = pathFault(path);
  if (message === undefined) {
    const url = new URL(`http://localhost${path as string}`);
    // The one character of a query that some runtimes encode and others do not.
    return url.pathname + url.search.replaceAll("'", '%27');
  }
  issues.push({ path: 'path', message });
  return '';
}

function pathFault(path: unknown): string | undefined {
  if (typeof path !== 'string') return 'must be a string that begins with "/", for instance "/v1/assets"';
  if (/^[a-z][a-z0-9+.-]*:/i.test(path)) {
    return 'must be the path alone, for instance "/v1/assets": scheme and host are those of baseUrl';
  }
  if (!path.startsWith('/')) return 'must begin with "/", for instance "/v1/assets"';
  if (UNSENDABLE.test(path)) return 'must not have control characters, "\\" or "#": encode ids with encodeURIComponent';
  if (hasLoneSurrogate(path)) return 'must not have a lone surrogate (half of a UTF-16 pair)';
  if (DOT_SEGMENT.test(path.split('?', 1)[0] ?? '')) return 'must not have dot segments ("." or "..")';
  return undefined;
}

/**
 * Returns `?name=value&…` in the order of the members, or `''` if there is nothing to send. Each
 * element of an array gets the name of the array, and a member of an object in it the name
 * `array[0][member]`. An undefined member is left out.
 */
export function encodeQuery(query: unknown, issues: Issue[]): string {
  if (query === undefined) return '';
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(query as Record<string, unknown>)) {
    if (value === undefined) continue;
    const isWhole = Array.isArray(value)
      ? queryEntries(name, value).every(([key, one]) => addPair(pairs, key, one))
      : addPair(pairs, name, value);
    if (!isWhole) issues.push({ path: name, message: NOT_QUERY_VALUE });
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

const NOT_QUERY_VALUE =
  'must be well-formed text, a finite number, a boolean, a Decimal of at most 256 digits, or an array of them or of objects of them';

const hasMembers = (value: unknown): value is object =>
  value instanceof Bare || (typeof value === 'object' && value !== null && isPlain(value));

/** False for a value that a query cannot hold. */
function addPair(pairs: string[], key: string, value: unknown): boolean {
  const text = queryText(value);
  if (text === undefined || hasLoneSurrogate(text) || hasLoneSurrogate(key)) return false;
  pairs.push(`${encodeComponent(key)}=${encodeComponent(text)}`);
  return true;
}

/** The keys and values with which an array of a query is sent. */
function queryEntries(name: string, values: readonly unknown[]): [key: string, value: unknown][] {
  const entries = values.flatMap((one, index): [string, unknown][] => {
    if (!hasMembers(one)) return [[name, one]];
    return Object.entries(one).map(([member, inner]) => [`${name}[${index}][${member}]`, inner]);
  });
  return entries.filter(([, one]) => one !== undefined);
}

function queryText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  return Decimal.isDecimal(value) ? writtenOut(value as Decimal) : undefined;
}
