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
    const { id } = delivery;
    const before = this.#all.get(id);
    const dropped = this.#set(delivery);
    this.#note(id, () => {
      if (before === undefined) this.#all.delete(id);
      else this.#set(before);
    });
    for (const one of dropped) this.#note(one.id, () => this.#all.set(one.id, one));
  }

  /** Returns the deliveries that were dropped because of the limit. */
  #set(delivery: Delivery): Delivery[] {
    const { id, status, attempts } = delivery;
    Object.freeze(attempts);
    this.#all.set(id, Object.freeze(delivery));
    if (status === 'pending') {
      this.#ended.delete(id);
      return [];
    }
    return this.#ended.set(id, id).flatMap((oldest) => {
      const dropped = this.#all.get(oldest);
      this.#all.delete(oldest);
      return dropped ?? [];
    });
  }

  #note(id: string, undo: () => void): void {
    this.#changes.announce('webhooks');
    if (!this.#changes.isKept) return;
    this.#changes.note(['deliveries', id], () => savedDelivery(this.#all.get(id)), undo);
  }
}

/** Removes `cause`: entries of the timeline belong to one run. */
export function savedDelivery<D extends Delivery | undefined>(delivery: D): D {
  if (delivery === undefined) return delivery;
  const { cause: _, ...saved } = delivery;
  return saved as D;
}
