import { AbortedError, type PartnerError, type ResponseInfo } from '../errors.js';
import type { ApiKeyChoice } from '../lane/api-key-choice.js';
import type { LaneSet } from '../lane/lanes.js';
import type { CallRequest } from '../request/call-request.js';
import type { LikelyTypo } from '../request/input.js';
import { beforeSending, prepare } from '../request/prepare.js';
import { answerSecrets } from '../response/api-error.js';
import { type AttemptResult, isReplayed } from '../response/attempt-result.js';
import { type ParsedBody, parseBody } from '../response/read-answer.js';
import { responseInfo } from '../response/response-info.js';
import { asPartnerError, noApiKey, toError } from '../response/to-error.js';
import type { Operation, OperationInput } from '../schema/operation.js';
import { isThenable, type Signal } from '../util/platform.js';
import { attemptOnce } from './attempt.js';
import { Call } from './call.js';
import { CallEvents, idsOf } from './call-events.js';
import { leaveOut } from './call-site.js';
import type { CallContext, CallCounts } from './context.js';
import { CallEnded } from './deadline.js';
import { checkValue, distrust, endedError, readValue } from './read-value.js';

/** The value of a call. Few callers look at the response, so it is described when they ask. */
export interface CallResult<T> {
  readonly data: T;
  describe(): ResponseInfo;
}

/** Makes one call, with its retries. It rejects with `PartnerError`s only. */
export function execute<T>(
  context: CallContext,
  request: CallRequest<T>,
  input: OperationInput,
): Promise<CallResult<T>> {
  const { observer } = context;
  if (!observer.hasListeners) return start(context, request, input);
  const events = new CallEvents(observer, request.operation, context.settings.origin);
  return events.runCall(() => start(context, request, input, events));
}

/**
 * The first half of a call, to the end of its first attempt. It never throws. As an `async`
 * function it would keep its frame while the call waits in a lane, which makes a waiting call three
 * times as large.
 */
function start<T>(
  context: CallContext,
  request: CallRequest<T>,
  input: OperationInput,
  events?: CallEvents,
): Promise<CallResult<T>> {
  const begun = performance.now();
  let call: Call | undefined;
  context.counts.begin();
  try {
    context.assertOpen();
    const prepared = prepare(context.settings, request, input, typoListener(context, request.operation));
    call = new Call(prepared, context, begun, request.abandon, events);
    const choice = choose(context.lanes, call);
    if (!isThenable(choice)) return begin(context, request, call, choice);
    // The idempotency key of such a call depends on the API key that it waits for.
    events?.started(prepared.idempotencyKey);
    return beginWhenChosen(context, request, call, choice);
  } catch (error) {
    return Promise.reject(failed(context, request, call, error, events, events?.runCall ?? start));
  }
}

/** Without listeners, only strings of open sets are looked at: an unknown one is always told. */
function typoListener(
  { warnings, observer }: CallContext,
  { name, knownTexts }: Operation,
): ((typo: LikelyTypo) => void) | undefined {
  if (knownTexts === undefined && !observer.hasListeners) return undefined;
  return (typo) => warnings.typo(observer, name, typo);
}

/** A promise only for API keys that processes take in turn: the call may have to wait for one. */
function choose(lanes: LaneSet, call: Call): ApiKeyChoice | Promise<ApiKeyChoice> {
  const { idempotencyKey, retrySafety } = call.prepared;
  // What the earlier call did is not known, and no rejection of this one tells.
  if (idempotencyKey !== undefined && lanes.isRetry(idempotencyKey)) call.outcome = 'unknown';
  try {
    const chosen = lanes.choose({ keyed: retrySafety === 'keyed', callersKey: idempotencyKey });
    return isThenable(chosen) ? whenChosen(chosen, call) : chosen;
  } catch (error) {
    throw noApiKey(error, call.facts);
  }
}

async function whenChosen(choosing: PromiseLike<ApiKeyChoice>, call: Call): Promise<ApiKeyChoice> {
  try {
    return await call.deadline.wait(choosing);
  } catch (error) {
    if (!(error instanceof CallEnded)) throw noApiKey(error, call.facts);
    // An API key that comes too late for this call is not kept from other processes.
    choosing.then(
      ({ giveBack }) => giveBack?.(),
      () => {},
    );
    throw endedError(call, error.reason);
  }
}

function begin<T>(
  context: CallContext,
  request: CallRequest<T>,
  call: Call,
  choice: ApiKeyChoice,
): Promise<CallResult<T>> {
  call.assign(choice);
  call.events?.started(call.prepared.idempotencyKey);
  return attempt(call).then((result) => finish(context, request, call, result));
}

async function beginWhenChosen<T>(
  context: CallContext,
  request: CallRequest<T>,
  call: Call,
  choosing: Promise<ApiKeyChoice>,
): Promise<CallResult<T>> {
  const choice = await choosing.catch((error: unknown) => {
    throw failed(context, request, call, error, call.events);
  });
  return begin(context, request, call, choice);
}

/** A `client.request()` whose members throw when they are read. It counts as a call that failed. */
export function rejectUnreadable(context: CallContext, error: unknown): Promise<never> {
  const { observer, settings } = context;
  const operation = { name: 'request', method: 'GET', path: '' } as const;
  const events = observer.hasListeners ? new CallEvents(observer, operation, settings.origin) : undefined;
  context.counts.begin();
  return Promise.reject(failed(context, { operation }, undefined, error, events));
}

/**
 * The second half of a call, from the end of its first attempt. If nothing is left to wait for, it
 * gives no promise.
 */
function finish<T>(
  context: CallContext,
  request: CallRequest<T>,
  call: Call,
  result: AttemptResult,
): CallResult<T> | Promise<CallResult<T>> {
  try {
    const body = parseBody(request.operation, result);
    const delay = call.judge(result, body);
    if (delay !== undefined || request.schema !== undefined) {
      return finishLater(context, request, call, { result, body, delay });
    }
    const value = valueOfAnswer(context, request, call, result, body);
    return succeeded(context, call, result, value, value);
  } catch (error) {
    throw failed(context, request, call, error, call.events);
  }
}

/** An attempt that was judged. */
interface Judged {
  readonly result: AttemptResult;
  readonly body: ParsedBody | undefined;
  /** Time in ms until the next attempt; undefined: none follows. */
  readonly delay: number | undefined;
}

/** Makes the retries of a call, and lets a user-supplied schema read its value. */
async function finishLater<T>(
  context: CallContext,
  request: CallRequest<T>,
  call: Call,
  { result, body, delay }: Judged,
): Promise<CallResult<T>> {
  try {
    while (delay !== undefined) {
      if (body !== undefined) distrust(result);
      // Also without a delay: the `next()` of `hooks.run` settles before the next attempt begins.
      await (delay > 0 ? call.deadline.sleep(delay) : undefined);
      const { reason } = call.deadline;
      if (reason !== undefined) {
        const { refusal } = call;
        if (reason.kind === 'aborted' || refusal === undefined) throw endedError(call, reason);
        result = refusal;
        break;
      }
      result = await attempt(call);
      body = parseBody(request.operation, result);
      delay = call.judge(result, body);
    }
    const value = valueOfAnswer(context, request, call, result, body);
    const { schema } = request;
    const data = schema === undefined ? value : await checkValue(context, schema, value, call, result);
    return succeeded(context, call, result, value, data);
  } catch (error) {
    throw failed(context, request, call, error, call.events);
  }
}

/** Returns the value of the last attempt, or throws its error. */
function valueOfAnswer<T>(
  context: CallContext,
  request: CallRequest<T>,
  call: Call,
  result: AttemptResult,
  body: ParsedBody | undefined,
): T {
  const { secretMember } = request.operation;
  if (secretMember !== undefined) for (const text of answerSecrets(secretMember, result)) call.addSecret(text);
  if (body === undefined) {
    const { prepared, facts, neverConnected } = call;
    throw toError({ call: prepared, facts, secrets: call.secrets(), neverConnected }, result, context.settings);
  }
  if (isReplayed(result)) context.counts.replays++;
  return readValue(context, request, call, result, body);
}

function attempt(call: Call): Promise<AttemptResult> {
  const { events } = call;
  const number = call.beginAttempt();
  return events === undefined ? attemptOnce(call) : events.runAttempt(number, () => attemptOnce(call));
}

/** Keeps no part of the body. */
function describer(call: Call, { status, headers }: AttemptResult): () => ResponseInfo {
  return () => responseInfo({ status, headers }, call.prepared.idempotencyKey, call.attempts, call.secrets());
}

/** @param value The value of the answer, before a user-supplied schema has read it. */
function succeeded<T>(
  { counts }: CallContext,
  call: Call,
  result: AttemptResult,
  value: unknown,
  data: T,
): CallResult<T> {
  counts.succeeded++;
  const { events } = call;
  if (events !== undefined) {
    if (call.outcome === 'applied') events.applied(() => idsOf(call.prepared, value));
    events.succeeded(call.outcome, call.attempts);
  }
  close(counts, call);
  return { data, describe: describer(call, result) };
}

/**
 * Counts and reports the failure of a call. Gives its error.
 *
 * @param inner The error's stack begins at the caller of this function.
 */
function failed(
  { counts }: CallContext,
  { operation, abandon }: { readonly operation: Pick<Operation, 'name'>; readonly abandon?: Signal | undefined },
  call: Call | undefined,
  thrown: unknown,
  events: CallEvents | undefined,
  inner: (...given: never[]) => unknown = failed,
): PartnerError {
  const error = asPartnerError(thrown, call === undefined ? beforeSending(operation.name) : call.facts);
  leaveOut(inner, error);
  // A page that its loop has left did not fail.
  const abandoned = abandon?.aborted === true && error instanceof AbortedError;
  if (!abandoned) counts.failed++;
  events?.failed(error, abandoned);
  close(counts, call);
  return error;
}

function close(counts: CallCounts, call: Call | undefined): void {
  counts.retries += Math.max(0, (call?.attempts ?? 0) - 1);
  call?.close();
  counts.end();
}
