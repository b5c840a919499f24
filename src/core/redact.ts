import { Buffer } from 'node:buffer';

/** How much of an answer an error keeps, in characters. */
const CLIP = 1000;

/** The body as text; wrong UTF-8 shows as replacement characters. */
export function bodyText(body: readonly Uint8Array[]): string {
  return Buffer.concat(body).toString('utf8');
}

/** Shorter texts are no secrets, but would tear holes into any answer. */
const SHORTEST_SECRET = 4;

/** Takes out what a service may have echoed of the request: secrets, signatures, passwords, the request's body. */
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
