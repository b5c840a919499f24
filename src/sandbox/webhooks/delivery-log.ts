import { BoundedMap } from '../../util/bounded-map.js';
import type { Changes } from '../core/basics/changes.js';
import { type Delivery, givenUp } from './delivery/delivery.js';

/** Maximum number of finished deliveries kept; the oldest are dropped first. */
const MAX_ENDED_DELIVERIES = 10_000;

/** The current deliveries. A pending one is never dropped. */
export class DeliveryLog {
  readonly #changes: Changes;
  readonly #all = new Map<string, Delivery>();
  /** Ids in the order in which their deliveries ended. */
  readonly #ended = new BoundedMap<string, string>(MAX_ENDED_DELIVERIES);

  constructor(changes: Changes, deliveries: readonly Delivery[] = []) {
    this.#changes = changes;
    for (const delivery of deliveries) this.#set(delivery);
  }

  get(id: string): Delivery | undefined {
    return this.#all.get(id);
  }

  list(): Delivery[] {
    return [...this.#all.values()];
  }

  /** Ends the pending deliveries of a webhook as failed. */
  giveUp(webhookId: string, reason: string): void {
    for (const delivery of this.list()) {
      if (delivery.webhookId === webhookId && delivery.status === 'pending') this.put(givenUp(delivery, reason));
    }
  }

  put(delivery: Delivery): void {
    this.#set(delivery);
    this.#changes.announce('webhooks');
  }

  #set(delivery: Delivery): void {
    const { id, status, attempts } = delivery;
    Object.freeze(attempts);
    this.#all.set(id, Object.freeze(delivery));
    if (status === 'pending') this.#ended.delete(id);
    else for (const oldest of this.#ended.set(id, id)) this.#all.delete(oldest);
  }
}

/** Removes `cause`: entries of the timeline belong to one run. */
export const savedDelivery = ({ cause: _, ...saved }: Delivery): Delivery => saved;
