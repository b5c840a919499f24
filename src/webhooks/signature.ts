import { ConfigurationError, WebhookVerificationError } from '../partner-error.js';
import { base64Bytes, hexText, isBase64, utf8Bytes } from '../runtime/bytes.js';
import { hmacSha256Sync, sameBytes } from '../runtime/crypto.js';
import { ANYTHING, checkGiven, type Rules } from '../util/options.js';
import { bytesOf, type WebhookBody } from './body.js';

/**
 * The form of the header `X-Signature`:
 *
 * - `timestamped` (default): `t=<unix seconds>,v1=<hex>`. `v1` is HMAC-SHA256 of `<t>.<raw body>`;
 *   the key is the base64-decoded signing secret. While a secret is rotated, several `v1` parts may
 *   be present: one match is enough.
 * - `body`: the hex HMAC-SHA256 of the raw body alone; the key is the secret as given (UTF-8).
 *   Hosted ramp callbacks are signed so. It signs no time, so an old delivery can be sent again:
 *   keep the ids that you have handled.
 */
export type WebhookScheme = 'timestamped' | 'body';

/** The header that carries the signature. */
export const SIGNATURE_HEADER = 'X-Signature';

/** The signature header, read but not verified. */
export interface ClaimedSignature {
  /** `t` exactly as written: it is part of the signed text. Undefined in the scheme `body`. */
  readonly timestamp: string | undefined;
  /** Hex text in lower case, at least one. */
  readonly signatures: readonly string[];
}

const HEX = /^[0-9a-fA-F]+$/;
/** Twelve digits reach beyond the year 30,000; more would allow numbers that are not exact. */
const UNIX_SECONDS = /^[0-9]{1,12}$/;
/** A timestamp from here on is refused: it can only be meant as milliseconds. */
const MIN_MILLISECONDS = 1e12;

/** Refuses a scheme that does not exist: a misspelling must not choose the default. */
export function checkScheme(scheme: WebhookScheme = 'timestamped'): WebhookScheme {
  if (scheme === 'timestamped' || scheme === 'body') return scheme;
  throw new ConfigurationError("scheme must be 'timestamped' or 'body'");
}

/** Returns the HMAC key of a signing secret. Errors show `name`, never the secret. */
export function keyOf(secret: string, scheme: WebhookScheme, name: string): Uint8Array {
  if (typeof secret !== 'string' || secret.trim() === '') {
    throw new ConfigurationError(`${name} must be a signing secret, it is missing or empty`);
  }
  if (scheme === 'body') return utf8Bytes(secret);
  if (!isBase64(secret)) {
    throw new ConfigurationError(`${name} must be base64, exactly as shown when the webhook was registered`);
  }
  return base64Bytes(secret);
}

/** Returns the parts of the bytes that are signed: `<timestamp>.<body>`, or the body alone. */
export function signedParts(body: Uint8Array, timestamp: string | undefined): readonly Uint8Array[] {
  return timestamp === undefined ? [body] : [utf8Bytes(`${timestamp}.`), body];
}

/** Compares in constant time: the time must not tell how much of a guess was right. */
export function sameSignature(expected: string, claimed: string): boolean {
  return expected.length === claimed.length && sameBytes(utf8Bytes(expected), utf8Bytes(claimed));
}

/** Reads the signature header. Skips parts that it does not know, so the service can add a `v2`. */
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
  // Two different times are refused: it would be open which of them counts.
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

/** Options of `signWebhook`. */
export interface SignWebhookOptions {
  /**
   * The body exactly as it will be sent: text or bytes.
   *
   * @example
   * const body = JSON.stringify({ id: 'evt_1', type: 'quote.executed', data: {} });
   * const { 'X-Signature': signature } = signWebhook({ body, secret });
   */
  readonly body: WebhookBody;
  /** The signing secret: base64 in the scheme `timestamped`, any text in the scheme `body`. */
  readonly secret: string;
  /** Time of signing, in whole unix seconds. Default: now. Not with the scheme `body`. */
  readonly timestampSeconds?: number | undefined;
  /** Default `timestamped`. */
  readonly scheme?: WebhookScheme | undefined;
}

/** The header that proves a delivery, ready to be spread into a request's headers. */
export type SignedWebhookHeaders = { 'X-Signature': string };

const RULES = {
  body: ANYTHING,
  secret: ANYTHING,
  timestampSeconds: ANYTHING,
  scheme: ANYTHING,
} satisfies Rules<SignWebhookOptions>;

/**
 * Signs a body as the service does, for tests of a webhook handler.
 *
 * @example
 * const body = JSON.stringify({ id: 'evt_1', type: 'quote.executed', data: {} });
 * const headers = { 'content-type': 'application/json', ...signWebhook({ body, secret }) };
 * await fetch(webhookUrl, { method: 'POST', body, headers });
 *
 * @throws ConfigurationError if the secret, the timestamp or the scheme is wrong.
 * @throws WebhookVerificationError (`bad_format`) if the body is neither text nor bytes.
 */
export function signWebhook(given: SignWebhookOptions): SignedWebhookHeaders {
  const options = checkGiven('signWebhook', given, RULES, ConfigurationError);
  const scheme = checkScheme(options.scheme);
  const key = keyOf(options.secret, scheme, 'secret');
  const timestamp = timestampOf(options, scheme);
  const signature = hexText(hmacSha256Sync(key, ...signedParts(bytesOf(options.body), timestamp)));
  return { 'X-Signature': timestamp === undefined ? signature : `t=${timestamp},v1=${signature}` };
}

function timestampOf(options: SignWebhookOptions, scheme: WebhookScheme): string | undefined {
  const given = options.timestampSeconds;
  if (scheme === 'body') {
    if (given === undefined) return undefined;
    throw new ConfigurationError("the scheme 'body' signs no time, so timestampSeconds cannot be given");
  }
  const seconds = given === undefined ? Math.floor(Date.now() / 1000) : given;
  if (Number.isInteger(seconds) && seconds >= 0 && seconds < MIN_MILLISECONDS) return String(seconds);
  throw new ConfigurationError('timestampSeconds must be whole unix seconds (Date.now() / 1000, rounded down)');
}
