import { ConfigurationError, WebhookVerificationError } from '../partner-error.js';
import { base64Bytes, base64Text, hexText, isBase64, utf8Bytes } from '../runtime/bytes.js';
import { hmacSha256Sync, randomUuid, sameBytes } from '../runtime/crypto.js';
import { ANYTHING, checkGiven, type Rules } from '../util/options.js';
import { formMistake } from '../util/secret-form.js';
import { bytesOf, type WebhookBody } from './body.js';
import { readHeader, type WebhookHeaders } from './headers.js';

/**
 * How deliveries are signed, always by HMAC-SHA256:
 *
 * - `timestamped` (default): `X-Signature` is `t=<unix seconds>,v1=<hex>` over `<t>.<raw body>`.
 *   The HMAC key is the base64-decoded signing secret. While a secret is rotated, several `v1`
 *   parts may be present, and one match is enough.
 * - `body`: `X-Signature` is hex over only the raw body. The HMAC key is the secret as given
 *   (UTF-8). Hosted ramp callbacks are signed this way. No time is signed, so an old delivery can
 *   be sent again at any time. Store the `deliveryId` of what you have handled.
 * - `standard`: the public standard of standardwebhooks.com. `webhook-signature` is a list,
 *   separated by spaces, of `v1,<base64>` over `<webhook-id>.<webhook-timestamp>.<raw body>`. The
 *   HMAC key is the base64 of the secret, with or without `whsec_` before it. The headers may also
 *   be named `svix-…`. That the service signs this way is an assumption, because its subscriptions
 *   look like those of a system that does. Choose this scheme if your deliveries have these
 *   headers, or ask the service (`docs/reference/questions.md` of this package).
 */
export type WebhookScheme = 'timestamped' | 'body' | 'standard';

const SCHEMES: readonly unknown[] = ['timestamped', 'body', 'standard'] satisfies WebhookScheme[];

/** The proof that a delivery claims in its headers, read but not verified. */
export interface ClaimedSignature {
  /** `webhook-id`; undefined except in the scheme `standard`. */
  readonly id: string | undefined;
  /** Exactly as written, since it is signed. Undefined in the scheme `body`. */
  readonly timestamp: string | undefined;
  /** At least one: hex in lower case, or base64 in the scheme `standard`. */
  readonly signatures: readonly string[];
}

const HEX = /^[0-9a-fA-F]+$/;
/** Twelve digits reach beyond the year 30,000; more would allow numbers that are not exact. */
const UNIX_SECONDS = /^[0-9]{1,12}$/;
/** A timestamp from here on is rejected: it can only be meant as milliseconds. */
const MIN_MILLISECONDS = 1e12;
/** A shorter secret isn't one of the service's: a part of it was lost while it was copied. */
const MIN_SECRET_BYTES = 16;

/** Rejects a scheme that does not exist: a misspelling must not choose the default. */
export function checkScheme(scheme: WebhookScheme = 'timestamped'): WebhookScheme {
  if (SCHEMES.includes(scheme)) return scheme;
  throw new ConfigurationError("scheme must be 'timestamped', 'body' or 'standard'");
}

/** Returns the HMAC key of a signing secret. Errors show `name`, never the secret. */
export function keyOf(secret: string, scheme: WebhookScheme, name: string): Uint8Array {
  if (typeof secret !== 'string' || secret.trim() === '') {
    throw new ConfigurationError(`${name} must be a signing secret, but it is missing or empty`);
  }
  if (scheme === 'body') return utf8Bytes(secret);
  const text = scheme === 'standard' ? secret.replace(/^whsec_/, '') : secret;
  const mistake = secretMistake(text);
  if (mistake !== undefined) throw new ConfigurationError(`${name} ${mistake}`);
  return base64Bytes(text);
}

function secretMistake(secret: string): string | undefined {
  if (secret.startsWith('whsec_')) return "begins with whsec_: deliveries of such a webhook need scheme: 'standard'";
  const mistake = formMistake(secret);
  if (mistake !== undefined) return mistake;
  if (!isBase64(secret)) return 'must be base64, exactly as shown when the webhook was registered';
  return base64Bytes(secret).length < MIN_SECRET_BYTES
    ? `has fewer than ${MIN_SECRET_BYTES} bytes: give the complete secret that was shown when the webhook was registered`
    : undefined;
}

/** Returns the signed bytes in parts: the id and time that the scheme signs, then the body. */
export function signedParts(
  body: Uint8Array,
  { id, timestamp }: Pick<ClaimedSignature, 'id' | 'timestamp'>,
): readonly Uint8Array[] {
  return [utf8Bytes([id, timestamp].map((part) => (part === undefined ? '' : `${part}.`)).join('')), body];
}

export const signatureText = (hmac: Uint8Array, scheme: WebhookScheme): string =>
  scheme === 'standard' ? base64Text(hmac) : hexText(hmac);

/** Compares in constant time: the time must not tell how much of a guess was right. */
export function sameSignature(expected: string, claimed: string): boolean {
  return expected.length === claimed.length && sameBytes(utf8Bytes(expected), utf8Bytes(claimed));
}

/** Reads the headers. Skips unknown versions of signatures, so the service can add a `v2`. */
export function claimedSignature(headers: WebhookHeaders, scheme: WebhookScheme): ClaimedSignature {
  if (scheme === 'standard') return readStandard(headers);
  const parts = headerOf(headers, 'X-Signature')
    .split(',')
    .map((part) => part.trim());
  if (scheme === 'body') return { id: undefined, timestamp: undefined, signatures: wellFormed(parts, 'hex') };
  return readTimestamped(parts);
}

function readTimestamped(parts: readonly string[]): ClaimedSignature {
  const valuesOf = (name: string): string[] =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
  const [timestamp, ...others] = new Set(valuesOf('t'));
  // Two different times are rejected, because it would be unclear which of them counts.
  if (timestamp === undefined || others.length > 0 || !UNIX_SECONDS.test(timestamp)) {
    throw badHeader('X-Signature', 't=<unix seconds>,v1=<hex>');
  }
  return { id: undefined, timestamp, signatures: wellFormed(valuesOf('v1'), 't=<unix seconds>,v1=<hex>') };
}

function wellFormed(signatures: readonly string[], form: string): readonly string[] {
  const hex = signatures.filter((signature) => HEX.test(signature)).map((signature) => signature.toLowerCase());
  if (hex.length === 0) throw badHeader('X-Signature', form);
  return hex;
}

function readStandard(headers: WebhookHeaders): ClaimedSignature {
  const prefix = standardPrefix(headers) ?? 'webhook';
  const id = headerOf(headers, `${prefix}-id`);
  const timestamp = headerOf(headers, `${prefix}-timestamp`);
  if (!UNIX_SECONDS.test(timestamp)) throw badHeader(`${prefix}-timestamp`, '<unix seconds>');
  // The values of a header that was sent twice are joined by a comma on the way.
  const words = headerOf(headers, `${prefix}-signature`).split(/[\s,]+/);
  const signatures = words.filter((word, index) => words[index - 1] === 'v1' && isBase64(word));
  if (signatures.length === 0) throw badHeader(`${prefix}-signature`, 'v1,<base64>');
  return { id, timestamp, signatures };
}

const standardPrefix = (headers: WebhookHeaders) =>
  ['webhook', 'svix'].find((prefix) => readHeader(headers, `${prefix}-signature`) !== undefined);

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = readHeader(headers, name);
  if (value !== undefined) return value;
  const prefix = name === 'X-Signature' ? standardPrefix(headers) : undefined;
  const advice = prefix === undefined ? '' : `, but it has ${prefix}-signature: give scheme: 'standard'`;
  throw new WebhookVerificationError('missing_header', `the delivery has no header ${name}${advice}`);
}

function badHeader(name: string, form: string): WebhookVerificationError {
  return new WebhookVerificationError('bad_format', `the header ${name} is not of the form ${form}`);
}

/** Options of `signWebhook`. */
export interface SignWebhookOptions {
  /**
   * The body exactly as it will be sent: a string or bytes.
   *
   * @example
   * const body = JSON.stringify({ id: 'evt_1', type: 'quote.executed', data: {} });
   * const { 'X-Signature': signature } = signWebhook({ body, secret });
   */
  readonly body: WebhookBody;
  /** The signing secret: any string in the scheme `body`, otherwise base64 of 16 bytes or more. */
  readonly secret: string;
  /** Time of signing, in whole unix seconds. Default: now. Can't be set with the scheme `body`. */
  readonly timestampSeconds?: number | undefined;
  /** Default `timestamped`. */
  readonly scheme?: WebhookScheme | undefined;
  /**
   * `webhook-id` of the scheme `standard`: printable ASCII without spaces. Default: random. Can't
   * be set with any other scheme.
   */
  readonly id?: string | undefined;
}

/** The header that verifies a delivery, ready to be spread into a request's headers. */
export type SignedWebhookHeaders = { 'X-Signature': string };

/** The headers of a delivery that is signed by the scheme `standard`. */
export type StandardWebhookHeaders = { 'webhook-id': string; 'webhook-timestamp': string; 'webhook-signature': string };

const RULES = {
  body: ANYTHING,
  secret: ANYTHING,
  timestampSeconds: ANYTHING,
  scheme: ANYTHING,
  id: ANYTHING,
} satisfies Rules<SignWebhookOptions>;

/**
 * Signs a body the way the service does, for tests of a webhook handler.
 *
 * @example
 * const body = JSON.stringify({ id: 'evt_1', type: 'quote.executed', data: {} });
 * const headers = { 'content-type': 'application/json', ...signWebhook({ body, secret }) };
 * await fetch(webhookUrl, { method: 'POST', body, headers });
 *
 * @throws ConfigurationError if the secret, the timestamp, the scheme or the id is wrong.
 * @throws WebhookVerificationError (`bad_format`) if the body is neither a string nor bytes.
 */
export function signWebhook(options: SignWebhookOptions & { readonly scheme: 'standard' }): StandardWebhookHeaders;
export function signWebhook(
  options: SignWebhookOptions & { readonly scheme?: 'timestamped' | 'body' | undefined },
): SignedWebhookHeaders;
export function signWebhook(options: SignWebhookOptions): SignedWebhookHeaders | StandardWebhookHeaders;
export function signWebhook(given: SignWebhookOptions): SignedWebhookHeaders | StandardWebhookHeaders {
  const options = checkGiven('signWebhook', given, RULES, ConfigurationError);
  const scheme = checkScheme(options.scheme);
  const key = keyOf(options.secret, scheme, 'secret');
  const id = idOf(options, scheme);
  const timestamp = timestampOf(options, scheme);
  const signature = signatureText(
    hmacSha256Sync(key, ...signedParts(bytesOf(options.body), { id, timestamp })),
    scheme,
  );
  if (timestamp === undefined) return { 'X-Signature': signature };
  if (id === undefined) return { 'X-Signature': `t=${timestamp},v1=${signature}` };
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
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

function idOf({ id }: SignWebhookOptions, scheme: WebhookScheme): string | undefined {
  if (scheme === 'standard') {
    if (id === undefined) return `msg_${randomUuid()}`;
    if (typeof id === 'string' && /^[!-~]+$/.test(id)) return id;
    throw new ConfigurationError('id must be printable ASCII without spaces');
  }
  if (id === undefined) return undefined;
  throw new ConfigurationError("id cannot be given: only the scheme 'standard' signs one");
}
