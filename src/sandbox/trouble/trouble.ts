import * as z from 'zod/mini';
import { MAX_TIMER_MS } from '../../util/options.js';
import { anyMs, text, wholeMs, wholeMsAboveZero } from '../core/basics/checked.js';
import { type Times, times } from '../core/basics/times.js';
import type { Cause } from '../core/request/refusal.js';
import type { EntryHead } from '../core/timeline/entries.js';
import { type DeliveryEffects, deliveryEffects } from '../webhooks/delivery/effects.js';
import { FAULT_NAMES, type FaultName, type When } from './fault-table.js';
import { REQUEST_CONDITIONS, type TroubleMatch } from './match.js';

/**
 * A kind of fault. A status from 200 to 599 has a body in the service's error form; 204, 205 and
 * 304 have no body. docs/sandbox/sandbox-trouble.md describes the effect of each name.
 */
export type FaultKind = number | FaultName;

/** A fault with its own options. */
export interface Fault {
  /** A status from 200 to 599, or a name: `reset` cuts the connection, `timeout` never responds. */
  readonly fault: FaultKind;
  /**
   * The error's `code`, 1 to 100 characters, with a status of 400 or more. Default: the code that
   * the operation declares for the status, for example `user_not_found` for a 404 of `users.get`. A
   * 403 is by default that of a gateway (`gateway`, type `service_error`); `forbidden` is the
   * service's own.
   */
  readonly code?: string | undefined;
  /** The error's `type`, 1 to 100 characters, with a status of 400 or more. */
  readonly type?: string | undefined;
  /**
   * The error's `causes`, at least one, with a status of 400 or more.
   *
   * @example
   * const causes = [{ field: 'phone', message: 'is not a number' }];
   * sandbox.fail({ operation: 'users.update', fault: 400, causes });
   */
  readonly causes?: readonly Cause[] | undefined;
  /** The error's `doc_url`, 1 to 2,000 characters, with a status of 400 or more. */
  readonly docUrl?: string | undefined;
  /**
   * `Retry-After` of a status or of `html`: seconds, 0 or more; or `left`, the rest of `forMs` in
   * seconds, rounded up. Default: not sent.
   */
  readonly retryAfterSeconds?: number | 'left' | undefined;
  /** Speed of the body of a `slow` response, in bytes per second, above 0. Default 10. */
  readonly bytesPerSecond?: number | undefined;
}

/** A delay of the response. The request itself takes effect when it arrives. */
export interface Delay {
  /** Real ms, 0 to 2,147,483,647. With `[least, most]` each delay is drawn from the seed. */
  readonly delayMs: number | readonly [least: number, most: number];
}

/** The outcome of an operation's effect. `match.operation` is required with it. */
export interface Outcome {
  /** An outcome that the operation can have, for example `failed`: `troubles.outcomes` has all. */
  readonly outcome: string;
  /** Delay of a `slow` outcome in ms of the sandbox's clock. Default: that of the outcome. */
  readonly afterMs?: number | undefined;
  /** Reason of a failure, if the outcome accepts one. Default: that of the outcome. */
  readonly reason?: string | undefined;
}

/** What goes wrong with an attempt to deliver a webhook. */
export interface SpoiltDelivery {
  /** The effects on the attempt: at least one. */
  readonly delivery: DeliveryEffects;
}

/** The members of a trouble that say when it applies, and how often. */
export interface TroubleTimes {
  /**
   * For a fault, the time at which it applies:
   *
   * - `before`: nothing happens and the nonce is not consumed, as when a gateway fails;
   * - `after`: the request takes effect, also under its idempotency key, then its response fails.
   *
   * A fault `before` that changes a successful response changes a 200 with empty `data`. For
   * `after`, requests that are rejected anyway do not count. Default: `after` for a status below
   * 300 and for faults that change a successful response, since both mean that the effect happened;
   * `before` for all others.
   */
  readonly when?: When | undefined;
  /**
   * Number of requests or deliveries that it applies to: an integer of 1 or more, or `always`.
   * Default 1; `always` for a delay, for `chaos`, and with `forMs`.
   */
  readonly times?: Times | undefined;
  /** Time in ms of the sandbox's clock after which it ends, above 0. Default: no end. */
  readonly forMs?: number | undefined;
  /** Time in ms of the sandbox's clock after which it starts, and `forMs` with it. Default 0. */
  readonly afterMs?: number | undefined;
  /** Probability that it applies, above 0 to 1, drawn from the seed. Default 1. */
  readonly probability?: number | undefined;
}

/** A trouble to add. */
export interface TroubleOptions extends TroubleTimes {
  /**
   * The requests or deliveries that it applies to. Default: all.
   *
   * @example
   * const match = { operation: 'accounts.quotes.get', accountId };
   * sandbox.troubles.add({ match, does: 503, times: 2 });
   */
  readonly match?: TroubleMatch | undefined;
  /**
   * What goes wrong: a status from 200 to 599, the name of a fault, `chaos` (one of all faults,
   * drawn from the seed for each request), or an object with a fault's own options, a delay, an
   * outcome, or effects on a delivery.
   *
   * @example
   * sandbox.troubles.add({ does: { delayMs: [20, 80] } });
   * sandbox.troubles.add({ match: { event: 'quote.executed' }, does: { delivery: { duplicate: 1 } } });
   */
  readonly does: FaultKind | 'chaos' | Fault | Delay | Outcome | SpoiltDelivery;
}

/** Options of `Sandbox.fail`: a fault, its requests and its times in one object. */
export interface FailOptions extends Fault, TroubleTimes {
  /**
   * The only operation that it applies to: `accounts.quotes.get`, `quotes.get` or `Get quote`.
   * Default: every request.
   */
  readonly operation?: string | undefined;
  /**
   * The only requests of the operation that it applies to. Default: all of them.
   *
   * @example
   * const match = { accountId, nth: 2 };
   * sandbox.fail({ operation: 'accounts.quotes.get', match, fault: 503 }); // the second one fails
   */
  readonly match?: Omit<TroubleMatch, 'operation' | 'event' | 'eventId'> | undefined;
}

/** A trouble, with the counts at the time of the call. */
export interface Trouble extends TroubleOptions {
  /** For example `trouble_1`. */
  readonly id: string;
  readonly times: Times;
  /** Time at which it was added: milliseconds since the epoch, by the sandbox's clock. */
  readonly at: number;
  /** Time at which it was added, by the machine's clock: milliseconds since the epoch. */
  readonly real: number;
  /** Time from which it applies, if it has `afterMs`. */
  readonly from?: number | undefined;
  /** Time at which it ends, if it has `forMs`. */
  readonly until?: number | undefined;
  /** Number of requests or deliveries that it has applied to. */
  readonly applied: number;
  /** Number of requests or deliveries that it will still apply to. `always`: without limit. */
  readonly left: Times;
}

/** Maximum length of `code` and `type` in characters; a longer one is rejected. */
const MAX_CODE_LENGTH = 100;
/** Maximum length of `docUrl` in characters; a longer one is rejected. */
const MAX_URL_LENGTH = 2_000;

const textUpTo = (length: number) => text.check(z.maxLength(length));

const NAMES = FAULT_NAMES.join(', ');

const status = z.int().check(z.minimum(200), z.maximum(599));
const faultKind = z.union([status, z.enum(FAULT_NAMES)], {
  error: `must be a status from 200 to 599 or one of ${NAMES}`,
});

const fault = {
  fault: faultKind,
  code: z.optional(textUpTo(MAX_CODE_LENGTH)),
  type: z.optional(textUpTo(MAX_CODE_LENGTH)),
  causes: z.optional(z.array(z.strictObject({ field: z.string(), message: z.string() })).check(z.minLength(1))),
  docUrl: z.optional(textUpTo(MAX_URL_LENGTH)),
  retryAfterSeconds: z.optional(
    z.union([z.number().check(z.minimum(0)), z.literal('left')], { error: 'must be 0 or more seconds, or "left"' }),
  ),
  bytesPerSecond: z.optional(z.number().check(z.gt(0, { error: 'must be above 0' }))),
};

const delayMs = z.union(
  [
    anyMs,
    z.tuple([anyMs, anyMs]).check(z.refine(([least, most]) => least <= most, { error: 'must have the least first' })),
  ],
  { error: `must be milliseconds from 0 to ${MAX_TIMER_MS}, or [least, most] of them` },
);

const ABOVE_0 = 'must be above 0, at most 1';

const troubleTimes = {
  when: z.optional(z.enum(['before', 'after'])),
  times: z.optional(times),
  forMs: z.optional(wholeMsAboveZero),
  afterMs: z.optional(wholeMs),
  probability: z.optional(z.number().check(z.gt(0, { error: ABOVE_0 }), z.maximum(1, { error: ABOVE_0 }))),
};

export const troubleOptions = z.strictObject({
  match: z.optional(
    z.strictObject({
      operation: z.optional(text),
      ...REQUEST_CONDITIONS,
      event: z.optional(text),
      eventId: z.optional(text),
    }),
  ),
  ...troubleTimes,
  does: z.union(
    [
      faultKind,
      z.literal('chaos'),
      z.strictObject(fault),
      z.strictObject({ delayMs }),
      z.strictObject({
        outcome: text,
        afterMs: z.optional(wholeMs),
        reason: z.optional(text),
      }),
      z.strictObject({ delivery: deliveryEffects }),
    ],
    {
      error: `must be a status from 200 to 599, one of ${NAMES}, chaos, or an object with fault, delayMs, outcome or delivery`,
    },
  ),
});

export const failOptions = z.strictObject({
  operation: z.optional(text),
  match: z.optional(z.strictObject(REQUEST_CONDITIONS)),
  ...fault,
  ...troubleTimes,
});

/** A trouble was added, applied or ended. */
export interface TroubleEntry extends EntryHead {
  readonly kind: 'trouble';
  /** For example `trouble_1`. */
  readonly id: string;
  /** `applied`: it applied to a request or a delivery, which is the `cause` of the entry. */
  readonly what: 'added' | 'applied' | 'ended';
  /** Kind of the fault that applied, if it is one. */
  readonly fault?: FaultKind | undefined;
}
