import { type Issue, RequestValidationError } from '../errors.js';
import { utf8Bytes, uuidOf } from '../runtime/bytes.js';
import { randomUuid, sha256, sha256Sync } from '../runtime/crypto.js';
import { kindOf } from '../schema/messages.js';
import { nearestName } from '../util/did-you-mean.js';
import { hasLoneSurrogate } from './url.js';

/**
 * The operations that take an idempotency key. `idempotencyKeyFor` accepts no other name, and a
 * bundle that derives keys contains this list without the operations' schemas. `defineOperation`
 * makes the compiler compare it with the definitions.
 */
export const KEYED_OPERATIONS = [
  'accounts.conversionRules.create',
  'accounts.conversions.create',
  'accounts.deposits.create',
  'accounts.transfers.create',
  'accounts.quotes.create',
  'accounts.quotes.execute',
  'accounts.priceTriggerSwaps.create',
  'accounts.priceTriggerSwaps.cancel',
  'accounts.wallets.whitelist',
  'funds.withdrawalAddresses.save',
  'funds.withdrawalAddresses.update',
  'funds.withdrawalAddresses.validate',
  'funds.depositAddresses.create',
  'funds.withdrawals.create',
  'webhooks.create',
  'webhooks.update',
  'webhooks.test',
] as const;

export type KeyedOperation = (typeof KEYED_OPERATIONS)[number];

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
 * without having stored its idempotency key.
 *
 * Pass as ids what distinguishes one effect from the next: the account and, for example, your order
 * number. Leave out what another process does not know (a time, a random number) and what may be
 * corrected (an amount).
 *
 * The idempotency key protects you only with the same body, on the same API keys, and while the
 * service remembers the idempotency key. The service does not document how long that is, so ask it
 * (`docs/reference/questions.md` of this package). `docs/money/crash-safety.md` says how to do
 * without knowing.
 *
 * @example
 * // Each row of the file is saved once, however often the program runs.
 * const save = 'funds.withdrawalAddresses.save';
 * for (const { id, ...address } of rows) {
 *   const idempotencyKey = idempotencyKeyFor('import', save, accountId, id);
 *   const call = client.funds.withdrawalAddresses.save(accountId, address, { idempotencyKey });
 *   const { response } = await call.withResponse();
 *   console.log(id, response.replayed ? 'was there' : 'is new');
 * }
 *
 * @param namespace Your application or purpose, for example `payouts`.
 * @param operation The name of an operation that takes an idempotency key, for example
 *   `funds.withdrawals.create`. For an operation that the client has no method for, pass a route:
 *   POST, PUT or PATCH, and the path template without its ids, for example `POST /v1/payments`. A
 *   name and a route of the same operation return different keys, so use the name wherever there is
 *   one, even with `client.request()`.
 * @param ids One or more strings. Each is hashed with its length, so `ab` and `c` do not return the
 *   key of `a` and `bc`.
 * @throws RequestValidationError if `operation` is neither such a name nor a route, if the
 *   namespace or an id is not a string, if there are no ids, or if one is what a missing id becomes
 *   in a string: empty, `undefined` (also in `order-undefined`), `null`, `NaN`, `[object Object]`.
 */
export function idempotencyKeyFor(
  namespace: string,
  operation: KeyedWrite,
  ...ids: readonly [string, ...string[]]
): string {
  const issues = issuesOfOperation(operation);
  if ((ids as readonly string[]).length === 0)
    issues.push({ path: 'ids', message: 'must tell this effect from others, for example account and order' });
  return uuidOf(sha256Sync(...hashedParts([namespace, operation, ...ids], issues)));
}

/**
 * Returns the same key as `idempotencyKeyFor`, by the platform's asynchronous hash, for an
 * operation that the client names itself. It does not look that name up, so the bundle of a worker
 * that derives no keys of its own does not contain the list of names.
 */
export async function idempotencyKeyLater(
  namespace: string,
  operation: KeyedWrite,
  ...ids: readonly [string, ...string[]]
): Promise<string> {
  return uuidOf(await sha256(...hashedParts([namespace, operation, ...ids])));
}

/** Throws if there are issues, or if a part is not a string that UTF-8 can encode. */
function hashedParts(parts: readonly string[], issues: Issue[] = []): Uint8Array[] {
  parts.forEach((part: unknown, index) => {
    const path = ['namespace', 'operation'][index] ?? `ids.${index - 2}`;
    if (typeof part !== 'string') issues.push({ path, message: `must be a string, not ${kindOf(part)}` });
    else if (index > 1 && isMissingId(part)) issues.push({ path, message: MISSING });
    else if (hasLoneSurrogate(part))
      issues.push({ path, message: 'must not have a lone surrogate (half of a UTF-16 pair)' });
  });
  if (issues.length > 0) throw new RequestValidationError(issues);
  return parts.map(utf8Bytes).flatMap((part) => [bigEndian(part.length), part]);
}

/** True for what a missing id becomes in a string. All effects without one would share a key. */
export const isMissingId = (id: string): boolean =>
  /^(\s*|null|NaN)$|(?<![A-Za-z\d])undefined(?![A-Za-z\d])|\[object /.test(id);

const MISSING =
  'must not be missing: it is empty, or names undefined, null, NaN or an object, so several effects would share one idempotency key';

/** The method and the path template of a request. A query does not distinguish operations. */
const ROUTE = /^(POST|PUT|PATCH) \/[^\s?#]*$/;

const KNOWN: readonly string[] = KEYED_OPERATIONS;

/** The message does not show the name that was passed, which may be an id in the wrong place. */
function issuesOfOperation(operation: unknown): Issue[] {
  if (typeof operation !== 'string' || KNOWN.includes(operation) || ROUTE.test(operation)) return [];
  const meant = KNOWN.find((name) => name.endsWith(`.${operation}`)) ?? nearestName(operation, KNOWN);
  const hint = meant === undefined ? '; known' : `: did you mean ${meant}? Known`;
  const rule = `must be an operation that takes an idempotency key, or a route such as 'POST /v1/payments'${hint}`;
  return [{ path: 'operation', message: `${rule}: ${KNOWN.join(', ')}` }];
}

function bigEndian(number: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, number);
  return new Uint8Array(view.buffer);
}

/**
 * Returns a random UUIDv4. Node builds it from a dozen strings, and V8 keeps all of them until a
 * character is read, so each waiting call would hold all of them.
 */
export function randomIdempotencyKey(): string {
  const key = randomUuid();
  key.charCodeAt(0);
  return key;
}
