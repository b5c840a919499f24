import { base64Bytes, base64Text, concat, utf8Bytes, uuidOf } from './bytes.js';
import type { Later } from './crypto.js';
import { hmac, sha256 as sha256OfNoble } from './noble-hashes.js';

export type { Later };

/**
 * Returns a random UUIDv4. `crypto.randomUUID()` may take it from a stock that clones of the
 * process share: see `crypto.ts`.
 */
export const randomUuid = (): string => uuidOf(crypto.getRandomValues(new Uint8Array(16)));

/** Web Crypto has no hash without a promise, and `verifyWebhook` returns none. */
export const sha256Sync = (...parts: readonly Uint8Array[]): Uint8Array => sha256OfNoble(concat(parts));

export const hmacSha256Sync = (key: Uint8Array, ...parts: readonly Uint8Array[]): Uint8Array =>
  hmac(sha256OfNoble, key, concat(parts));

export const sha256 = async (...parts: readonly Uint8Array[]): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', concat(parts)));

export const hmacSha256 = (key: Uint8Array, ...parts: readonly Uint8Array[]): Promise<Uint8Array> =>
  hmacOf('SHA-256', key, parts);

export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  let difference = 0;
  for (let index = 0; index < one.length; index++) difference |= (one[index] as number) ^ (other[index] as number);
  return difference === 0;
}

/** Web Crypto makes its own key of these bytes for each request. */
export type SigningKey = Uint8Array;

export const signingKey: (secret: string) => SigningKey = base64Bytes;

export async function requestSignature(
  key: SigningKey,
  path: string,
  nonce: string,
  body: Uint8Array | undefined,
): Promise<string> {
  const inner = await sha256(utf8Bytes(nonce), ...(body === undefined ? [] : [body]));
  return base64Text(await hmacOf('SHA-512', key, [utf8Bytes(path), inner]));
}

async function hmacOf(hash: string, bytes: Uint8Array, parts: readonly Uint8Array[]): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash };
  // Web Crypto takes no view of a buffer that may be shared.
  const key = await crypto.subtle.importKey('raw', concat([bytes]), algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign(algorithm.name, key, concat(parts)));
}
