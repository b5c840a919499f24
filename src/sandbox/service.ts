import type { Operation } from '../core/operation.js';
import { operations } from '../resources/index.js';
import { ArrivalOrder } from './arrival-order.js';
import { Authenticator } from './authenticate.js';
import { checkInput } from './check.js';
import { Clock } from './clock.js';
import { errorAnswer, jsonAnswer, Refusal, unauthenticated } from './errors.js';
import { Faults, faultOutcome } from './faults.js';
import { handlers } from './handlers/index.js';
import { IdempotencyMemory } from './idempotency.js';
import { Journal } from './journal.js';
import { Random } from './random.js';
import { type Route, Router } from './route.js';
import { fixturesOf, type SandboxFixtures } from './seed/fixtures.js';
import { seedState } from './seed/seed.js';
import type { State } from './state.js';
import type { Outcome, ReceivedBody, RequestHead, WireAnswer } from './wire.js';

/** What a service is made with; see `SandboxOptions`. */
export interface ServiceOptions {
  readonly seed: number;
  readonly realTime: boolean;
  readonly journalLimit: number;
}

/** An answer and what the journal says about it. */
interface Judged {
  readonly answer: WireAnswer;
  readonly verdict: string;
}

/** The way of one request: fault → authenticate → route → check → key → effect → fault → journal. It knows nothing of sockets. */
export class Service {
  readonly clock: Clock;
  readonly state: State;
  readonly fixtures: SandboxFixtures;
  readonly authenticator: Authenticator;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly #router = new Router(operations);
  readonly #handlers = new Map(handlers.map((handler) => [handler.operation, handler]));
  readonly #order = new ArrivalOrder();
  readonly #idempotency: IdempotencyMemory;

  constructor({ seed, realTime, journalLimit }: ServiceOptions) {
    const random = new Random(seed);
    this.clock = new Clock(realTime);
    this.state = seedState(random, this.clock);
    this.fixtures = fixturesOf(this.state, random.fork('fixtures'));
    this.authenticator = new Authenticator(random.fork('credentials'));
    this.faults = new Faults(operations, random.fork('faults'));
    this.journal = new Journal(journalLimit);
    this.#idempotency = new IdempotencyMemory(this.clock);
  }

  /** To be called in the moment in which a request's head arrives: that is its place in the order of nonces. */
  receive(head: RequestHead, body: Promise<ReceivedBody>): Promise<Outcome> {
    return this.#order.enter(head.header('api-key') ?? '', body, (received) => this.#judge(head, received));
  }

  #judge(head: RequestHead, body: ReceivedBody): Outcome {
    this.clock.catchUp();
    const route = this.#router.find(head.method, head.target);
    if (body.kind === 'broken') {
      this.#record(head, route, 'broken_body', undefined);
      return { kind: 'reset' };
    }
    const before = this.faults.strike('before', route.operation);
    if (before !== undefined) {
      return this.#conclude(head, route, 'fault_before', faultOutcome(before, route.operation, this.#instance()));
    }
    const { answer, verdict } = this.#answer(head, route, body);
    const after = answer.status < 300 ? this.faults.strike('after', route.operation) : undefined;
    if (after === undefined) return this.#conclude(head, route, verdict, { kind: 'answer', answer });
    return this.#conclude(head, route, 'fault_after', faultOutcome(after, route.operation, this.#instance(), answer));
  }

  /** Every way to an answer but faults; whatever is thrown becomes an error of the service's form. */
  #answer(head: RequestHead, route: Route, body: ReceivedBody): Judged {
    try {
      if (body.kind !== 'complete') throw new Refusal(413, 'bad_request', [{ field: 'body', message: 'is too large' }]);
      return this.#authentic(head, route, body.bytes);
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal(500, 'internal');
      return { answer: errorAnswer(refusal, route.operation, this.#instance()), verdict: refusal.verdict };
    }
  }

  #authentic(head: RequestHead, route: Route, bytes: Uint8Array): Judged {
    const apiKey = this.authenticator.check(head, bytes);
    const { operation } = route;
    if (operation === undefined) throw new Refusal(404, 'not_found');
    if (operation.otp === true && !head.header('api-otp')) throw unauthenticated('missing_otp');
    const key = operation.key === true ? head.header('idempotency-key') : undefined;
    const slot = key === undefined ? undefined : this.#idempotency.slot(apiKey, key, head, bytes);
    const input = checkInput(operation, route, head, bytes);
    const remembered = slot?.recall();
    if (remembered !== undefined) return { answer: remembered, verdict: 'replayed' };
    const judged = this.#effect(operation, input);
    slot?.remember(judged.answer);
    return judged;
  }

  /** The effect, or a refusal that depends on the state of things. */
  #effect(operation: Operation, input: ReturnType<typeof checkInput>): Judged {
    const handler = this.#handlers.get(operation);
    try {
      if (handler === undefined) throw new Refusal(501, 'unimplemented');
      return { answer: jsonAnswer(200, handler.answer(this.state, input)), verdict: 'accepted' };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { answer: errorAnswer(error, operation, this.#instance()), verdict: error.verdict };
    }
  }

  #conclude(head: RequestHead, route: Route, verdict: string, outcome: Outcome): Outcome {
    const status = outcome.kind === 'answer' || outcome.kind === 'cut' ? outcome.answer.status : undefined;
    this.#record(head, route, verdict, status);
    return outcome;
  }

  #record(head: RequestHead, { operation }: Route, verdict: string, status: number | undefined): void {
    this.journal.add({
      operation: operation?.name,
      method: head.method,
      path: head.target,
      nonce: head.header('api-nonce'),
      key: head.header('idempotency-key'),
      verdict,
      status,
      at: this.clock.now(),
    });
  }

  #instance(): string {
    return `req_${this.state.random.uuid()}`;
  }
}
