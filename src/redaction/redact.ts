import { concat, utf8Bytes, utf8Text } from '../runtime/bytes.js';
import { isRecord } from '../util/options.js';
import { clipped, printable } from '../util/printable.js';

/** Longer strings of the service are clipped. */
export const MAX_TEXT_LENGTH = 1000;

/** Longer codes are clipped: every failed attempt has one. */
export const MAX_CODE_LENGTH = 100;

/** Deeper objects and lists of a JSON value are replaced with `…`. */
const MAX_DEPTH = 8;

/** Further members of an object, and items of a list, are replaced with `…`. */
const MAX_MEMBERS = 32;

/** The share of a budget that a value other than a string uses up. */
const SMALL_VALUE_BYTES = 24;

/** Shorter secrets are not looked for: they occur in any response. */
const MIN_SECRET_LENGTH = 4;

/** What a URL has between `//` and `@`: a name and a password, for example those of a proxy. */
const USERINFO = /\/\/[^\s/]*@/g;

/** Removes secrets from a string of the service, escapes its control characters, and clips it. */
export type Redact = (text: string) => string;

/**
 * Returns the first `maxBytes` of a response's body as a string. Wrong UTF-8 becomes replacement
 * characters. A byte order mark is skipped: .NET services and some proxies put one before their
 * JSON, which `JSON.parse()` rejects.
 */
export function bodyText(body: readonly Uint8Array[], maxBytes: number): string {
  const chunks: Uint8Array[] = [];
  let left = maxBytes;
  for (const chunk of body) {
    if (left <= 0) break;
    chunks.push(chunk.subarray(0, left));
    left -= chunk.length;
  }
  return utf8Text(concat(chunks)).replace(/^\uFEFF/, '');
}

/** Returns a function that redacts a string. If it clips, no part of a secret remains. */
export function redactor(secrets: Iterable<string>): Redact {
  const patternFor = patternsOf(secrets);
  return (text) => {
    const pattern = patternFor(text);
    const beginning = clipped(text, endOf(text, pattern));
    return clipped(printable(beginning.replaceAll(pattern, REDACTED)), MAX_TEXT_LENGTH);
  };
}

/** Returns a function that replaces secrets in a string, and neither escapes nor clips it. */
export function hider(secrets: Iterable<string>): Redact {
  const patternFor = patternsOf(secrets);
  return (text) => text.replaceAll(patternFor(text), REDACTED);
}

const REDACTED = '[redacted]';

/**
 * Returns the forms in which secrets are looked for: unchanged, in the URL alphabet of base64,
 * percent-encoded, and escaped for JSON. The longest comes first, because a secret may contain
 * another one.
 */
function formsOf(secrets: Iterable<string>): readonly string[] {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < MIN_SECRET_LENGTH) continue;
    // encodeURIComponent() throws for half of a surrogate pair.
    const encoded = encodeURIComponent(secret.replaceAll(/\p{Cs}/gu, '\ufffd'));
    const escaped = JSON.stringify(secret).slice(1, -1);
    forms.add(secret.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''));
    forms.add(secret).add(escaped).add(escaped.replaceAll('/', '\\/'));
    forms.add(encoded).add(encoded.replaceAll(/%../g, (code) => code.toLowerCase()));
  }
  return [...forms].sort((one, other) => other.length - one.length);
}

/** Line breaks, also as JSON has them. Base64 is often written in lines of 64 or 76 characters. */
const BREAKS = '(?:[\\r\\n]|\\\\[rn])*';

/**
 * Returns a function that returns the pattern of the secrets for a string: in one with line breaks,
 * a secret may be broken, too. Each is created once, because an error may have a thousand strings.
 */
function patternsOf(secrets: Iterable<string>): (text: string) => RegExp {
  const forms = formsOf(secrets);
  const patternOf = (sources: readonly string[]) => new RegExp(sources.join('|') || '(?!)', 'g');
  let whole: RegExp | undefined;
  let broken: RegExp | undefined;
  return (text) => {
    if (/[\r\n]|\\[rn]/.test(text)) {
      broken ??= patternOf(forms.map((form) => Array.from(form, escaped).join(BREAKS)));
      return broken;
    }
    whole ??= patternOf(forms.map(escaped));
    return whole;
  };
}

const escaped = (text: string): string => text.replaceAll(/\W/g, '\\$&');

/** Returns how much of a string is read: more than is shown if the cut would split a secret. */
function endOf(text: string, pattern: RegExp): number {
  let end = MAX_TEXT_LENGTH;
  for (const { index, 0: found } of text.matchAll(pattern)) {
    if (index >= end) break;
    end = Math.max(end, index + found.length);
  }
  return end;
}

export function redactHeaders(headers: Readonly<Record<string, string>>, redact: Redact): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [redact(name), redact(value)]));
}

/** Redacts JSON values until a budget of bytes is used up. `…` marks what is left out. */
export class BoundedRedaction {
  readonly #redact: Redact;
  #bytesLeft: number;

  constructor(redact: Redact, budgetBytes: number) {
    this.#redact = redact;
    this.#bytesLeft = budgetBytes;
  }

  get isUsedUp(): boolean {
    return this.#bytesLeft <= 0;
  }

  value(value: unknown, depth: number = MAX_DEPTH): unknown {
    if (typeof value === 'string') return this.text(value);
    this.#bytesLeft -= SMALL_VALUE_BYTES;
    if (typeof value !== 'object' || value === null) return value;
    if (depth === 0 || this.isUsedUp) return '…';
    if (!Array.isArray(value)) return this.record(value, depth - 1);
    return this.#kept<unknown, unknown>(value, (item) => this.value(item, depth - 1), '…');
  }

  record(record: object, depth: number = MAX_DEPTH): Record<string, unknown> {
    const redacted = ([name, member]: Entry): Entry => [this.text(name), this.value(member, depth)];
    return Object.fromEntries(this.#kept(Object.entries(record), redacted, ['…', '…']));
  }

  text(text: string): string {
    if (this.isUsedUp) return '…';
    const shown = this.#redact(text);
    this.#bytesLeft -= utf8Bytes(JSON.stringify(shown)).length + 2;
    return shown;
  }

  #kept<Item, Kept>(items: readonly Item[], redacted: (item: Item) => Kept, rest: Kept): Kept[] {
    const kept: Kept[] = [];
    for (const item of items) {
      if (this.isUsedUp || kept.length === MAX_MEMBERS) return [...kept, rest];
      kept.push(redacted(item));
    }
    return kept;
  }
}

type Entry = readonly [name: string, value: unknown];

/**
 * Copies name, code, redacted text and causes of an error: it may hold raw bytes of a response.
 * Passwords in URLs are removed as well.
 */
export function redactError(error: unknown, redact: Redact, depth: number = 3): Error {
  const thrown = error instanceof Error ? error : new Error(typeof error === 'string' ? error : 'unknown failure');
  const { name, message, code, cause } = thrown as ErrorWithCode;
  const options = cause === undefined || depth === 0 ? {} : { cause: redactError(cause, redact, depth - 1) };
  const text = message || firstMessage(error);
  const copy: ErrorWithCode = new Error(redact(text).replaceAll(USERINFO, '//[redacted]@'), options);
  Object.defineProperty(copy, 'name', { value: redact(name), configurable: true, writable: true });
  copy.stack = `${copy.name}: ${copy.message}`;
  if (typeof code === 'string') copy.code = redact(code);
  return copy;
}

type ErrorWithCode = Error & { code?: unknown };

/** The message for a host with several unreachable addresses: Node's error has none of its own. */
function firstMessage(error: unknown): string {
  const errors: unknown = isRecord(error) ? error['errors'] : undefined;
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  return first instanceof Error ? first.message : '';
}
