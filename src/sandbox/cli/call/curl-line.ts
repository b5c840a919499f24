import { createHash, createHmac, randomUUID } from 'node:crypto';
import { printable } from '../../../util/printable.js';
import { curlWords } from '../../../util/shell.js';
import type { SandboxCredentials } from '../../core/keys/api-keys.js';
import { shellWord } from '../output/text.js';
import { usageError } from './command-line.js';

/** A request to the API that curl should send. */
interface SignedRequest {
  readonly method: string;
  /** Path and query as curl sends them. */
  readonly path: string;
  readonly body: string | undefined;
}

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** @throws Failure (2) for a method or a path that cannot be sent. */
export function checkedRequest([method = '', path = '', body, ...more]: readonly string[]): SignedRequest {
  const upper = method.toUpperCase();
  if (!METHODS.includes(upper) || more.length > 0) {
    throw usageError("curl takes METHOD PATH [BODY], for instance curl GET '/v1/webhooks?page_size=3'");
  }
  if (!/^\/[!-~]*$/.test(path))
    throw usageError('the path begins with / and has only printable ASCII: percent-encode others');
  // Between the tokens of JSON a line break means the same as a space. Its strings contain none.
  return { method: upper, path, body: body === undefined ? undefined : printable(body.replace(/[\r\n\t]+/g, ' ')) };
}

/** Returns nanoseconds since 1970, or one more than the key's last nonce if that is higher. */
export function nextNonce(last: bigint): string {
  const now = BigInt(Date.now()) * 1_000_000n;
  return String(now > last ? now : last + 1n);
}

/**
 * Returns a shell line that sends the request. It works once, since its nonce is used then.
 * Arguments that the shell or curl would change are quoted.
 */
export function curlLine(
  url: string,
  { method, path, body }: SignedRequest,
  { apiKey, apiSecret }: SandboxCredentials,
  nonce: string,
  caFile?: string,
): string {
  const digest = createHash('sha256')
    .update(nonce + (body ?? ''))
    .digest();
  const sign = createHmac('sha512', Buffer.from(apiSecret, 'base64')).update(path).update(digest).digest('base64');
  const headers: [name: string, value: string][] = [
    ['API-Key', apiKey],
    ['API-Nonce', nonce],
    ['API-Sign', sign],
  ];
  if (method !== 'GET') headers.push(['Idempotency-Key', randomUUID()]);
  if (body !== undefined) headers.push(['Content-Type', 'application/json']);
  const words = curlWords({ method, url: url + path, headers, body, caFile });
  return words.map(shellWord).join(' ');
}
