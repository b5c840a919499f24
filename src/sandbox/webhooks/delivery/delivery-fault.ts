import type { Delivery } from './delivery.js';

/** Effects on an attempt: at least one. */
export interface WebhookEffects {
  /** `true`: nothing is sent, and the delivery counts as delivered with the status 200. */
  readonly drop?: boolean | undefined;
  /** Delay of the attempt in ms of the clock. Applies only to scheduled attempts. */
  readonly delay?: number | undefined;
  /** Number of additional copies of the delivery, sent at the same time: 1 to 100. */
  readonly duplicate?: number | undefined;
  /**
   * `true`: the delivery waits until another delivery to its webhook has ended, at most 60 s of the
   * clock. Applies only to scheduled attempts.
   */
  readonly reorder?: boolean | undefined;
  /**
   * Fault of the signature:
   *
   * - `wrong`: of the right form, but arbitrary;
   * - `missing`: the header is not sent;
   * - `other_secret`: correctly made with another secret;
   * - `malformed`: of another form.
   */
  readonly signature?: 'wrong' | 'missing' | 'other_secret' | 'malformed' | undefined;
  /**
   * The signed time: ten minutes ago (`stale`), in ten minutes (`future`), or this many ms from
   * now, negative for the past. The scheme `body` signs no time.
   */
  readonly timestamp?: 'stale' | 'future' | number | undefined;
  /**
   * Change of the body after it was signed:
   *
   * - `changed`: with an additional member, but valid JSON;
   * - `reserialized`: the same JSON with different white space;
   * - `truncated`: its first half.
   */
  readonly body?: 'changed' | 'reserialized' | 'truncated' | undefined;
  /** Sent as `Content-Type`. Default `application/json`. */
  readonly contentType?: string | undefined;
  /** Another event kind to send and sign, for example one that the receiver does not know. */
  readonly sentAs?: string | undefined;
}

/** A webhook fault to add: the attempts that it applies to, and what goes wrong with them. */
export interface WebhookFaultOptions extends WebhookEffects {
  /** Kind of the events that it applies to, for example `quote.executed`. Default: all. */
  readonly kind?: string | undefined;
  /** Only deliveries to this webhook. Default: all webhooks. */
  readonly webhookId?: string | undefined;
  /** Only deliveries of this event. Default: all events. */
  readonly eventId?: string | undefined;
  /** Number of attempts that it applies to, 1 or more, or `'always'`. Default 1. */
  readonly times?: number | 'always' | undefined;
  /** Probability that it applies to an attempt, above 0 to 1, drawn from the seed. Default 1. */
  readonly probability?: number | undefined;
}

/** An active webhook fault, as it was when it was added or listed. */
export interface WebhookFault extends Omit<WebhookFaultOptions, 'times'> {
  /** For example `webhook_fault_1`. */
  readonly id: string;
  /** Number of attempts that it has applied to. */
  readonly applied: number;
  /** Number of attempts that it will still apply to. */
  readonly left: number | 'always';
}

/**
 * Returns the fault that applies to an attempt, and counts it. `isPlanned`: the attempt may be
 * delayed.
 */
export type StrikeDelivery = (delivery: Delivery, isPlanned: boolean) => WebhookFault | undefined;
