import { createHash, createHmac } from 'node:crypto';

/** The signature of a request, written a second time: base64(HMAC-SHA512(secret, path ‖ SHA-256(nonce ‖ body))). */
export function signature(secret: string, path: string, nonce: string, body: Uint8Array | string = ''): string {
  const digest = createHash('sha256').update(nonce).update(body).digest();
  return createHmac('sha512', Buffer.from(secret, 'base64')).update(path).update(digest).digest('base64');
}

export const UUID_V4 = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$/;
