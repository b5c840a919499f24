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

/** A request that the handler rejected, because it is not a delivery to handle, or not yet. */
export interface WebhookRejection {
  /** The status of the response. */
  readonly status: 400 | 405 | 408 | 413;
  /**
   * A reason of `verifyWebhook` (400; a time outside `toleranceSeconds` is rejected before the
   * signature is compared), `incomplete` (400: the sender disconnected before the body was
   * complete), `method_not_allowed` (405), `too_slow` (408) or `too_large` (413). The response
   * contains only this word.
   */
  readonly reason: WebhookVerificationReason | 'incomplete' | 'method_not_allowed' | 'too_slow' | 'too_large';
  /** The reason as a sentence, for logs. Contains nothing of the body, signature or secret. */
  readonly message: string;
}

/** Functions called for rejections and failures. What they throw does not change the response. */
export interface WebhookHandlerHooks {
  /**
   * Called when the handler rejects a request. If every delivery is a `bad_signature`, the secret
   * is wrong. Default: `console.error`, once a minute for each reason, with what to do.
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
   * Called when a delivery gets 500 or its response can't be sent, so the service delivers it
   * again, and when the guard fails after the event was handled. `error` is what `on…` or the guard
   * threw, or a `ConfigurationError` about a mistake of the program (for example a parsed body).
   * `event` is undefined if the failure came before the event was known. Default: `console.error`
   * with the error's name, message and stack, at most 10 a minute of each kind of failure.
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

/** Options of both handlers. An unknown or wrong one throws a `ConfigurationError`. */
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
   * Handles every event that `on` does not, even new kinds. Default: does nothing, answers 2xx. As
   * with `on`, the event counts as handled once what the function returns has resolved: a promise,
   * or each promise of an array. If that is a `Response` that is no success, for example of the
   * `fetch` that forwards the event, then the response is 500. Await every other promise.
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
   * Prevents a duplicate from being handled again by recording the event's `deliveryId`. Default:
   * `memoryReplayGuard()`, which only this handler uses. Give a guard over a shared store if
   * several processes receive deliveries, or if handling an event again after a restart does harm.
   *
   * @example
   * import { createClient } from 'redis';
   *
   * const redis = createClient({ url: 'redis://localhost:6379' });
   * const guard = redisReplayGuard(redis); // one for all processes
   * const receive = webhookHandler({ secret, guard, onEvent: (event) => settle(event) });
   */
  readonly guard?: ReplayGuard | undefined;
  /** The largest body in bytes; a larger one gets 413. Default 1,048,576, at least 1. */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Time in ms for the body; a later body gets 408. Default 10,000, at most 2^31 - 1. A body that
   * arrived while the event loop was blocked still counts.
   */
  readonly bodyTimeout?: number | undefined;
}

/** A function, because bundles of `verifyWebhook` would contain a constant that calls create. */
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
    throw new ConfigurationError('give on, onEvent or both: without them, no event would be handled');
  }
  return options;
}
