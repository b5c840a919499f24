import { Buffer } from 'node:buffer';
import { isRecord } from './checks.js';
import { hasLoneSurrogate } from './path.js';

/** How much of a text of the service an error keeps, in characters. */
const CLIP = 1000;

/** How deep a JSON value of the service is followed. */
const MAX_DEPTH = 32;

/** Shorter texts are no secrets, but would tear holes into any answer. */
const SHORTEST_SECRET = 4;

/** Takes secrets out of a text of the service, and clips it. */
export type Redact = (text: string) => string;

/** What must not show in an error, though the service may have echoed it. */
export interface Secrets {
  /** Takes out API secret, signatures, one-time passwords. */
  readonly credentials: Redact;
  /** Takes out those, the request's body, and the longer texts in it. */
  readonly all: Redact;
}

/** The body as text; wrong UTF-8 shows as replacement characters. */
export function bodyText(body: readonly Uint8Array[]): string {
  return Buffer.concat(body).toString('utf8');
}

/** Takes these texts out, in every form in which a service may quote them. */
export function redactor(texts: Iterable<string>): Redact {
  const secrets = [...texts].filter(({ length }) => length >= SHORTEST_SECRET);
  // The longest first: a short one inside it would leave its rest behind.
  const forms = [...new Set(secrets.flatMap(formsOf))].sort((one, other) => other.length - one.length);
  // Whatever begins before the clip must be whole to be found.
  const reach = CLIP + (forms[0]?.length ?? 0);
  return (text) => {
    const redacted = forms.reduce((left, form) => left.replaceAll(form, '[redacted]'), text.slice(0, reach));
    return text.length > CLIP ? `${redacted.slice(0, CLIP)}…` : redacted;
  };
}

/** Redacts every text in a JSON value. Names and numbers stay: the answer must remain readable. */
export function redactDeep(value: unknown, redact: Redact, depth: number = MAX_DEPTH): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return '[…]';
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, redact, depth - 1));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, redactDeep(member, redact, depth - 1)]),
  );
}

/** An error of the transport as a cause: it may hold raw bytes of the answer, so only its name, code and redacted text are kept. */
export function redactError(error: unknown, redact: Redact, depth: number = 3): Error {
  const { name, message, code, cause } = error instanceof Error ? (error as ErrorWithCode) : asError(error);
  const options = cause === undefined || depth === 0 ? {} : { cause: redactError(cause, redact, depth - 1) };
  const copy: ErrorWithCode = new Error(redact(message), options);
  Object.defineProperty(copy, 'name', { value: redact(name), configurable: true, writable: true });
  copy.stack = `${copy.name}: ${copy.message}`;
  if (typeof code === 'string') copy.code = redact(code);
  return copy;
}

type ErrorWithCode = Error & { code?: unknown };

function asError(thrown: unknown): ErrorWithCode {
  return new Error(typeof thrown === 'string' ? thrown : 'unknown failure');
}

/** As it is, and as JSON, a URL and HTML would quote it. */
function formsOf(secret: string): string[] {
  const html = secret.replace(/[&<>"']/g, (character) => HTML_ENTITIES[character] ?? character);
  const url = hasLoneSurrogate(secret) ? secret : encodeURIComponent(secret);
  return [secret, JSON.stringify(secret).slice(1, -1), url, html];
}

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
