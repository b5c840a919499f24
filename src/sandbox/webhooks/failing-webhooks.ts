import type { DeliveryAttempt } from './delivery/delivery.js';

/** Counts failed attempts, for a service that disables webhooks whose receivers do not answer. */
export class FailingWebhooks {
  /** Number of failed attempts in a row after which a webhook is disabled. Undefined: never. */
  limit: number | undefined;
  readonly #inARow = new Map<string, number>();

  get reason(): string {
    return `the service disabled the webhook after ${this.limit} failed attempts`;
  }

  /** Counts an attempt. True if the webhook has reached the limit. */
  isGivenUp(webhookId: string, { status = 0 }: DeliveryAttempt): boolean {
    const failures = status >= 200 && status <= 299 ? 0 : (this.#inARow.get(webhookId) ?? 0) + 1;
    this.#inARow.set(webhookId, failures);
    return this.limit !== undefined && failures >= this.limit;
  }

  /** Restores the initial values. */
  reset(): void {
    this.limit = undefined;
    this.#inARow.clear();
  }

  /** Restarts the count of a webhook, for example after a change. */
  forget(webhookId: string): void {
    this.#inARow.delete(webhookId);
  }
}
