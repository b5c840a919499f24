/** The signature of requests, in words and as OpenAPI's security schemes. */

export const SIGNING_RULE = [
  'Each request carries `API-Key`, `API-Nonce` and `API-Sign`.',
  '`API-Nonce` is a whole number of at most 64 bits, in decimal digits. Each request of an API key needs a greater one than the request before it; the Unix time in nanoseconds serves.',
  '`API-Sign` is `base64(HMAC-SHA512(secret, target + SHA-256(nonce + body)))`. `secret` is the private key, decoded from base64. `target` is the path with its query, exactly as it is sent, percent-encoded, without scheme and host. `SHA-256(…)` is its 32 bytes, not their hex text. `nonce` is the text of `API-Nonce`. `body` is the bytes of the body as they are sent, and nothing for a request without a body.',
].join('\n\n');

const header = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description });

export const SECURITY_SCHEMES = {
  ApiKey: header('API-Key', 'The public key of the partner.'),
  ApiNonce: header('API-Nonce', 'A whole number that rises with each request of an API key.'),
  ApiSign: header('API-Sign', SIGNING_RULE),
};
