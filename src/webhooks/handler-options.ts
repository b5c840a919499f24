import { ConfigurationError, type WebhookVerificationReason } from '../partner-error.js';
import { copyMembers, hasMethod, isPlain, readMember } from '../util/members.js';
import { isCount, isFunction, isMilliseconds, isRecord, MAX_TIMER, rule, rulesOf } from '../util/options.js';
import type { ReplayGuard } from './guard.js';
import type { KnownWebhookEventType, WebhookEvent, WebhookEventOf } from './kinds.js';
import { readOptions } from './options.js';
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

const aFunction = rule(isFunction, 'must be a function');

const RULES = rulesOf({
  ...VERIFICATION_RULES,
  on: rule(isFunctionMap, 'must be an object with a function for each event kind', copyFunctions),
  onEvent: aFunction,
  onRejected: aFunction,
  onError: aFunction,
  guard: rule(isGuard, 'must be an object with seen(id), and possibly forget(id)'),
  maxBodyBytes: rule((value) => isCount(value, 1), 'must be an integer of 1 or more'),
  bodyTimeout: rule(isMilliseconds, `must be milliseconds above 0, at most ${MAX_TIMER}`),
  now: aFunction,
});

function isFunctionMap(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((entry) => entry === undefined || isFunction(entry));
}

/** The functions, each called as a method of its object. An instance of a class may have other members as well. */
function copyFunctions(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const functions = copyMembers(value, { has: (name) => name !== 'constructor' });
  for (const [kind, handle] of Object.entries(functions)) {
    if (typeof handle === 'function') functions[kind] = handle.bind(value);
    else if (!isPlain(value)) delete functions[kind];
  }
  return functions;
}

function isGuard(value: unknown): boolean {
  if (!hasMethod(value, 'seen')) return false;
  const forget = readMember(value, 'forget');
  return forget === undefined || isFunction(forget);
}

/**
 * Reads and refuses options at the program's start rather than at the first delivery. Those of verification have their
 * own check.
 */
export function readHandlerOptions(given: WebhookHandlerOptions): WebhookHandlerOptions {
  const options = readOptions<WebhookHandlerOptions>(given, RULES);
  if (options.onEvent === undefined && Object.values(options.on ?? {}).every((handler) => handler === undefined)) {
    throw new ConfigurationError('give on, onEvent or both: nothing would be done with any event');
  }
  return options;
}

/** The bounds that these options set. */
export function bodyLimitsOf({ maxBodyBytes = 1024 * 1024, bodyTimeout = 10_000 }: WebhookHandling): BodyLimits {
  return { maxBodyBytes, bodyTimeout };
}
