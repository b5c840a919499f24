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
  /** `seq` of the entry of the timeline that brought the event about, with `inspect`. */
  readonly cause?: number | undefined;
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
  /** True if `redeliver`, `retryFailed` or a test asked for it. */
  readonly redelivery: boolean;
  /** Id of the fault of `webhooks.faults` that struck it. Undefined if none did. */
  readonly fault?: string | undefined;
  /** True for a copy of `duplicate`. It changes the plan only by success. */
  readonly copy?: boolean | undefined;
  /** True if nothing was sent. It counts as answered 200 all the same. */
  readonly lost?: boolean | undefined;
  /** The request as it was sent. Kept of the newest 1,000 attempts, with `inspect`. */
  readonly request?: DeliveryExchange['request'] | undefined;
  /** The answer as it came, kept as `request` is. Undefined if there was none. */
  readonly answer?: DeliveryExchange['answer'] | undefined;
}

/** Request and answer of an attempt. */
export interface DeliveryExchange {
  readonly request: {
    /** With the signature as it was sent. */
    readonly headers: Readonly<Record<string, string>>;
    /** The delivery's `body`, unless a bad webhook has changed it. */
    readonly body: string;
    /** Time at which it was sent by the machine's clock, which its signature carries. */
    readonly real: number;
  };
  readonly answer?: {
    readonly status: number;
    /** Header names are in lower case. */
    readonly headers: Readonly<Record<string, string>>;
    /** The first 16 kB. */
    readonly body: string;
  };
}

/** The waits between attempts, by the sandbox's clock. After the last one it has failed. */
export const BACKOFF_MS: readonly number[] = [5_000, 25_000, 125_000, 625_000, 3_125_000, 15_625_000];

/** Maximum number of unplanned attempts kept of a delivery; the oldest are dropped first. */
const MAX_UNPLANNED = 100;

/** True for an attempt of the plan: only these are counted. */
export const isPlanned = ({ redelivery, copy }: DeliveryAttempt): boolean => !redelivery && copy !== true;

function withAttempt(attempts: readonly DeliveryAttempt[], attempt: DeliveryAttempt): readonly DeliveryAttempt[] {
  const all = [...attempts, attempt];
  const isUnplanned = (one: DeliveryAttempt): boolean => !isPlanned(one);
  return all.filter(isUnplanned).length <= MAX_UNPLANNED ? all : all.toSpliced(all.findIndex(isUnplanned), 1);
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
  if (!isPlanned(attempt) || delivery.status !== 'pending') return { ...delivery, attempts };
  const planned = attempts.filter(isPlanned).length;
  const wait = BACKOFF_MS[planned - 1];
  if (wait === undefined) return givenUp({ ...delivery, attempts }, `not answered 2xx in ${planned} attempts`);
  return { ...delivery, attempts, nextAttemptAt: now + wait };
}

/** Returns a delivery before its first attempt. */
export function newDelivery(
  event: Pick<Delivery, 'id' | 'webhookId' | 'eventId' | 'type' | 'body'>,
): Delivery & { readonly status: 'pending' } {
  return { ...event, status: 'pending', reason: undefined, attempts: [], nextAttemptAt: undefined };
}

export function givenUp(delivery: Delivery, reason: string): Delivery {
  return { ...delivery, status: 'failed', reason, nextAttemptAt: undefined };
}
