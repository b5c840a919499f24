import type { EntryHead } from '../../core/timeline/entries.js';
import type { Delivery, DeliveryAttempt } from './delivery.js';

/** An attempt to deliver a webhook has ended. */
export interface DeliveryEntry extends EntryHead {
  readonly kind: 'delivery';
  readonly delivery: Pick<Delivery, 'id' | 'webhookId' | 'eventId' | 'type' | 'status' | 'reason' | 'nextAttemptAt'>;
  readonly attempt: DeliveryAttempt;
  /** `id`, else `ref_id`, of the event's data: what it is about. Undefined if it has neither. */
  readonly about?: string | undefined;
}
