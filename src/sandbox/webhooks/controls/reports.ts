import * as z from 'zod/mini';
import { clipped } from '../../../util/printable.js';
import { countAboveZero } from '../../core/basics/checked.js';
import { flowIn, sideIn } from '../../core/basics/flow.js';
import { grouped } from '../../core/basics/grouped.js';
import { itemsAfter } from '../../core/basics/items-after.js';
import type { Delivery, DeliveryAttempt } from '../delivery/delivery.js';
import { type DeliveryForm, membersIn, subjectOf } from '../delivery/payload.js';
import { type DeliveryScheme, maskedSecret } from '../delivery/signature.js';
import { type SubscriptionRecord, validSecrets } from '../delivery/subscriptions.js';
import type { WebhookHost } from '../dispatcher.js';

/** Filter of deliveries. */
export interface DeliveryFilter {
  /** Only deliveries with this status. */
  readonly status?: Delivery['status'] | undefined;
  /** For example `quote.executed`. */
  readonly kind?: string | undefined;
  /** Only deliveries to this webhook. */
  readonly webhookId?: string | undefined;
  /** Only deliveries of this event. */
  readonly eventId?: string | undefined;
  /** Text in its ids, kind, URL, body, or reason of failure, in any letter case. */
  readonly q?: string | undefined;
  /** Only deliveries that are listed after the one with this id. */
  readonly after?: string | undefined;
  /** Maximum number of deliveries, 1 or more. Default: all; for summaries 1,000. */
  readonly limit?: number | undefined;
}

export const deliveryFilter = z.strictObject({
  status: z.optional(z.enum(['pending', 'delivered', 'failed'])),
  kind: z.optional(z.string()),
  webhookId: z.optional(z.string()),
  eventId: z.optional(z.string()),
  q: z.optional(z.string()),
  after: z.optional(z.string()),
  limit: z.optional(countAboveZero),
});

/** A delivery without its body and its past attempts. */
export interface DeliverySummary
  extends Pick<Delivery, 'id' | 'webhookId' | 'eventId' | 'type' | 'at' | 'status' | 'reason' | 'nextAttemptAt'> {
  /**
   * What its event is about, in at most 120 characters: for example `100.00 USD → 0.0015 BTC`, else
   * the id of its subject. Undefined if it has neither.
   */
  readonly about?: string | undefined;
  /** Number of past attempts. */
  readonly attempts: number;
  /** The newest attempt. Undefined before the first. */
  readonly last?: DeliveryAttempt | undefined;
}

/** A webhook with its counts, without its signing secret. */
export interface WebhookOverview {
  readonly id: string;
  readonly url: string;
  readonly description?: string | undefined;
  readonly events: readonly string[];
  readonly disabled: boolean;
  readonly form: DeliveryForm;
  readonly scheme: DeliveryScheme;
  /** False for webhooks of the seed, which receive nothing. */
  readonly receives: boolean;
  /** The valid secrets, newest first, as `…` and their last four characters. */
  readonly secrets: readonly MaskedSecret[];
  readonly created_at: string;
  readonly updated_at: string;
  /** Age in ms of the sandbox's clock. */
  readonly ageMs: number;
  /** Number of its deliveries, by status. */
  readonly deliveries: Readonly<Record<Delivery['status'], number>>;
  /** Number of failed deliveries, and of pending ones with a failed attempt. */
  readonly failing: number;
  readonly attempts: number;
  /** Share of the attempts that got a 2xx response, 0 to 1. Undefined without attempts. */
  readonly successShare?: number | undefined;
}

/** A masked signing secret. */
export interface MaskedSecret {
  readonly masked: string;
  /** Time at which it expires: milliseconds since the epoch. Undefined for the newest. */
  readonly until?: number | undefined;
}

/** Returns the listed deliveries that match. */
function filtered(
  method: string,
  listed: readonly Delivery[],
  { status, kind, webhookId, eventId, q = '', after, limit }: DeliveryFilter,
): Delivery[] {
  const found: Delivery[] = [];
  for (const one of itemsAfter(method, listed, 'id', after)) {
    if (found.length === limit) break;
    const isOne = (status ?? one.status) === one.status && (kind ?? one.type) === one.type;
    const isItsOwn = (webhookId ?? one.webhookId) === one.webhookId && (eventId ?? one.eventId) === one.eventId;
    if (isOne && isItsOwn && (q === '' || textOf(one).includes(q.toLowerCase()))) found.push(one);
  }
  return found;
}

function textOf({ id, webhookId, eventId, type, reason, body, attempts }: Delivery): string {
  const tried = attempts.flatMap(({ url, status, error, fault }) => [url, status, error, fault]);
  return [id, webhookId, eventId, type, reason, body, ...tried].join(' ').toLowerCase();
}

export const listDeliveries = ({ webhooks }: WebhookHost, filter: DeliveryFilter = {}): Delivery[] =>
  filtered('webhooks.listDeliveries', webhooks.deliveries, filter).map((delivery) => webhooks.shown(delivery));

/** Maximum number of summaries if none is given. */
const SUMMARIES = 1_000;

export function deliverySummaries({ webhooks }: WebhookHost, filter: DeliveryFilter = {}): DeliverySummary[] {
  const newestFirst = webhooks.deliveries.toReversed();
  return filtered('webhooks.deliverySummaries', newestFirst, { limit: SUMMARIES, ...filter }).map(summaryOf);
}

function summaryOf({ body, cause: _, attempts, ...delivery }: Delivery): DeliverySummary {
  const [about, last] = [aboutIn(body), attempts.at(-1)];
  return {
    ...delivery,
    ...(about === undefined ? {} : { about }),
    attempts: attempts.length,
    ...(last === undefined ? {} : { last }),
  };
}

function aboutIn(body: string): string | undefined {
  const members = membersIn(body);
  const flow = flowIn(members) || sideIn(members['asset']);
  return flow === '' ? subjectOf(members) : clipped(flow, 120);
}

/** Returns all webhooks, newest first. */
export function webhookOverviews({ webhooks, state: { clock } }: WebhookHost): WebhookOverview[] {
  const byWebhook = grouped(webhooks.deliveries, ({ webhookId }) => webhookId);
  return webhooks.subscriptions
    .list()
    .map((record) => overviewOf(record, byWebhook.get(record.subscription.id) ?? [], clock.now()));
}

function overviewOf(record: SubscriptionRecord, deliveries: readonly Delivery[], now: number): WebhookOverview {
  const { subscription, form, scheme, secrets } = record;
  const attempts = deliveries.flatMap((delivery) => delivery.attempts);
  const good = attempts.filter(({ status = 0 }) => status >= 200 && status <= 299).length;
  const count = (status: Delivery['status']) => deliveries.filter((one) => one.status === status).length;
  const failed = count('failed');
  return {
    ...structuredClone(subscription),
    disabled: subscription.disabled === true,
    form,
    scheme,
    receives: secrets.length > 0,
    secrets: validSecrets(record, now).map(({ secret, until }) => ({
      masked: maskedSecret(secret),
      ...(until === undefined ? {} : { until }),
    })),
    ageMs: Math.max(0, Math.round(now - Date.parse(subscription.created_at))),
    deliveries: { pending: count('pending'), delivered: count('delivered'), failed },
    failing: failed + deliveries.filter((one) => one.status === 'pending' && one.attempts.length > 0).length,
    attempts: attempts.length,
    ...(attempts.length === 0 ? {} : { successShare: good / attempts.length }),
  };
}
