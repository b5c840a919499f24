import { type Later, requestSignature, type SigningKey, signingKey } from '../runtime/crypto.js';

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
 * Creates the `API-Sign` header. If it fails, or takes longer than `attemptTimeout`, then the call
 * fails with a `ProviderError`. The other calls of the API key wait until it settles.
 *
 * @example
 * const signer: Signer = {
 *   sign: ({ path, nonce, body }) => hsm.sign({ path, nonce, body }),
 * };
 * const client = new PartnerClient({ apiKey, signer });
 */
export interface Signer {
  sign(input: SignInput): string | Promise<string>;
}

/** Signs with the platform's HMAC-SHA512. */
export class HmacSigner implements Signer {
  /** The secrets to store, each with its HMAC key after its first use. */
  readonly #keys = new Map<string, SigningKey | undefined>();

  /**
   * Stores the HMAC key of a secret until `forget`. Without it, 64 reads at once cost 6 % more CPU
   * (`npm run bench`). A secret that a function returns is not stored: it may change.
   */
  keep(apiSecret: string): void {
    this.#keys.set(apiSecret, undefined);
  }

  forget(): void {
    this.#keys.clear();
  }

  sign({ path, nonce, body, apiSecret }: SignInput): Later<string> {
    if (apiSecret === undefined) throw new Error('the default signer needs an apiSecret');
    return requestSignature(this.#keyOf(apiSecret), path, nonce, body);
  }

  #keyOf(apiSecret: string): SigningKey {
    const kept = this.#keys.get(apiSecret);
    if (kept !== undefined) return kept;
    const key = signingKey(apiSecret);
    if (this.#keys.has(apiSecret)) this.#keys.set(apiSecret, key);
    return key;
  }
}
