import type { EntryHead } from '../../core/timeline/entries.js';

/** One event and its delivery to one webhook, at one time. */
export interface Delivery {
  readonly id: string;
  /** `id` of the webhook, also in the header `X-Webhook-ID`. */
  readonly webhookId: string;
  /**
   * Id of the event: `id` of the envelope, and `webhook-id` in the scheme `standard`. A flat
   * payload with another scheme does not contain it. The header `X-Webhook-ID` is the `webhookId`.
   */
  readonly eventId: string;
  readonly type: string;
  /** Time of the event by the sandbox's clock: milliseconds since the epoch. */
  readonly at: number;
  /** The body, exactly as each attempt sends it. */
  readonly body: string;
  /** `pending`: attempts follow; `delivered`: it got a 2xx; `failed`: no attempt follows. */
  readonly status: 'pending' | 'delivered' | 'failed';
  /** Reason of the failure. Undefined unless the delivery has failed. */
  readonly reason: string | undefined;
  /** Past attempts, oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  /** Time of the next attempt, if there is one, by the sandbox's clock: ms since the epoch. */
  readonly nextAttemptAt: number | undefined;
  /** `seq` of the timeline entry that caused the event. Only with `inspect`. */
  readonly cause?: number | undefined;
}

/** One attempt to deliver. It is successful if the response is 2xx. */
export interface DeliveryAttempt {
  /** Start time by the sandbox's clock: milliseconds since the epoch. */
  readonly at: number;
  readonly url: string;
  /** Status of the response. Undefined if there was none. Redirects are not followed. */
  readonly status: number | undefined;
  /** Reason why there was no response. */
  readonly error: string | undefined;
  /** Duration in real milliseconds. */
  readonly ms: number;
  /** True if `redeliver`, `retryFailed` or a test made the attempt. */
  readonly redelivery: boolean;
  /** Id of the trouble that applied to it. Undefined if none did. */
  readonly fault?: string | undefined;
  /** True for a copy that `duplicate` made. Only its success changes the schedule. */
  readonly copy?: boolean | undefined;
  /** True if nothing was sent. The attempt still counts as a 200. */
  readonly lost?: boolean | undefined;
  /** The request that was sent. With `inspect` it is stored for the newest 1,000 attempts. */
  readonly request?: DeliveryExchange['request'] | undefined;
  /** The response as received, stored like `request`. Undefined if there was none. */
  readonly answer?: DeliveryExchange['answer'] | undefined;
}

/** Request and response of an attempt. */
export interface DeliveryExchange {
  readonly request: {
    /** Headers as sent, including the signature. */
    readonly headers: Readonly<Record<string, string>>;
    /** The delivery's `body`, unless a trouble has changed it. */
    readonly body: string;
    /** Time by the machine's clock at which it was sent. The signature contains this time. */
    readonly real: number;
  };
  readonly answer?: {
    readonly status: number;
    /** Headers, with names in lower case. */
    readonly headers: Readonly<Record<string, string>>;
    /** The first 16 kB of the body. */
    readonly body: string;
  };
}

/** Waits in ms of the sandbox's clock. The service, too, gives up within 5 minutes. */
export const DEFAULT_BACKOFF_MS: readonly number[] = Array.from({ length: 8 }, (_, index) => 1_000 * 2 ** index);

/** Maximum number of unscheduled attempts kept per delivery; the oldest are dropped first. */
const MAX_UNPLANNED = 100;

/** True for a scheduled attempt. Only these count for the schedule. */
export const isPlanned = ({ redelivery, copy }: DeliveryAttempt): boolean => !redelivery && copy !== true;

function withAttempt(attempts: readonly DeliveryAttempt[], attempt: DeliveryAttempt): readonly DeliveryAttempt[] {
  const all = [...attempts, attempt];
  const isUnplanned = (one: DeliveryAttempt): boolean => !isPlanned(one);
  return all.filter(isUnplanned).length <= MAX_UNPLANNED ? all : all.toSpliced(all.findIndex(isUnplanned), 1);
}

/** Returns the delivery after one more attempt, which ended at `now`. `backoff`: waits in ms. */
export function afterAttempt(
  delivery: Delivery,
  attempt: DeliveryAttempt,
  now: number,
  backoff: readonly number[],
): Delivery {
  const attempts = withAttempt(delivery.attempts, attempt);
  const { status = 0 } = attempt;
  if (status >= 200 && status <= 299) {
    return { ...delivery, attempts, status: 'delivered', reason: undefined, nextAttemptAt: undefined };
  }
  // A failed redelivery changes neither the schedule nor a finished delivery. Neither does an
  // attempt during which the webhook was removed.
  if (!isPlanned(attempt) || delivery.status !== 'pending') return { ...delivery, attempts };
  const planned = attempts.filter(isPlanned).length;
  const wait = backoff[planned - 1];
  if (wait === undefined) return givenUp({ ...delivery, attempts }, `not answered 2xx in ${planned} attempts`);
  return { ...delivery, attempts, nextAttemptAt: now + wait };
}

/** Returns a delivery before its first attempt. */
export function newDelivery(
  event: Pick<Delivery, 'id' | 'webhookId' | 'eventId' | 'type' | 'at' | 'body'>,
): Delivery & { readonly status: 'pending' } {
  return { ...event, status: 'pending', reason: undefined, attempts: [], nextAttemptAt: undefined };
}

export function givenUp(delivery: Delivery, reason: string): Delivery {
  return { ...delivery, status: 'failed', reason, nextAttemptAt: undefined };
}

/** An attempt to deliver a webhook has ended. */
export interface DeliveryEntry extends EntryHead {
  readonly kind: 'delivery';
  readonly delivery: Pick<Delivery, 'id' | 'webhookId' | 'eventId' | 'type' | 'status' | 'reason' | 'nextAttemptAt'>;
  readonly attempt: DeliveryAttempt;
  /** Id of the event's subject: `id` of its data, else `ref_id`. Undefined if it has neither. */
  readonly about?: string | undefined;
}
