import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';

/** Returns a random UUIDv4. */
export const randomUuid = (): string => randomUUID();

/** Returns the SHA-256 of the parts, one after the other. */
export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** Returns the HMAC-SHA256 of the parts, one after the other. */
export function hmacSha256(key: Uint8Array, ...parts: readonly Uint8Array[]): Uint8Array {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

/** Compares byte strings of one length, in a time that does not tell where they differ. */
export const sameBytes = (one: Uint8Array, other: Uint8Array): boolean => timingSafeEqual(one, other);
