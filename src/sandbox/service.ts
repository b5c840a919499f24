import { operations } from '../resources/operations.js';
import type { Operation } from '../schema/operation.js';
import { handlers } from './handlers/index.js';
import type { Outcome, ReceivedBody, Reply, RequestHead, WireAnswer } from './http/wire.js';
import { runTask } from './lifecycles/tasks.js';
import { ArrivalOrder } from './request/arrival-order.js';
import { Authenticator } from './request/authenticate.js';
import { checkInput } from './request/check.js';
import { errorAnswer, jsonAnswer, Refusal, unauthenticated } from './request/errors.js';
import { Faults, faultOutcome } from './request/faults.js';
import { IdempotencyMemory } from './request/idempotency.js';
import { Journal, type JournalEntry } from './request/journal.js';
import { type Latency, LatencySource } from './request/latency.js';
import { type Route, Router } from './request/route.js';
import { shortened } from './request/shortened.js';
import { fixturesOf, type SandboxFixtures } from './seed/fixtures.js';
import { seedState } from './seed/seed.js';
import { restoreState, saveState } from './snapshot/saved-state.js';
import type { SnapshotData, WrittenSnapshot } from './snapshot/snapshot-schema.js';
import { Clock } from './state/clock.js';
import { Random } from './state/random.js';
import type { State, Task } from './state/state.js';
import type { DispatcherOptions } from './webhooks/dispatcher.js';

/** What a service is made with; see `SandboxOptions`. */
export interface ServiceOptions {
  readonly seed: number;
  readonly realTime: boolean;
  readonly journalLimit: number;
  readonly latency: Latency;
  readonly otp: string | undefined;
  readonly enforceUserStatus: boolean;
  readonly onRequest: ((entry: JournalEntry) => void) | undefined;
  readonly snapshot: SnapshotData | undefined;
  readonly deliver: DispatcherOptions['deliver'];
  readonly onDelivery: DispatcherOptions['onDelivery'];
}

/** What the journal keeps of a path and of a header, in characters: more than the longest that the API has. */
const MAX_PATH_KEPT = 4_096;
const MAX_HEADER_KEPT = 256;

function shortenedHeader(head: RequestHead, name: string): string | undefined {
  const value = head.header(name);
  return value === undefined ? undefined : shortened(value, MAX_HEADER_KEPT);
}

type Verdict = Pick<JournalEntry, 'verdict'> & Partial<Pick<JournalEntry, 'causes' | 'fault'>>;

/** An answer and what the journal says about it. */
interface Judged extends Verdict {
  readonly answer: WireAnswer;
}

/** What becomes of a request, and what the journal says about it. */
interface Concluded extends Verdict {
  readonly outcome: Outcome;
}

/**
 * The way of one request: fault → authenticate → route → check → key → effect → fault → latency → journal. It knows nothing of
 * sockets.
 */
export class Service {
  readonly clock: Clock<Task>;
  readonly state: State;
  readonly fixtures: SandboxFixtures;
  readonly authenticator: Authenticator;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly #router = new Router(operations);
  readonly #handlers = new Map(handlers.map((handler) => [handler.operation, handler]));
  readonly #order = new ArrivalOrder();
  readonly #idempotency: IdempotencyMemory;
  readonly #latency: LatencySource;
  readonly #seed: number;
  readonly #generation: number;
  readonly #otp: string | undefined;

  constructor(options: ServiceOptions) {
    const { seed, snapshot } = options;
    const random = new Random(seed);
    this.#seed = seed;
    this.#generation = snapshot === undefined ? 0 : snapshot.generation + 1;
    // What comes into being after a restart must not get the ids of what came into being before.
    const runtime = this.#generation === 0 ? random : random.fork(`generation ${this.#generation}`);
    this.clock = new Clock(options.realTime, snapshot?.clock.began);
    this.state = seedState(random, runtime, this.clock, options);
    this.#otp = options.otp;
    const fixtures = snapshot?.fixtures ?? fixturesOf(this.state, random.fork('fixtures'));
    this.fixtures = options.otp === undefined ? fixtures : Object.freeze({ ...fixtures, otp: options.otp });
    this.authenticator = new Authenticator(runtime.fork('credentials'));
    this.faults = new Faults(operations, runtime.fork('faults'));
    this.journal = new Journal(options.journalLimit, options.onRequest);
    this.#latency = new LatencySource(options.latency, runtime.fork('latency'));
    this.#idempotency = new IdempotencyMemory(this.clock);
    if (snapshot !== undefined) this.#restore(snapshot);
    this.clock.start((task) => runTask(this.state, task));
  }

  /** Everything but faults and the journal, which belong to one run. */
  snapshot(): WrittenSnapshot {
    return {
      format: 'partner-sandbox',
      version: 1,
      seed: this.#seed,
      generation: this.#generation,
      fixtures: this.fixtures,
      keys: this.authenticator.save(),
      idempotency: this.#idempotency.save(),
      ...saveState(this.state),
    };
  }

  /** Lets no timer and no delivery outlive the sandbox. */
  close(): void {
    this.clock.stop();
    this.state.webhooks.close();
  }

  #restore(snapshot: SnapshotData): void {
    restoreState(this.state, snapshot);
    this.authenticator.restore(snapshot.keys);
    this.#idempotency.restore(snapshot.idempotency);
  }

  /** To be called in the moment in which a request's head arrives: that is its place in the order of nonces. */
  receive(head: RequestHead, body: Promise<ReceivedBody>): Promise<Reply> {
    const arrived = performance.now();
    return this.#order.enter(head.header('api-key') ?? '', body, (received) => this.#reply(head, received, arrived));
  }

  /** Judges at once: the latency holds back the answer, not the effect. */
  #reply(head: RequestHead, body: ReceivedBody, arrived: number): Reply {
    this.clock.catchUp();
    const route = this.#router.find(head.method, head.target);
    const { outcome, ...verdict } = this.#judge(head, route, body);
    const delay = this.#latency.draw();
    // To the microsecond: what the clock says beyond it is noise.
    const ms = Math.round((performance.now() - arrived + delay) * 1000) / 1000;
    this.#record(head, route, verdict, outcome, ms);
    return { outcome, delay };
  }

  #judge(head: RequestHead, route: Route, body: ReceivedBody): Concluded {
    if (body.kind === 'broken') return { outcome: { kind: 'reset' }, verdict: 'broken_body' };
    const faults = this.faults.of(route.operation);
    const before = faults.strike('before');
    if (before !== undefined) {
      const outcome = faultOutcome(before, route.operation, this.#instance());
      return { outcome, verdict: 'fault_before', fault: before.fault };
    }
    const { answer, ...verdict } = this.#answer(head, route, body);
    const after = answer.status < 300 ? faults.strike('after') : undefined;
    if (after === undefined) return { outcome: { kind: 'answer', answer }, ...verdict };
    const outcome = faultOutcome(after, route.operation, this.#instance(), answer);
    return { outcome, verdict: 'fault_after', fault: after.fault };
  }

  /** Every way to an answer but faults; whatever is thrown becomes an error of the service's form. */
  #answer(head: RequestHead, route: Route, body: ReceivedBody): Judged {
    try {
      if (body.kind !== 'complete') throw new Refusal(413, 'bad_request', [{ field: 'body', message: 'is too large' }]);
      return this.#authentic(head, route, body.bytes);
    } catch (error) {
      if (error instanceof Refusal) return this.#refused(error, route.operation);
      // A mistake of the sandbox itself: who runs it must hear of it.
      process.emitWarning(error instanceof Error ? error : String(error));
      return this.#refused(new Refusal(500, 'internal'), route.operation);
    }
  }

  #authentic(head: RequestHead, route: Route, bytes: Uint8Array): Judged {
    this.authenticator.check(head, bytes);
    const { operation } = route;
    if (operation === undefined) throw this.#unknownPath(head);
    if (operation.otp === true) this.#checkOtp(head.header('api-otp'));
    const key = operation.retrySafety === 'keyed' ? head.header('idempotency-key') : undefined;
    const slot = key === undefined ? undefined : this.#idempotency.slot(key, head, bytes);
    const input = checkInput(operation, route, head, bytes);
    const remembered = slot?.recall();
    if (remembered !== undefined) return { answer: remembered, verdict: 'replayed' };
    const judged = this.#effect(operation, input);
    slot?.remember(judged.answer);
    return judged;
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
    if (!given) throw unauthenticated('missing_otp');
    if (this.#otp !== undefined && given !== this.#otp) throw unauthenticated('wrong_otp');
  }

  /** The effect, or a refusal that depends on the state of things. */
  #effect(operation: Operation, input: ReturnType<typeof checkInput>): Judged {
    const handler = this.#handlers.get(operation);
    try {
      if (handler === undefined) throw new Refusal(501, 'unimplemented');
      return { answer: jsonAnswer(200, handler.answer(this.state, input)), verdict: 'accepted' };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return this.#refused(error, operation);
    }
  }

  #refused(refusal: Refusal, operation: Operation | undefined): Judged {
    const { verdict, causes } = refusal;
    return { answer: errorAnswer(refusal, operation, this.#instance()), verdict, causes };
  }

  #record(head: RequestHead, { operation }: Route, verdict: Verdict, outcome: Outcome, ms: number): void {
    this.journal.add({
      operation: operation?.name,
      method: head.method,
      path: shortened(head.target, MAX_PATH_KEPT),
      nonce: shortenedHeader(head, 'api-nonce'),
      key: shortenedHeader(head, 'idempotency-key'),
      verdict: verdict.verdict,
      causes: verdict.causes ?? [],
      fault: verdict.fault,
      status: 'answer' in outcome ? outcome.answer.status : undefined,
      at: this.clock.now(),
      ms,
    });
  }

  #instance(): string {
    return `req_${this.state.random.uuid()}`;
  }
}
