/** One event and its delivery to one webhook, as it is at one moment. */
export interface Delivery {
  readonly id: string;
  /** `id` of the subscription. */
  readonly webhookId: string;
  /** `id` of the event, also in the header `X-Webhook-ID`: the same in every attempt. */
  readonly eventId: string;
  readonly type: string;
  /** The body, exactly as it is sent each time. */
  readonly body: string;
  /** `pending`: attempts follow; `delivered`: answered 2xx; `failed`: given up. */
  readonly status: 'pending' | 'delivered' | 'failed';
  /** Reason of the failure. Undefined unless it has failed. */
  readonly reason: string | undefined;
  /** Past attempts, oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  /** Time of the next attempt, if one follows: sandbox clock, milliseconds since the epoch. */
  readonly nextAttemptAt: number | undefined;
}

/** One attempt to deliver. It succeeded if it was answered 2xx. */
export interface DeliveryAttempt {
  /** Time at which it began, by the sandbox's clock: milliseconds since the epoch. */
  readonly at: number;
  readonly url: string;
  /** Status of the answer. Undefined if there was none. Redirects are not followed. */
  readonly status: number | undefined;
  /** Reason of a missing answer. */
  readonly error: string | undefined;
  /** Duration in real milliseconds. */
  readonly ms: number;
  /** True if `redeliver` asked for it. */
  readonly redelivery: boolean;
}

/** The waits between attempts, by the sandbox's clock. After the last one it has failed. */
export const BACKOFF_MS: readonly number[] = [5_000, 25_000, 125_000, 625_000, 3_125_000, 15_625_000];

/** Attempts of `redeliver` that a delivery remembers. Beyond it the oldest go. */
const MAX_REDELIVERIES = 100;

function withAttempt(attempts: readonly DeliveryAttempt[], attempt: DeliveryAttempt): readonly DeliveryAttempt[] {
  const all = [...attempts, attempt];
  if (all.filter(({ redelivery }) => redelivery).length <= MAX_REDELIVERIES) return all;
  return all.toSpliced(
    all.findIndex(({ redelivery }) => redelivery),
    1,
  );
}

/** Returns the delivery after one more attempt, which ended at `now`. */
export function afterAttempt(delivery: Delivery, attempt: DeliveryAttempt, now: number): Delivery {
  const attempts = withAttempt(delivery.attempts, attempt);
  const { status = 0 } = attempt;
  if (status >= 200 && status <= 299) {
    return { ...delivery, attempts, status: 'delivered', reason: undefined, nextAttemptAt: undefined };
  }
  // A failed redelivery changes neither the plan nor a delivery that has ended. The same holds for
  // an attempt during which the webhook was removed.
  if (attempt.redelivery || delivery.status !== 'pending') return { ...delivery, attempts };
  const planned = attempts.filter(({ redelivery }) => !redelivery).length;
  const wait = BACKOFF_MS[planned - 1];
  if (wait === undefined) return givenUp({ ...delivery, attempts }, `not answered 2xx in ${planned} attempts`);
  return { ...delivery, attempts, nextAttemptAt: now + wait };
}

export function givenUp(delivery: Delivery, reason: string): Delivery {
  return { ...delivery, status: 'failed', reason, nextAttemptAt: undefined };
}
