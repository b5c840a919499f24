import type { Timeline } from '../core/timeline/timeline.js';
import type { Delivery, DeliveryAttempt } from './delivery/delivery.js';
import type { DeliveryEntry } from './delivery/delivery-entry.js';
import { membersIn } from './delivery/payload.js';

/** Notes an attempt in the timeline. `delivery`: its value after the attempt. */
export function noteAttempt(timeline: Timeline, delivery: Delivery, attempt: DeliveryAttempt): void {
  if (!timeline.isKept) return;
  const { id, webhookId, eventId, type, status, reason, nextAttemptAt, cause } = delivery;
  const shown = { id, webhookId, eventId, type, status, reason, nextAttemptAt };
  const about = subjectOf(delivery.body);
  timeline.causedBy(cause, () => timeline.note<DeliveryEntry>({ kind: 'delivery', delivery: shown, attempt, about }));
}

/** Returns the id of an event's subject. */
function subjectOf(body: string): string | undefined {
  const { ref_id: reference, id = reference } = membersIn(body);
  return typeof id === 'string' ? id : undefined;
}
