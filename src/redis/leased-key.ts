import { HeldKey, type HoldEnd } from './held-key.js';
import { KeyRecord, type RecordContext, type Refusal } from './key-record.js';
import { jittered } from './time.js';
import { WaitingCalls } from './waiting-calls.js';

/** A process keeps its place in the queue for this long: longer than it ever sleeps. */
const QUEUE_FOR_MS = 1_000;

/** The first in the queue asks again after a tenth of its time as the first, within limits. */
const FIRST_POLL_MS = [3, 100] as const;

/** The others ask again after one turn for each process that comes first, at most this long. */
const MAX_QUEUE_POLL_MS = 200;

/** A process without any API key asks this often for those at which it does not queue. */
const URGENT_POLL_MS = 200;

/** Pause after a failure for an API key, because the Redis node of another one may respond. */
const FAILURE_DELAY_MS = 300;

/** Higher than the number of processes that ever wait for one API key. */
const MANY = 1e6;

/** How long an API key stays taken after this process has given it back is unknown. */
const GIVEN_BACK = Infinity;

/** Added to a wait: timers fire a little early, and clocks of machines are a little apart. */
const SLACK_MS = 10;

/** The process, as one of its API keys sees it. */
export interface KeyOwner {
  /** True if the process holds another API key for each client that has this one. */
  isSpare(key: LeasedKey): boolean;
  /** The API key was given back or lost. */
  isOver(key: LeasedKey, end: HoldEnd): void;
}

interface Refused extends Refusal {
  readonly at: number;
  /** Time in ms since when this process has been the first in the queue. */
  readonly asFirst: number;
}

/** One API key that this process may hold. */
export class LeasedKey {
  readonly apiKey: string;
  /** Number of open clients with this API key, which report the requests that are done. */
  clients = 0;
  /** The calls that wait for a nonce of this API key. While there are any, the process queues. */
  readonly waiting: WaitingCalls<bigint>;
  readonly record: KeyRecord;
  held: HeldKey | undefined;
  readonly #context: RecordContext;
  readonly #owner: KeyOwner;
  readonly #jitter = jittered(1);
  #refused: Refused | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;
  /** True if this process may have a place in the queue at Redis. */
  #queued = false;

  constructor(apiKey: string, context: RecordContext, owner: KeyOwner) {
    const { acquireTimeout } = context.settings;
    this.apiKey = apiKey;
    this.waiting = new WaitingCalls(() => this.issue(), acquireTimeout);
    this.#context = context;
    this.record = new KeyRecord(apiKey, context);
    this.#owner = owner;
  }

  /**
   * Says how long a call would wait for it; Infinity if nothing is known. First come API keys that
   * their holder can do without, then those with the shortest queue: of two with the same length,
   * the one that this process waits for anyway or has just handed on. Last come those whose lease
   * was not renewed, because the holder may be dead.
   */
  get cost(): number {
    if (this.held?.isValid) return MANY;
    if (this.#refused === undefined || this.#refused.reason === 'doubt') return Infinity;
    const { reason, wait, ahead, isSpare } = this.#refused;
    const isStale = reason === 'taken' && wait < this.#context.settings.ttl / 2;
    const isFamiliar = this.waiting.size > 0 || wait === GIVEN_BACK;
    return ahead + (isFamiliar ? 0 : 0.5) + (isSpare ? 0 : MANY) + (isStale ? 2 * MANY : 0);
  }

  issue(): bigint | undefined {
    return this.held?.issue(this.clients > 0);
  }

  /** Returns the ms until it makes sense to ask for it again. */
  dueIn(isUrgent: boolean): number {
    const now = this.#context.clock.steady();
    const delayed = this.#failedAt + FAILURE_DELAY_MS - now;
    if (this.#refused === undefined || delayed > 0) return Math.max(0, delayed);
    return Math.max(0, this.#refused.at + this.#delayAfter(this.#refused, isUrgent) - now);
  }

  /** Asks for it once. If calls wait for it, this process gets a place in the queue. */
  async acquire(): Promise<void> {
    // Its time is over.
    this.held?.end('lost');
    const queueFor = this.waiting.size > 0 ? QUEUE_FOR_MS : 0;
    const isSpare = this.#owner.isSpare(this);
    const acquisition = await this.record.acquire(queueFor, isSpare).catch((error: unknown) => {
      this.#failedAt = this.#context.clock.steady();
      throw error;
    });
    if (acquisition.lease === undefined) {
      this.#queued ||= queueFor > 0;
      this.#refuse(acquisition.refusal);
      return;
    }
    this.#queued = false;
    this.held = new HeldKey({
      lease: acquisition.lease,
      demand: acquisition.demand,
      isExtra: isSpare && queueFor > 0,
      record: this.record,
      settings: this.#context.settings,
      clock: this.#context.clock,
      isSpare: () => this.#owner.isSpare(this),
      onOver: (end) => this.#end(end),
    });
  }

  /** Leaves the queue if no call waits any more: others need not wait until the place runs out. */
  async leaveQueue(): Promise<void> {
    if (!this.#queued || this.waiting.size > 0) return;
    this.#queued = false;
    await this.record.leave();
  }

  #end(end: HoldEnd): void {
    this.held = undefined;
    this.#refused = undefined;
    // It is the turn of others now. Only calls that wait for it ask for it at once.
    const ahead = end === 'handed on' ? 1 : 0;
    if (end !== 'lost') this.#refuse({ reason: 'taken', wait: GIVEN_BACK, ahead, isSpare: false });
    this.#owner.isOver(this, end);
  }

  #refuse(refusal: Refusal): void {
    const at = this.#context.clock.steady();
    const before = this.#refused;
    const isFirst = this.#queued && refusal.ahead === 0;
    const asFirst = isFirst && before !== undefined && before.ahead === 0 ? before.asFirst + at - before.at : 0;
    this.#refused = { ...refusal, at, asFirst };
  }

  #delayAfter({ reason, wait, ahead, asFirst }: Refused, isUrgent: boolean): number {
    const free = wait + SLACK_MS;
    if (reason === 'doubt') return free;
    const { ttl, turn } = this.#context.settings;
    if (this.waiting.size === 0) return Math.min(free, this.#jitter * (isUrgent ? URGENT_POLL_MS : ttl / 3));
    if (!this.#queued) return 0;
    const [least, most] = FIRST_POLL_MS;
    const delay = ahead > 0 ? Math.min(ahead * turn, MAX_QUEUE_POLL_MS) : Math.min(Math.max(asFirst / 10, least), most);
    return this.#jitter * delay;
  }
}
