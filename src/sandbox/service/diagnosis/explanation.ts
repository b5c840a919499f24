import type { ApiKey } from '../../core/keys/api-keys.js';
import { nonceTime } from '../../core/keys/nonce-time.js';
import type { RequestHead } from '../../core/request/messages.js';

/** Reason why a request got 401. */
export interface Explanation {
  /** The header concerned. */
  readonly field: string;
  /** One sentence. */
  readonly message: string;
  /** One sentence about the probable mistake. Undefined: no known mistake fits. */
  readonly likely?: string | undefined;
}

const found = (field: string, likely: string): Explanation => ({ field, message: likely, likely });

const SIGNATURE_HEADERS: readonly string[] = ['API-Key', 'API-Nonce', 'API-Sign'];

/** Explains which of the three headers are absent or empty. */
export function explainMissing(head: RequestHead): Explanation[] {
  const missing = SIGNATURE_HEADERS.filter((name) => !head.header(name.toLowerCase()));
  if (missing.length < SIGNATURE_HEADERS.length) return missing.map((name) => found(name, `you sent no ${name}`));
  return [found(missing.join(', '), 'you did not sign the request: API-Key, API-Nonce and API-Sign are missing')];
}

export function explainUnknownKey(given: string, keys: readonly ApiKey[]): Explanation {
  const field = 'API-Key';
  if (keys.some(({ secretText }) => secretText === given)) {
    return found(field, 'you sent the secret as API-Key: swap the two');
  }
  const bare = given.replaceAll(/["'\s]/g, '');
  if (keys.some(({ apiKey }) => apiKey === bare)) return found(field, 'you sent the API key with quotation marks');
  return { field, message: 'is unknown: GET /_sandbox/keys lists all API keys' };
}

export const MALFORMED_NONCE: Explanation = found(
  'API-Nonce',
  'you sent a nonce that is not a whole number of at most 64 bits, written in decimal digits alone',
);

/** Maximum difference in ms of the nonces of requests that overtook one another. */
const RACE_MS = 60_000;

export function explainNotRising(nonce: bigint, { nonces, lastUse }: ApiKey, now: number): Explanation {
  const { last = 0n, width } = nonces;
  const age = lastUse === undefined ? '' : `, of ${ageText(now - lastUse.real)} ago`;
  const above = width === 0 ? `above ${last}, the last one${age}` : `new, and among the ${width} below ${last}${age}`;
  const likely = likelyOf(nonce, last);
  return { field: 'API-Nonce', message: `must be ${above}: ${likely}`, likely };
}

function likelyOf(nonce: bigint, last: bigint): string {
  if (nonce === last) {
    return 'you used the nonce of the last request again: each request, also a retry, needs a new one';
  }
  const [mine, before] = [nonceTime(nonce), nonceTime(last)];
  if (mine === undefined || before === undefined) {
    return 'you sent a nonce that is not above the last one: the API key may be in use elsewhere';
  }
  if (mine.unit !== before.unit) {
    return `you sent a nonce in ${mine.unit}, and the API key has used one in ${before.unit}`;
  }
  if (before.at - mine.at <= RACE_MS) {
    return 'you sent requests in parallel, or two processes use the API key: a later nonce came first';
  }
  return `your clock is behind that of another user of the API key, by ${ageText(before.at - mine.at)}`;
}

function ageText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

export const REVOKED: Explanation = found('API-Key', 'you sent a revoked API key: keys.reinstate takes that back');

export const MISSING_OTP: Explanation = found('API-Otp', 'you sent no API-Otp, which this operation needs');

export const WRONG_OTP: Explanation = found('API-Otp', 'you sent another API-Otp than the one that this sandbox takes');

export const NO_MISTAKE_FOUND = 'is not the signature of this request: check that the secret is that of this API key';
