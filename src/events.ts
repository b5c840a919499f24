import type { AttemptFailure, Outcome, PartnerError } from './errors.js';
import { isFieldsFirst, type Logger, pinoLogger } from './logger.js';
import { readMember } from './util/members.js';
import { runSafely } from './util/run-safely.js';

/** Members of every event. None holds a header, a query, an id of a path, a body or a secret. */
export interface CallEvent {
  /** Text that is the same in all events of one call, and of no other call in the process. */
  readonly callId: string;
  /** The call's name in the client's tree, for example `accounts.quotes.get`. */
  readonly operation: string;
  readonly method: string;
  /** Path template, without ids and query. */
  readonly path: string;
  /** The key that is sent as `Idempotency-Key`; undefined when none is. */
  readonly idempotencyKey: string | undefined;
}

/** Members of the events of one attempt. */
export interface AttemptEvent extends CallEvent {
  /** Number of the attempt in its call, from 1. */
  readonly attempt: number;
}

/** A call begins. Each page of a list and each poll of a `waitFor` is a call of its own. */
export interface StartEvent extends CallEvent {}

/** The bytes of an attempt leave. An attempt that fails earlier has no such event. */
export interface RequestEvent extends AttemptEvent {
  /**
   * Time in ms from the beginning of the attempt until its bytes left: the wait in the lane, the
   * functions for secret and OTP, nonce source, signer, and the opening of a connection.
   */
  readonly queueTime: number;
}

/** An attempt was answered, with a status of any kind. */
export interface ResponseEvent extends RequestEvent {
  /** HTTP status. */
  readonly status: number;
  /** Time in ms from the beginning of the attempt until the answer was whole, with `queueTime`. */
  readonly durationMs: number;
  /** True when the service replayed an earlier answer to the same idempotency key. */
  readonly replayed: boolean;
}

/** An attempt failed and will be retried. The facts of its failure are as in `AttemptFailure`. */
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

/** A call is over, with or without success. Exactly one follows each `StartEvent`. */
export interface EndEvent extends CallEvent {
  /** The call's effect: `applied` for a write that succeeded, `not_applied` for every read. */
  readonly outcome: Outcome;
  /** Number of attempts; 0 when the input was refused, or the call ended before its first turn. */
  readonly attempts: number;
  /** Sum in ms of the `queueTime` of all attempts. It is a part of `durationMs`. */
  readonly queueTime: number;
  /** Time in ms since the call began. */
  readonly durationMs: number;
  /**
   * The error that rejects the call's promise; undefined after a success. A page that is abandoned,
   * because its loop was left, ends with an `AbortedError` but has no `ErrorEvent`.
   */
  readonly error: PartnerError | undefined;
}

/** A call or one of its attempts is about to begin. A call's `idempotencyKey` is not known yet. */
export type RunEvent =
  | (CallEvent & { readonly kind: 'call'; readonly attempt?: undefined })
  | (AttemptEvent & { readonly kind: 'attempt' });

/**
 * Functions that are told of events. Methods of a class instance work as well. They cannot change a
 * call: their results are ignored, and their errors are reported once as a process warning.
 */
export interface Hooks {
  /** A call begins. It is the call's first event, also when its input is refused. */
  readonly onStart?: ((event: StartEvent) => unknown) | undefined;
  /** The bytes of an attempt leave. */
  readonly onRequest?: ((event: RequestEvent) => unknown) | undefined;
  /** An attempt was answered, with a status of any kind. */
  readonly onResponse?: ((event: ResponseEvent) => unknown) | undefined;
  /** An attempt failed and will be retried. */
  readonly onRetry?: ((event: RetryEvent) => unknown) | undefined;
  /** A call failed. */
  readonly onError?: ((event: ErrorEvent) => unknown) | undefined;
  /** A call is over. It follows once for every `onStart`. */
  readonly onEnd?: ((event: EndEvent) => unknown) | undefined;
  /**
   * Wraps each call, and inside it each attempt. `next()` begins it at once. The application's
   * other functions (hooks, signer, nonce source, secret, OTP, `fetch`) run in the asynchronous
   * context in which `next` is called:
   *
   * ```ts
   * // storage is an AsyncLocalStorage
   * run: (event, next) => storage.run({ callId: event.callId }, next)
   * ```
   *
   * `next()` returns a promise that resolves when the call or attempt is over, also after a
   * failure. Call it before `run` returns. Otherwise, and when `run` throws, the call begins
   * without it, and a process warning says so once. A second `next()` begins nothing.
   */
  readonly run?: ((event: RunEvent, next: () => Promise<void>) => unknown) | undefined;
}

export const HOOK_NAMES: readonly string[] = [
  'onStart',
  'onRequest',
  'onResponse',
  'onRetry',
  'onError',
  'onEnd',
  'run',
] satisfies (keyof Hooks)[];

/** The event that each hook is called with. */
interface HookEvents {
  onStart: StartEvent;
  onRequest: RequestEvent;
  onResponse: ResponseEvent;
  onRetry: RetryEvent;
  onError: ErrorEvent;
  onEnd: EndEvent;
}

/** The log line of each event that has one. */
const LOG_LINES: Readonly<Record<keyof HookEvents, readonly [level: keyof Logger, message: string] | undefined>> = {
  onStart: undefined,
  onRequest: ['debug', 'partner-sdk request'],
  onResponse: ['debug', 'partner-sdk response'],
  onRetry: ['warn', 'partner-sdk repeats'],
  onError: ['error', 'partner-sdk call failed'],
  onEnd: undefined,
};

/** Passes events to the hooks and the logger of a client. Their failures do not reach a call. */
export class Observer {
  /** False when there are neither hooks nor a logger: a call then does nothing for events. */
  readonly hasListeners: boolean;
  /** A copy that inherits nothing, with every hook bound to its object. */
  readonly #hooks: Hooks;
  readonly #logger: Logger;

  constructor(hooks: Hooks | undefined, logger: Logger | undefined) {
    this.hasListeners = hooks !== undefined || logger !== undefined;
    this.#hooks = hooks ?? NO_MEMBERS;
    this.#logger = isFieldsFirst(logger) ? pinoLogger(logger) : (logger ?? NO_MEMBERS);
  }

  /** False when neither a hook nor the logger would see the event: then it need not be made. */
  hasListener(name: keyof HookEvents): boolean {
    if (this.#hooks[name] !== undefined) return true;
    const line = LOG_LINES[name];
    try {
      return line !== undefined && readMember(this.#logger, line[0]) !== undefined;
    } catch {
      return false;
    }
  }

  emit<Name extends keyof HookEvents>(name: Name, event: HookEvents[Name]): void {
    const hook = this.#hooks[name] as ((event: HookEvents[Name]) => unknown) | undefined;
    if (hook !== undefined) runSafely(() => hook(event), `the hook ${name}`, this.#hooks);
    const line = LOG_LINES[name];
    if (line !== undefined) this.log(line[0], line[1], event);
  }

  log(level: keyof Logger, message: string, fields: object): void {
    const logger = this.#logger;
    const write = () => (readMember(logger, level) as Logger[typeof level])?.call(logger, message, fields);
    runSafely(write, `the logger's ${level}()`, logger, 'logger');
  }

  /** True when there is a hook `run`. */
  get wrapsCalls(): boolean {
    return this.#hooks.run !== undefined;
  }

  /** Calls `start` inside the hook `run`: exactly once, even if the hook fails. */
  wrap<T>(event: RunEvent, start: () => Promise<T>): Promise<T> {
    const hooks = this.#hooks;
    let running: Promise<T> | undefined;
    const next = (): Promise<void> => {
      running ??= start();
      return running.then(ignore, ignore);
    };
    const callHook = () => {
      const returned = hooks.run?.(event, next);
      if (running === undefined) throw new Error('it returned before it called next()');
      return returned;
    };
    runSafely(callHook, 'the hook run', hooks);
    running ??= start();
    return running;
  }
}

/** Hooks and logger that are not given: nothing is found on a polluted `Object.prototype`. */
const NO_MEMBERS: object = Object.freeze(Object.create(null));
const ignore = (): void => {};
