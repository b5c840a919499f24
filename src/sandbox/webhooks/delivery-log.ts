import { BoundedMap } from '../state/bounded-map.js';
import type { Delivery } from './delivery.js';

/** How many deliveries that have ended are remembered; those that ended first go first. */
const ENDED_KEPT = 10_000;

/** The deliveries as they are now. One that is pending is never forgotten. */
export class DeliveryLog {
  readonly #all = new Map<string, Delivery>();
  /** Ids in the order in which the deliveries ended. */
  readonly #ended = new BoundedMap<string, string>(ENDED_KEPT);

  constructor(deliveries: readonly Delivery[] = []) {
    for (const delivery of deliveries) this.put(delivery);
  }

  get(id: string): Delivery | undefined {
    return this.#all.get(id);
  }

  /** In the order of their events. */
  list(): Delivery[] {
    return [...this.#all.values()];
  }

  /** Takes the place of what was known of the delivery. */
  put(delivery: Delivery): void {
    Object.freeze(delivery.attempts);
    this.#all.set(delivery.id, Object.freeze(delivery));
    if (delivery.status === 'pending') return;
    for (const forgotten of this.#ended.set(delivery.id, delivery.id)) this.#all.delete(forgotten);
  }
}
