import { Buffer } from 'node:buffer';
import { isRecord } from './checks.js';

/** How much of an answer an error keeps, in characters. */
const CLIP = 1000;

/** The body as text; wrong UTF-8 shows as replacement characters. */
export function bodyText(body: readonly Uint8Array[]): string {
  return Buffer.concat(body).toString('utf8');
}

/** Shorter texts are no secrets, but would tear holes into any answer. */
const SHORTEST_SECRET = 4;

/** What must not show in an error, though the service may have echoed it. */
export interface Secrets {
  /** API secret, signatures, one-time passwords. */
  readonly credentials: ReadonlySet<string>;
  /** Those, the request's body, and the longer texts in it. */
  readonly all: ReadonlySet<string>;
}

/** Takes the secrets out of a text. */
export function redact(text: string, secrets: Iterable<string>): string {
  let redacted = text;
  for (const secret of secrets) {
    if (secret.length < SHORTEST_SECRET) continue;
    for (const form of formsOf(secret)) redacted = redacted.replaceAll(form, '[redacted]');
  }
  return redacted;
}

export function clip(text: string): string {
  return text.length > CLIP ? `${text.slice(0, CLIP)}…` : text;
}

/** Takes the secrets out of every text in a JSON value. Names and numbers stay: the answer must remain readable. */
export function redactDeep(value: unknown, secrets: Iterable<string>): unknown {
  if (typeof value === 'string') return redact(value, secrets);
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, secrets));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, redactDeep(member, secrets)]));
}

/** As it is, and as JSON, a URL and HTML would quote it. */
function formsOf(secret: string): Set<string> {
  const html = secret.replace(/[&<>"']/g, (character) => HTML_ENTITIES[character] ?? character);
  return new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), html]);
}

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
