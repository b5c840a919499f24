import type { Delivery } from './delivery/delivery.js';
import type { WebhookFault } from './delivery/delivery-fault.js';

/** Maximum time in ms of the clock for which a delivery waits for another; then it is sent. */
const MAX_WAIT_MS = 60_000;

/** The deliveries that webhook faults delay: late ones, and ones that wait for another. */
export class DelayedDeliveries {
  /** The fault that applies to a delivery, by the delivery's id. */
  readonly #faults = new Map<string, WebhookFault>();
  /** The delivery that waits for another, by the webhook's id. */
  readonly #waiting = new Map<string, string>();

  /** Returns the fault that applies to the due attempt, and its delay in ms, if any. */
  next(
    delivery: Delivery,
    strike: () => WebhookFault | undefined,
  ): { readonly fault: WebhookFault | undefined; readonly wait?: number | undefined } {
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

  #hold({ id, webhookId }: Delivery, fault: WebhookFault | undefined): number | undefined {
    if (fault?.delay !== undefined) {
      this.#faults.set(id, fault);
      return fault.delay;
    }
    // If another delivery waits already, it waits for this one.
    if (fault?.reorder !== true || this.#waiting.has(webhookId)) return undefined;
    this.#faults.set(id, fault);
    this.#waiting.set(webhookId, id);
    return MAX_WAIT_MS;
  }

  /** Returns the fault that delayed this delivery, and ends its delay. */
  #take({ id, webhookId }: Delivery): WebhookFault | undefined {
    const fault = this.#faults.get(id);
    this.#faults.delete(id);
    if (this.#waiting.get(webhookId) === id) this.#waiting.delete(webhookId);
    return fault;
  }
}
