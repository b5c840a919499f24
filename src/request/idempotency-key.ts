import { Buffer } from 'node:buffer';
import { createHash, randomUUID } from 'node:crypto';
import { type Issue, RequestValidationError } from '../errors.js';
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
 * keys. It does not document how long that is. See `docs/crash-safety.md`.
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
  const texts: readonly unknown[] = [namespace, ...parts];
  const issues: Issue[] = texts.flatMap((text, index) => {
    const path = index === 0 ? 'namespace' : `parts.${index - 1}`;
    if (typeof text !== 'string') return [{ path, message: `must be text, not ${kindOf(text)}` }];
    return hasLoneSurrogate(text) ? [{ path, message: 'must not have a lone surrogate (half of a UTF-16 pair)' }] : [];
  });
  if (parts.length === 0)
    issues.push({ path: 'parts', message: 'must name the effect, for example operation, account and order' });
  if (issues.length > 0) throw new RequestValidationError(issues);
  return uuidShaped(hashOf([namespace, ...parts]));
}

function hashOf(texts: readonly string[]): Buffer {
  const hash = createHash('sha256');
  for (const text of texts) {
    const bytes = Buffer.from(text);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
  }
  return hash.digest();
}

/** Returns the first 16 bytes with the version (4) and variant bits of a UUIDv4. */
function uuidShaped(hash: Buffer): string {
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x40, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = hash.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * Returns a random UUIDv4. `randomUUID` joins a dozen texts, and V8 keeps them until a character is
 * read: 400 bytes of each call that waits.
 */
export function randomIdempotencyKey(): string {
  const key = randomUUID();
  key.charCodeAt(0);
  return key;
}
