import type { Delivery } from './delivery/delivery.js';
import type { WebhookFault } from './delivery/delivery-fault.js';

/** A delivery that waits for another waits no longer than this, in ms of the clock. */
const MAX_WAIT_MS = 60_000;

/** The deliveries that bad webhooks hold back: late ones, and ones that others shall overtake. */
export class HeldBack {
  /** By the id of the delivery: what has struck it. */
  readonly #faults = new Map<string, WebhookFault>();
  /** By the id of the webhook: the delivery that waits for another. */
  readonly #overtaken = new Map<string, string>();

  /** The faults that strike the due attempt, and their delay of it in ms, if any. */
  next(
    delivery: Delivery,
    strike: () => WebhookFault | undefined,
  ): { readonly fault: WebhookFault | undefined; readonly wait?: number | undefined } {
    const held = this.#take(delivery);
    if (held !== undefined) return { fault: held };
    const fault = strike();
    return { fault, wait: this.#hold(delivery, fault) };
  }

  /** Returns the id of the delivery that has waited for this one. */
  overtakenBy({ id, webhookId }: Delivery): string | undefined {
    const waiting = this.#overtaken.get(webhookId);
    return waiting === id ? undefined : waiting;
  }

  clear(): void {
    this.#faults.clear();
    this.#overtaken.clear();
  }

  #hold({ id, webhookId }: Delivery, fault: WebhookFault | undefined): number | undefined {
    if (fault?.delay !== undefined) {
      this.#faults.set(id, fault);
      return fault.delay;
    }
    // If one waits already, this is the one that overtakes it.
    if (fault?.reorder !== true || this.#overtaken.has(webhookId)) return undefined;
    this.#faults.set(id, fault);
    this.#overtaken.set(webhookId, id);
    return MAX_WAIT_MS;
  }

  /** Returns what held this delivery back. It is no longer held. */
  #take({ id, webhookId }: Delivery): WebhookFault | undefined {
    const fault = this.#faults.get(id);
    this.#faults.delete(id);
    if (this.#overtaken.get(webhookId) === id) this.#overtaken.delete(webhookId);
    return fault;
  }
}
