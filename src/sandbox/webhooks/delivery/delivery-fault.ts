import type { Delivery } from './delivery.js';

/** A planned bad webhook: which attempts it strikes, and what goes wrong with them. */
export interface WebhookFaultOptions {
  /** Kind of the events that it strikes, for example `quote.executed`. Default: all. */
  readonly kind?: string | undefined;
  /** Default: all webhooks. */
  readonly webhookId?: string | undefined;
  /** Default: all events. */
  readonly eventId?: string | undefined;
  /** Number of attempts that it strikes, 1 or more, or `'always'`. Default 1. */
  readonly times?: number | 'always' | undefined;
  /** Probability that it strikes an attempt, above 0 to 1, drawn by the seed. Default 1. */
  readonly probability?: number | undefined;
  /** `true`: nothing is sent, and the delivery counts as delivered with the status 200. */
  readonly drop?: boolean | undefined;
  /** Delay of the attempt in ms of the clock. Strikes only attempts of the plan. */
  readonly delay?: number | undefined;
  /** Further copies of the same delivery, sent at the same time: 1 to 100. */
  readonly duplicate?: number | undefined;
  /**
   * `true`: the delivery waits until another delivery to its webhook has ended, for 60 s of the
   * clock at most. Strikes only attempts of the plan.
   */
  readonly reorder?: boolean | undefined;
  /**
   * - `wrong`: of the right form, made with nothing that fits;
   * - `missing`: the header is left out;
   * - `other_secret`: made by the rules with another secret;
   * - `malformed`: of another form.
   */
  readonly signature?: 'wrong' | 'missing' | 'other_secret' | 'malformed' | undefined;
  /**
   * The signed time: ten minutes ago (`stale`), in ten minutes (`future`), or this many ms from
   * now, below 0 for the past. The scheme `body` signs no time.
   */
  readonly timestamp?: 'stale' | 'future' | number | undefined;
  /**
   * The change of the body after it was signed:
   *
   * - `changed`: it has one more member, and is still JSON;
   * - `reserialized`: the same JSON with other white space;
   * - `truncated`: its first half.
   */
  readonly body?: 'changed' | 'reserialized' | 'truncated' | undefined;
  /** Sent as `Content-Type`. Default `application/json`. */
  readonly contentType?: string | undefined;
  /** Sent and signed as an event of this kind, for example one that the receiver does not know. */
  readonly sentAs?: string | undefined;
}

/** A bad webhook that can still strike, as it was when it was added or listed. */
export interface WebhookFault extends Omit<WebhookFaultOptions, 'times'> {
  /** For example `webhook_fault_1`. */
  readonly id: string;
  /** Number of attempts that it has struck. */
  readonly struck: number;
  /** Number of attempts that it will still strike. */
  readonly left: number | 'always';
}

/**
 * Returns the fault that strikes an attempt, and counts it. `isPlanned`: the attempt may be held
 * back.
 */
export type StrikeDelivery = (delivery: Delivery, isPlanned: boolean) => WebhookFault | undefined;
