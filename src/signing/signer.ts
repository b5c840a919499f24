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
    const inner = sha256(body === undefined ? nonce : Buffer.concat([Buffer.from(nonce), body]));
    // A path is sent as ASCII, so each character of this text is a byte.
    return crypto
      .createHmac('sha512', Buffer.from(apiSecret, 'base64'))
      .update(path + inner, 'latin1')
      .digest('base64');
  }
}

/** The digest, a character for each byte. Node's one-shot function takes 1 µs less of a call than a hash object. */
function sha256(data: string | Uint8Array): string {
  // Not every runtime has it.
  if (typeof crypto.hash === 'function') return crypto.hash('sha256', data, 'binary');
  return crypto.createHash('sha256').update(data).digest('binary');
}
