import { claimedIn } from '../../sandbox/webhooks/verify/claimed-signature.js';
import { verdictOf } from '../../sandbox/webhooks/verify/verify.js';
import { mistakeOf } from './credentials.js';
import { type Finding, finding } from './finding.js';

/** A delivery that was pasted. */
export interface WebhookCheck {
  readonly body: string;
  /** The header `X-Signature`. */
  readonly signature: string;
  readonly secret: string;
  readonly toleranceSeconds: number;
}

/** Verifies a delivery, and finds the likely mistake if it is not valid. */
export function webhookFindings({ body, signature, secret, toleranceSeconds }: WebhookCheck): Finding[] {
  const scheme = /\bv1=/.test(signature) ? 'timestamped' : 'body';
  const candidates = [{ secret, scheme, webhookId: undefined, isValid: true } as const];
  const claim = {
    body,
    claimed: claimedIn({ 'X-Signature': signature }),
    toleranceSeconds,
    real: Date.now(),
    candidates,
    others: [],
  };
  const { valid, problem, ageSeconds } = verdictOf(claim);
  const found = [finding('header', 'fact', `scheme ${scheme}`)];
  // The handlers take the secret as it was shown, and nothing around it.
  const mistake = mistakeOf(secret);
  if (mistake !== undefined) found.push(finding('secret', 'problem', `PARTNER_WEBHOOK_SECRET ${mistake}`));
  if (ageSeconds !== undefined) {
    const side = ageSeconds < 0 ? 'in the future' : 'old';
    found.push(finding('time', 'fact', `signed ${Math.abs(ageSeconds)} s ${side}`.replace(/(\d+ s) old/, '$1 ago')));
  }
  found.push(finding('webhook', valid ? 'ok' : 'problem', problem ?? 'the delivery is genuine and fresh'));
  return found;
}
