/** Signs the requests of the examples. */
import { createHash, createHmac } from 'node:crypto';

export interface Credentials {
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** Returns the headers of a signed request. It has nothing of the code of the package. */
export function signedHeaders(
  { apiKey, apiSecret }: Credentials,
  target: string,
  nonce: bigint,
  body: string | Uint8Array = '',
): Record<string, string> {
  const digest = createHash('sha256').update(String(nonce)).update(body).digest();
  const hmac = createHmac('sha512', Buffer.from(apiSecret, 'base64')).update(target).update(digest);
  return { 'API-Key': apiKey, 'API-Nonce': String(nonce), 'API-Sign': hmac.digest('base64') };
}
