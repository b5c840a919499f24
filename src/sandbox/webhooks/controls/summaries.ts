import * as z from 'zod/mini';
import { countAboveZero } from '../../core/basics/checked.js';
import type { Delivery, DeliveryAttempt } from '../delivery/delivery.js';
import type { WebhookDispatcher } from '../dispatcher.js';

/** Filter of delivery summaries. */
export interface SummaryFilter {
  /** Only deliveries with this status. */
  readonly status?: Delivery['status'] | undefined;
  /** For example `quote.executed`. */
  readonly kind?: string | undefined;
  /** Only deliveries to this webhook. */
  readonly webhookId?: string | undefined;
  /** Text in its ids, kind, URL, body, or reason of failure, in any letter case. */
  readonly q?: string | undefined;
  /** Maximum number of deliveries, from the newest that matches: 1 or more. Default 1,000. */
  readonly limit?: number | undefined;
}

/** A delivery without its body and its past attempts. */
export interface DeliverySummary
  extends Pick<Delivery, 'id' | 'webhookId' | 'eventId' | 'type' | 'status' | 'reason' | 'nextAttemptAt'> {
  /** Number of past attempts. */
  readonly attempts: number;
  /** The newest attempt. Undefined before the first. */
  readonly last?: DeliveryAttempt | undefined;
}

const DEFAULT_LIMIT = 1_000;

export const summaryFilter = z.strictObject({
  status: z.optional(z.enum(['pending', 'delivered', 'failed'])),
  kind: z.optional(z.string()),
  webhookId: z.optional(z.string()),
  q: z.optional(z.string()),
  limit: z.optional(countAboveZero),
});

export function deliverySummaries(
  webhooks: WebhookDispatcher,
  { status, kind, webhookId, q = '', limit = DEFAULT_LIMIT }: SummaryFilter,
): DeliverySummary[] {
  const wanted = q.toLowerCase();
  const found: DeliverySummary[] = [];
  for (const one of webhooks.deliveries.toReversed()) {
    if (found.length === limit) break;
    if ((status ?? one.status) !== one.status || (kind ?? one.type) !== one.type) continue;
    if ((webhookId ?? one.webhookId) !== one.webhookId) continue;
    if (wanted === '' || textOf(one).includes(wanted)) found.push(summaryOf(one));
  }
  return found;
}

function textOf({ id, webhookId, eventId, type, reason, body, attempts }: Delivery): string {
  const tried = attempts.flatMap(({ url, status, error, fault }) => [url, status, error, fault]);
  return [id, webhookId, eventId, type, reason, body, ...tried].join(' ').toLowerCase();
}

function summaryOf({ body: _, cause: __, attempts, ...delivery }: Delivery): DeliverySummary {
  const last = attempts.at(-1);
  return { ...delivery, attempts: attempts.length, ...(last === undefined ? {} : { last }) };
}
