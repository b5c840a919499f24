import { Buffer } from 'node:buffer';
import { isRecord } from '../util/options.js';
import { clipped, printable } from '../util/printable.js';
import { SecretSearch } from './secret-search.js';

/** How much of a text of the service an error keeps, in characters. */
export const MAX_TEXT_LENGTH = 1000;

/** How much of it is searched for secrets: what they leave fills the kept part. */
const WINDOW = 2 * MAX_TEXT_LENGTH;

/** How much of a code an error keeps, in characters: every attempt's failure has one. */
export const MAX_CODE_LENGTH = 100;

/** How deep a JSON value of the service is followed. */
const MAX_DEPTH = 8;

/** How many members of one object, and elements of one array, an error keeps. */
const MAX_MEMBERS = 32;

/** What a number, a bracket or a comma counts in a budget, in bytes of JSON. */
const SMALL_VALUE_BYTES = 24;

/** Takes secrets out of a text of the service, escapes what a terminal would act on, and clips it. */
export type Redact = (text: string) => string;

/** What must not show in an error, though the service may have echoed it. */
export interface Secrets {
  /** Takes out API secret, signatures, one-time passwords. */
  readonly credentials: Redact;
  /** Takes out those, the request's body, and the longer texts in it. */
  readonly all: Redact;
}

/** The beginning of a body as text, up to `maxBytes`; wrong UTF-8 shows as replacement characters. */
export function bodyText(body: readonly Uint8Array[], maxBytes: number): string {
  const chunks: Uint8Array[] = [];
  let left = maxBytes;
  for (const chunk of body) {
    if (left <= 0) break;
    chunks.push(chunk.subarray(0, left));
    left -= chunk.length;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Takes these texts out, however their characters are escaped. */
export function redactor(texts: Iterable<string>): Redact {
  const search = new SecretSearch(new Set(texts), WINDOW);
  return (text) => {
    const cut = text.length > WINDOW;
    const hidden = search.hide(cut ? text.slice(0, WINDOW) : text, cut);
    const shown = clipped(printable(hidden), MAX_TEXT_LENGTH);
    return cut && !shown.endsWith('…') ? `${shown}…` : shown;
  };
}

/** A header record, its names and values redacted. */
export function redactHeaders(headers: Readonly<Record<string, string>>, redact: Redact): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [redact(name), redact(value)]));
}

/** Redacts names and texts of a JSON value until `budget` bytes of JSON are used up; what is left out is marked with `…`. */
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
    return Array.isArray(value) ? this.#items(value, depth - 1) : this.record(value, depth - 1);
  }

  record(record: object, depth: number = MAX_DEPTH): Record<string, unknown> {
    const kept: [name: string, value: unknown][] = [];
    for (const [name, member] of Object.entries(record)) {
      if (this.isUsedUp || kept.length === MAX_MEMBERS) {
        kept.push(['…', '…']);
        break;
      }
      kept.push([this.text(name), this.value(member, depth)]);
    }
    return Object.fromEntries(kept);
  }

  /** The redacted text. It counts with what was searched as well: redacting costs time, too. */
  text(text: string): string {
    if (this.isUsedUp) return '…';
    const shown = this.#redact(text);
    this.#bytesLeft -= Math.max(Math.min(text.length, WINDOW), Buffer.byteLength(JSON.stringify(shown)) + 2);
    return shown;
  }

  #items(items: readonly unknown[], depth: number): unknown[] {
    const kept: unknown[] = [];
    for (const item of items) {
      if (this.isUsedUp || kept.length === MAX_MEMBERS) {
        kept.push('…');
        break;
      }
      kept.push(this.value(item, depth));
    }
    return kept;
  }
}

/** An error of the transport as a cause: it may hold raw bytes of the answer, so only its name, code and redacted text are kept. */
export function redactError(error: unknown, redact: Redact, depth: number = 3): Error {
  const { name, message, code, cause } = error instanceof Error ? (error as ErrorWithCode) : asError(error);
  const options = cause === undefined || depth === 0 ? {} : { cause: redactError(cause, redact, depth - 1) };
  const copy: ErrorWithCode = new Error(redact(message || firstMessage(error)), options);
  Object.defineProperty(copy, 'name', { value: redact(name), configurable: true, writable: true });
  copy.stack = `${copy.name}: ${copy.message}`;
  if (typeof code === 'string') copy.code = redact(code);
  return copy;
}

type ErrorWithCode = Error & { code?: unknown };

function asError(thrown: unknown): ErrorWithCode {
  return new Error(typeof thrown === 'string' ? thrown : 'unknown failure');
}

/** Node has no message of its own where a name leads to several addresses and none of them answers. */
function firstMessage(error: unknown): string {
  const errors: unknown = isRecord(error) ? error['errors'] : undefined;
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  return first instanceof Error ? first.message : '';
}
