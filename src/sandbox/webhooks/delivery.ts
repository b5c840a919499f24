/** One event on its way to one webhook, as it is at one moment. */
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
  /** `pending`: not yet answered 2xx, further attempts follow; `delivered`: answered 2xx; `failed`: given up. */
  readonly status: 'pending' | 'delivered' | 'failed';
  /** Why it has failed; otherwise undefined. */
  readonly reason: string | undefined;
  /** Those that are over, oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  /** When the next attempt is due, by the sandbox's clock: milliseconds since the epoch. Undefined when none follows. */
  readonly nextAttemptAt: number | undefined;
}

/** One try to deliver. It succeeded when it was answered 2xx. */
export interface DeliveryAttempt {
  /** When it began, by the sandbox's clock: milliseconds since the epoch. */
  readonly at: number;
  readonly url: string;
  /** Status of the answer; undefined when there was none. Redirects are not followed. */
  readonly status: number | undefined;
  /** Why there was no answer. */
  readonly error: string | undefined;
  /** How long it took, in real milliseconds. */
  readonly ms: number;
  /** `redeliver` asked for it. */
  readonly redelivery: boolean;
}

/**
 * The waits between attempts, in milliseconds of the sandbox's clock: exponential, as the service backs off. After the
 * last attempt a delivery has failed.
 */
export const BACKOFF_MS: readonly number[] = [5_000, 25_000, 125_000, 625_000, 3_125_000, 15_625_000];

/** How many attempts that `redeliver` asked for are remembered; the oldest go first. */
const REDELIVERIES_KEPT = 100;

function withAttempt(attempts: readonly DeliveryAttempt[], attempt: DeliveryAttempt): readonly DeliveryAttempt[] {
  const all = [...attempts, attempt];
  if (all.filter(({ redelivery }) => redelivery).length <= REDELIVERIES_KEPT) return all;
  return all.toSpliced(
    all.findIndex(({ redelivery }) => redelivery),
    1,
  );
}

/** What becomes of a delivery by one more attempt that ended at `now`. */
export function afterAttempt(delivery: Delivery, attempt: DeliveryAttempt, now: number): Delivery {
  const attempts = withAttempt(delivery.attempts, attempt);
  const { status = 0 } = attempt;
  if (status >= 200 && status <= 299) {
    return { ...delivery, attempts, status: 'delivered', reason: undefined, nextAttemptAt: undefined };
  }
  // What is asked for besides neither uses up the plan nor changes what has ended, as does an attempt that a removal overtook.
  if (attempt.redelivery || delivery.status !== 'pending') return { ...delivery, attempts };
  const planned = attempts.filter(({ redelivery }) => !redelivery).length;
  const wait = BACKOFF_MS[planned - 1];
  if (wait === undefined) return givenUp({ ...delivery, attempts }, `not answered 2xx in ${planned} attempts`);
  return { ...delivery, attempts, nextAttemptAt: now + wait };
}

/** The end of a delivery without success. */
export function givenUp(delivery: Delivery, reason: string): Delivery {
  return { ...delivery, status: 'failed', reason, nextAttemptAt: undefined };
}
