import { AbortedError, type Issue, type PartnerError } from '../errors.js';
import type { Observer } from '../events.js';
import type { LaneAssignment, LaneSet } from '../lane/lanes.js';
import type { ClientSettings } from '../options.js';
import type { CallRequest } from '../request/call-request.js';
import { beforeSending, prepare } from '../request/prepare.js';
import { readAnswer } from '../response/decode.js';
import { errorOf, factsOf, loggedIssues, misdelivered, unforeseen, unplaced, unusable } from '../response/failure.js';
import { Answered } from '../response/response-info.js';
import { mismatches } from '../schema/correlation.js';
import type { Operation, OperationInput } from '../schema/operation.js';
import { readStandard, type StandardSchema } from '../schema/standard-schema.js';
import { isThenable } from '../util/platform.js';
import { runSafely } from '../util/run-safely.js';
import { type AttemptResult, attemptOnce } from './attempt.js';
import { Course, type FinalResult } from './call.js';
import type { CallCounts } from './call-counts.js';
import { CallWatch } from './call-events.js';
import { ENDED } from './deadline.js';
import type { MissingMembers } from './missing-members.js';
import type { RetryBudget } from './retry-budget.js';

/** What a client's calls have in common. */
export interface CallContext {
  readonly settings: ClientSettings;
  readonly lanes: LaneSet;
  readonly budget: RetryBudget;
  readonly observer: Observer;
  readonly counts: CallCounts;
  /** What was told to be missing: clients that come from one another share it. */
  missing: MissingMembers;
  /** @throws ConfigurationError once the client has been closed. */
  readonly refuseClosed: () => void;
}

/**
 * The way of one call: prepare → repeat (lane → nonce → sign → send → read → judge) → envelope. Thousands of calls may wait for their first
 * attempt: no asynchronous function is entered before it is over, since each call would keep its frame.
 */
export function execute<T>(context: CallContext, request: CallRequest<T>, input: OperationInput): Promise<T> {
  const { observer } = context;
  if (!observer.listens) return begin(context, request, input);
  const watch = new CallWatch(observer, request.operation);
  return watch.runCall(() => begin(context, request, input, watch));
}

/** Begins the call. It never throws. */
function begin<T>(context: CallContext, request: CallRequest<T>, input: OperationInput, watch?: CallWatch): Promise<T> {
  const begun = performance.now();
  let made: Course | undefined;
  context.counts.begin();
  try {
    context.refuseClosed();
    if (request.undescribed !== undefined) throw request.undescribed.error;
    const prepared = prepare(context.settings, request, input);
    watch?.started(prepared.idempotencyKey);
    const course = new Course(prepared, context, begun, request.abandon, watch);
    made = course;
    const assignment = choose(context.lanes, course);
    const goOn = (first: AttemptResult | PromiseLike<AttemptResult>) => proceed(context, request, course, first);
    if (isThenable(assignment)) return goOn(assignment.then((found) => attempt(course, found)));
    // A transport of the caller's may fail where it must not.
    return attempt(course, assignment).then(goOn, (failure: unknown) => goOn(Promise.reject(failure)));
  } catch (thrown) {
    const error = failed(context, request, made, thrown, watch);
    made?.close();
    context.counts.end();
    return Promise.reject(error);
  }
}

/** From the end of the first attempt to the end of the call; from the beginning, where the lane has to be waited for. */
async function proceed<T>(
  context: CallContext,
  request: CallRequest<T>,
  course: Course,
  first: AttemptResult | PromiseLike<AttemptResult>,
): Promise<T> {
  try {
    let result = isThenable(first) ? await first : first;
    course.judge(result);
    while (course.final === undefined) {
      await course.pause(result);
      if (course.final !== undefined) break;
      result = await attempt(course);
      course.judge(result);
    }
    const value = read(context, request, course, course.final);
    const checked =
      request.schema === undefined ? value : await check(context, request.schema, value, course, course.final);
    context.counts.succeeded++;
    course.watch?.succeeded(course.final.outcome, course.final.attempts);
    return checked;
  } catch (thrown) {
    throw failed(context, request, course, thrown, course.watch);
  } finally {
    course.close();
    context.counts.end();
  }
}

/** @param assignment Where all attempts go, given with the first. */
function attempt(course: Course, assignment?: LaneAssignment): Promise<AttemptResult> {
  if (assignment !== undefined) course.take(assignment);
  const { watch } = course;
  const number = course.begin();
  return watch === undefined ? attemptOnce(course) : watch.runAttempt(number, () => attemptOnce(course));
}

/** At once, but for API keys that processes take in turn: there, one may have to be waited for. */
function choose(lanes: LaneSet, course: Course): LaneAssignment | Promise<LaneAssignment> {
  const { call, lifetime } = course;
  const refuse = (error: unknown): never => {
    throw unplaced(course, error);
  };
  try {
    const chosen = lanes.choose(call.callersKey ? call.idempotencyKey : undefined);
    return isThenable(chosen) ? lifetime.wait(chosen).catch(refuse) : chosen;
  } catch (error) {
    return refuse(error);
  }
}

/** The value of a call that was answered well; otherwise its error. */
function read<T>(context: CallContext, request: CallRequest<T>, course: Course, final: FinalResult): T {
  const { settings, counts } = context;
  counts.retries += Math.max(0, final.attempts - 1);
  if (!final.done) throw errorOf(course, final);
  const answered = new Answered(course, final);
  if (answered.replayed) counts.replays++;
  request.answered = answered;
  const mode = settings.responseValidation;
  const reading = readAnswer(request.operation, final.result, mode);
  if (mode === 'warn' && reading.issues.length > 0) report(context, course, reading.issues);
  if (!reading.usable) throw refuse(final, unusable(course, final, reading.issues));
  const foreign = foreignMembers(request.operation, course, reading.value);
  if (foreign.length > 0) throw refuse(final, misdelivered(course, final, foreign));
  if (reading.missing.length > 0) context.missing.tell(context.observer, course.call.operation, reading.missing);
  const refused = request.refuse?.(reading.value);
  if (refused !== undefined && refused.length > 0) throw refuse(final, unusable(course, final, refused));
  return reading.value;
}

/** The members that show that the answer belongs to another call. It is compared in every `responseValidation` mode: identity is not shape. */
function foreignMembers({ correlation }: Operation, { call: { asked } }: Course, value: unknown): readonly Issue[] {
  return correlation === undefined || asked === undefined ? NO_ISSUES : mismatches(correlation, asked, value);
}

const NO_ISSUES: readonly Issue[] = [];

/** The connection's next answers may be other calls', too: nothing more is read from it. */
function refuse({ result }: FinalResult, error: PartnerError): PartnerError {
  runSafely(() => result.exchange?.distrust?.(), 'the transport');
  return error;
}

/** The value as the caller's schema reads it. It may take its time: the call's deadline and signal hold for it as well. */
async function check<T>(
  context: CallContext,
  schema: StandardSchema<T>,
  value: T,
  course: Course,
  final: FinalResult,
): Promise<T> {
  try {
    const checked = await course.lifetime.wait(readStandard(schema, value, factsOf(course, final)));
    if ('value' in checked) return checked.value;
    // A schema of the caller's does not say whether a member is missing or wrong: what it refuses is refused.
    if (context.settings.responseValidation !== 'warn') throw refuse(final, unusable(course, final, checked.issues));
    report(context, course, checked.issues);
    return value;
  } catch (error) {
    if (error !== ENDED) throw error;
    throw errorOf(course, { ...final, result: { ...final.result, kind: 'ended' } });
  }
}

function report({ observer }: CallContext, course: Course, issues: readonly Issue[]): void {
  const { operation } = course.call;
  const shown = loggedIssues(course, issues);
  observer.log('warn', 'partner-sdk: an answer does not have the promised shape', { operation, issues: shown });
}

/** Counts and tells the failure of a call; gives its error. */
function failed<T>(
  { counts }: CallContext,
  { operation, abandon }: CallRequest<T>,
  course: Course | undefined,
  thrown: unknown,
  watch: CallWatch | undefined,
): PartnerError {
  const facts = course === undefined ? beforeSending(operation.name) : course.final && factsOf(course, course.final);
  const error = unforeseen(thrown, facts);
  // A page that nobody wants any more did not fail.
  const abandoned = abandon?.aborted === true && error instanceof AbortedError;
  if (!abandoned) counts.failed++;
  watch?.failed(error, abandoned);
  return error;
}
