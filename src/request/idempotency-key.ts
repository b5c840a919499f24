import { type Issue, RequestValidationError } from '../errors.js';
import { hexText, utf8Bytes } from '../runtime/bytes.js';
import { randomUuid, sha256, sha256Sync } from '../runtime/crypto.js';
import { kindOf } from '../schema/messages.js';
import { nearestName } from '../util/did-you-mean.js';
import { KEYED_OPERATIONS, type KeyedOperation } from './keyed-operations.js';
import { hasLoneSurrogate } from './url.js';

/**
 * What an idempotency key is derived for: the name of an operation that takes one, or the method
 * and path template of a `client.request()` with `idempotent: true`.
 *
 * @example
 * const named: KeyedWrite = 'funds.withdrawals.create';
 * const route: KeyedWrite = 'POST /v1/accounts/{account_id}/payments'; // it has no method yet
 * console.log(named, route);
 */
export type KeyedWrite = KeyedOperation | `${'POST' | 'PUT' | 'PATCH'} /${string}`;

/**
 * Derives a stable idempotency key: the same arguments return the same string, in the form of a
 * UUIDv4, in every process and version. A restarted process can therefore retry the same write
 * without having stored its key.
 *
 * Pass as ids what tells one effect from the next: the account, and for example your order number.
 * Leave out what another process does not know (a time, a random number) and what may be corrected
 * (an amount).
 *
 * The key protects you only with the same body, on the same API keys, and while the service
 * remembers the key. The service does not document how long that is. See
 * `docs/money/crash-safety.md`.
 *
 * @example
 * // A row of the file is saved once, however often the program runs.
 * const save = 'funds.withdrawalAddresses.save';
 * for (const { id, ...address } of rows) {
 * }
 *
 * @param namespace Your application or purpose, for example `payouts`.
 * @param operation The name of the operation that the key is for, for example
 * @param ids One or more strings. Each is hashed with its length, so `ab` and `c` do not return the
 * @throws RequestValidationError if `operation` is neither such a name nor a route, if the
 * namespace
 */
export function idempotencyKeyFor(
  namespace: string,
  operation: KeyedWrite,
  ...ids: readonly [string, ...string[]]
): string {
  return uuidShaped(sha256Sync(...hashedParts(namespace, operation, ids)));
}

/** Returns the same key as `idempotencyKeyFor`, by the platform's asynchronous hash. */
export async function idempotencyKeyLater(
  namespace: string,
  operation: KeyedWrite,
  ...ids: readonly [string, ...string[]]
): Promise<string> {
  return uuidShaped(await sha256(...hashedParts(namespace, operation, ids)));
}

function hashedParts(namespace: string, operation: string, ids: readonly string[]): Uint8Array[] {
  const issues: Issue[] = [
    ...issuesOfText('namespace', namespace),
    ...issuesOfOperation(operation),
    ...ids.flatMap((id, index) => issuesOfText(`ids.${index}`, id)),
  ];
  if (ids.length === 0)
    issues.push({ path: 'ids', message: 'must tell this effect from others, for example account and order' });
  if (issues.length > 0) throw new RequestValidationError(issues);
  return [namespace, operation, ...ids].map(utf8Bytes).flatMap((part) => [bigEndian(part.length), part]);
}

function issuesOfText(path: string, text: unknown): Issue[] {
  if (typeof text !== 'string') return [{ path, message: `must be a string, not ${kindOf(text)}` }];
  return hasLoneSurrogate(text) ? [{ path, message: 'must not have a lone surrogate (half of a UTF-16 pair)' }] : [];
}

/** The method and the path template of a request. A query does not tell one operation from another. */
const ROUTE = /^(POST|PUT|PATCH) \/[^\s?#]*$/;

const KNOWN: readonly string[] = KEYED_OPERATIONS;

/** The message does not show the name that was passed, which may be an id in the wrong place. */
function issuesOfOperation(operation: unknown): Issue[] {
  const issues = issuesOfText('operation', operation);
  if (typeof operation !== 'string' || issues.length > 0) return issues;
  if (KNOWN.includes(operation) || ROUTE.test(operation)) return [];
  const meant = KNOWN.find((name) => name.endsWith(`.${operation}`)) ?? nearestName(operation, KNOWN);
  const hint = meant === undefined ? '' : `: did you mean ${meant}?`;
  const message = `must be an operation that takes an idempotency key, or a route such as 'POST /v1/payments'${hint}`;
  return [{ path: 'operation', message: `${message}${hint === '' ? '; known' : ' Known'}: ${KNOWN.join(', ')}` }];
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
