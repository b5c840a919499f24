import type { AttemptFailure, Outcome, PartnerError } from './errors.js';
import { isFieldsFirst, type Logger, pinoLogger } from './logger.js';
import { readMember } from './util/members.js';
import { runSafely } from './util/run-safely.js';

/** Members that every event has. Never a header, a query, an id in a path, a body or a secret. */
export interface CallEvent {
  /** Tells the call from every other call of the process: text, the same in all events of one call. */
  readonly callId: string;
  /** The call's name in the client's tree, for instance `accounts.quotes.get`. */
  readonly operation: string;
  readonly method: string;
  /** Path template: without ids and query. */
  readonly path: string;
  /** The key sent as `Idempotency-Key`, if one is. */
  readonly idempotencyKey: string | undefined;
}

/** Members that events of one attempt have. */
export interface AttemptEvent extends CallEvent {
  /** 1 for the first. */
  readonly attempt: number;
}

/** A call begins. A page of a list, a poll of a `waitFor` and a `client.request()` are calls too. */
export interface StartEvent extends CallEvent {}

/** The bytes of an attempt leave. An attempt that fails before has no such event. */
export interface RequestEvent extends AttemptEvent {
  /**
   * Milliseconds from the attempt's begin until its bytes left: its wait in the lane, with the functions for secret and
   * OTP, nonce source and signer, and the opening of a connection.
   */
  readonly queueTime: number;
}

/** An attempt was answered, with whatever status. */
export interface ResponseEvent extends RequestEvent {
  readonly status: number;
  /**
   * Milliseconds from the attempt's begin until the answer was whole; `durationMs - queueTime` of them after the bytes
   * left.
   */
  readonly durationMs: number;
  /** The service replayed an earlier answer to the same key. */
  readonly replayed: boolean;
}

/** An attempt failed and will be repeated. */
export interface RetryEvent extends AttemptEvent {
  readonly reason: AttemptFailure['reason'];
  readonly status: number | undefined;
  readonly code: string | undefined;
  /** Milliseconds until the next attempt. */
  readonly delayMs: number;
}

/** A call failed; its promise is rejected with `error`. */
export interface ErrorEvent extends CallEvent {
  readonly error: PartnerError;
  readonly outcome: Outcome;
  readonly attempts: number;
  /** Milliseconds from the call's begin. */
  readonly durationMs: number;
}

/** A call is over, however it ended: each `StartEvent` is followed by exactly one of these with its `callId`. */
export interface EndEvent extends CallEvent {
  /** The call's effect at the service: `applied` for a write that succeeded, `not_applied` for every read. */
  readonly outcome: Outcome;
  /** Attempts made: 0 when the input was refused, or the call ended while it waited for its first turn. */
  readonly attempts: number;
  /**
   * Milliseconds that all attempts together waited before their bytes left, as in `RequestEvent`; a part of
   * `durationMs`.
   */
  readonly queueTime: number;
  /** Milliseconds from the call's begin. */
  readonly durationMs: number;
  /**
   * The error that the call's promise is rejected with; undefined when the call succeeded. A page that its loop did not
   * wait for ends with an `AbortedError` that nobody receives; it has no `ErrorEvent`.
   */
  readonly error: PartnerError | undefined;
}

/** A call or one of its attempts is about to begin. The key of a call is not known yet. */
export type RunEvent =
  | (CallEvent & { readonly kind: 'call'; readonly attempt?: undefined })
  | (AttemptEvent & { readonly kind: 'attempt' });

/**
 * Functions that see what happens; methods of a class instance work as well. They cannot change a call: what they
 * return is ignored, what they throw is reported once as a process warning.
 */
export interface Hooks {
  /** A call begins: told before everything else of it, also where its input is refused. */
  readonly onStart?: ((event: StartEvent) => unknown) | undefined;
  /** The bytes of an attempt leave. */
  readonly onRequest?: ((event: RequestEvent) => unknown) | undefined;
  /** An attempt was answered, with whatever status. */
  readonly onResponse?: ((event: ResponseEvent) => unknown) | undefined;
  /** An attempt failed and will be repeated. */
  readonly onRetry?: ((event: RetryEvent) => unknown) | undefined;
  /** A call failed. */
  readonly onError?: ((event: ErrorEvent) => unknown) | undefined;
  /** A call is over: once for every `onStart`. */
  readonly onEnd?: ((event: EndEvent) => unknown) | undefined;
  /**
   * Wraps each call, and inside it each attempt: `next()` begins it at once. The functions for secret and OTP, the
   * nonce source, the signer, the transport's `send` and the other hooks run in the asynchronous context that is
   * current where `next` is called:
   *
   * ```ts
   * run: (event, next) => storage.run({ callId: event.callId }, next) // storage: an AsyncLocalStorage
   * ```
   *
   * `next()` gives a promise that is fulfilled when the call or attempt is over, whatever came of it. Call it before
   * `run` returns: a `run` that has not called it (or threw) by then is reported once, and the call begins without it.
   * A second `next()` begins nothing.
   */
  readonly run?: ((event: RunEvent, next: () => Promise<void>) => unknown) | undefined;
}

/** The names of all hooks. */
export const HOOK_NAMES: readonly string[] = [
  'onStart',
  'onRequest',
  'onResponse',
  'onRetry',
  'onError',
  'onEnd',
  'run',
] satisfies (keyof Hooks)[];

/** The event of each hook that is told of one. */
export interface Observed {
  onStart: StartEvent;
  onRequest: RequestEvent;
  onResponse: ResponseEvent;
  onRetry: RetryEvent;
  onError: ErrorEvent;
  onEnd: EndEvent;
}

/** The log line of an event, where it has one. */
const LINES: { readonly [Name in keyof Observed]: readonly [level: keyof Logger, message: string] | undefined } = {
  onStart: undefined,
  onRequest: ['debug', 'partner-sdk request'],
  onResponse: ['debug', 'partner-sdk response'],
  onRetry: ['warn', 'partner-sdk repeats'],
  onError: ['error', 'partner-sdk call failed'],
  onEnd: undefined,
};

/** Tells hooks and logger what happens, and keeps what they do wrong away from the call. */
export class Observer {
  /** True when there are hooks or a logger: a call makes nothing for them otherwise. */
  readonly listens: boolean;
  /** A copy that inherits nothing, with every hook bound to its object. */
  readonly #hooks: Hooks;
  readonly #logger: Logger;

  constructor(hooks: Hooks | undefined, logger: Logger | undefined) {
    this.listens = hooks !== undefined || logger !== undefined;
    this.#hooks = hooks ?? NONE;
    this.#logger = isFieldsFirst(logger) ? pinoLogger(logger) : (logger ?? NONE);
  }

  /** Whether anything is told of this: if not, no event is made. */
  hasListener(name: keyof Observed): boolean {
    if (this.#hooks[name] !== undefined) return true;
    const line = LINES[name];
    try {
      return line !== undefined && readMember(this.#logger, line[0]) !== undefined;
    } catch {
      return false;
    }
  }

  emit<Name extends keyof Observed>(name: Name, event: Observed[Name]): void {
    const hook = this.#hooks[name] as ((event: Observed[Name]) => unknown) | undefined;
    if (hook !== undefined) runSafely(() => hook(event), `the hook ${name}`, this.#hooks);
    const line = LINES[name];
    if (line !== undefined) this.log(line[0], line[1], event);
  }

  log(level: keyof Logger, message: string, fields: object): void {
    const logger = this.#logger;
    const write = () => (readMember(logger, level) as Logger[typeof level])?.call(logger, message, fields);
    runSafely(write, `the logger's ${level}()`, logger, 'logger');
  }

  /** Whether calls and attempts are wrapped by `hooks.run`. */
  get runs(): boolean {
    return this.#hooks.run !== undefined;
  }

  /** Begins what `start` begins inside `hooks.run`: exactly once, before this returns, whatever the hook does. */
  run<T>(event: RunEvent, start: () => Promise<T>): Promise<T> {
    const hooks = this.#hooks;
    let running: Promise<T> | undefined;
    const next = (): Promise<void> => {
      running ??= start();
      return running.then(ignore, ignore);
    };
    const wrap = () => {
      const returned = hooks.run?.(event, next);
      if (running === undefined) throw new Error('it returned before it called next()');
      return returned;
    };
    runSafely(wrap, 'the hook run', hooks);
    running ??= start();
    return running;
  }
}

const NONE: object = Object.freeze(Object.create(null));
const ignore = (): void => {};
