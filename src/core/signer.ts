import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';

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
const keys = new Map<string, KeyObject>();

/** Far more secrets than a process uses at a time; rotated ones must not be kept for ever. */
const MAX_KEYS = 1024;

function keyOf(secret: string): KeyObject {
  let key = keys.get(secret);
  if (key === undefined) {
    if (keys.size >= MAX_KEYS) keys.clear();
    key = createSecretKey(Buffer.from(secret, 'base64'));
    keys.set(secret, key);
  }
  return key;
}

/**
 * The default signer (reference §1):
 * `base64(HMAC-SHA512(key = base64decode(secret), path ‖ SHA256(nonce ‖ body)))`, the inner digest as raw bytes.
 */
export const hmacSigner: Signer = {
  sign({ path, nonce, body, apiSecret }: SignInput): string {
    if (apiSecret === undefined) throw new Error('the default signer needs an apiSecret');
    const inner = createHash('sha256').update(nonce);
    if (body !== undefined) inner.update(body);
    return createHmac('sha512', keyOf(apiSecret)).update(path).update(inner.digest()).digest('base64');
  },
};
