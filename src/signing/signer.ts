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
 * Makes the `API-Sign` header. May be asynchronous; a failure is a `ProviderError`, and so is an answer that takes
 * longer than `attemptTimeout`: the other calls of the API key wait for it.
 */
export interface Signer {
  sign(input: SignInput): string | Promise<string>;
}

/**
 * A secret as HMAC uses it: mixed into a block for the inner and one for the outer digest. Each character is a byte.
 */
interface Key {
  readonly inner: string;
  readonly outer: string;
}

/** Bytes that SHA-512 takes at a time. */
const BLOCK = 128;

function keyOf(secret: string): Key {
  const decoded = Buffer.from(secret, 'base64');
  const bytes = decoded.length > BLOCK ? Buffer.from(digest('sha512', decoded, 'binary'), 'latin1') : decoded;
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
 * HMAC-SHA512 by its definition (RFC 2104), from two digests: Node's `Hmac` object alone costs more, a tenth of all
 * that a call costs which is made one at a time.
 */
function hmacSha512({ inner, outer }: Key, message: string): string {
  return digest('sha512', bytesOf(outer + digest('sha512', bytesOf(inner + message), 'binary')), 'base64');
}

/** An API secret that is in use, and its key. */
interface KnownSecret {
  readonly apiSecret: string;
  readonly key: Key;
}

/**
 * The default signer of one client: `base64(HMAC-SHA512(key = base64decode(secret), path ‖ SHA256(nonce ‖ body)))`, the
 * inner digest as raw bytes. It keeps one key for each API key of the client: a rotated secret takes the place of the
 * former.
 */
export class HmacSigner implements Signer {
  readonly #known = new Map<string, KnownSecret>();

  sign({ path, nonce, body, apiKey, apiSecret }: SignInput): string {
    if (apiSecret === undefined) throw new Error('the default signer needs an apiSecret');
    const inner = digest('sha256', body === undefined ? nonce : Buffer.concat([Buffer.from(nonce), body]), 'binary');
    // A path is sent as ASCII: of this text, too, each character is a byte.
    return hmacSha512(this.#keyOf(apiKey, apiSecret), path + inner);
  }

  /** Keeps no secret any more. */
  forget(): void {
    this.#known.clear();
  }

  #keyOf(apiKey: string, apiSecret: string): Key {
    let known = this.#known.get(apiKey);
    if (known?.apiSecret !== apiSecret) {
      known = { apiSecret, key: keyOf(apiSecret) };
      this.#known.set(apiKey, known);
    }
    return known.key;
  }
}
