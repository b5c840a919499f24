import type { Delivery } from './delivery/delivery.js';
import type { StruckDelivery } from './delivery/effects.js';

/** Maximum time in ms of the clock for which a delivery waits for another; then it is sent. */
const MAX_WAIT_MS = 60_000;

/** The deliveries that troubles delay: late ones, and ones that wait for another. */
export class DelayedDeliveries {
  /** The effects on a delivery, by the delivery's id. */
  readonly #faults = new Map<string, StruckDelivery>();
  /** The id of the delivery that waits for another one, by the webhook's id. */
  readonly #waiting = new Map<string, string>();

  /** Returns the effects on the due attempt, and its delay in ms, if any. */
  next(
    delivery: Delivery,
    strike: () => StruckDelivery | undefined,
  ): { readonly fault: StruckDelivery | undefined; readonly wait?: number | undefined } {
    const held = this.#take(delivery);
    if (held !== undefined) return { fault: held };
    const fault = strike();
    return { fault, wait: this.#hold(delivery, fault) };
  }

  /** Returns the id of the delivery that waits for this one. */
  waitingFor({ id, webhookId }: Delivery): string | undefined {
    const waiting = this.#waiting.get(webhookId);
    return waiting === id ? undefined : waiting;
  }

  clear(): void {
    this.#faults.clear();
    this.#waiting.clear();
  }

  #hold({ id, webhookId }: Delivery, fault: StruckDelivery | undefined): number | undefined {
    if (fault?.delayMs !== undefined) {
      this.#faults.set(id, fault);
      return fault.delayMs;
    }
    // If another delivery waits already, it waits for this one.
    if (fault?.reorder !== true || this.#waiting.has(webhookId)) return undefined;
    this.#faults.set(id, fault);
    this.#waiting.set(webhookId, id);
    return MAX_WAIT_MS;
  }

  /** Returns the effects that delayed this delivery, and ends its delay. */
  #take({ id, webhookId }: Delivery): StruckDelivery | undefined {
    const fault = this.#faults.get(id);
    this.#faults.delete(id);
    if (this.#waiting.get(webhookId) === id) this.#waiting.delete(webhookId);
    return fault;
  }
}
