import type { AttemptFailure, Outcome, PartnerError } from '../errors.js';
import type { AttemptEvent, CallEvent } from '../events.js';
import type { HookEvents, Observer } from '../observer.js';
import type { PreparedCall } from '../request/prepare.js';
import { builtinModule } from '../runtime/builtin-module.js';
import { randomUuid } from '../runtime/crypto.js';
import { type Operation, once, templateOf } from '../schema/operation.js';
import { isRecord } from '../util/options.js';

/** Beginning of each `callId`. It differs between worker threads and copies of the package. */
const prefix = once(() => randomUuid().slice(0, 8));
let calls = 0;

/** The hooks that are called with attempts. */
type AttemptHook = 'onRequest' | 'onResponse' | 'onAttemptEnd' | 'onRetry';

/** Reports one call to hooks, logger and channels. Not created while none of them listens. */
export class CallEvents {
  readonly #observer: Observer;
  readonly #facts: Omit<CallEvent, 'idempotencyKey'>;
  readonly #begun = performance.now();
  #idempotencyKey: string | undefined;
  #started = false;
  #attempt = 0;
  #attemptBegun = 0;
  /** Time in ms that the current attempt waited; undefined until its bytes have been sent. */
  #queueTime: number | undefined;
  #sending = false;
  /** Time in ms that the current attempt spent in the queue of its lane, and when it entered. */
  #laneTime = 0;
  #laneEntered: number | undefined;
  /** The sum of the `queueTime` of the attempts before it. */
  #queuedBefore = 0;

  constructor(observer: Observer, operation: Operation, origin: string) {
    this.#observer = observer;
    const { name, method } = operation;
    this.#facts = { callId: `${prefix()}-${++calls}`, operation: name, method, origin, path: templateOf(operation) };
  }

  /** Begins the call, inside `hooks.run` if there is one. */
  runCall<T>(begin: () => Promise<T>): Promise<T> {
    const observer = this.#observer;
    return observer.wrapsCalls
      ? observer.wrap(Object.assign(this.#event(), { kind: 'call' as const }), begin)
      : begin();
  }

  /**
   * Reports the start of the call, once, before any other event of it.
   *
   * @param idempotencyKey As far as it is known. Later events have the one that was passed last.
   */
  started(idempotencyKey: string | undefined): void {
    this.#idempotencyKey = idempotencyKey;
    if (this.#started) return;
    this.#started = true;
    this.#tellOfCall('onStart', {});
  }

  /** Begins an attempt, inside `hooks.run` if there is one. */
  runAttempt<T>(attempt: number, begin: () => Promise<T>): Promise<T> {
    const observer = this.#observer;
    this.#attempt = attempt;
    this.#attemptBegun = performance.now();
    this.#queueTime = undefined;
    this.#laneTime = 0;
    this.#laneEntered = undefined;
    return observer.wrapsCalls
      ? observer.wrap(Object.assign(this.#attemptEvent(), { kind: 'attempt' as const }), begin)
      : begin();
  }

  /**
   * The current asynchronous context. A lane begins an attempt when another one ends, in the
   * context of that other one. Undefined when no hook needs it.
   */
  scope(): AsyncScope | undefined {
    const observer = this.#observer;
    return observer.wrapsCalls || observer.hasListener('onRequest') ? currentScope() : undefined;
  }

  /** The attempt enters the queue of its lane. */
  queued(): void {
    this.#laneEntered = performance.now();
  }

  /** The lane begins the attempt, or begins it again because its connection was gone. */
  hasTurn(): void {
    this.#laneTime = this.#timeInLane(performance.now());
  }

  /** Returns the headers together with those of `hooks.headers`, which replace none of them. */
  withMore<Headers extends Record<string, string>>(headers: Headers): Headers {
    const more = this.#observer.headers(() => this.#attemptEvent());
    return more === undefined ? headers : { ...more, ...headers };
  }

  /** Sends an attempt inside the hooks that wrap the sending. `onRequest` follows outside them. */
  send<T>(send: () => T): T {
    this.#sending = true;
    const result = this.#observer.send(this.#facts.callId, send);
    this.#sending = false;
    if (this.#queueTime !== undefined) this.#tellOfSent(this.#queueTime);
    return result;
  }

  /** The bytes of the attempt are about to be sent. */
  sent(): void {
    this.#queueTime = performance.now() - this.#attemptBegun;
    if (!this.#sending) this.#tellOfSent(this.#queueTime);
  }

  #tellOfSent(queueTime: number): void {
    this.#tellOfAttempt('onRequest', { queueTime, laneTime: this.#laneTime });
  }

  /** The attempt is over: it got a response, was lost, or was never sent. */
  attemptOver(
    { sent, status }: { readonly sent: boolean; readonly status: number | undefined },
    failure: AttemptFailure | undefined,
  ): void {
    const now = performance.now();
    const durationMs = now - this.#attemptBegun;
    const queueTime = this.#queueTime ?? durationMs;
    this.#queuedBefore += queueTime;
    const laneTime = this.#queueTime === undefined ? this.#timeInLane(now) : this.#laneTime;
    this.#tellOfAttempt('onAttemptEnd', { sent, status, reason: failure?.reason, queueTime, laneTime, durationMs });
  }

  answered(status: number, replayed: boolean): void {
    const durationMs = performance.now() - this.#attemptBegun;
    const queueTime = this.#queueTime ?? durationMs;
    this.#tellOfAttempt('onResponse', { queueTime, laneTime: this.#laneTime, status, durationMs, replayed });
  }

  retries({ reason, status, code }: AttemptFailure, delayMs: number): void {
    this.#tellOfAttempt('onRetry', { reason, status, code, delayMs });
  }

  /** @param idsOf Called if a hook wants the ids of what the write created or changed. */
  applied(idsOf: () => readonly string[]): void {
    if (this.#observer.hasListener('onApplied')) this.#tellOfCall('onApplied', { ids: idsOf() });
  }

  /** @param abandoned For a page whose loop was left: the error reaches no caller. */
  failed(error: PartnerError, abandoned: boolean): void {
    const { outcome, idempotencyKey } = error;
    this.started(idempotencyKey);
    const attempts = error.attempts.count;
    if (!abandoned) this.#tellOfCall('onError', { error, outcome, attempts, durationMs: this.#elapsed() });
    this.ended(outcome, attempts, error);
  }

  ended(outcome: Outcome, attempts: number, error?: PartnerError): void {
    const durationMs = this.#elapsed();
    this.#tellOfCall('onEnd', { outcome, attempts, queueTime: this.#queuedBefore, durationMs, error });
  }

  #tellOfCall<Name extends keyof HookEvents>(name: Name, more: Omit<HookEvents[Name], keyof CallEvent>): void {
    if (!this.#observer.hasListener(name)) return;
    this.#observer.emit(name, Object.assign(this.#event(), more) as unknown as HookEvents[Name]);
  }

  #tellOfAttempt<Name extends AttemptHook>(name: Name, more: Omit<HookEvents[Name], keyof AttemptEvent>): void {
    if (!this.#observer.hasListener(name)) return;
    this.#observer.emit(name, Object.assign(this.#attemptEvent(), more) as unknown as HookEvents[Name]);
  }

  #timeInLane(now: number): number {
    return this.#laneEntered === undefined ? 0 : now - this.#laneEntered;
  }

  #elapsed(): number {
    return performance.now() - this.#begun;
  }

  /** No event begins with a spread: V8 would create a hidden class for each member added to it. */
  #event(): CallEvent {
    const { callId, operation, method, origin, path } = this.#facts;
    return { callId, operation, method, origin, path, idempotencyKey: this.#idempotencyKey };
  }

  #attemptEvent(): AttemptEvent {
    const { callId, operation, method, origin, path } = this.#facts;
    return { callId, operation, method, origin, path, idempotencyKey: this.#idempotencyKey, attempt: this.#attempt };
  }
}

/** Names of ids that say for whom a write is made, not what it creates. */
const OF_OTHERS: ReadonlySet<string> = new Set(['account_id', 'user_id', 'partner_id', 'method_id']);

/** Longer strings are not ids. */
const MAX_ID_LENGTH = 200;

/** Returns the ids of what a write created or changed, each once. */
export function idsOf({ operation, path }: PreparedCall, value: unknown): string[] {
  const inPath = lastParameter(templateOf(operation), path);
  const members = isRecord(value) ? Object.entries(value) : [];
  const inAnswer = members.filter(([name]) => /(^|_)id$/.test(name) && !OF_OTHERS.has(name)).map(([, id]) => id);
  const ids = [...inAnswer, inPath].filter((id) => typeof id === 'string' && id !== '' && id.length <= MAX_ID_LENGTH);
  return [...new Set(ids as string[])];
}

/** The last parameter of a path, unless it is the account's or user's. */
function lastParameter(template: string, path: string): string | undefined {
  const names = template.split('/');
  const place = names.findLastIndex((part) => part.startsWith('{'));
  if (place < 0 || OF_OTHERS.has(names[place]?.slice(1, -1) ?? '')) return undefined;
  // `baseUrl` may add a prefix to the path, so the segments are counted from the end.
  const parts = path.split('?')[0]?.split('/') ?? [];
  const text = parts[parts.length - (names.length - place)];
  return text === undefined ? undefined : decodeURIComponent(text);
}

/** An asynchronous context in which functions can be run later. */
export interface AsyncScope {
  runInAsyncScope<T>(run: () => T): T;
}

/** A global of Vercel's edge functions, which have no modules of Node. */
interface EdgePlatform {
  readonly AsyncLocalStorage?: { snapshot(): <T>(run: () => T) => T };
}

/** Returns the current asynchronous context; undefined where the runtime has none. */
export function currentScope(): AsyncScope | undefined {
  const hooks = builtinModule('node:async_hooks');
  if (hooks !== undefined) return new hooks.AsyncResource('PARTNER_SDK_ATTEMPT');
  const runInAsyncScope = (globalThis as EdgePlatform).AsyncLocalStorage?.snapshot();
  return runInAsyncScope && { runInAsyncScope };
}
