import { Buffer } from 'node:buffer';
import { createHash, createHmac } from 'node:crypto';

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
  /** Undefined when the client was given no secret, for example because the signer has its own in an HSM. */
  readonly apiSecret: string | undefined;
}

/**
 * Makes the `API-Sign` header. May be asynchronous; a failure is a `ProviderError`, and so is an answer that takes
 * longer than `attemptTimeout`: the other calls of the API key wait for it.
 */
export interface Signer {
  sign(input: SignInput): string | Promise<string>;
}

/** The default signer: `base64(HMAC-SHA512(key = base64decode(secret), path ‖ SHA256(nonce ‖ body)))`. It keeps no secret. */
export class HmacSigner implements Signer {
  sign({ path, nonce, body, apiSecret }: SignInput): string {
    if (apiSecret === undefined) throw new Error('the default signer needs an apiSecret');
    const inner = createHash('sha256').update(nonce);
    if (body !== undefined) inner.update(body);
    const key = Buffer.from(apiSecret, 'base64');
    return createHmac('sha512', key).update(path).update(inner.digest()).digest('base64');
  }
}
