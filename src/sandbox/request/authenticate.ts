import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Operation } from '../../schema/operation.js';
import { Refusal, unauthenticated } from '../refusal.js';
import { ALPHABETS, type Random } from '../state/random.js';
import type { RequestHead } from './messages.js';
import { type ApiKeyScope, scopeOf } from './scopes.js';

/** An API key and its secret, named like the options of a client. */
export interface SandboxCredentials {
  /** Public key, sent as `API-Key`. */
  readonly apiKey: string;
  /** Private key, base64. */
  readonly apiSecret: string;
}

export interface SavedKey extends SandboxCredentials {
  readonly lastNonce?: string | undefined;
  readonly scopes?: readonly ApiKeyScope[] | undefined;
  readonly revoked?: true | undefined;
}

interface IssuedKey {
  readonly apiKey: string;
  readonly secret: Buffer;
  lastNonce: bigint | undefined;
  /** Undefined: all. */
  scopes: readonly ApiKeyScope[] | undefined;
  revoked: boolean;
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

  /** @param scopes Undefined: all. */
  issue(scopes?: readonly ApiKeyScope[]): SandboxCredentials {
    const apiKey = `pk_${this.#random.text(40, ALPHABETS.alphanumeric)}`;
    const secret = Buffer.from(this.#random.bytes(64));
    this.#keys.set(apiKey, { apiKey, secret, lastNonce: undefined, scopes, revoked: false });
    return Object.freeze({ apiKey, apiSecret: secret.toString('base64') });
  }

  /** Returns the first key, and issues it if there is none. Given scopes replace those it had. */
  first(scopes?: readonly ApiKeyScope[]): SandboxCredentials {
    const [first] = this.#keys.values();
    if (first === undefined) return this.issue(scopes);
    first.scopes = scopes ?? first.scopes;
    return Object.freeze({ apiKey: first.apiKey, apiSecret: first.secret.toString('base64') });
  }

  /** Oldest first. */
  list(): Omit<IssuedKey, 'secret' | 'lastNonce'>[] {
    return Array.from(this.#keys.values(), ({ apiKey, scopes, revoked }) => ({ apiKey, scopes, revoked }));
  }

  /** Refuses the key from now on. Returns false for an unknown key. */
  revoke(apiKey: string): boolean {
    const issued = this.#keys.get(apiKey);
    if (issued !== undefined) issued.revoked = true;
    return issued !== undefined;
  }

  save(): SavedKey[] {
    return Array.from(this.#keys.values(), ({ apiKey, secret, lastNonce, scopes, revoked }) => ({
      apiKey,
      apiSecret: secret.toString('base64'),
      lastNonce: lastNonce?.toString(),
      ...(scopes === undefined ? {} : { scopes: [...scopes] }),
      ...(revoked ? { revoked } : {}),
    }));
  }

  restore(keys: readonly SavedKey[]): void {
    this.#keys.clear();
    for (const { apiKey, apiSecret, lastNonce, scopes, revoked = false } of keys) {
      const nonce = lastNonce === undefined ? undefined : BigInt(lastNonce);
      const secret = Buffer.from(apiSecret, 'base64');
      this.#keys.set(apiKey, { apiKey, secret, lastNonce: nonce, scopes, revoked });
    }
  }

  /**
   * Consumes the nonce of an authentic request, and only of that. Otherwise throws 401. Returns the
   * API key.
   */
  check(head: RequestHead, body: Uint8Array): Pick<IssuedKey, 'apiKey' | 'scopes'> {
    const apiKey = head.header('api-key');
    const nonce = head.header('api-nonce');
    const signature = head.header('api-sign');
    if (!apiKey || !nonce || !signature) throw unauthenticated('missing_header');
    const issued = this.#keys.get(apiKey);
    if (issued === undefined) throw unauthenticated('unknown_key');
    if (issued.revoked) throw unauthenticated('revoked_key');
    if (!NONCE.test(nonce) || BigInt(nonce) > MAX_NONCE) throw unauthenticated('malformed_nonce');
    if (!isSignature(signature, issued.secret, head.target, nonce, body)) throw unauthenticated('bad_signature');
    if (issued.lastNonce !== undefined && BigInt(nonce) <= issued.lastNonce) throw unauthenticated('nonce_not_rising');
    issued.lastNonce = BigInt(nonce);
    return issued;
  }
}

/** Throws 403 if the key lacks the scope of the operation. A key without scopes has all of them. */
export function checkScope(operation: Operation, scopes: readonly ApiKeyScope[] | undefined): void {
  const needed = scopeOf(operation);
  if (scopes === undefined || scopes.includes(needed)) return;
  const cause = { field: 'API-Key', message: `lacks the scope ${needed}` };
  throw new Refusal(403, 'forbidden', [cause], 'missing_scope');
}

/** base64( HMAC-SHA512( secret, target ‖ SHA-256( nonce ‖ body ) ) ), compared in constant time. */
function isSignature(given: string, secret: Buffer, target: string, nonce: string, body: Uint8Array): boolean {
  const digest = createHash('sha256').update(nonce, 'ascii').update(body).digest();
  const expected = Buffer.from(createHmac('sha512', secret).update(target, 'utf8').update(digest).digest('base64'));
  const received = Buffer.from(given);
  return received.length === expected.length && timingSafeEqual(received, expected);
}
