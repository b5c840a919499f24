import * as z from 'zod/mini';
import { countAboveZero, wholeMsAboveZero } from '../../core/basics/checked.js';
import type { Delivery } from './delivery.js';

/** Effects on an attempt to deliver a webhook: at least one. */
export interface DeliveryEffects {
  /** If `true`, nothing is sent, and the delivery counts as delivered with the status 200. */
  readonly drop?: boolean | undefined;
  /** Delay of the attempt in ms of the clock. Applies only to scheduled attempts. */
  readonly delayMs?: number | undefined;
  /** Number of additional copies of the delivery, sent at the same time: 1 to 100. */
  readonly duplicate?: number | undefined;
  /**
   * If `true`, the delivery waits until another delivery to its webhook has ended, at most 60 s of
   * the clock. Applies only to scheduled attempts.
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

/** The effects on one attempt. */
export interface StruckDelivery extends DeliveryEffects {
  /** Id of the trouble. */
  readonly id: string;
}

/**
 * Returns the effects on an attempt, if a trouble applies to it, and counts it. `isPlanned`: the
 * attempt may be delayed.
 */
export type StrikeDelivery = (delivery: Delivery, isPlanned: boolean) => StruckDelivery | undefined;

/** Maximum number of copies of one delivery; more are rejected. */
const MAX_COPIES = 100;

/** Largest distance of a signed time in ms: some thirty years. */
const MAX_DISTANCE_MS = 1e12;

/** Printable ASCII: other characters are not safe in a header. */
const header = z
  .string()
  .check(z.regex(/^[ -~]{1,200}$/, { error: 'must be a string of 1 to 200 printable ASCII characters' }));

const EFFECTS = {
  drop: z.optional(z.boolean()),
  delayMs: z.optional(wholeMsAboveZero),
  duplicate: z.optional(countAboveZero.check(z.maximum(MAX_COPIES))),
  reorder: z.optional(z.boolean()),
  signature: z.optional(z.enum(['wrong', 'missing', 'other_secret', 'malformed'])),
  timestamp: z.optional(
    z.union([z.enum(['stale', 'future']), z.number().check(z.minimum(-MAX_DISTANCE_MS), z.maximum(MAX_DISTANCE_MS))], {
      error: "must be 'stale', 'future' or milliseconds",
    }),
  ),
  body: z.optional(z.enum(['changed', 'reserialized', 'truncated'])),
  contentType: z.optional(header),
  sentAs: z.optional(header),
};

const ALL = Object.keys(EFFECTS);

/** The schema of effects: they are not empty, and do not exclude each other. */
export const deliveryEffects = z.strictObject(EFFECTS).check((payload) => {
  // Only the misspelt effect is reported.
  const message = payload.issues.length === 0 ? mistakeIn(payload.value) : undefined;
  if (message !== undefined) payload.issues.push({ code: 'custom', input: payload.value, message });
});

function mistakeIn(effects: DeliveryEffects): string | undefined {
  const given = Object.entries(effects).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : name,
  );
  if (given.length === 0) return `must say what goes wrong: ${ALL.join(', ')}`;
  if (effects.drop === true && given.length > 1) {
    return `must leave ${given.filter((name) => name !== 'drop').join(', ')} out: drop sends nothing`;
  }
  const holdsTwice = effects.delayMs !== undefined && effects.reorder === true;
  return holdsTwice ? 'must have delayMs or reorder: both hold a delivery back' : undefined;
}
