import { createHmac, timingSafeEqual } from 'node:crypto';
import { ConfigurationError, WebhookVerificationError } from '../partner-error.js';
import { isBase64 } from '../util/options.js';

/**
 * How deliveries are signed in the header `X-Signature`:
 *
 * - `timestamped` (default): `t=<unix seconds>,v1=<hex>`, where v1 is HMAC-SHA256 of `<t>.<raw body>` and the key is
 *   the base64-decoded signing secret. While a secret is rotated several `v1` parts may be present; any match is
 *   enough.
 * - `body`: the hex HMAC-SHA256 of the raw body alone, key used as given (UTF-8). Hosted ramp callbacks are signed so.
 *   It signs no time, so it does not protect against a repeated old delivery: keep the ids that you have handled.
 */
export type WebhookScheme = 'timestamped' | 'body';

/** The header that carries the signature. */
export const SIGNATURE_HEADER = 'X-Signature';

/** What the signature header says. */
export interface ClaimedSignature {
  /** `t` exactly as written, since it is part of the signed content; undefined in a scheme without time. */
  readonly timestamp: string | undefined;
  /** Hex text in lower case, at least one. */
  readonly signatures: readonly string[];
}

const HEX = /^[0-9a-fA-F]+$/;
/** Twelve digits last beyond the year 30,000; more would only be a way to reach numbers that are not exact. */
const UNIX_SECONDS = /^[0-9]{1,12}$/;

/** Refuses a scheme that does not exist, so that a misspelling never chooses another rule. */
export function checkScheme(scheme: WebhookScheme = 'timestamped'): WebhookScheme {
  if (scheme === 'timestamped' || scheme === 'body') return scheme;
  throw new ConfigurationError("scheme must be 'timestamped' or 'body'");
}

/**
 * The HMAC key that a signing secret stands for. `name` tells the option in errors; the secret itself never appears
 * there.
 */
export function keyOf(secret: string, scheme: WebhookScheme, name: string): Uint8Array {
  if (typeof secret !== 'string' || secret.trim() === '') {
    throw new ConfigurationError(`${name} must be a signing secret, it is missing or empty`);
  }
  if (scheme === 'body') return Buffer.from(secret, 'utf8');
  if (!isBase64(secret)) {
    throw new ConfigurationError(`${name} must be base64, exactly as shown when the webhook was registered`);
  }
  return Buffer.from(secret, 'base64');
}

/** The signature of a body, as hex; with a timestamp, of `<timestamp>.<body>`. */
export function hexSignature(key: Uint8Array, body: Uint8Array, timestamp: string | undefined): string {
  const hmac = createHmac('sha256', key);
  if (timestamp !== undefined) hmac.update(`${timestamp}.`);
  return hmac.update(body).digest('hex');
}

/** Compares in a time that does not tell how much of a guess was right. */
export function sameSignature(expected: string, claimed: string): boolean {
  return expected.length === claimed.length && timingSafeEqual(Buffer.from(expected), Buffer.from(claimed));
}

/** Reads the signature header. Parts it does not know are passed over, so that the service can add a `v2`. */
export function parseSignature(header: string, scheme: WebhookScheme): ClaimedSignature {
  const parts = header.split(',').map((part) => part.trim());
  return scheme === 'body' ? parseBare(parts) : parseTimestamped(parts);
}

function parseBare(parts: readonly string[]): ClaimedSignature {
  return { timestamp: undefined, signatures: wellFormed(parts, 'hex') };
}

function parseTimestamped(parts: readonly string[]): ClaimedSignature {
  const valuesOf = (name: string): string[] =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
  const [timestamp, ...others] = new Set(valuesOf('t'));
  // Two different times would leave open which of them is judged.
  if (timestamp === undefined || others.length > 0 || !UNIX_SECONDS.test(timestamp)) {
    throw badHeader('t=<unix seconds>,v1=<hex>');
  }
  return { timestamp, signatures: wellFormed(valuesOf('v1'), 't=<unix seconds>,v1=<hex>') };
}

function wellFormed(signatures: readonly string[], form: string): readonly string[] {
  const hex = signatures.filter((signature) => HEX.test(signature)).map((signature) => signature.toLowerCase());
  if (hex.length === 0) throw badHeader(form);
  return hex;
}

function badHeader(form: string): WebhookVerificationError {
  return new WebhookVerificationError('bad_format', `the header ${SIGNATURE_HEADER} is not of the form ${form}`);
}
