import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Operation } from '../../schema/operation.js';
import { clipped } from '../../util/printable.js';
import type { Now } from '../core/clock/clock.js';
import type { ApiKey, ApiKeys } from '../core/keys/api-keys.js';
import type { ApiKeyScope } from '../core/keys/scopes.js';
import type { RequestHead } from '../core/request/messages.js';
import { Refusal } from '../core/request/refusal.js';
import type { SigningCheck } from '../core/request/refusal-details.js';
import { scopeOf } from '../kinds/registry/derived.js';
import {
  type Explanation,
  explainMissing,
  explainNotRising,
  explainUnknownKey,
  MALFORMED_NONCE,
  NO_MISTAKE_FOUND,
  REVOKED,
} from './diagnosis/explanation.js';
import { likelyMistake, type WrongSignature } from './diagnosis/likely-mistake.js';
import { MAX_HEADER_LENGTH, MAX_PATH_LENGTH } from './journal/journal.js';

const NONCE = /^[0-9]{1,20}$/;
const MAX_NONCE = 2n ** 64n - 1n;

interface AuthenticatorParts {
  readonly keys: ApiKeys;
  readonly clock: Now;
  /** True if a 401 contains its reason. */
  readonly explain: boolean;
  /** True if the journal shows the values that were signed. */
  readonly inspects: boolean;
}

/** Checks API key, signature and nonce of a request. */
export class Authenticator {
  readonly #parts: AuthenticatorParts;

  constructor(parts: AuthenticatorParts) {
    this.#parts = parts;
  }

  /** Returns the API key of an authentic request, and uses up its nonce. Throws 401 for others. */
  check(head: RequestHead, body: Uint8Array): ApiKey {
    const { keys, clock } = this.#parts;
    const apiKey = head.header('api-key');
    const nonce = head.header('api-nonce');
    const sign = head.header('api-sign');
    if (!apiKey || !nonce || !sign) throw this.refusal('missing_header', ...explainMissing(head));
    const key = keys.find(apiKey);
    if (key === undefined) throw this.refusal('unknown_key', explainUnknownKey(apiKey, keys.list()));
    if (key.revoked) throw this.refusal('revoked_key', REVOKED);
    if (!NONCE.test(nonce) || BigInt(nonce) > MAX_NONCE) throw this.refusal('malformed_nonce', MALFORMED_NONCE);
    const right = signed(key.secret, head.target, nonce, body);
    if (!isEqual(sign, right.expected)) throw this.#wrongSignature({ head, nonce, body, key }, sign, right);
    key.previousNonce = nonce;
    // The sandbox's own requests do not consume nonces: the key's owner may count by one.
    if (head.isOwn !== true && !key.nonces.use(BigInt(nonce))) {
      key.races += 1;
      throw this.refusal('nonce_not_rising', explainNotRising(BigInt(nonce), key, Date.now()));
    }
    key.requests += 1;
    key.lastUse = { at: clock.now(), real: Date.now() };
    return key;
  }

  /** Masks the secrets of API keys in a text. */
  readonly masked = (text: string): string => this.#parts.keys.masked(text);

  /** Makes a 401. It contains its reason only if the sandbox explains. */
  refusal(verdict: string, ...explanations: readonly Explanation[]): Refusal {
    return this.#refused(verdict, explanations);
  }

  #wrongSignature(wrong: Omit<WrongSignature, 'keys'>, received: string, { digest, expected }: Signed): Refusal {
    const { head, key, nonce, body } = wrong;
    const mistake = likelyMistake({ ...wrong, keys: this.#parts.keys.list() }, received);
    const likely = mistake?.clause;
    const shown = (path: string): string => clipped(this.masked(path), MAX_PATH_LENGTH);
    key.previousNonce = nonce;
    const signing = {
      path: shown(head.target),
      nonce,
      bodyBytes: body.length,
      sha256: digest.toString('hex'),
      expected: expected.toString('base64'),
      received: clipped(this.masked(received), MAX_HEADER_LENGTH),
      probable: mistake && { path: shown(mistake.path), sha256: mistake.sha256 },
    };
    const explanation = { field: 'API-Sign', message: likely ?? NO_MISTAKE_FOUND, likely };
    return this.#refused('bad_signature', [explanation], this.#parts.inspects ? signing : undefined);
  }

  #refused(verdict: string, explanations: readonly Explanation[], signing?: SigningCheck): Refusal {
    const causes = this.#parts.explain ? explanations.map(({ field, message }) => ({ field, message })) : [];
    const mistakes = explanations.flatMap(({ likely = [] }) => likely);
    const likely = mistakes.length === 0 ? undefined : mistakes.join('; ');
    return new Refusal(401, 'unauthenticated', causes, verdict, { likely, signing });
  }
}

/** Throws 403 if the key lacks the scope of the operation. A key without scopes has all. */
export function checkScope(operation: Operation, scopes: readonly ApiKeyScope[] | undefined): void {
  const needed = scopeOf(operation);
  if (scopes === undefined || scopes.includes(needed)) return;
  const cause = { field: 'API-Key', message: `lacks the scope ${needed}` };
  throw new Refusal(403, 'forbidden', [cause], 'missing_scope');
}

/** base64( HMAC-SHA512( secret, target ‖ SHA-256( nonce ‖ body ) ) ). */
export function signatureOf(secret: Buffer, target: string, nonce: string, body: Uint8Array): string {
  return signed(secret, target, nonce, body).expected.toString('base64');
}

interface Signed {
  readonly digest: Buffer;
  readonly expected: Buffer;
}

/** HMAC-SHA512( secret, target ‖ SHA-256( nonce ‖ body ) ). */
function signed(secret: Buffer, target: string, nonce: string, body: Uint8Array): Signed {
  const digest = createHash('sha256').update(nonce, 'ascii').update(body).digest();
  return { digest, expected: createHmac('sha512', secret).update(target, 'utf8').update(digest).digest() };
}

/** Compares base64 text in constant time. */
function isEqual(given: string, expected: Buffer): boolean {
  const [received, right] = [Buffer.from(given), Buffer.from(expected.toString('base64'))];
  return received.length === right.length && timingSafeEqual(received, right);
}
