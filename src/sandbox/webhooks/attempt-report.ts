import type { Hook } from '../core/basics/hook.js';
import type { Timeline } from '../core/timeline/timeline.js';
import type { Delivery, DeliveryAttempt } from './delivery/delivery.js';
import type { DeliveryEntry } from './delivery/delivery-entry.js';
import type { Exchanges } from './delivery/exchanges.js';
import { membersIn } from './delivery/payload.js';

/** Reports attempts to the timeline, to the application and to readers of a delivery. */
export class AttemptReport {
  readonly #timeline: Timeline;
  readonly #exchanges: Exchanges;
  readonly #hook: Hook<[Delivery, DeliveryAttempt]>;

  constructor(timeline: Timeline, exchanges: Exchanges, hook: Hook<[Delivery, DeliveryAttempt]>) {
    this.#timeline = timeline;
    this.#exchanges = exchanges;
    this.#hook = hook;
  }

  /** `delivery`: its value after the attempt. */
  add(delivery: Delivery, attempt: DeliveryAttempt): void {
    const { id, webhookId, eventId, type, status, reason, nextAttemptAt, cause } = delivery;
    const shown = { id, webhookId, eventId, type, status, reason, nextAttemptAt };
    if (this.#timeline.isKept) {
      const about = subjectOf(delivery.body);
      this.#timeline.causedBy(cause, () =>
        this.#timeline.note<DeliveryEntry>({ kind: 'delivery', delivery: shown, attempt, about }),
      );
    }
    this.#hook.emit(delivery, attempt);
  }

  /** Returns the delivery with the kept requests and answers of its attempts. */
  shown(delivery: Delivery): Delivery {
    const shown = this.#exchanges.shownIn(delivery);
    return shown.cause === undefined ? shown : { ...shown, cause: this.#timeline.positionOf(shown.cause) };
  }
}

/** Returns the id of an event's subject. */
function subjectOf(body: string): string | undefined {
  const { ref_id: reference, id = reference } = membersIn(body);
  return typeof id === 'string' ? id : undefined;
}
