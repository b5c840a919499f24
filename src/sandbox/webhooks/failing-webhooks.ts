import type { DeliveryAttempt } from './delivery/delivery.js';

/** Counts failed attempts, for a service that disables webhooks which do not answer. */
export class FailingWebhooks {
  /** Failed attempts in a row after which a webhook is disabled. Undefined: it never is. */
  limit: number | undefined;
  readonly #inARow = new Map<string, number>();

  get reason(): string {
    return `the service disabled the webhook after ${this.limit} failed attempts`;
  }

  /** True if this was one failure too many. */
  isGivenUp(webhookId: string, { status = 0 }: DeliveryAttempt): boolean {
    const failures = status >= 200 && status <= 299 ? 0 : (this.#inARow.get(webhookId) ?? 0) + 1;
    this.#inARow.set(webhookId, failures);
    return this.limit !== undefined && failures >= this.limit;
  }

  /** As just made. */
  reset(): void {
    this.limit = undefined;
    this.#inARow.clear();
  }

  /** Starts the count again, as after a change of the webhook. */
  forget(webhookId: string): void {
    this.#inARow.delete(webhookId);
  }
}
