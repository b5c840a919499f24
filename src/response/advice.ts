import type { PreparedCall } from '../request/prepare.js';

/**
 * Returns what to check after a refusal, for its message; undefined when the answer tells enough.
 *
 * @param pathPrefix Path of `baseUrl`.
 */
export function adviceOn(
  status: number,
  code: string,
  { otp, template }: Pick<PreparedCall, 'otp' | 'template'>,
  pathPrefix: string,
): string | undefined {
  if (status === 401) return otp === undefined ? UNAUTHENTICATED : `${UNAUTHENTICATED}; check the one-time password`;
  if (status === 403) return code === 'gateway' || code === '' ? GATEWAY : FORBIDDEN;
  if (status === 404) return notFound(code, pathPrefix, template);
  return status >= 500 && code === '' ? NOT_OF_SERVICE : undefined;
}

const UNAUTHENTICATED =
  'the service did not accept the API key, signature or nonce: check that apiKey and apiSecret belong together and to the service at ' +
  "baseUrl, that no other process uses this API key (docs/operate/several-processes.md), and that this machine's clock is not behind; `npx partner-sdk doctor` checks these";

const FORBIDDEN =
  'the API key may not do this: check that the account or user belongs to it, and which permissions it has';

const GATEWAY =
  'a gateway in front of the service refused, not the service itself: check its rules, for instance an IP allow-list';

const NOT_OF_SERVICE = 'a gateway in front of the service answered, not the service itself';

/** Returns the advice about a 404: an id or `baseUrl` is wrong. */
function notFound(code: string, pathPrefix: string, template: string): string {
  const version = /\/v\d+$/.exec(pathPrefix)?.[0];
  if (version !== undefined && template.startsWith(`${version}/`)) {
    return `baseUrl ends with ${version}, with which the path begins as well: take ${version} out of baseUrl`;
  }
  if (pathPrefix !== '') return `${NOT_FOUND}, and the path of baseUrl (${pathPrefix})`;
  return code === '' ? `${NOT_FOUND}, and that the service is at baseUrl` : NOT_FOUND;
}

const NOT_FOUND = 'the resource does not exist, or belongs to another account or user: check the ids of the path';
