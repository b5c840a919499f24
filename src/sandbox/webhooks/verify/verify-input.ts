import { checkGiven, oneOf, type Rules, rule } from '../../../util/options.js';
import type { Now } from '../../core/clock/clock.js';
import type { Delivery } from '../delivery/delivery.js';
import { DELIVERY_SCHEMES, type DeliveryScheme } from '../delivery/signature.js';
import { type SubscriptionRecord, type Subscriptions, validSecrets } from '../delivery/subscriptions.js';
import { type ClaimedSignature, claimedIn } from './claimed-signature.js';
import type { Candidate } from './likely-mistake.js';
import { verdictOf, type WebhookVerdict } from './verify.js';

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

/** Tolerance in seconds that receivers usually have; a larger difference is rejected. */
const TOLERANCE_SECONDS = 300;

/** Maximum number of events with which a signature is compared, the newest first. */
const COMPARED_EVENTS = 200;

const TEXT = rule((value) => typeof value === 'string', 'must be text');

const RULES = {
  body: { ...rule((value) => typeof value === 'string', 'must be text, as it arrived'), required: true },
  headers: rule(isHeaders, 'must be an object of texts'),
  signature: TEXT,
  secret: rule((value) => typeof value === 'string' && value !== '', 'must be text'),
  webhookId: TEXT,
  scheme: oneOf(...DELIVERY_SCHEMES),
  toleranceSeconds: rule((value) => Number.isFinite(value) && Number(value) >= 0, 'must be 0 or more seconds'),
  real: rule((value) => Number.isFinite(value), 'must be milliseconds since the epoch'),
} satisfies Rules<WebhookVerifyInput>;

function isHeaders(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'string');
}

/** The parts of the sandbox with secrets and events. */
interface Known {
  readonly subscriptions: Subscriptions;
  readonly deliveries: readonly Delivery[];
}

/** @throws TypeError for wrong input, Error for an unknown webhook. */
export function verifyGiven(known: Known, clock: Now, input: WebhookVerifyInput): WebhookVerdict {
  const given = checkGiven('webhooks.verify', input, RULES, TypeError);
  const {
    body,
    headers = {},
    signature,
    secret,
    webhookId,
    scheme,
    toleranceSeconds = TOLERANCE_SECONDS,
    real = Date.now(),
  } = given;
  if (given.headers !== undefined && signature !== undefined) {
    throw new TypeError('webhooks.verify: give headers or signature, not both');
  }
  if (secret !== undefined && webhookId !== undefined) {
    throw new TypeError('webhooks.verify: give secret or webhookId, not both');
  }
  const claimed = claimedIn(headersOf(signature === undefined ? headers : headersIn(signature)));
  const all = secretsOf(known.subscriptions.list(), clock.now());
  const own = webhookId === undefined ? undefined : known.subscriptions.existing('webhooks.verify', webhookId);
  const stranger = secret === undefined ? undefined : [strange(secret, scheme, claimed)];
  return verdict(known, all, (one) => own === undefined || one.webhookId === webhookId, stranger, {
    body,
    claimed,
    toleranceSeconds,
    real,
  });
}

/** A delivery to an inbox. */
export interface InboxDelivery {
  readonly name: string;
  /** Headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Verifies a delivery to an inbox with the secrets of the webhooks whose URL is this inbox. */
export function verifyInInbox(known: Known, clock: Now, { name, headers, body }: InboxDelivery): WebhookVerdict {
  const records = known.subscriptions.list();
  const leadsThere = ({ subscription }: SubscriptionRecord): boolean =>
    new URL(subscription.url).pathname.endsWith(`/inbox/${name}`);
  const ids = new Set(records.filter(leadsThere).map(({ subscription }) => subscription.id));
  const isOwn = ({ webhookId = '' }: Candidate): boolean => ids.size === 0 || ids.has(webhookId);
  return verdict(known, secretsOf(records, clock.now()), isOwn, undefined, {
    body,
    claimed: claimedIn(headersOf(headers)),
    toleranceSeconds: TOLERANCE_SECONDS,
    real: Date.now(),
  });
}

/**
 * Verifies each attempt as its receiver should have done on arrival. `null` if its request is not
 * kept.
 */
export function verifySent(known: Known, { webhookId, attempts }: Delivery): (WebhookVerdict | null)[] {
  return attempts.map(({ at, request }) => {
    if (request === undefined) return null;
    const { headers, body, real } = request;
    const all = secretsOf(known.subscriptions.list(), at);
    return verdict(known, all, (one) => one.webhookId === webhookId, undefined, {
      body,
      claimed: claimedIn(headersOf(headers)),
      toleranceSeconds: TOLERANCE_SECONDS,
      real,
    });
  });
}

function verdict(
  known: Known,
  all: readonly Candidate[],
  isOwn: (candidate: Candidate) => boolean,
  stranger: readonly Candidate[] | undefined,
  claim: Pick<Parameters<typeof verdictOf>[0], 'body' | 'claimed' | 'toleranceSeconds' | 'real'>,
): WebhookVerdict {
  const candidates = stranger ?? all.filter((one) => one.isValid && isOwn(one));
  const others = all.filter((one) => !candidates.includes(one));
  return verdictOf({ ...claim, candidates, others, sent: known.deliveries.slice(-COMPARED_EVENTS).reverse() });
}

function secretsOf(records: readonly SubscriptionRecord[], now: number): Candidate[] {
  return records.flatMap((record) => {
    const valid = validSecrets(record, now);
    return record.secrets.map((one) => ({
      secret: one.secret,
      scheme: record.scheme,
      webhookId: record.subscription.id,
      isValid: valid.includes(one),
    }));
  });
}

function strange(secret: string, scheme: DeliveryScheme | undefined, claimed: ClaimedSignature): Candidate {
  return { secret, scheme: scheme ?? claimed.scheme ?? 'timestamped', webhookId: undefined, isValid: true };
}

/** Reads the lines of copied headers. Text without a name is the value of `X-Signature`. */
function headersIn(text: string): Readonly<Record<string, string>> {
  const named = Array.from(text.matchAll(HEADER_LINES), ([, name = '', value = '']) => [name, value.trim()]);
  return named.length === 0 ? { 'x-signature': text } : Object.fromEntries(named);
}

/** Returns a function for headers by their lower-case names. */
function headersOf(headers: Readonly<Record<string, string>>): (name: string) => string | undefined {
  const lower = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => lower.get(name);
}
