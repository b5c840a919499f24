import { Buffer } from 'node:buffer';
import * as crypto from 'node:crypto';

/** One attempt of one call, to be signed. */
export interface SignInput {
  readonly method: string;
  /** Path with query, exactly as it is sent, without scheme and host. */
  readonly path: string;
  /** The nonce as it is sent: a decimal integer. */
  readonly nonce: string;
  /** The exact bytes sent as body; undefined without a body. */
  readonly body: Uint8Array | undefined;
  readonly apiKey: string;
  /** Undefined if the client has no secret, for example because the signer has it in an HSM. */
  readonly apiSecret: string | undefined;
}

/**
 * Makes the `API-Sign` header. If it fails, or takes longer than `attemptTimeout`, then the call
 * fails with a `ProviderError`. The other calls of the API key wait while it takes its time.
 */
export interface Signer {
  sign(input: SignInput): string | Promise<string>;
}

/** `base64(HMAC-SHA512(base64decode(secret), path ‖ SHA256(nonce ‖ body)))`. Keeps no secret. */
export class HmacSigner implements Signer {
  sign({ path, nonce, body, apiSecret }: SignInput): string {
    if (apiSecret === undefined) throw new Error('the default signer needs an apiSecret');
    const inner = sha256(body === undefined ? nonce : Buffer.concat([Buffer.from(nonce), body]));
    // A path is sent as ASCII, so each character of this text is a byte.
    return crypto
      .createHmac('sha512', Buffer.from(apiSecret, 'base64'))
      .update(path + inner, 'latin1')
      .digest('base64');
  }
}

/** A character for each byte. Node's one-shot function costs 1 µs less than a hash object. */
function sha256(data: string | Uint8Array): string {
  // Not every runtime has it.
  if (typeof crypto.hash === 'function') return crypto.hash('sha256', data, 'binary');
  return crypto.createHash('sha256').update(data).digest('binary');
}
