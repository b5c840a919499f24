import type { EntryHead } from '../../core/timeline/entries.js';
import type { Delivery, DeliveryAttempt } from './delivery.js';

/** An attempt to deliver a webhook has ended. */
export interface DeliveryEntry extends EntryHead {
  readonly kind: 'delivery';
  readonly delivery: Pick<Delivery, 'id' | 'webhookId' | 'eventId' | 'type' | 'status' | 'reason' | 'nextAttemptAt'>;
  readonly attempt: DeliveryAttempt;
  /** Id of the event's subject: `id` of its data, else `ref_id`. Undefined if it has neither. */
  readonly about?: string | undefined;
}
