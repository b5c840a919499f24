import { AbortedError, type PartnerError, type ResponseInfo } from '../errors.js';
import type { ApiKeyChoice } from '../lane/lanes.js';
import { redactor } from '../redaction/redact.js';
import type { LikelyTypo } from '../request/input.js';
import { beforeSending, type CallRequest, prepare } from '../request/prepare.js';
import { answerSecrets, shownHead } from '../response/api-error.js';
import { type AttemptResult, isReplayed } from '../response/attempt-result.js';
import { type ParsedBody, parseBody } from '../response/read-answer.js';
import { asPartnerError, noApiKey, toError } from '../response/to-error.js';
import type { Operation, OperationInput } from '../schema/operation.js';
import { isThenable } from '../util/platform.js';
import { attemptOnce } from './attempt.js';
import { Call, type CallContext } from './call.js';
import { CallEvents, idsOf } from './call-events.js';
import { leaveOut } from './call-site.js';
import { CallEnded } from './deadline.js';
import { checkValue, distrust, endedError, readValue } from './read-value.js';
import { observeApplied, observeCall } from './settling.js';

/** The value of a call, with the head of its response, but no part of the body. */
export interface CallResult<T> {
  readonly data: T;
  readonly call: Call;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Describes the response of a call. Few callers look at it, so it is described on demand. */
export function responseOf({ call, status, headers }: CallResult<unknown>): ResponseInfo {
  // The service may echo secrets in a success, too.
  const head = shownHead({ status, headers }, redactor(call.secrets()));
  return { ...head, attempts: call.attempts, idempotencyKey: call.prepared.idempotencyKey };
}

/** Makes one call, with its retries. It rejects only with a `PartnerError`. */
export function execute<T>(
  client: CallContext,
  request: CallRequest<T>,
  input: OperationInput,
): Promise<CallResult<T>> {
  const { observer } = client;
  if (!observer.hasListeners) return start(client, request, input);
  const events = new CallEvents(observer, request.operation, client.settings.origin);
  return events.runCall(() => start(client, request, input, events));
}

/**
 * The first part of a call, until its first attempt is over. It never throws. As an `async`
 * function it would keep its frame while the call waits in a lane, which would make a waiting call
 * three times as large.
 */
function start<T>(
  client: CallContext,
  request: CallRequest<T>,
  input: OperationInput,
  events?: CallEvents,
): Promise<CallResult<T>> {
  const begun = performance.now();
  let call: Call<T> | undefined;
  client.counts.running++;
  try {
    client.assertOpen();
    const prepared = prepare(client.settings, request, input, typoListener(client, request.operation));
    observeCall(prepared);
    client.unknownWrites.warnOfRepeat(prepared);
    call = new Call(client, request, prepared, begun, events);
    const choice = choose(call);
    if (!isThenable(choice)) return begin(call, choice);
    // The idempotency key of such a call depends on the API key that the call waits for.
    events?.started(prepared.idempotencyKey);
    return beginWhenChosen(call, choice);
  } catch (error) {
    return Promise.reject(failed(call ?? { client, request, events }, error, events?.runCall ?? start));
  }
}

/** Without listeners, only strings of open sets are checked: an unknown one is always reported. */
function typoListener(
  { warnings, observer }: CallContext,
  { name, knownTexts }: Operation,
): ((typo: LikelyTypo) => void) | undefined {
  if (knownTexts === undefined && !observer.hasListeners) return undefined;
  return (typo) => warnings.typo(observer, name, typo);
}

/** A promise only for API keys that processes take in turn, because the call may have to wait. */
function choose(call: Call): ApiKeyChoice | PromiseLike<ApiKeyChoice> {
  const { lanes } = call.client;
  const { idempotencyKey, operation } = call.prepared;
  // Nobody knows what the earlier call did, and no rejection of this one tells.
  if (idempotencyKey !== undefined && lanes.isRetry(idempotencyKey)) call.outcome = 'unknown';
  try {
    return lanes.choose(operation.retrySafety === 'keyed', idempotencyKey);
  } catch (error) {
    throw noApiKey(error, call.facts);
  }
}

async function beginWhenChosen<T>(call: Call<T>, choosing: PromiseLike<ApiKeyChoice>): Promise<CallResult<T>> {
  let choice: ApiKeyChoice;
  try {
    choice = await call.deadline.wait(choosing);
  } catch (error) {
    throw failed(call, error instanceof CallEnded ? endedError(call, error.reason) : noApiKey(error, call.facts));
  }
  return begin(call, choice);
}

function begin<T>(call: Call<T>, choice: ApiKeyChoice): Promise<CallResult<T>> {
  call.assign(choice);
  call.events?.started(call.prepared.idempotencyKey);
  return attempt(call).then((result) => finish(call, result));
}

/**
 * The second part of a call, after its first attempt. It returns no promise if nothing is left to
 * wait for.
 */
function finish<T>(call: Call<T>, result: AttemptResult): CallResult<T> | Promise<CallResult<T>> {
  try {
    const body = parseBody(call.request.operation, result);
    const delay = call.judge(result, body);
    if (delay !== undefined || call.request.schema !== undefined) return finishLater(call, result, body, delay);
    const value = valueOfAnswer(call, result, body);
    return succeeded(call, result, value, value);
  } catch (error) {
    throw failed(call, error);
  }
}

/**
 * Makes the retries of a call, and lets a user-supplied schema read its value.
 *
 * @param delay Time in ms until the next attempt; undefined: none follows.
 */
async function finishLater<T>(
  call: Call<T>,
  result: AttemptResult,
  body: ParsedBody | undefined,
  delay: number | undefined,
): Promise<CallResult<T>> {
  const { operation, schema } = call.request;
  try {
    while (delay !== undefined) {
      if (body !== undefined) distrust(result);
      // Even without a delay: the `next()` of `hooks.run` settles before the next attempt begins.
      await (delay > 0 ? call.deadline.sleep(delay) : undefined);
      const { reason } = call.deadline;
      if (reason !== undefined) {
        const refusal = call.retry?.refusal;
        if (reason.kind === 'aborted' || refusal === undefined) throw endedError(call, reason);
        result = refusal;
        break;
      }
      result = await attempt(call);
      body = parseBody(operation, result);
      delay = call.judge(result, body);
    }
    const value = valueOfAnswer(call, result, body);
    return succeeded(call, result, value, schema === undefined ? value : await checkValue(call, schema, value, result));
  } catch (error) {
    throw failed(call, error);
  }
}

/** Returns the value of the last attempt, or throws its error. */
function valueOfAnswer<T>(call: Call<T>, result: AttemptResult, body: ParsedBody | undefined): T {
  const { secretMember } = call.request.operation;
  if (secretMember !== undefined) for (const text of answerSecrets(secretMember, result)) call.addSecret(text);
  if (body === undefined) {
    const { prepared, facts, neverConnected } = call;
    throw toError({ call: prepared, facts, secrets: call.secrets(), neverConnected }, result, call.client.settings);
  }
  if (isReplayed(result)) call.client.counts.replays++;
  return readValue(call, result, body);
}

function attempt(call: Call): Promise<AttemptResult> {
  const number = ++call.attempts;
  return call.events === undefined ? attemptOnce(call) : call.events.runAttempt(number, () => attemptOnce(call));
}

/** @param value The value of the response, before a user-supplied schema has read it. */
function succeeded<T>(call: Call, { status, headers }: AttemptResult, value: unknown, data: T): CallResult<T> {
  const { client, events, outcome } = call;
  client.counts.succeeded++;
  if (events !== undefined) {
    if (outcome === 'applied') events.applied(() => idsOf(call.prepared, value));
    events.ended(outcome, call.attempts);
  }
  close(client, call);
  return { data, call, status, headers };
}

type Unprepared = Pick<Call, 'client' | 'request' | 'events'>;

/**
 * Counts and reports the failure of a call. Returns its error.
 *
 * @param inner The error's stack begins at the caller of this function.
 */
function failed(
  call: Call | Unprepared,
  thrown: unknown,
  inner: (...given: never[]) => unknown = failed,
): PartnerError {
  const { client, request, events } = call;
  const begun = call instanceof Call ? call : undefined;
  const error = asPartnerError(thrown, begun === undefined ? beforeSending(request.operation.name) : begun.facts);
  leaveOut(inner, error);
  // A page whose loop was left did not fail.
  const abandoned = request.abandon?.aborted === true && error instanceof AbortedError;
  if (!abandoned) client.counts.failed++;
  events?.failed(error, abandoned);
  close(client, begun);
  return error;
}

function close({ counts, unknownWrites }: CallContext, call: Call | undefined): void {
  counts.retries += Math.max(0, (call?.attempts ?? 0) - 1);
  if (call?.outcome === 'applied') observeApplied(call.prepared);
  if (call !== undefined) unknownWrites.ended(call.prepared, call.outcome);
  call?.close();
  counts.end();
}
