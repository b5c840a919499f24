import { ConfigurationError, type WebhookVerificationReason } from '../partner-error.js';
import { hasMethod } from '../util/members.js';
import {
  checkOptions,
  FUNCTION,
  functionsOf,
  isFunction,
  MILLISECONDS,
  type Rules,
  rule,
  wholeNumber,
} from '../util/options.js';
import type { BodyLimits } from './body.js';
import type { KnownWebhookEventType, WebhookEvent, WebhookEventOf } from './event.js';
import type { ReplayGuard } from './replay-guard.js';
import { VERIFICATION_RULES, type WebhookSecrets, type WebhookVerification } from './verify.js';

/** A function for each event kind: `{ 'quote.executed': (event) => settle(event.data) }`. */
export type WebhookEventHandlers = {
  readonly [Type in KnownWebhookEventType]?: ((event: WebhookEventOf<Type>) => unknown) | undefined;
};

/** A request that the handler rejected: it is not a delivery to handle, or not yet. */
export interface WebhookRejection {
  /** The status it was answered with. */
  readonly status: 400 | 405 | 408 | 413;
  /**
   * A reason of `verifyWebhook` (400; a time outside `toleranceSeconds` is refused before the
   * signature is compared), `incomplete` (400: the sender went away in the middle of the body),
   * `method_not_allowed` (405), `too_slow` (408) or `too_large` (413). The sender is told this word
   * and nothing more.
   */
  readonly reason: WebhookVerificationReason | 'incomplete' | 'method_not_allowed' | 'too_slow' | 'too_large';
  /** The reason as a sentence, for a log. Holds nothing of the body, no signature and no secret. */
  readonly message: string;
}

/** Functions that see rejections and failures. Their own failures change no answer. */
export interface WebhookHandlerHooks {
  /**
   * The handler rejected a request. If one `bad_signature` follows another, the secret is wrong.
   * Default: `console.error`, once a minute for each reason, with what to do.
   *
   * @example
   * const receive = webhookHandler({
   *   secret,
   *   onEvent: (event) => settle(event),
   *   onRejected: ({ status, reason, message }) => console.warn(status, reason, message),
   * });
   */
  readonly onRejected?: ((rejection: WebhookRejection) => unknown) | undefined;
  /**
   * A delivery was answered 500, so the service delivers it again. `error` is what `on…` or the
   * guard threw, or a `ConfigurationError` about a mistake of the program (for example a parsed
   * body). `event` is there once it is known. Default: `console.error` with the error's name,
   * message and stack, at most 10 a minute of each kind of failure.
   *
   * @example
   * const receive = webhookHandler({
   *   secret,
   *   onEvent: (event) => settle(event),
   *   onError: (error, event) => console.error(event?.deliveryId, event?.type, error),
   * });
   */
  readonly onError?: ((error: unknown, event: WebhookEvent | undefined) => unknown) | undefined;
}

/** Options of both handlers. An unknown or wrong one is a `ConfigurationError`. */
export type WebhookHandlerOptions = WebhookSecrets & WebhookVerification & WebhookHandlerHooks & WebhookHandling;

/** Rules of handling. At least one of `on` and `onEvent` must be given. */
export interface WebhookHandling {
  /**
   * Handles events of known kinds, typed. An event of any other kind goes to `onEvent`.
   *
   * @example
   * const receive = webhookHandler({
   *   secret,
   *   on: {
   *     'deposit.completed': async ({ data }) => settle(data),
   *     'withdrawal.failed': async ({ data }) => settle(data),
   *   },
   * });
   */
  readonly on?: WebhookEventHandlers | undefined;
  /**
   * Handles every event that `on` does not, new kinds too. Default: answers 2xx, does nothing.
   *
   * @example
   * const receive = webhookHandler({
   *   secret,
   *   onEvent: async (event) => {
   *     if (isWebhookEvent(event, 'transfer.completed')) await settle(event.data);
   *   },
   * });
   */
  readonly onEvent?: ((event: WebhookEvent) => unknown) | undefined;
  /**
   * Keeps a duplicate from being handled again: it records the event's `deliveryId`. Default:
   * `memoryReplayGuard()`, for this handler alone. Give a guard over a shared store if several
   * processes receive, or if a second handling after a restart does harm.
   *
   * @example
   * import { createClient } from 'redis';
   *
   * const redis = createClient({ url: 'redis://localhost:6379' });
   * const guard = redisReplayGuard(redis); // one for all processes
   * const receive = webhookHandler({ secret, guard, onEvent: (event) => settle(event) });
   */
  readonly guard?: ReplayGuard | undefined;
  /** The largest body in bytes; a larger one is answered 413. Default 1,048,576, at least 1. */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Time in ms for the body; a later one is answered 408. Default 10,000, at most 2^31 - 1. A body
   * that arrived while the event loop was blocked still counts.
   */
  readonly bodyTimeout?: number | undefined;
}

/**
 * Made at the call: a bundle of `verifyWebhook` alone would keep a constant that is made by calls.
 */
const rules = () =>
  ({
    ...VERIFICATION_RULES,
    on: functionsOf(),
    onEvent: FUNCTION,
    onRejected: FUNCTION,
    onError: FUNCTION,
    guard: rule(isGuard, 'must be an object with seen(id), and possibly forget(id)'),
    maxBodyBytes: { ...wholeNumber(1), default: 1024 * 1024 },
    bodyTimeout: { ...MILLISECONDS, default: 10_000 },
  }) satisfies Rules<WebhookHandlerOptions>;

function isGuard(value: unknown): boolean {
  if (!hasMethod(value, 'seen')) return false;
  const { forget } = value as Partial<ReplayGuard>;
  return forget === undefined || isFunction(forget);
}

/** Reads and checks options when the program starts. `verifierOf` checks those of verification. */
export function readHandlerOptions(given: WebhookHandlerOptions): WebhookHandlerOptions & BodyLimits {
  const options = checkOptions('webhook handler', given, rules(), ConfigurationError);
  if (options.onEvent === undefined && Object.values(options.on ?? {}).every((handler) => handler === undefined)) {
    throw new ConfigurationError('give on, onEvent or both: nothing would be done with any event');
  }
  return options;
}
