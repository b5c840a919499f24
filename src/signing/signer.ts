import { type Later, requestSignature } from '../runtime/crypto.js';

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

/** Signs with the platform's HMAC-SHA512. Keeps no secret. */
export class HmacSigner implements Signer {
  sign({ path, nonce, body, apiSecret }: SignInput): Later<string> {
    if (apiSecret === undefined) throw new Error('the default signer needs an apiSecret');
    return requestSignature(apiSecret, path, nonce, body);
  }
}
