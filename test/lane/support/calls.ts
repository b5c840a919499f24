import type { Lane } from '../../../src/lane/lane.js';
import type { Answer, AttemptEnd, InFlight, QueuedAttempt } from '../../../src/lane/queued-attempt.js';
import { type Priority, priorityAfterRace } from '../../../src/lane/queued-attempt.js';
import type { ExchangeListener, Slot, TransportRequest } from '../../../src/transport/connections.js';
import { Linked } from '../../../src/util/linked-list.js';
import type { VirtualClock } from './virtual-clock.js';

const BODY = new Uint8Array(1);
const NO_ANSWER: Answer = { status: undefined, headers: {}, body: [] };

/** Draws nonces in the order of the calls' starts, and counts what became of them. */
export class CallCounter {
  /** Requests that were sent. */
  sent = 0;
  refused = 0;
  failed = 0;
  /** The most requests of one call that were overtaken. */
  mostRaces = 0;
  /** Calls that were made, for their paths. */
  calls = 0;
  /** The longest time in ms that a request waited in the queue of the lane. */
  longestWait = 0;
  #nonce = 0n;

  nextNonce(): bigint {
    this.#nonce += 1n;
    return this.#nonce;
  }

  get lastNonce(): bigint {
    return this.#nonce;
  }

  /** Counts from here on. */
  reset(): void {
    this.sent = 0;
    this.refused = 0;
    this.longestWait = 0;
  }
}

/** One call, as far as a lane sees it: it is sent until it is answered. A lost one is sent again, at the end of the queue. */
export class SimulatedCall extends Linked<QueuedAttempt> implements QueuedAttempt, ExchangeListener {
  priority: Priority = 'queued';
  readonly notRetryable = false;
  readonly travelsAlone = false;
  readonly otherReasons: number;
  readonly retriesOfRefusals = 0;
  readonly answer = NO_ANSWER;
  queuedAt = 0;
  inFlight: InFlight | undefined;
  readonly #lane: Lane;
  readonly #clock: VirtualClock;
  readonly #counter: CallCounter;
  readonly #onEnd: (status: number) => void;
  readonly #request: Omit<TransportRequest, 'headers'>;
  #nonce = 0n;
  #status = 0;
  #races = 0;

  constructor(
    lane: Lane,
    clock: VirtualClock,
    counter: CallCounter,
    isWrite: boolean,
    onEnd: (status: number) => void,
  ) {
    super();
    this.#lane = lane;
    this.#clock = clock;
    this.#counter = counter;
    this.#onEnd = onEnd;
    this.otherReasons = isWrite ? 1 : 0;
    this.#request = { method: isWrite ? 'POST' : 'GET', path: `/${counter.calls++}`, body: isWrite ? BODY : undefined };
  }

  get withBody(): boolean {
    return this.#request.body !== undefined;
  }

  enter(): void {
    this.#lane.enter(this);
  }

  begin(slot: Slot): void {
    const counter = this.#counter;
    this.#nonce = counter.nextNonce();
    counter.sent += 1;
    counter.longestWait = Math.max(counter.longestWait, this.#clock.now() - this.queuedAt);
    this.#lane.starts(this);
    slot.send({ ...this.#request, headers: { 'api-nonce': String(this.#nonce) } }, this);
  }

  onSent(): void {}

  onHead(status: number): void {
    this.#status = status;
  }

  onData(): void {}

  onEnd(): void {
    const race = this.#status === 401 && this.#counter.lastNonce > this.#nonce;
    this.#depart(this.#status !== 401 ? 'accepted' : race ? 'race' : 'refused');
    const priority = race ? priorityAfterRace(this.priority, ++this.#races) : undefined;
    if (race) this.#countRace();
    if (priority === undefined) this.#onEnd(this.#status);
    else this.#again(priority);
  }

  onError(): void {
    this.#depart('lost');
    this.#again('queued');
  }

  failUnreachable(): void {
    this.failRefused();
  }

  failRefused(): void {
    this.#counter.failed += 1;
    this.#onEnd(401);
  }

  #countRace(): void {
    this.#counter.refused += 1;
    this.#counter.mostRaces = Math.max(this.#counter.mostRaces, this.#races);
  }

  #depart(end: AttemptEnd): void {
    this.#lane.depart(this, end);
  }

  #again(priority: Priority): void {
    this.priority = priority;
    this.enter();
  }
}
