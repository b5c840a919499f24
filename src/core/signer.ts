import { Buffer } from 'node:buffer';
import * as crypto from 'node:crypto';

/** What is signed: one attempt of one call. */
export interface SignInput {
  readonly method: string;
  /** Path with query, exactly as it is sent: same order, same percent-encoding; scheme and host excluded. */
  readonly path: string;
  /** The nonce as it is sent: a decimal integer. */
  readonly nonce: string;
  /** The exact bytes sent as body; undefined without a body. */
  readonly body: Uint8Array | undefined;
  readonly apiKey: string;
  /** Undefined when the client was given no secret (a signer with its own, in an HSM say). */
  readonly apiSecret: string | undefined;
}

/**
 * Makes the `API-Sign` header. May be asynchronous; a failure is a `ProviderError`, and so is an answer that takes longer than
 * `attemptTimeout`: the other calls of the API key wait for it.
 */
export interface Signer {
  sign(input: SignInput): string | Promise<string>;
}

/** A secret as HMAC uses it: mixed into a block for the inner and one for the outer digest. Each character is a byte. */
interface Key {
  readonly inner: string;
  readonly outer: string;
}

/** The keys of the secrets in use. */
const keys = new Map<string, Key>();

/** Far more secrets than a process uses at a time; rotated ones must not be kept for ever. */
const MAX_KEYS = 1024;

/** Bytes that SHA-512 takes at a time. */
const BLOCK = 128;

function keyOf(secret: string): Key {
  let key = keys.get(secret);
  if (key === undefined) {
    if (keys.size >= MAX_KEYS) keys.clear();
    key = makeKey(Buffer.from(secret, 'base64'));
    keys.set(secret, key);
  }
  return key;
}

function makeKey(secret: Buffer): Key {
  const bytes = secret.length > BLOCK ? Buffer.from(digest('sha512', secret, 'binary'), 'latin1') : secret;
  const mixedWith = (pad: number) => Buffer.alloc(BLOCK, pad).map((byte, index) => byte ^ (bytes[index] ?? 0));
  return { inner: textOf(mixedWith(0x36)), outer: textOf(mixedWith(0x5c)) };
}

const bytesOf = (text: string) => Buffer.from(text, 'latin1');
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

/** Node's one-shot function costs half of a hash object; not every runtime has it. */
function digest(algorithm: string, data: string | Uint8Array, encoding: 'binary' | 'base64'): string {
  if (typeof crypto.hash === 'function') return crypto.hash(algorithm, data, encoding);
  return crypto.createHash(algorithm).update(data).digest(encoding);
}

/**
 * HMAC-SHA512 by its definition (RFC 2104), from two digests: Node's `Hmac` object alone costs more, a tenth of all that a call costs which
 * is made one at a time.
 */
function hmacSha512({ inner, outer }: Key, message: string): string {
  return digest('sha512', bytesOf(outer + digest('sha512', bytesOf(inner + message), 'binary')), 'base64');
}

/**
 * The default signer:
 * `base64(HMAC-SHA512(key = base64decode(secret), path ‖ SHA256(nonce ‖ body)))`, the inner digest as raw bytes.
 */
export const hmacSigner: Signer = {
  sign({ path, nonce, body, apiSecret }: SignInput): string {
    if (apiSecret === undefined) throw new Error('the default signer needs an apiSecret');
    const inner = digest('sha256', body === undefined ? nonce : Buffer.concat([Buffer.from(nonce), body]), 'binary');
    // A path is sent as ASCII: of this text, too, each character is a byte.
    return hmacSha512(keyOf(apiSecret), path + inner);
  },
};
