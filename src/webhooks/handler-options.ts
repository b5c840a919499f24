import { ConfigurationError, type WebhookVerificationReason } from '../partner-error.js';
import { hasMethod, readMember } from '../util/members.js';
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
import type { ReplayGuard } from './guard.js';
import type { KnownWebhookEventType, WebhookEvent, WebhookEventOf } from './kinds.js';
import { VERIFICATION_RULES, type WebhookSecrets, type WebhookVerification } from './verify.js';

/** A function for each event kind: `{ 'quote.executed': (event) => settle(event.data) }`. */
export type WebhookEventHandlers = {
  readonly [Type in KnownWebhookEventType]?: ((event: WebhookEventOf<Type>) => unknown) | undefined;
};

/** A request that was turned away: it is not (yet) a delivery to handle. */
export interface WebhookRejection {
  /** The status it was answered with. */
  readonly status: 400 | 405 | 408 | 413;
  /**
   * Why: a reason of `verifyWebhook` (400; a time outside `tolerance` is refused before the signature is compared),
   * `incomplete` (400: the sender went away in the middle of the body), `method_not_allowed` (405), `too_slow` (408),
   * `too_large` (413). The same word is all that the sender is told.
   */
  readonly reason: WebhookVerificationReason | 'incomplete' | 'method_not_allowed' | 'too_slow' | 'too_large';
  /** The same as a sentence, for a log. Holds nothing of the body, no signature and no secret. */
  readonly message: string;
}

/**
 * Functions that see what a handler does not handle. What they return is ignored; what they throw changes no answer.
 */
export interface WebhookHandlerHooks {
  /**
   * A request was turned away. One `bad_signature` after another means that the secret is wrong. Default:
   * `console.error`, once a minute for each reason, with what to do.
   */
  readonly onRejected?: ((rejection: WebhookRejection) => unknown) | undefined;
  /**
   * A delivery was answered 500, so the service delivers it again. `error` is what `on…` or the guard threw, or a
   * `ConfigurationError` that says what the program does wrong (a parsed body, say); `event` is there once it is known.
   * Default: `console.error` with the error's name, message and stack, at most 10 a minute of each kind of failure.
   */
  readonly onError?: ((error: unknown, event: WebhookEvent | undefined) => unknown) | undefined;
}

/** Options of `webhookHandler` and `nodeWebhookHandler`. An unknown or wrong one is a `ConfigurationError`. */
export type WebhookHandlerOptions = WebhookSecrets & WebhookVerification & WebhookHandlerHooks & WebhookHandling;

/** What becomes of deliveries. */
export interface WebhookHandling {
  /**
   * Handles events of known kinds, typed. A kind that is not here goes to `onEvent`. `on`, `onEvent` or both must be
   * given.
   */
  readonly on?: WebhookEventHandlers | undefined;
  /**
   * Handles every event that `on` does not, new kinds among them. Default: they are answered 2xx and nothing is done.
   */
  readonly onEvent?: ((event: WebhookEvent) => unknown) | undefined;
  /**
   * Keeps a repeated delivery from being handled again. Default: `memoryReplayGuard()`, for this handler alone. Give
   * one over a shared store where several processes receive, and where a second handling after a restart does harm. Not
   * asked about a delivery without id, nor about one in the flat form whose header `X-Webhook-ID` is missing: its `id`
   * may be the resource's. Not asked about an exact repeat either: the handler itself remembers the last 100,000 proven
   * signatures for 2 × `tolerance`.
   */
  readonly guard?: ReplayGuard | undefined;
  /** Largest body that is read, in bytes; above, 413. Default 1 MiB (1,048,576), at least 1. */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Milliseconds within which the body must have arrived; after, 408. Default 10,000. Above 0, at most 2,147,483,647.
   */
  readonly bodyTimeout?: number | undefined;
}

/** The bounds of reading a body. */
export interface BodyLimits {
  readonly maxBodyBytes: number;
  readonly bodyTimeout: number;
}

const RULES = {
  ...VERIFICATION_RULES,
  on: functionsOf(),
  onEvent: FUNCTION,
  onRejected: FUNCTION,
  onError: FUNCTION,
  guard: rule(isGuard, 'must be an object with seen(id), and possibly forget(id)'),
  maxBodyBytes: { ...wholeNumber(1), default: 1024 * 1024 },
  bodyTimeout: { ...MILLISECONDS, default: 10_000 },
} satisfies Rules<WebhookHandlerOptions>;

function isGuard(value: unknown): boolean {
  if (!hasMethod(value, 'seen')) return false;
  const forget = readMember(value, 'forget');
  return forget === undefined || isFunction(forget);
}

/**
 * Reads and refuses options at the program's start rather than at the first delivery. Those of verification have their
 * own check.
 */
export function readHandlerOptions(given: WebhookHandlerOptions): WebhookHandlerOptions & BodyLimits {
  const options = checkOptions('webhook handler', given, RULES, ConfigurationError);
  if (options.onEvent === undefined && Object.values(options.on ?? {}).every((handler) => handler === undefined)) {
    throw new ConfigurationError('give on, onEvent or both: nothing would be done with any event');
  }
  return options;
}
