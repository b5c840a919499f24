import { operations } from '../../resources/operations.js';
import type { Operation } from '../../schema/operation.js';
import { clipped } from '../../util/printable.js';
import { KeyedQueue, whenKnown } from '../core/basics/queue.js';
import type { CheckedInput, Handler } from '../core/kind/handler.js';
import type { State } from '../core/records/state.js';
import { errorAnswer } from '../core/request/error-answer.js';
import {
  type ConnectionAction,
  type HttpAnswer,
  jsonAnswer,
  type ReceivedBody,
  type RequestHead,
  type RequestReceiver,
} from '../core/request/messages.js';
import { boundedCauses, Refusal, type RefusalDetails } from '../core/request/refusal.js';
import { accountIn, type RouteMatch, Router } from '../core/request/route.js';
import type { Work } from '../core/timeline/timeline.js';
import { acceptedOtp } from '../kinds/otp.js';
import { checkoutPage, isCheckout } from '../kinds/ramp/checkout.js';
import { download, isDownload } from '../kinds/reports/area.js';
import { faultAction } from '../trouble/effects.js';
import type { ArrivedRequest } from '../trouble/match.js';
import type { FaultPicker, Troubles } from '../trouble/registry.js';
import type { CurrentSettings } from '../trouble/settings.js';
import { type Authenticator, checkScope } from './authenticate.js';
import { MISSING_OTP, WRONG_OTP } from './diagnosis/explanation.js';
import type { IdempotencyMemory } from './idempotency/idempotency.js';
import { type Journal, type JournalEntry, MAX_HEADER_LENGTH, MAX_PATH_LENGTH, reasonOf } from './journal/journal.js';
import { subjectFor } from './journal/subjects.js';
import { checkInput } from './validate/validate.js';

interface ProcessorParts {
  readonly state: State;
  readonly authenticator: Authenticator;
  readonly troubles: Troubles;
  readonly settings: CurrentSettings;
  readonly idempotency: IdempotencyMemory;
  readonly journal: Journal;
  /** An operation without a handler gets 501. */
  readonly handlers: readonly Handler[];
}

type JournalNote = Pick<JournalEntry, 'verdict'> & {
  readonly [Name in 'causes' | 'warnings' | 'likely' | 'conflict' | 'fault' | 'faultId' | 'isReplay']?:
    | JournalEntry[Name]
    | undefined;
} & { readonly signing?: RefusalDetails['signing'] | undefined };

type NotedAnswer = JournalNote & { readonly answer: HttpAnswer };
type NotedAction = JournalNote & { readonly action: ConnectionAction };

/** A request that has been processed, but has no entry yet. */
interface ProcessedRequest {
  readonly head: RequestHead;
  readonly match: RouteMatch;
  readonly body: ReceivedBody;
  readonly work: Work;
  readonly arrived: number;
  /** Made before the effect, which may remove what has the name. */
  readonly subject: string | undefined;
}

interface Answered {
  readonly action: ConnectionAction;
  readonly delayMs: number;
  readonly entry: JournalEntry;
}

/** Processes requests: fault, signature, quota, scope, input, key, effect, fault, latency. */
export class RequestProcessor implements RequestReceiver {
  readonly #parts: ProcessorParts;
  readonly #router = new Router(operations);
  readonly #handlers: ReadonlyMap<Operation, Handler>;
  readonly #subjects: ReadonlyMap<Operation | undefined, ReturnType<typeof subjectFor>>;
  /**
   * Requests of one API key are processed in the order in which their heads arrived, although a
   * later one's body, which is signed, may be complete first.
   */
  readonly #order = new KeyedQueue();

  constructor(parts: ProcessorParts) {
    this.#parts = parts;
    this.#handlers = new Map(parts.handlers.map((handler) => [handler.operation, handler]));
    this.#subjects = new Map(parts.handlers.map((handler) => [handler.operation, subjectFor(handler)]));
  }

  receive(head: RequestHead, body: Promise<ReceivedBody>): Promise<Answered> {
    const arrived = performance.now();
    const judged = this.#order.run(head.header('api-key') ?? '', async () => {
      // Wrapped in an object, so that a slow response does not delay the next request.
      return { answered: this.#process(head, await body, arrived) };
    });
    return judged.then(({ answered }) => answered);
  }

  /** The effect happens at once. The latency delays only the response. */
  #process(head: RequestHead, body: ReceivedBody, arrived: number): Answered | Promise<Answered> {
    const { clock, timeline } = this.#parts.state;
    clock.catchUp();
    const match = this.#router.find(head.method, head.target);
    const work = timeline.begin(head.cause);
    const subject = this.#subjects.get(match.operation)?.(this.#parts.state, match, body);
    const judged = timeline.within(work, () => this.#judge(head, match, body));
    return whenKnown(judged, (noted) => this.#note({ head, match, body, work, arrived, subject }, noted));
  }

  #note({ head, match, body, work, arrived, subject }: ProcessedRequest, noted: NotedAction): Answered {
    const { state, troubles, journal, authenticator } = this.#parts;
    const { action, verdict, causes = [], warnings = [], likely, conflict, fault, faultId, signing } = noted;
    const delayMs = troubles.delayOf({ head, match });
    const answer = 'answer' in action ? action.answer : undefined;
    // A client that confuses its options may send its secret in any header.
    const shown = answer?.status === 401 ? authenticator.masked : (text: string) => text;
    const header = (name: string) => shortened(head.header(name), shown);
    state.timeline.fixPosition(work);
    const ended = performance.now() + delayMs;
    const entry: JournalEntry = {
      kind: 'request',
      seq: work.seq,
      at: work.at,
      real: work.real,
      cause: work.cause,
      instance: answer?.instance,
      apiKey: header('api-key'),
      account: shortened(accountIn(match)),
      operation: match.operation?.name,
      subject: subject && shown(subject),
      callId: journal.calls.idOf({ seq: work.seq, head, body, action, verdict, arrived, ended }),
      method: head.method,
      path: clipped(shown(head.target), MAX_PATH_LENGTH),
      nonce: header('api-nonce'),
      key: header('idempotency-key'),
      verdict,
      isReplay: noted.isReplay,
      reason: reasonOf({ status: answer?.status, verdict, causes, likely, fault }),
      causes,
      warnings: warnings.length === 0 ? undefined : warnings,
      likely,
      conflict,
      fault,
      faultId,
      status: answer?.status,
      ms: inMicroseconds(ended - arrived),
      latency: inMicroseconds(delayMs),
      isOwn: head.isOwn,
    };
    state.timeline.end(work, entry);
    journal.exchanges?.keep(work.seq, { head, received: body, action, signing, delayMs });
    journal.add(entry);
    return { action, delayMs, entry };
  }

  #judge(head: RequestHead, match: RouteMatch, body: ReceivedBody): NotedAction | Promise<NotedAction> {
    if (body.kind === 'broken') return { action: { kind: 'reset' }, verdict: 'broken_body' };
    const { operation } = match;
    const pickFault = this.#parts.troubles.pickerFor({ head, match });
    const before = pickFault('before');
    if (before !== undefined) {
      const action = faultAction(before, operation, this.#instance());
      return { action, verdict: 'fault_before', fault: before.fault, faultId: before.id };
    }
    const answered = this.#answer(head, match, body);
    if (!(answered instanceof Promise)) return this.#afterwards(answered, operation, pickFault);
    const { timeline } = this.#parts.state;
    const { cause } = timeline;
    return answered.then((noted) => timeline.causedBy(cause, () => this.#afterwards(noted, operation, pickFault)));
  }

  /** Returns the effect of a fault on a successful response. */
  #afterwards({ answer, ...note }: NotedAnswer, operation: Operation | undefined, pickFault: FaultPicker): NotedAction {
    const after = answer.status < 300 ? pickFault('after') : undefined;
    if (after === undefined) return { ...note, action: { kind: 'answer', answer } };
    const action = faultAction(after, operation, this.#instance(), answer);
    const { warnings, isReplay } = note;
    return { action, verdict: 'fault_after', warnings, isReplay, fault: after.fault, faultId: after.id };
  }

  /** Returns the response without faults. All that is thrown becomes an error of the service. */
  #answer(head: RequestHead, match: RouteMatch, body: ReceivedBody): NotedAnswer | Promise<NotedAnswer> {
    try {
      if (body.kind !== 'complete') throw new Refusal(413, 'bad_request', [{ field: 'body', message: 'is too large' }]);
      const answered = this.#answerComplete(head, match, body.bytes);
      if (!(answered instanceof Promise)) return answered;
      return answered.catch((error: unknown) => this.#failed(error, match.operation));
    } catch (error) {
      return this.#failed(error, match.operation);
    }
  }

  #failed(error: unknown, operation: Operation | undefined): NotedAnswer {
    if (error instanceof Refusal) return this.#refused(error, operation);
    // A bug of the sandbox itself.
    process.emitWarning(error instanceof Error ? error : String(error));
    return this.#refused(new Refusal(500, 'internal'), operation);
  }

  #answerComplete(head: RequestHead, match: RouteMatch, bytes: Uint8Array): NotedAnswer | Promise<NotedAnswer> {
    if (isDownload(head)) return { answer: download(this.#parts.state, head), verdict: 'accepted' };
    if (isCheckout(head)) return { answer: checkoutPage(this.#parts.state, head), verdict: 'accepted' };
    if (isHealthGuess(head)) throw new Refusal(404, 'not_found', [HEALTH_HINT]);
    const key = this.#parts.authenticator.check(head, bytes);
    this.#parts.settings.quota.count(key);
    const { operation } = match;
    if (operation === undefined) throw this.#unknownPath(head);
    checkScope(operation, key.scopes);
    if (operation.otp === true) this.#checkOtp(head.header('api-otp'));
    const given = operation.retrySafety === 'keyed' ? head.header('idempotency-key') : undefined;
    const slot = given === undefined ? undefined : this.#slot(given, operation, { head, match }, bytes);
    const { input, warnings: ofMembers } = checkInput(operation, match, head, bytes);
    const ofHandler = this.#handlers.get(operation)?.warnings?.(input) ?? [];
    const warnings = [...ofMembers, ...boundedCauses(ofHandler)];
    const remembered = slot?.recall();
    if (remembered !== undefined)
      return whenKnown(remembered, (answer) => ({ answer, verdict: 'replayed', isReplay: true, warnings }));
    const noted = this.#effect(operation, input, { head, match });
    slot?.remember(whenKnown(noted, ({ answer }) => answer));
    return warnings.length === 0 ? noted : whenKnown(noted, (known) => ({ ...known, warnings }));
  }

  #slot(key: string, { name: operation }: Operation, { head, match }: ArrivedRequest, body: Uint8Array) {
    const { idempotency, state } = this.#parts;
    return idempotency.slot({ key, head, body, operation, account: accountIn(match), seq: state.timeline.cause });
  }

  #unknownPath({ target }: RequestHead): Refusal {
    const nearest = this.#router.templatesOf(target).join(', ');
    const cause =
      nearest === ''
        ? { field: 'path', message: 'is not one of the API' }
        : { field: 'method', message: `is not one of this path; nearest: ${nearest}` };
    return new Refusal(404, 'not_found', [cause]);
  }

  #checkOtp(given: string | undefined): void {
    const { state, authenticator } = this.#parts;
    const otp = acceptedOtp(state);
    if (!given) throw authenticator.refusal('missing_otp', MISSING_OTP);
    if (otp !== null && given !== otp) throw authenticator.refusal('wrong_otp', WRONG_OTP);
  }

  /** Runs the effect. A rejection is a response, too. */
  #effect(operation: Operation, input: CheckedInput, request: ArrivedRequest): NotedAnswer | Promise<NotedAnswer> {
    const handler = this.#handlers.get(operation);
    const { state, troubles } = this.#parts;
    try {
      if (handler === undefined) throw new Refusal(501, 'unimplemented');
      const answer = handler.answer(state, input);
      const body = operation.method === 'GET' ? answer : troubles.decide(request, answer);
      return whenKnown(body, (value) => ({ answer: jsonAnswer(200, value), verdict: 'accepted' }));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return this.#refused(error, operation);
    }
  }

  #refused(refusal: Refusal, operation: Operation | undefined): NotedAnswer {
    const { verdict, causes, details } = refusal;
    return { answer: errorAnswer(refusal, operation, this.#instance()), verdict, causes, ...details };
  }

  #instance(): string {
    return `req_${this.#parts.state.random.uuid()}`;
  }
}

/** Paths that programs commonly use as a health check. The API has none of them. */
const HEALTH_GUESSES: ReadonlySet<string> = new Set(['/', '/health', '/healthz']);

const HEALTH_HINT = { field: 'path', message: 'is not one of the API; the sandbox is asked at /_sandbox/health' };

/** A signed request is processed like any other. */
function isHealthGuess({ method, target, header }: RequestHead): boolean {
  return (method === 'GET' || method === 'HEAD') && HEALTH_GUESSES.has(target) && header('api-key') === undefined;
}

/** More digits are noise. */
const inMicroseconds = (ms: number): number => Math.round(ms * 1000) / 1000;

function shortened(text: string | undefined, shown = (own: string): string => own): string | undefined {
  return text === undefined ? undefined : clipped(shown(text), MAX_HEADER_LENGTH);
}
