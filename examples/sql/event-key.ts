import { createHash } from 'node:crypto';
import type { WebhookEvent } from 'partner-sdk/webhooks';

/**
 * Returns a text that is the same for each delivery of an event. It comes from the signed body
 * alone: the header `X-Webhook-ID` is not signed.
 */
export function keyOf({ raw }: WebhookEvent): string {
  const { id, event_type: flat } = raw;
  if (flat === undefined && typeof id === 'string') return id;
  // The flat form: its `id` may be that of the resource, which other events have as well.
  return createHash('sha256').update(JSON.stringify(raw)).digest('hex');
}
