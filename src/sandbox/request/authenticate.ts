import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Operation } from '../../schema/operation.js';
import type { ApiKey, ApiKeys } from '../keys/api-keys.js';
import { Refusal, unauthenticated } from '../refusal.js';
import type { Now } from '../state/clock.js';
import type { RequestHead } from './messages.js';
import { type ApiKeyScope, scopeOf } from './scopes.js';

const NONCE = /^[0-9]{1,20}$/;
const MAX_NONCE = 2n ** 64n - 1n;

/** Checks key, signature and nonce of a request. */
export class Authenticator {
  readonly #keys: ApiKeys;
  readonly #clock: Now;

  constructor(keys: ApiKeys, clock: Now) {
    this.#keys = keys;
    this.#clock = clock;
  }

  /**
   * Consumes the nonce of an authentic request, and only of that. Otherwise throws 401. Returns the
   * API key.
   */
  check(head: RequestHead, body: Uint8Array): ApiKey {
    const apiKey = head.header('api-key');
    const nonce = head.header('api-nonce');
    const signature = head.header('api-sign');
    if (!apiKey || !nonce || !signature) throw unauthenticated('missing_header');
    const key = this.#keys.find(apiKey);
    if (key === undefined) throw unauthenticated('unknown_key');
    if (key.revoked) throw unauthenticated('revoked_key');
    if (!NONCE.test(nonce) || BigInt(nonce) > MAX_NONCE) throw unauthenticated('malformed_nonce');
    if (!isSignature(signature, key.secret, head.target, nonce, body)) throw unauthenticated('bad_signature');
    if (!key.nonces.take(BigInt(nonce))) {
      key.races += 1;
      throw unauthenticated('nonce_not_rising');
    }
    key.requests += 1;
    key.lastUse = { at: this.#clock.now(), real: Date.now() };
    return key;
  }
}

/** Throws 403 if the key lacks the scope of the operation. A key without scopes has all of them. */
export function checkScope(operation: Operation, scopes: readonly ApiKeyScope[] | undefined): void {
  const needed = scopeOf(operation);
  if (scopes === undefined || scopes.includes(needed)) return;
  const cause = { field: 'API-Key', message: `lacks the scope ${needed}` };
  throw new Refusal(403, 'forbidden', [cause], 'missing_scope');
}

/** base64( HMAC-SHA512( secret, target ‖ SHA-256( nonce ‖ body ) ) ). */
export function signatureOf(secret: Buffer, target: string, nonce: string, body: Uint8Array): string {
  const digest = createHash('sha256').update(nonce, 'ascii').update(body).digest();
  return createHmac('sha512', secret).update(target, 'utf8').update(digest).digest('base64');
}

/** Compares in constant time. */
function isSignature(given: string, secret: Buffer, target: string, nonce: string, body: Uint8Array): boolean {
  const expected = Buffer.from(signatureOf(secret, target, nonce, body));
  const received = Buffer.from(given);
  return received.length === expected.length && timingSafeEqual(received, expected);
}
