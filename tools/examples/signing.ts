/** How requests are signed, in words and in headers. */
import { createHash, createHmac } from 'node:crypto';

export const SIGNING_RULE = [
  'Each request carries `API-Key`, `API-Nonce` and `API-Sign`.',
  '`API-Nonce` is a whole number of at most 64 bits, in decimal digits. Each request of an API key needs a greater one than the request before it; the Unix time in nanoseconds serves.',
  '`API-Sign` is `base64(HMAC-SHA512(secret, target + SHA-256(nonce + body)))`. `secret` is the private key, decoded from base64. `target` is the path with its query, exactly as it is sent, percent-encoded, without scheme and host. `SHA-256(…)` is its 32 bytes, not their hex text. `nonce` is the text of `API-Nonce`. `body` is the bytes of the body as they are sent, and nothing for a request without a body.',
].join('\n\n');

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

const header = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description });

export const SECURITY_SCHEMES = {
  ApiKey: header('API-Key', 'The public key of the partner.'),
  ApiNonce: header('API-Nonce', 'A whole number that rises with each request of an API key.'),
  ApiSign: header('API-Sign', SIGNING_RULE),
};
