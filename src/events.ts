import type { AttemptFailure, Outcome, PartnerError } from './errors.js';
import type { ClientStats } from './stats.js';

/**
 * Members of every event. No event contains a header, a query, an id of a path, a body or a secret.
 * The `error` of an event may repeat what you sent, if the service's error message does.
 */
export interface CallEvent {
  /** Identifies the call: the same string in all its events, and unique in the process. */
  readonly callId: string;
  /** The call's name in the client's tree, for example `accounts.quotes.get`. */
  readonly operation: string;
  readonly method: string;
  /** Scheme, host and port of the service. */
  readonly origin: string;
  /** Path template, without ids and query. */
  readonly path: string;
  /**
   * The key sent as `Idempotency-Key`. Undefined if none is sent, and at the start of a call that
   * waits for `redisKeyLeases` to choose its API key, which its idempotency key depends on.
   */
  readonly idempotencyKey: string | undefined;
}

/** Members of the events of one attempt. */
export interface AttemptEvent extends CallEvent {
  /** Number of the attempt in its call, from 1. */
  readonly attempt: number;
}

/** A call begins. Each page of a list and each poll of a `waitFor` is a call of its own. */
export interface StartEvent extends CallEvent {}

/** The bytes of an attempt are sent. An attempt that fails earlier has no such event. */
export interface RequestEvent extends AttemptEvent {
  /**
   * Time in ms from the beginning of the attempt until its bytes were sent: the wait in the lane,
   * the functions for secret and OTP, the nonce source, the signer, and opening a connection.
   */
  readonly queueTime: number;
  /** The part of `queueTime`, in ms, that the attempt spent in the queue of its lane. */
  readonly laneTime: number;
}

/** An attempt got a response, with any status. */
export interface ResponseEvent extends RequestEvent {
  /** HTTP status. */
  readonly status: number;
  /** Time in ms from the beginning of the attempt to the end of the response, with `queueTime`. */
  readonly durationMs: number;
  /** True when the service replayed an earlier response to the same idempotency key. */
  readonly replayed: boolean;
}

/** An attempt has finished: it got a response, was lost, or was never sent. */
export interface AttemptEndEvent extends AttemptEvent {
  /** True if its bytes were sent. */
  readonly sent: boolean;
  /** HTTP status; undefined without a response. */
  readonly status: number | undefined;
  /** The reason as in `AttemptFailure`; undefined after a success. */
  readonly reason: AttemptFailure['reason'] | undefined;
  /** Time in ms until its bytes were sent; all of `durationMs` if they were not. */
  readonly queueTime: number;
  /** The part of `queueTime`, in ms, that the attempt spent in the queue of its lane. */
  readonly laneTime: number;
  /** Time in ms since the beginning of the attempt. */
  readonly durationMs: number;
}

/** An attempt failed and will be retried. Its failure is described as in `AttemptFailure`. */
export interface RetryEvent extends AttemptEvent {
  readonly reason: AttemptFailure['reason'];
  readonly status: number | undefined;
  readonly code: string | undefined;
  /** Time in ms until the next attempt begins. */
  readonly delayMs: number;
}

/** A call failed: its promise is rejected with `error`. */
export interface ErrorEvent extends CallEvent {
  readonly error: PartnerError;
  readonly outcome: Outcome;
  /** Number of attempts. */
  readonly attempts: number;
  /** Time in ms since the call began. */
  readonly durationMs: number;
}

/** A call has finished, successfully or not. Exactly one `EndEvent` follows each `StartEvent`. */
export interface EndEvent extends CallEvent {
  /** The call's effect: `applied` for a write that succeeded, `not_applied` for every read. */
  readonly outcome: Outcome;
  /** Number of attempts; 0 when the input was rejected, or the call ended before its first turn. */
  readonly attempts: number;
  /** Sum in ms of the `queueTime` of all attempts, which is a part of `durationMs`. */
  readonly queueTime: number;
  /** Time in ms since the call began. */
  readonly durationMs: number;
  /**
   * The error that rejects the call's promise; undefined after a success. If you leave the loop
   * over a list, the page in flight ends with an `AbortedError` but has no `ErrorEvent`.
   */
  readonly error: PartnerError | undefined;
}

/** A write was applied. This is the only event with ids, so keep it out of logs. */
export interface AppliedEvent extends CallEvent {
  /**
   * Ids of the resource that the write created or changed, from the response (`id`, `quote_id` and
   * the like) and the last one of the path, without the ids of its account and user.
   */
  readonly ids: readonly string[];
}

/** A client with these hooks was created, by `new PartnerClient()` or `withOptions()`. */
export interface ClientEvent {
  /**
   * Returns the client's statistics; undefined once the client is closed or garbage-collected,
   * because the event does not keep it alive.
   */
  stats(): ClientStats | undefined;
}

/** A call or one of its attempts is about to begin. A call's `idempotencyKey` is not known yet. */
export type RunEvent =
  | (CallEvent & { readonly kind: 'call'; readonly attempt?: undefined })
  | (AttemptEvent & { readonly kind: 'attempt' });

/**
 * Functions that are called with events. Methods of a class instance work as well. They cannot
 * change a call, except that `headers` adds to its requests. The results of the other hooks are
 * ignored, and an error that a hook throws is reported once as a process warning.
 *
 * @example
 * const hooks: Hooks = {
 *   onRetry: ({ operation, reason, delayMs }) => console.warn(operation, reason, delayMs),
 *   onEnd: ({ operation, outcome, durationMs }) => console.log(operation, outcome, durationMs),
 * };
 * const client = new PartnerClient({ hooks });
 */
export interface Hooks {
  /** A call begins. This is the call's first event, even when its input is rejected. */
  readonly onStart?: ((event: StartEvent) => unknown) | undefined;
  /** The bytes of an attempt are sent. */
  readonly onRequest?: ((event: RequestEvent) => unknown) | undefined;
  /** An attempt got a response, with any status. */
  readonly onResponse?: ((event: ResponseEvent) => unknown) | undefined;
  /** An attempt has finished. Called once for every attempt that `run` was called for. */
  readonly onAttemptEnd?: ((event: AttemptEndEvent) => unknown) | undefined;
  /** An attempt failed and will be retried. */
  readonly onRetry?: ((event: RetryEvent) => unknown) | undefined;
  /** A call failed. */
  readonly onError?: ((event: ErrorEvent) => unknown) | undefined;
  /**
   * A write was applied. This is the only hook that receives ids.
   *
   * @example
   * const hooks: Hooks = {
   *   onApplied: ({ operation, idempotencyKey, ids }) => audit.add(operation, idempotencyKey, ids),
   * };
   */
  readonly onApplied?: ((event: AppliedEvent) => unknown) | undefined;
  /** A call has finished. Called once for every `onStart`. */
  readonly onEnd?: ((event: EndEvent) => unknown) | undefined;
  /**
   * A client with these hooks was created.
   *
   * @example
   * const hooks: Hooks = {
   *   onClient: (client) => gauges.add(() => client.stats()?.running ?? 0),
   * };
   */
  readonly onClient?: ((event: ClientEvent) => unknown) | undefined;
  /**
   * Returns headers to add to an attempt, for example `traceparent`; undefined adds none. Called
   * right before the request is sent. The same names and values are allowed as in
   * `options.headers`. A header of the SDK, the client or the call is never replaced. Invalid
   * headers are not sent, and a process warning says so once.
   *
   * @example
   * const hooks: Hooks = {
   *   headers: ({ callId, attempt }) => ({ 'x-request-id': `${callId}-${attempt}` }),
   * };
   */
  readonly headers?: ((event: AttemptEvent) => Readonly<Record<string, string | undefined>> | undefined) | undefined;
  /**
   * Wraps each call, and inside it each attempt. `next()` begins the call or attempt at once. Your
   * other functions (hooks, signer, nonce source, secret, OTP, `fetch`) run in the asynchronous
   * context in which you call `next`.
   *
   * `next()` returns a promise that resolves when the call or attempt has finished, even if it
   * failed. Call `next()` before `run` returns. Otherwise, and when `run` throws, the call begins
   * without it, and a process warning says so once. A second `next()` does nothing.
   *
   * @example
   * import { AsyncLocalStorage } from 'node:async_hooks';
   *
   * const storage = new AsyncLocalStorage<{ callId: string }>();
   * const hooks: Hooks = { run: (event, next) => storage.run({ callId: event.callId }, next) };
   */
  readonly run?: ((event: RunEvent, next: () => Promise<void>) => unknown) | undefined;
}

/**
 * A member of hooks of this package. If it returns true, their events would go nowhere, so calls do
 * nothing for them. OpenTelemetry's API without an SDK then costs a call next to nothing.
 */
export const IS_IDLE: unique symbol = Symbol.for('partner-sdk.is-idle');

/**
 * A member of hooks of this package: a function that wraps the sending of an attempt by the
 * transport. It calls `send` at once.
 */
export const SENDING: unique symbol = Symbol.for('partner-sdk.sending');

/** Hooks that may say that they are idle, and may wrap the sending. */
export interface OwnHooks extends Hooks {
  readonly [IS_IDLE]?: (() => boolean) | undefined;
  readonly [SENDING]?: ((callId: string, send: () => void) => void) | undefined;
}
