import * as z from 'zod/mini';
import { countAboveZero } from '../../core/basics/checked.js';
import { excerpt } from '../../core/basics/excerpt.js';
import type { Delivery } from '../delivery/delivery.js';
import type { DeliveryForm } from '../delivery/payload.js';
import { type DeliveryScheme, maskedSecret } from '../delivery/signature.js';
import { type SubscriptionRecord, validSecrets } from '../delivery/subscriptions.js';
import type { WebhookDispatcher } from '../dispatcher.js';
import type { WebhookHost } from '../host.js';

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
  /** Id of a delivery: only later ones. */
  readonly after?: string | undefined;
  /** Maximum number of deliveries, from the oldest that matches: 1 or more. Default: all. */
  readonly limit?: number | undefined;
}

export const deliveryFilter = z.strictObject({
  status: z.optional(z.enum(['pending', 'delivered', 'failed'])),
  kind: z.optional(z.string()),
  webhookId: z.optional(z.string()),
  eventId: z.optional(z.string()),
  after: z.optional(z.string()),
  limit: z.optional(countAboveZero),
});

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
  /** Share of the attempts that were answered 2xx, 0 to 1. Undefined without attempts. */
  readonly successShare?: number | undefined;
}

/** A masked signing secret. */
export interface MaskedSecret {
  readonly masked: string;
  /**
   * Time until which the secret is valid: milliseconds since the epoch. Undefined for the newest.
   */
  readonly until?: number | undefined;
}

/** @throws TypeError for an unknown `after`. */
export function filteredDeliveries(
  webhooks: WebhookDispatcher,
  { status, kind, webhookId, eventId, after, limit }: DeliveryFilter,
): Delivery[] {
  const all = webhooks.deliveries;
  const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0)
    throw new TypeError(`webhooks.listDeliveries: there is no delivery ${excerpt(after)}`);
  const found = all.slice(start).filter((one) => {
    const isOne = (status ?? one.status) === one.status && (kind ?? one.type) === one.type;
    return isOne && (webhookId ?? one.webhookId) === one.webhookId && (eventId ?? one.eventId) === one.eventId;
  });
  return found.slice(0, limit).map((delivery) => webhooks.shown(delivery));
}

/** Returns all webhooks, newest first. */
export function webhookOverviews({ webhooks, state: { clock } }: WebhookHost): WebhookOverview[] {
  const byWebhook = new Map<string, Delivery[]>();
  for (const delivery of webhooks.deliveries) {
    const found = byWebhook.get(delivery.webhookId);
    if (found === undefined) byWebhook.set(delivery.webhookId, [delivery]);
    else found.push(delivery);
  }
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
