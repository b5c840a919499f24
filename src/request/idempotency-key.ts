import { type Issue, RequestValidationError } from '../errors.js';
import { hexText, utf8Bytes } from '../runtime/bytes.js';
import { randomUuid, sha256, sha256Sync } from '../runtime/crypto.js';
import { kindOf } from '../schema/messages.js';
import { hasLoneSurrogate } from './url.js';

/**
 * Returns a stable idempotency key: the same namespace and parts always give the same text, in the
 * form of a UUIDv4, in every process and version. So a restarted process can send the same write
 * again without a stored key.
 *
 * The parts name the effect: operation, account, and what tells one effect from another, for
 * example your order number. Leave out what another process does not know (a time, a random number)
 * and what may be corrected (an amount).
 *
 * The key is safe only with the same body, on the same API keys, and while the service remembers
 * keys. It does not document how long that is. See `docs/money/crash-safety.md`.
 *
 * @example
 * // A row of the file is saved once, however often the program runs.
 * for (const { id, ...address } of rows) {
 *   const idempotencyKey = idempotencyKeyFor('import', 'addresses.save', accountId, id);
 *   const call = client.funds.withdrawalAddresses.save(accountId, address, { idempotencyKey });
 *   const { response } = await call.withResponse();
 *   console.log(id, response.replayed ? 'was there' : 'is new');
 * }
 *
 * @param namespace Your application or purpose, for example `payouts`.
 * @param parts One or more texts. Each is hashed with its length, so `ab` and `c` do not
 *   give the key of `a` and `bc`.
 * @throws RequestValidationError if the namespace or a part is not text, or if there are no parts.
 */
export function idempotencyKeyFor(namespace: string, ...parts: string[]): string {
  return uuidShaped(sha256Sync(...hashedParts(namespace, parts)));
}

/** Returns the same key as `idempotencyKeyFor`, by the platform's asynchronous hash. */
export async function idempotencyKeyLater(namespace: string, ...parts: string[]): Promise<string> {
  return uuidShaped(await sha256(...hashedParts(namespace, parts)));
}

function hashedParts(namespace: string, parts: readonly string[]): Uint8Array[] {
  const texts: readonly unknown[] = [namespace, ...parts];
  const issues: Issue[] = texts.flatMap((text, index) => {
    const path = index === 0 ? 'namespace' : `parts.${index - 1}`;
    if (typeof text !== 'string') return [{ path, message: `must be text, not ${kindOf(text)}` }];
    return hasLoneSurrogate(text) ? [{ path, message: 'must not have a lone surrogate (half of a UTF-16 pair)' }] : [];
  });
  if (parts.length === 0)
    issues.push({ path: 'parts', message: 'must name the effect, for example operation, account and order' });
  if (issues.length > 0) throw new RequestValidationError(issues);
  return [namespace, ...parts].map(utf8Bytes).flatMap((part) => [bigEndian(part.length), part]);
}

/** Returns the four bytes of a number. */
function bigEndian(number: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, number);
  return new Uint8Array(view.buffer);
}

/** Returns the first 16 bytes with the version (4) and variant bits of a UUIDv4. */
function uuidShaped(hash: Uint8Array): string {
  const bytes = hash.slice(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = hexText(bytes);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * Returns a random UUIDv4. Node puts it together from a dozen texts, and V8 keeps all of them until
 * a character is read: 500 bytes of each call that waits, instead of 70 (`npm run bench:scale --
 * waiting`).
 */
export function randomIdempotencyKey(): string {
  const key = randomUuid();
  key.charCodeAt(0);
  return key;
}
