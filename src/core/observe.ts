import type { AttemptFailure, Outcome, PartnerError } from './errors.js';
import { isThenable, processWide } from './platform.js';

/** Members that every event has. Never a header, a query, an id in a path, a body or a secret. */
export interface CallEvent {
  /** The call's name in the client's tree, for instance `accounts.quotes.get`. */
  readonly operation: string;
  readonly method: string;
  /** Path template: without ids and query. */
  readonly path: string;
  /** The key sent as `Idempotency-Key`, if one is. */
  readonly idempotencyKey: string | undefined;
}

/** An attempt begins: it asks for OTP and secret, and for its place in the lane. */
export interface RequestEvent extends CallEvent {
  /** 1 for the first. */
  readonly attempt: number;
}

/** An attempt was answered, with whatever status. */
export interface ResponseEvent extends RequestEvent {
  readonly status: number;
  /** Milliseconds from the attempt's begin, waiting in the lane included. */
  readonly durationMs: number;
  /** The service replayed an earlier answer to the same key. */
  readonly replayed: boolean;
}

/** An attempt failed and will be repeated. */
export interface RetryEvent extends RequestEvent {
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

/** Functions that see what happens. What they return is ignored, what they throw is reported once as a process warning. */
export interface Hooks {
  readonly onRequest?: ((event: RequestEvent) => unknown) | undefined;
  readonly onResponse?: ((event: ResponseEvent) => unknown) | undefined;
  readonly onRetry?: ((event: RetryEvent) => unknown) | undefined;
  readonly onError?: ((event: ErrorEvent) => unknown) | undefined;
}

/** What a logger needs: any of `console`'s four levels. */
export interface Logger {
  debug?(message: string, fields: object): unknown;
  info?(message: string, fields: object): unknown;
  warn?(message: string, fields: object): unknown;
  error?(message: string, fields: object): unknown;
}

type Observed = {
  onRequest: RequestEvent;
  onResponse: ResponseEvent;
  onRetry: RetryEvent;
  onError: ErrorEvent;
};

const LINES: { readonly [Name in keyof Observed]: readonly [level: keyof Logger, message: string] } = {
  onRequest: ['debug', 'partner-sdk request'],
  onResponse: ['debug', 'partner-sdk response'],
  onRetry: ['warn', 'partner-sdk repeats'],
  onError: ['error', 'partner-sdk call failed'],
};

/** Tells hooks and logger what happens, and keeps what they do wrong away from the call. */
export class Observer {
  readonly #hooks: Hooks;
  readonly #logger: Logger;

  constructor(hooks: Hooks = {}, logger: Logger = {}) {
    this.#hooks = hooks;
    this.#logger = logger;
  }

  /** Whether anybody is told of this: if not, nothing is made to be told. */
  hears(name: keyof Observed): boolean {
    try {
      return this.#hooks[name] !== undefined || this.#logger[LINES[name][0]] !== undefined;
    } catch {
      return false;
    }
  }

  tell<Name extends keyof Observed>(name: Name, event: Observed[Name]): void {
    harmless(() => (this.#hooks as Record<Name, ((event: Observed[Name]) => unknown) | undefined>)[name]?.(event));
    const [level, message] = LINES[name];
    this.log(level, message, event);
  }

  log(level: keyof Logger, message: string, fields: object): void {
    harmless(() => this.#logger[level]?.(message, fields));
  }
}

/** Runs what an application gave us: neither a throw nor a rejection reaches the call. */
export function harmless(run: () => unknown): void {
  try {
    const result = run();
    if (isThenable(result)) result.then(undefined, warnOnce);
  } catch {
    warnOnce();
  }
}

const warned = processWide('warned', () => ({ done: false }));

/** The error itself may hold anything, so it is not in the warning. */
function warnOnce(): void {
  if (warned.done || typeof process === 'undefined' || typeof process.emitWarning !== 'function') return;
  warned.done = true;
  process.emitWarning(
    'a hook, logger or nonce source given to partner-sdk failed; calls are not affected (reported once)',
    {
      code: 'PARTNER_SDK_HOOK',
    },
  );
}
