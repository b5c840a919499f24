import { BoundedMap } from '../../util/bounded-map.js';
import { type Delivery, givenUp } from './delivery/delivery.js';

/** Maximum number of finished deliveries kept; the oldest are dropped first. */
const MAX_ENDED_DELIVERIES = 10_000;

/** The deliveries as they are now. A pending one is never dropped. */
export class DeliveryLog {
  readonly #all = new Map<string, Delivery>();
  /** Ids in the order in which the deliveries ended. */
  readonly #ended = new BoundedMap<string, string>(MAX_ENDED_DELIVERIES);

  constructor(deliveries: readonly Delivery[] = []) {
    for (const delivery of deliveries) this.put(delivery);
  }

  get(id: string): Delivery | undefined {
    return this.#all.get(id);
  }

  list(): Delivery[] {
    return [...this.#all.values()];
  }

  /** Ends the pending deliveries of a webhook. */
  giveUp(webhookId: string, reason: string): void {
    for (const delivery of this.list()) {
      if (delivery.webhookId === webhookId && delivery.status === 'pending') this.put(givenUp(delivery, reason));
    }
  }

  put(delivery: Delivery): void {
    Object.freeze(delivery.attempts);
    this.#all.set(delivery.id, Object.freeze(delivery));
    if (delivery.status === 'pending') return;
    for (const forgotten of this.#ended.set(delivery.id, delivery.id)) this.#all.delete(forgotten);
  }
}
