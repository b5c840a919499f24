import { type ApiKey, apiKeyOfSeed } from '../../core/keys/api-keys.js';
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

/** Wrong names that clients use for the headers, in lower case. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  'API-Key': ['x-api-key', 'apikey', 'api_key', 'x-apikey', 'authorization'],
  'API-Nonce': ['x-api-nonce', 'apinonce', 'api_nonce', 'nonce', 'x-nonce', 'api-timestamp'],
  'API-Sign': ['x-api-sign', 'api-signature', 'x-api-signature', 'apisign', 'api_sign', 'signature', 'x-signature'],
};

/** Explains which of the three headers are absent or empty. */
export function explainMissing(head: RequestHead): Explanation[] {
  const missing = Object.keys(OTHER_NAMES).filter((name) => !head.header(name.toLowerCase()));
  if (missing.length === 3 && missing.every((name) => otherNameOf(name, head) === undefined)) {
    return [found(missing.join(', '), 'you did not sign the request: API-Key, API-Nonce and API-Sign are missing')];
  }
  return missing.map((name) => {
    const other = otherNameOf(name, head);
    return found(name, other === undefined ? `you sent no ${name}` : `you sent ${other} in place of ${name}`);
  });
}

function otherNameOf(name: string, head: RequestHead): string | undefined {
  return OTHER_NAMES[name]?.find((other) => head.header(other));
}

/** Number of seeds whose first API keys are recognised. */
const KNOWN_SEEDS = 100;

/** Minimum length in characters of a prefix that is recognised as a part of an API key. */
const MIN_PREFIX_LENGTH = 8;

export function explainUnknownKey(given: string, keys: readonly ApiKey[], seed: number): Explanation {
  const field = 'API-Key';
  if (keys.some(({ secretText }) => secretText === given))
    return found(field, 'you sent the secret as API-Key: swap the two');
  const plain = given.replaceAll(/["'\s]/g, '').toLowerCase();
  if (keys.some(({ apiKey }) => apiKey.toLowerCase() === plain)) {
    return found(field, 'you sent the API key with quotation marks or in other case');
  }
  if (given.length >= MIN_PREFIX_LENGTH && keys.some(({ apiKey }) => apiKey.startsWith(given))) {
    return found(field, `you sent only the first ${given.length} characters of the API key`);
  }
  for (let other = 0; other <= KNOWN_SEEDS; other += 1) {
    if (other === seed || apiKeyOfSeed(other) !== given) continue;
    return found(field, `you sent the API key of a sandbox with seed ${other}: this one has seed ${seed}`);
  }
  return { field, message: 'is unknown: GET /_sandbox/keys lists all API keys' };
}

export function explainMalformedNonce(nonce: string): Explanation {
  return found('API-Nonce', `your nonce ${wrongIn(nonce)}: it must be a whole number of at most 64 bits`);
}

function wrongIn(nonce: string): string {
  if (/^-\d+$/.test(nonce)) return 'is negative';
  if (/^\d+[.,]\d*$/.test(nonce)) return 'has a decimal point';
  if (/^[\d.]+e\+?\d+$/i.test(nonce)) return 'is written with an exponent';
  if (/^\d{20,}$/.test(nonce)) return 'is too long';
  if (/^(0x)?[0-9a-f]{8,}$/i.test(nonce)) return 'is written as hex';
  if (/^[0-9a-f]{8}-/i.test(nonce)) return 'is a UUID';
  if (/^\d{4}-\d{2}/.test(nonce)) return 'is a date as text';
  return 'has other characters than digits';
}

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
  const [mine, before] = [nonceTime(nonce), nonceTime(last)];
  if (nonce === last)
    return 'you used the nonce of the last request again: each request, also a retry, needs a new one';
  if (mine !== undefined && before !== undefined && mine.unit !== before.unit) {
    return `you sent a nonce in ${mine.unit}, and the key has used one in ${before.unit}`;
  }
  if (mine === undefined || before === undefined) {
    return before === undefined
      ? 'you sent a nonce that is not above the last one: the key may be in use elsewhere'
      : `you sent a small nonce, and the key has used one in ${before.unit}`;
  }
  if (before.at - mine.at <= RACE_MS) {
    return 'you sent requests in parallel, or two processes use the key: a later nonce came first';
  }
  return `your clock is behind that of another user of the key, by ${ageText(before.at - mine.at)}`;
}

function ageText(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, ms)} ms`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

export const REVOKED: Explanation = found('API-Key', 'you sent a revoked API key: keys.reinstate takes that back');

export const MISSING_OTP: Explanation = found('API-Otp', 'you sent no API-Otp, which this operation needs');

export const WRONG_OTP: Explanation = found('API-Otp', 'you sent another API-Otp than the one that this sandbox takes');

export const NO_MISTAKE_FOUND = 'is not the signature of this request: check that the secret is that of this API key';
