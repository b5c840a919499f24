import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { unauthenticated } from '../refusal.js';
import { ALPHABETS, type Random } from '../state/random.js';
import type { RequestHead } from './messages.js';

/** An API key and its secret, named like the options of a client. */
export interface SandboxCredentials {
  /** Public key, sent as `API-Key`. */
  readonly apiKey: string;
  /** Private key, base64. */
  readonly apiSecret: string;
}

export interface SavedKey extends SandboxCredentials {
  readonly lastNonce?: string | undefined;
}

interface IssuedKey {
  readonly secret: Buffer;
  lastNonce: bigint | undefined;
}

const NONCE = /^[0-9]{1,20}$/;
const MAX_NONCE = 2n ** 64n - 1n;

/** Issues the partner's API keys, and checks key, signature and nonce of a request. */
export class Authenticator {
  readonly #random: Random;
  readonly #keys = new Map<string, IssuedKey>();

  constructor(random: Random) {
    this.#random = random;
  }

  issue(): SandboxCredentials {
    const apiKey = `pk_${this.#random.text(40, ALPHABETS.alphanumeric)}`;
    const secret = Buffer.from(this.#random.bytes(64));
    this.#keys.set(apiKey, { secret, lastNonce: undefined });
    return Object.freeze({ apiKey, apiSecret: secret.toString('base64') });
  }

  /** Returns the first key, and issues it if there is none. */
  first(): SandboxCredentials {
    const [first] = this.save();
    if (first === undefined) return this.issue();
    return Object.freeze({ apiKey: first.apiKey, apiSecret: first.apiSecret });
  }

  save(): SavedKey[] {
    return Array.from(this.#keys, ([apiKey, { secret, lastNonce }]) => ({
      apiKey,
      apiSecret: secret.toString('base64'),
      lastNonce: lastNonce?.toString(),
    }));
  }

  restore(keys: readonly SavedKey[]): void {
    this.#keys.clear();
    for (const { apiKey, apiSecret, lastNonce } of keys) {
      const nonce = lastNonce === undefined ? undefined : BigInt(lastNonce);
      this.#keys.set(apiKey, { secret: Buffer.from(apiSecret, 'base64'), lastNonce: nonce });
    }
  }

  /** Consumes the nonce of an authentic request, and only of that. Otherwise throws 401. */
  check(head: RequestHead, body: Uint8Array): void {
    const apiKey = head.header('api-key');
    const nonce = head.header('api-nonce');
    const signature = head.header('api-sign');
    if (!apiKey || !nonce || !signature) throw unauthenticated('missing_header');
    const issued = this.#keys.get(apiKey);
    if (issued === undefined) throw unauthenticated('unknown_key');
    if (!NONCE.test(nonce) || BigInt(nonce) > MAX_NONCE) throw unauthenticated('malformed_nonce');
    if (!isSignature(signature, issued.secret, head.target, nonce, body)) throw unauthenticated('bad_signature');
    if (issued.lastNonce !== undefined && BigInt(nonce) <= issued.lastNonce) throw unauthenticated('nonce_not_rising');
    issued.lastNonce = BigInt(nonce);
  }
}

/** base64( HMAC-SHA512( secret, target ‖ SHA-256( nonce ‖ body ) ) ), compared in constant time. */
function isSignature(given: string, secret: Buffer, target: string, nonce: string, body: Uint8Array): boolean {
  const digest = createHash('sha256').update(nonce, 'ascii').update(body).digest();
  const expected = Buffer.from(createHmac('sha512', secret).update(target, 'utf8').update(digest).digest('base64'));
  const received = Buffer.from(given);
  return received.length === expected.length && timingSafeEqual(received, expected);
}
