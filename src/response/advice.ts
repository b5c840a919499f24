import type { Outcome } from '../errors.js';
import type { PreparedCall } from '../request/prepare.js';
import { templateOf } from '../schema/operation.js';
import { isRejectionOfProxy } from './proof.js';

/**
 * Returns what to check after a refusal, for its message; undefined when the answer tells enough.
 *
 * @param pathPrefix Path of `baseUrl`.
 */
export function adviceOn(
  status: number,
  code: string,
  call: PreparedCall,
  pathPrefix: string,
  outcome: Outcome,
): string | undefined {
  const usual = usualAdvice(status, code, call, pathPrefix, outcome);
  if (!call.operation.isAssumed || !STATUSES_OF_OTHER_PATHS.includes(status)) return usual;
  return usual === undefined ? ASSUMED : `${usual}. Or ${ASSUMED}`;
}

/** A service that has no such path, or another method at it, answers one of these. */
const STATUSES_OF_OTHER_PATHS = [404, 405, 501];

const ASSUMED =
  'the service may have this operation at another path: ours is an assumption from an older edition of the API. ' +
  'Ask for the right path, and call it by client.request() (docs/reference/operations.md#other-operations)';

function usualAdvice(
  status: number,
  code: string,
  { otp, operation }: PreparedCall,
  pathPrefix: string,
  outcome: Outcome,
): string | undefined {
  if (status === 404) return notFound(code, pathPrefix, templateOf(operation));
  if (status === 403 && code === 'gateway') return GATEWAY;
  if (code === '') return notOfService(status);
  if (status === 403) return FORBIDDEN;
  if (status !== 401) return undefined;
  if (outcome === 'unknown') return SENT_TWICE;
  return otp === undefined ? UNAUTHENTICATED : `${UNAUTHENTICATED}; check the one-time password`;
}

const UNAUTHENTICATED =
  'the service did not accept the API key, signature or nonce: check that apiKey and apiSecret belong together and to the service at ' +
  "baseUrl, that no other process uses this API key (docs/operate/several-processes.md), and that this machine's clock is not behind; `npx partner-sdk doctor` checks these";

const FORBIDDEN =
  'the API key may not do this: check that the account or user belongs to it, and which permissions it has';

const GATEWAY =
  'the gateway of the service rejected the request, not the service itself: check its rules, for instance an IP allow-list';

const SENT_TWICE =
  'the service has accepted this API key before, so a proxy, load balancer or runtime may have sent the request twice: the copy gets this ' +
  '401, since its nonce has been used. Look up whether the write was applied. If every call fails, the API key has been revoked';

/** Returns the advice about a response without the service's error envelope. */
function notOfService(status: number): string {
  if (isRejectionOfProxy(status)) return `${NOT_OF_SERVICE}, and rejected the request: check baseUrl`;
  return status === 403 ? `${NOT_OF_SERVICE}: check its rules, for instance an IP allow-list` : NOT_OF_SERVICE;
}

const NOT_OF_SERVICE = 'a proxy or load balancer in front of the service responded, not the service itself';

/** Returns the advice about a 404: an id or `baseUrl` is wrong. */
function notFound(code: string, pathPrefix: string, template: string): string {
  const version = /\/v\d+$/.exec(pathPrefix)?.[0];
  if (version !== undefined && template.startsWith(`${version}/`)) {
    return `baseUrl ends with ${version}, with which the path begins as well: take ${version} out of baseUrl`;
  }
  if (pathPrefix !== '') return `${NOT_FOUND}, and the path of baseUrl (${pathPrefix})`;
  return code === '' ? `${NOT_OF_SERVICE}: check that the service is at baseUrl` : NOT_FOUND;
}

const NOT_FOUND = 'the resource does not exist, or belongs to another account or user: check the ids of the path';
