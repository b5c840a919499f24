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

/** Key objects of the secrets in use: preparing one is a good part of what a signature costs. */
const keys = new Map<string, crypto.KeyObject>();

/** Far more secrets than a process uses at a time; rotated ones must not be kept for ever. */
const MAX_KEYS = 1024;

function keyOf(secret: string): crypto.KeyObject {
  let key = keys.get(secret);
  if (key === undefined) {
    if (keys.size >= MAX_KEYS) keys.clear();
    key = crypto.createSecretKey(Buffer.from(secret, 'base64'));
    keys.set(secret, key);
  }
  return key;
}

/** The digest as text of one character a byte. Node's one-shot function costs half of a hash object; not every runtime has it. */
function sha256(data: string | Uint8Array): string {
  if (typeof crypto.hash === 'function') return crypto.hash('sha256', data, 'binary');
  return crypto.createHash('sha256').update(data).digest('binary');
}

/**
 * The default signer (reference §1):
 * `base64(HMAC-SHA512(key = base64decode(secret), path ‖ SHA256(nonce ‖ body)))`, the inner digest as raw bytes.
 */
export const hmacSigner: Signer = {
  sign({ path, nonce, body, apiSecret }: SignInput): string {
    if (apiSecret === undefined) throw new Error('the default signer needs an apiSecret');
    const inner = sha256(body === undefined ? nonce : Buffer.concat([Buffer.from(nonce), body]));
    // A path is sent as ASCII: of this text, too, each character is a byte.
    return crypto
      .createHmac('sha512', keyOf(apiSecret))
      .update(path + inner, 'latin1')
      .digest('base64');
  },
};
