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

/** Makes the `API-Sign` header. May be asynchronous; a failure is a `ProviderError`. */
export interface Signer {
  sign(input: SignInput): string | Promise<string>;
}

// The key object of the secret used last: preparing it is a good part of what a signature costs.
let lastKey: { secret: string; key: KeyObject } | undefined;

function keyOf(secret: string): KeyObject {
  if (lastKey?.secret !== secret) lastKey = { secret, key: createSecretKey(Buffer.from(secret, 'base64')) };
  return lastKey.key;
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
