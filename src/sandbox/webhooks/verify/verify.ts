import { jsonForms } from '../../core/basics/json-forms.js';
import { type DeliveryScheme, maskedSecret, signatureBy } from '../delivery/signature.js';
import type { ClaimedSignature } from './claimed-signature.js';

/** A signature of a header, and the secret that made it. */
export interface VerifiedSignature {
  /** Signature as it is written in the header. */
  readonly v1: string;
  /** True if one of the secrets made it. */
  readonly matchesSecret: boolean;
  /** Id of the webhook whose secret made it. */
  readonly webhookId?: string | undefined;
  /** The secret that made it: `…` and its last four characters. */
  readonly masked?: string | undefined;
}

/** The result of verifying a delivery. */
export interface WebhookVerdict {
  /** True if a receiver should accept the delivery. */
  readonly valid: boolean;
  /** Scheme that the form of the headers indicates. Undefined if it fits none. */
  readonly scheme?: DeliveryScheme | undefined;
  /** The signed time, in Unix seconds. Undefined for the scheme `body`. */
  readonly timestamp?: number | undefined;
  /** Age of the signed time at the arrival, in seconds. Negative if it is in the future. */
  readonly ageSeconds?: number | undefined;
  readonly signatures: readonly VerifiedSignature[];
  /** One sentence with the reason and the likely mistake. Undefined if the delivery is valid. */
  readonly problem?: string | undefined;
}

/** A secret that may have made a signature, and the scheme of its webhook. */
export interface Candidate {
  readonly secret: string;
  readonly scheme: DeliveryScheme;
  /** Undefined for a secret from the caller. */
  readonly webhookId: string | undefined;
  /** False for a replaced secret that is no longer valid. */
  readonly isValid: boolean;
}

/** A delivery to verify. */
export interface Claim {
  readonly claimed: ClaimedSignature;
  readonly body: string;
  readonly candidates: readonly Candidate[];
  /** Other secrets, which may have made the signature by mistake. */
  readonly others: readonly Candidate[];
  /** Default: what receivers usually have. */
  readonly toleranceSeconds?: number | undefined;
  /** Time of arrival by the machine's clock, in ms since the epoch. Default: now. */
  readonly real?: number | undefined;
}

/** Tolerance in seconds that receivers usually have; a larger difference is rejected. */
const TOLERANCE_SECONDS = 300;

/** Verifies a delivery, and finds the likely mistake if it is not valid. */
export function verdictOf(claim: Claim): WebhookVerdict {
  const { claimed, body, candidates, real = Date.now(), toleranceSeconds = TOLERANCE_SECONDS } = claim;
  const { scheme, timestamp, problem } = claimed;
  const signatures = claimed.signatures.map((v1): VerifiedSignature => {
    const signer = candidates.find((candidate) => isMadeBy(candidate, { ...claimed, signatures: [v1] }, body));
    if (signer === undefined) return { v1, matchesSecret: false };
    const { webhookId, secret } = signer;
    return { v1, matchesSecret: true, ...(webhookId === undefined ? {} : { webhookId }), masked: maskedSecret(secret) };
  });
  const seconds = timestamp === undefined || problem !== undefined ? undefined : Number(timestamp);
  const ageSeconds = seconds === undefined ? undefined : Math.floor(real / 1000) - seconds;
  const isSigned = signatures.some(({ matchesSecret }) => matchesSecret);
  const why = problem ?? (isSigned ? ageProblem(ageSeconds, toleranceSeconds) : likelyMistake(claim));
  return {
    valid: why === undefined,
    ...(scheme === undefined ? {} : { scheme }),
    ...(seconds === undefined ? {} : { timestamp: seconds, ageSeconds }),
    signatures,
    ...(why === undefined ? {} : { problem: `${why.charAt(0).toUpperCase()}${why.slice(1)}.` }),
  };
}

/** True if the secret makes one of the signatures. The headers of another scheme cannot match. */
function isMadeBy({ secret, scheme }: Candidate, claimed: ClaimedSignature, body: string): boolean {
  if (scheme !== claimed.scheme) return false;
  const { id = '', timestamp = '', signatures } = claimed;
  const right = signatureBy(secret, { scheme, id, timestamp, body });
  return signatures.some((one) => (scheme === 'standard' ? one : one.toLowerCase()) === right);
}

/** Returns the common mistake with which signing makes one of the signatures. */
function likelyMistake({ claimed, body, candidates, others }: Claim): string {
  if (candidates.length === 0) return 'there is no secret to verify it with: register a webhook, or give a secret';
  const because = (mistake: string): string => `the signature does not fit: ${mistake}`;
  const own = candidates.filter(({ scheme }) => scheme === claimed.scheme);
  if (own.length === 0) {
    const schemes = [...new Set(candidates.map(({ scheme }) => scheme))].join(' or ');
    return because(
      `the delivery has the signature of the scheme ${claimed.scheme}, and the webhook has the scheme ${schemes}`,
    );
  }
  for (const candidate of own) {
    for (const [signed, ofBody] of bodiesOf(body)) {
      for (const [secret, ofSecret] of secretsOf(candidate)) {
        if (!isMadeBy({ ...candidate, secret }, claimed, signed)) continue;
        return because([ofBody, ofSecret].filter((mistake) => mistake !== undefined).join('; '));
      }
    }
  }
  const signer = others.find((other) => isMadeBy(other, claimed, body));
  if (signer !== undefined) {
    const { webhookId, isValid } = signer;
    return because(
      isValid
        ? `it was signed with the secret of another webhook, ${webhookId}`
        : `it was signed with a secret of ${webhookId} that was replaced and is no longer valid`,
    );
  }
  if (own.some(({ secret, scheme }) => scheme !== 'body' && !/^[\w+/-]+={0,2}$/.test(secret.trim()))) {
    return because('the secret is not base64: use it exactly as it was shown at the registration');
  }
  return because('another secret has signed it, or the body was changed after it was signed');
}

type Attempt = readonly [value: string, mistake?: string];

/** Returns the bodies of which the given one may be a copy. */
function bodiesOf(body: string): Attempt[] {
  const raw = 'verify the raw bytes as they arrived';
  return [
    [body],
    [body.replace(/\r?\n$/, ''), `the body has a line end that was not signed: ${raw}`],
    ...jsonForms(body).map(({ text }) => [text, `the body was parsed and written anew: ${raw}`] as const),
  ];
}

/** Returns the secret as it is decoded and, for a scheme that decodes it, as its text is used. */
function secretsOf({ secret, scheme }: Candidate): Attempt[] {
  const text = Buffer.from(secret).toString('base64');
  const mistake = 'the secret was taken as text: decode it from base64 first';
  return scheme === 'body' ? [[secret]] : [[secret], [text, mistake]];
}

function ageProblem(age: number | undefined, tolerance: number): string | undefined {
  if (age === undefined || Math.abs(age) <= tolerance) return undefined;
  const [distance, side] = age > 0 ? [age, 'old'] : [-age, 'in the future'];
  return `the signature fits, but its time is ${distance} s ${side}, and ${tolerance} s are allowed`;
}
