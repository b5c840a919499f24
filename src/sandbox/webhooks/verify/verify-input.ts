import * as z from 'zod/mini';
import { text } from '../../core/basics/checked.js';
import type { Now } from '../../core/clock/clock.js';
import type { Delivery } from '../delivery/delivery.js';
import { DELIVERY_SCHEMES, type DeliveryScheme } from '../delivery/signature.js';
import { type SubscriptionRecord, type Subscriptions, validSecrets } from '../delivery/subscriptions.js';
import { claimedIn } from './claimed-signature.js';
import { type Candidate, verdictOf, type WebhookVerdict } from './verify.js';

/** A delivery to verify with `webhooks.verify`. */
export interface WebhookVerifyInput {
  /** The body, exactly as it was received. */
  readonly body: string;
  /**
   * Headers of the delivery, with names in any letter case.
   *
   * @example
   * const { valid, problem } = sandbox.webhooks.verify({ body: rawBody, headers, secret });
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Value of `X-Signature`, with or without the name of the header, instead of `headers`; or lines
   * with the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`.
   */
  readonly signature?: string | undefined;
  /** The signing secret to verify with. Default: the secrets of the sandbox's webhooks. */
  readonly secret?: string | undefined;
  /** The webhook whose secrets are used, instead of `secret`. */
  readonly webhookId?: string | undefined;
  /** Scheme of `secret`. Default: the scheme that the headers indicate. */
  readonly scheme?: DeliveryScheme | undefined;
  /** Maximum difference between the signed time and now, in seconds: 0 or more. Default 300. */
  readonly toleranceSeconds?: number | undefined;
  /** Time of arrival by the machine's clock, in ms since the epoch. Default: now. */
  readonly real?: number | undefined;
}

/** Headers that were copied as lines. */
const HEADER_LINES = /^[ \t]*(x-signature|(?:webhook|svix)-(?:id|timestamp|signature))[ \t]*:(.*)$/gim;

export const verifyInput = z
  .strictObject({
    body: z.string('must be a string, as it arrived'),
    headers: z.optional(z.record(z.string(), z.string())),
    signature: z.optional(z.string()),
    secret: z.optional(text),
    webhookId: z.optional(text),
    scheme: z.optional(z.enum(DELIVERY_SCHEMES)),
    toleranceSeconds: z.optional(z.number().check(z.nonnegative())),
    real: z.optional(z.number()),
  })
  .check(
    z.refine(({ headers, signature }) => !(headers && signature !== undefined), 'must not have headers and signature'),
    z.refine(({ secret, webhookId }) => !(secret && webhookId), 'must not have secret and webhookId'),
  );

/** @throws Error for an unknown webhook. */
export function verifyGiven(subscriptions: Subscriptions, clock: Now, given: WebhookVerifyInput): WebhookVerdict {
  const { body, headers = {}, signature, secret, webhookId } = given;
  if (webhookId !== undefined) subscriptions.existing('webhooks.verify', webhookId);
  const claimed = claimedIn(signature === undefined ? headers : headersIn(signature));
  const { scheme = claimed.scheme ?? 'timestamped' } = given;
  const known = secretsOf(subscriptions, clock.now());
  const secrets =
    secret === undefined
      ? divided(known, (one) => webhookId === undefined || one.webhookId === webhookId)
      : { candidates: [{ secret, scheme, webhookId: undefined, isValid: true }], others: known };
  return verdictOf({ claimed, body, ...secrets, toleranceSeconds: given.toleranceSeconds, real: given.real });
}

/** A delivery to an inbox. */
export interface InboxDelivery {
  readonly name: string;
  /** Headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Verifies a delivery to an inbox with the secrets of the webhooks whose URL is this inbox. */
export function verifyInInbox(
  subscriptions: Subscriptions,
  clock: Now,
  { name, headers, body }: InboxDelivery,
): WebhookVerdict {
  const leadsThere = ({ subscription }: SubscriptionRecord): boolean =>
    new URL(subscription.url).pathname.endsWith(`/inbox/${name}`);
  const ids = subscriptions.list().flatMap((record) => (leadsThere(record) ? [record.subscription.id] : []));
  const isOwn = ({ webhookId = '' }: Candidate): boolean => ids.length === 0 || ids.includes(webhookId);
  return verdictOf({ claimed: claimedIn(headers), body, ...divided(secretsOf(subscriptions, clock.now()), isOwn) });
}

/** Verifies each attempt as of its arrival. Returns `null` if its request is not stored. */
export function verifySent(subscriptions: Subscriptions, { webhookId, attempts }: Delivery): (WebhookVerdict | null)[] {
  return attempts.map(({ at, request }) => {
    if (request === undefined) return null;
    const { headers, body, real } = request;
    const secrets = divided(secretsOf(subscriptions, at), (one) => one.webhookId === webhookId);
    return verdictOf({ claimed: claimedIn(headers), body, ...secrets, real });
  });
}

/** Divides secrets into those to verify with, which are valid and `isOwn`, and the others. */
function divided(known: readonly Candidate[], isOwn: (candidate: Candidate) => boolean) {
  const candidates = known.filter((one) => one.isValid && isOwn(one));
  return { candidates, others: known.filter((one) => !candidates.includes(one)) };
}

function secretsOf(subscriptions: Subscriptions, now: number): Candidate[] {
  return subscriptions.list().flatMap((record) => {
    const valid = validSecrets(record, now);
    return record.secrets.map((one) => ({
      secret: one.secret,
      scheme: record.scheme,
      webhookId: record.subscription.id,
      isValid: valid.includes(one),
    }));
  });
}

/** Reads the lines of copied headers. Text without a name is the value of `X-Signature`. */
function headersIn(signature: string): Readonly<Record<string, string>> {
  const named = Array.from(signature.matchAll(HEADER_LINES), ([, name = '', value = '']) => [name, value.trim()]);
  return named.length === 0 ? { 'x-signature': signature } : Object.fromEntries(named);
}
