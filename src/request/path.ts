import type { Issue } from '../errors.js';

/**
 * Percent-encodes everything but RFC 3986's unreserved characters. Stricter than `encodeURIComponent`, which leaves `!'()*`: the URL
 * parser of `fetch` would encode some of those later, and the signed path must be the sent path to the byte.
 */
export function encodeComponent(text: string): string {
  if (UNRESERVED.test(text)) return text;
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Most ids are of these alone. */
const UNRESERVED = /^[\w.~-]*$/;

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** Half of a surrogate pair has no UTF-8 form: it would arrive as another character. */
export function hasLoneSurrogate(text: string): boolean {
  return LONE_SURROGATE.test(text);
}

/** Puts the encoded ids into the template. A dot segment would change the path's meaning and is refused. */
export function fillTemplate(template: string, params: Readonly<Record<string, string>>, issues: Issue[]): string {
  let path = '';
  for (const [index, part] of partsOf(template).entries()) {
    path += index % 2 === 0 ? part : encodeSegment(part, params[part] ?? '', issues);
  }
  return path;
}

/** The parts of each template that has been used: fixed text and names of ids in turn. */
const templates = new Map<string, readonly string[]>();

function partsOf(template: string): readonly string[] {
  let parts = templates.get(template);
  if (parts === undefined) {
    parts = template.split(/[{}]/);
    templates.set(template, parts);
  }
  return parts;
}

function encodeSegment(name: string, value: string, issues: Issue[]): string {
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
 * The path of a caller's own template, its ids encoded. Each `{name}` is a whole segment, and `params` has these names and no others;
 * otherwise there are issues.
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
  const message = value === undefined ? `is missing: the path has {${name}}` : 'must be text, at least one character';
  issues.push({ path, message });
  return '';
}

/** Control characters (the URL parser would drop some of them), backslash and fragment. */
const UNSENDABLE = /[\p{Cc}\\#]/u;
const DOT_SEGMENT = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|\?|$)/i;

/** A path (with query) that the caller wrote, as the URL parser of every transport writes it; an issue, and `''`, when it cannot be sent. */
export function normalisePath(path: unknown, issues: Issue[]): string {
  const message = pathFault(path);
  if (message === undefined) {
    const url = new URL(`http://localhost${path as string}`);
    // Of the characters that the URL parser leaves alone in a query, only this one differs between runtimes.
    return url.pathname + url.search.replaceAll("'", '%27');
  }
  issues.push({ path: 'path', message });
  return '';
}

function pathFault(path: unknown): string | undefined {
  if (typeof path !== 'string') return 'must be text that begins with "/", for instance "/v1/assets"';
  if (/^[a-z][a-z0-9+.-]*:/i.test(path)) {
    return 'must be the path alone, for instance "/v1/assets": scheme and host are those of baseUrl';
  }
  if (!path.startsWith('/')) return 'must begin with "/", for instance "/v1/assets"';
  if (UNSENDABLE.test(path)) return 'must not have control characters, "\\" or "#": encode ids with encodeURIComponent';
  if (hasLoneSurrogate(path)) return 'must not have a lone surrogate (half of a UTF-16 pair)';
  if (DOT_SEGMENT.test(path.split('?', 1)[0] ?? '')) return 'must not have dot segments ("." or "..")';
  return undefined;
}
