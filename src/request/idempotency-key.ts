import { Buffer } from 'node:buffer';
import { createHash, randomUUID } from 'node:crypto';
import { type Issue, RequestValidationError } from '../errors.js';
import { kindOf } from '../schema/messages.js';
import { hasLoneSurrogate } from './url.js';

/**
 * A stable idempotency key: the same namespace and parts always give the same UUIDv4-shaped text, in every process and version, so that a
 * restarted process repeats the same write without having stored a key.
 *
 * Put the operation and the account among the parts, and what tells one intended effect from another: an order number
 * of yours, say. Leave out what another process would not know (a time, a random number) and what may be corrected (an
 * amount): the key names the effect, not its contents. It is safe only while the service remembers keys (it does not
 * document how long), with the same body, and on the same API keys. `docs/crash-safety.md` has the whole story.
 *
 * @example
 * // Run after run, a row of the file is saved once: what an earlier run had saved is answered as it was then.
 * for (const { id, ...address } of rows) {
 *   const idempotencyKey = idempotencyKeyFor('address-import', 'withdrawalAddresses.save', accountId, id);
 *   const call = client.funds.withdrawalAddresses.save(accountId, address, { idempotencyKey });
 *   const { response } = await call.withResponse();
 *   console.log(id, response.replayed ? 'was there' : 'is new');
 * }
 *
 * @param namespace Your application or purpose, for instance `payouts`.
 * @param parts One or more texts; each is length-prefixed before hashing, so `('ab', 'c')` and `('a', 'bc')` differ.
 * @throws RequestValidationError when the namespace or a part is no text, or there is no part.
 */
export function idempotencyKeyFor(namespace: string, ...parts: string[]): string {
  const texts: readonly unknown[] = [namespace, ...parts];
  const issues: Issue[] = texts.flatMap((text, index) => {
    const path = index === 0 ? 'namespace' : `parts.${index - 1}`;
    if (typeof text !== 'string') return [{ path, message: `must be text, not ${kindOf(text)}` }];
    return hasLoneSurrogate(text) ? [{ path, message: 'must not have a lone surrogate (half of a UTF-16 pair)' }] : [];
  });
  if (parts.length === 0)
    issues.push({ path: 'parts', message: 'must name the effect, for instance operation, account and order' });
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

/** The first 16 bytes with the version (4) and variant bits of a UUIDv4. */
function uuidShaped(hash: Buffer): string {
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x40, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = hash.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * Returns a random UUIDv4. `randomUUID` makes a rope of a dozen texts, which V8 keeps until a character is read: 400
 * bytes of each call that waits.
 */
export function randomIdempotencyKey(): string {
  const key = randomUUID();
  key.charCodeAt(0);
  return key;
}
