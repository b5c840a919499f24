import type { ResponseInfo } from './api-promise.js';
import type { Route } from './attempt.js';
import type { RetryBudget } from './budget.js';
import type { CallOptions, ListOptions } from './call-options.js';
import { readAnswer } from './envelope.js';
import { AbortedError, type CallFacts, type Issue, type PartnerError } from './errors.js';
import { errorOf, factsOf, unforeseen, unplaced, unusable } from './failure.js';
import type { LaneSet, Place } from './lanes.js';
import { ENDED, Lifetime } from './lifetime.js';
import type { Observer } from './observe.js';
import { type Operation, type OperationInput, templateOf } from './operation.js';
import type { ClientSettings } from './options.js';
import { isThenable, type Signal } from './platform.js';
import { beforeSending, type PreparedCall, prepare } from './prepare.js';
import { redactDeep, redactor } from './redact.js';
import { type FinalResult, isReplayed, repeat } from './repeat.js';
import { readStandard, type StandardSchema } from './request.js';

/** What a client's calls have in common. */
export interface CallContext {
  readonly settings: ClientSettings;
  readonly lanes: LaneSet;
  readonly budget: RetryBudget;
  readonly observer: Observer;
  readonly counts: { succeeded: number; failed: number; retries: number; replays: number };
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
  /** Takes the description of the answer, for `withResponse()`. */
  readonly keep: (describe: () => ResponseInfo) => void;
  /** Ends the call when nobody wants its page any more. */
  readonly abandon?: Signal | undefined;
  /** Issues of a value that must not be handed over, whatever `responseValidation` says. */
  readonly refuse?: (value: T) => readonly Issue[];
  /** The caller's own schema. */
  readonly schema?: StandardSchema<T> | undefined;
}

/** The way of one call: prepare → repeat (lane → nonce → sign → send → read → classify) → envelope. */
export async function execute<T>(context: CallContext, request: CallRequest<T>): Promise<T> {
  const begun = performance.now();
  try {
    context.refuseClosed();
    const call = prepare(context.settings, request.operation, request.input, request.options, request.issues);
    const value = await send(context, call, request);
    context.counts.succeeded++;
    return value;
  } catch (thrown) {
    const error = unforeseen(thrown, beforeSending(request.operation.name));
    // A page that nobody wants any more did not fail.
    if (request.abandon?.aborted !== true || !(error instanceof AbortedError)) {
      context.counts.failed++;
      tellError(context.observer, request.operation, error, performance.now() - begun);
    }
    throw error;
  }
}

async function send<T>(context: CallContext, call: PreparedCall, request: CallRequest<T>): Promise<T> {
  const { settings, lanes, counts } = context;
  const signals = request.abandon === undefined ? call.signals : [...call.signals, request.abandon];
  const lifetime = new Lifetime(call.timeout, signals);
  let place: Place | undefined;
  let facts: CallFacts | undefined;
  try {
    const chosen = choose(lanes, call, lifetime);
    place = isThenable(chosen) ? await chosen : chosen;
    place.lane.calls++;
    const route: Route = { settings, ...place, lifetime, secrets: new Set() };
    const final = await repeat(call, route, context);
    facts = factsOf(call, final);
    counts.retries += Math.max(0, final.attempts - 1);
    if (!final.done) throw errorOf(call, route, final);
    if (isReplayed(final.result)) counts.replays++;
    request.keep(describer(call, route, final));
    return await read(context, call, route, final, request);
  } catch (error) {
    throw unforeseen(error, facts);
  } finally {
    if (place !== undefined) place.lane.calls--;
    lifetime.close();
  }
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

async function read<T>(
  { settings, observer }: CallContext,
  call: PreparedCall,
  route: Route,
  final: FinalResult,
  { operation, refuse, schema }: CallRequest<T>,
): Promise<T> {
  const lenient = settings.responseValidation === 'warn';
  const report = (issues: readonly Issue[]) => observer.log('warn', ODD_ANSWER, { operation: call.operation, issues });
  const fail = (issues: readonly Issue[]) => unusable(call, route, final, issues);
  const value = readAnswer(operation, final.result, { lenient, report, fail });
  const refused = refuse?.(value) ?? [];
  if (refused.length > 0) throw fail(refused);
  if (schema === undefined) return value;
  const checked = await check(call, route, final, schema, value);
  if ('value' in checked) return checked.value;
  if (!lenient) throw fail(checked.issues);
  report(checked.issues);
  return value;
}

/** The caller's schema may take its time: the call's deadline and signal hold for it as well. */
async function check<T>(call: PreparedCall, route: Route, final: FinalResult, schema: StandardSchema<T>, value: T) {
  try {
    return await route.lifetime.wait(readStandard(schema, value, factsOf(call, final)));
  } catch (error) {
    if (error !== ENDED) throw error;
    throw errorOf(call, route, { ...final, result: { ...final.result, kind: 'ended' } });
  }
}

const ODD_ANSWER = 'partner-sdk: an answer does not have the promised shape';

/** Describes the answer when it is asked for; the body is not kept for it. */
function describer(call: PreparedCall, route: Route, { result, attempts }: FinalResult): () => ResponseInfo {
  const { idempotencyKey } = call;
  const { status = 0, headers } = result;
  const { secrets } = route;
  const replayed = isReplayed(result);
  // A service may echo what it was sent in a success, too.
  const shown = () => redactDeep(headers, redactor(secrets)) as Record<string, string>;
  return () => ({ status, headers: shown(), attempts, idempotencyKey, replayed });
}

function tellError(observer: Observer, operation: Operation, error: PartnerError, durationMs: number): void {
  const { idempotencyKey, outcome, attempts } = error;
  const facts = { operation: operation.name, method: operation.method, path: templateOf(operation), idempotencyKey };
  observer.tell('onError', { ...facts, error, outcome, attempts: attempts.count, durationMs });
}
