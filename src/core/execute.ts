import { Answered } from './answered.js';
import { attemptOnce } from './attempt.js';
import type { RetryBudget } from './budget.js';
import type { CallCounts } from './call-counts.js';
import type { CallOptions, ListOptions } from './call-options.js';
import { Course, type FinalResult } from './course.js';
import { readAnswer } from './envelope.js';
import { AbortedError, type Issue, type PartnerError } from './errors.js';
import { errorOf, factsOf, unforeseen, unplaced, unusable } from './failure.js';
import type { LaneSet, Place } from './lanes.js';
import { ENDED, Lifetime } from './lifetime.js';
import type { Observer } from './observe.js';
import { type Operation, type OperationInput, templateOf } from './operation.js';
import type { ClientSettings } from './options.js';
import { isThenable, type Signal } from './platform.js';
import { beforeSending, type PreparedCall, prepare } from './prepare.js';
import { readStandard, type StandardSchema } from './request.js';

/** What a client's calls have in common. */
export interface CallContext {
  readonly settings: ClientSettings;
  readonly lanes: LaneSet;
  readonly budget: RetryBudget;
  readonly observer: Observer;
  readonly counts: CallCounts;
  /** @throws ConfigurationError once the client has been closed. */
  readonly refuseClosed: () => void;
}

/** One call as it was asked for. */
export interface CallRequest<T> {
  readonly operation: Operation<T>;
  readonly input: OperationInput;
  readonly options: CallOptions | ListOptions | undefined;
  /** Issues found before. */
  readonly issues?: readonly Issue[];
  /** Ends the call when nobody wants its page any more. */
  readonly abandon?: Signal | undefined;
  /** Issues of a value that must not be handed over, whatever `responseValidation` says. */
  readonly refuse?: (value: T) => readonly Issue[];
  /** The caller's own schema. */
  readonly schema?: StandardSchema<T> | undefined;
  /** Set when it has been answered: for `withResponse()`. */
  answered?: Answered;
}

/**
 * The way of one call: prepare → repeat (lane → nonce → sign → send → read → judge) → envelope. It is the one asynchronous function
 * in which a call waits: thousands may.
 */
export async function execute<T>(context: CallContext, request: CallRequest<T>): Promise<T> {
  const { settings, lanes, counts } = context;
  const begun = performance.now();
  let call: PreparedCall | undefined;
  let course: Course | undefined;
  let final: FinalResult | undefined;
  counts.begin();
  try {
    context.refuseClosed();
    call = prepare(settings, request.operation, request.input, request.options, request.issues);
    course = new Course(call, context, new Lifetime(call.timeout, signalsOf(call, request.abandon)));
    const place = choose(lanes, call, course.lifetime);
    course.take(isThenable(place) ? await place : place);
    while (final === undefined) {
      course.begin();
      const result = await attemptOnce(call, course, course.alone);
      final = course.judge(result) ?? (await course.pause(result));
    }
    const value = read(context, call, course, final, request);
    const checked =
      request.schema === undefined ? value : await check(context, call, course, final, request.schema, value);
    counts.succeeded++;
    return checked;
  } catch (thrown) {
    const facts = call === undefined ? beforeSending(request.operation.name) : final && factsOf(call, final);
    const error = unforeseen(thrown, facts);
    // A page that nobody wants any more did not fail.
    if (request.abandon?.aborted !== true || !(error instanceof AbortedError)) {
      counts.failed++;
      tellError(context.observer, request.operation, error, performance.now() - begun);
    }
    throw error;
  } finally {
    course?.close();
    counts.end();
  }
}

function signalsOf({ signals }: PreparedCall, abandon: Signal | undefined): readonly Signal[] {
  return abandon === undefined ? signals : [...signals, abandon];
}

/** At once, but for API keys that processes take in turn: there, one may have to be waited for. */
function choose(lanes: LaneSet, call: PreparedCall, lifetime: Lifetime): Place | Promise<Place> {
  const failed = (error: unknown): never => {
    throw unplaced(call, lifetime, error);
  };
  try {
    const chosen = lanes.choose(call.callersKey ? call.idempotencyKey : undefined);
    return isThenable(chosen) ? lifetime.wait(chosen).catch(failed) : chosen;
  } catch (error) {
    return failed(error);
  }
}

/** The value of a call that was answered well; otherwise its error. */
function read<T>(
  { settings, observer, counts }: CallContext,
  call: PreparedCall,
  course: Course,
  final: FinalResult,
  request: CallRequest<T>,
): T {
  counts.retries += Math.max(0, final.attempts - 1);
  if (!final.done) throw errorOf(call, course, final);
  const answered = new Answered(call, course, final);
  if (answered.replayed) counts.replays++;
  request.answered = answered;
  const reading = readAnswer(request.operation, final.result, settings.responseValidation === 'warn');
  if (!reading.usable) throw unusable(call, course, final, reading.issues);
  if (reading.issues.length > 0) report(observer, call, reading.issues);
  const refused = request.refuse?.(reading.value) ?? [];
  if (refused.length > 0) throw unusable(call, course, final, refused);
  return reading.value;
}

/** The value as the caller's schema reads it. It may take its time: the call's deadline and signal hold for it as well. */
async function check<T>(
  { settings, observer }: CallContext,
  call: PreparedCall,
  course: Course,
  final: FinalResult,
  schema: StandardSchema<T>,
  value: T,
): Promise<T> {
  try {
    const checked = await course.lifetime.wait(readStandard(schema, value, factsOf(call, final)));
    if ('value' in checked) return checked.value;
    if (settings.responseValidation === 'strict') throw unusable(call, course, final, checked.issues);
    report(observer, call, checked.issues);
    return value;
  } catch (error) {
    if (error !== ENDED) throw error;
    throw errorOf(call, course, { ...final, result: { ...final.result, kind: 'ended' } });
  }
}

function report(observer: Observer, { operation }: PreparedCall, issues: readonly Issue[]): void {
  observer.log('warn', 'partner-sdk: an answer does not have the promised shape', { operation, issues });
}

function tellError(observer: Observer, operation: Operation, error: PartnerError, durationMs: number): void {
  const { idempotencyKey, outcome, attempts } = error;
  const facts = { operation: operation.name, method: operation.method, path: templateOf(operation), idempotencyKey };
  observer.tell('onError', { ...facts, error, outcome, attempts: attempts.count, durationMs });
}
