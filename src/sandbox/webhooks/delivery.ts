/** One event on its way to one webhook. */
export interface Delivery {
  readonly id: string;
  /** Whose it is: `id` of the subscription. */
  readonly webhookId: string;
  /** `id` of the event: the same in every attempt, in every webhook's delivery and in the header `X-Webhook-ID`. */
  readonly eventId: string;
  /** Event kind. */
  readonly type: string;
  /** The body, exactly as it is sent each time. */
  readonly body: string;
  /** `pending`: not yet answered 2xx, further attempts follow; `failed`: given up. */
  readonly status: 'pending' | 'delivered' | 'failed';
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  /** When the next attempt is due, by the sandbox's clock: milliseconds since the epoch. Undefined when none follows. */
  readonly nextAttemptAt: number | undefined;
}

/** One try to deliver. */
export interface DeliveryAttempt {
  /** When it began, by the sandbox's clock: milliseconds since the epoch. */
  readonly at: number;
  readonly url: string;
  /** Status of the answer; undefined when there was none. */
  readonly status: number | undefined;
  /** Why there was no answer. */
  readonly error: string | undefined;
  /** How long it took, in real milliseconds. */
  readonly ms: number;
}

/**
 * The waits between attempts, in milliseconds of the sandbox's clock: exponential, as the service backs off (reference §2). After the
 * last attempt a delivery has failed.
 */
export const BACKOFF_MS: readonly number[] = [5_000, 25_000, 125_000, 625_000, 3_125_000, 15_625_000];
