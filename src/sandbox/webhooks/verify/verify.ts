import { type DeliveryScheme, maskedSecret, signatureBy } from '../delivery/signature.js';
import type { ClaimedSignature } from './claimed-signature.js';
import { type Candidate, likelyMistake, type Suspect } from './likely-mistake.js';

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

/** A delivery to verify. */
interface Claim extends Omit<Suspect, keyof ClaimedSignature> {
  readonly claimed: ClaimedSignature;
  readonly toleranceSeconds: number;
  /** Time of arrival by the machine's clock, in ms since the epoch. */
  readonly real: number;
}

/** Verifies a delivery, and finds the likely mistake if it is not valid. */
export function verdictOf(claim: Claim): WebhookVerdict {
  const { scheme, timestamp, signatures, problem } = claim.claimed;
  const signed = claim.candidates.map((candidate) => [candidate, expected(candidate, claim)] as const);
  const read = signatures.map((v1): VerifiedSignature => {
    const comparable = scheme === 'standard' ? v1 : v1.toLowerCase();
    const [signer] = signed.find(([, right]) => right === comparable) ?? [];
    if (signer === undefined) return { v1, matchesSecret: false };
    const { webhookId, secret } = signer;
    const masked = maskedSecret(secret);
    return { v1, matchesSecret: true, ...(webhookId === undefined ? {} : { webhookId }), masked };
  });
  const seconds = timestamp === undefined || problem !== undefined ? undefined : Number(timestamp);
  const ageSeconds = seconds === undefined ? undefined : Math.floor(claim.real / 1000) - seconds;
  const why = problem ?? problemOf(claim, read) ?? ageProblem(ageSeconds, claim.toleranceSeconds);
  return {
    valid: why === undefined,
    ...(scheme === undefined ? {} : { scheme }),
    ...(seconds === undefined ? {} : { timestamp: seconds, ageSeconds }),
    signatures: read,
    ...(why === undefined ? {} : { problem: `${why.charAt(0).toUpperCase()}${why.slice(1)}.` }),
  };
}

/** Returns the correct signature for a webhook. The headers of another scheme cannot match. */
function expected({ secret, scheme }: Candidate, { body, claimed }: Claim): string | undefined {
  const { id = '', timestamp = '' } = claimed;
  return scheme === claimed.scheme ? signatureBy(secret, { scheme, id, timestamp, body }) : undefined;
}

function problemOf({ claimed, ...claim }: Claim, read: readonly VerifiedSignature[]): string | undefined {
  if (read.some(({ matchesSecret }) => matchesSecret)) return undefined;
  if (claim.candidates.length === 0)
    return 'there is no secret to verify it with: register a webhook, or give a secret';
  return `the signature does not fit: ${likelyMistake({ ...claim, ...claimed })}`;
}

function ageProblem(age: number | undefined, tolerance: number): string | undefined {
  if (age === undefined || Math.abs(age) <= tolerance) return undefined;
  const [distance, side] = age > 0 ? [age, 'old'] : [-age, 'in the future'];
  return `the signature fits, but its time is ${distance} s ${side}, and ${tolerance} s are allowed`;
}
