import type { Slot } from '../transport/connections.js';
import { type Linked, LinkedList } from '../util/linked-list.js';
import type { Pacer, Start } from './pacing/pacer.js';

/**
 * The place of an attempt in its lane's queue:
 *
 * - `queued`: at the end.
 * - `head`: before all `queued` ones. The service did not begin the call's last attempt.
 * - `retry`: as `head`, and the requests behind it are held for a moment. The last attempt was
 *   overtaken.
 * - `exclusive`: as `head`, and nothing starts until it ends. The call was overtaken several times.
 */
export type Priority = 'queued' | 'head' | 'retry' | 'exclusive';

/** Retries after a race while others may follow. The next retry is exclusive, and the last. */
const MAX_SHARED_RETRIES = 3;

/**
 * Returns the priority with which an overtaken attempt is retried; undefined if it is not retried.
 * Nothing can overtake an exclusive attempt, so its rejection is the service's response.
 *
 * @param priority The priority of the rejected attempt.
 * @param races Attempts of the call that were overtaken, this one included.
 */
export function priorityAfterRace(priority: Priority, races: number): Priority | undefined {
  if (priority === 'exclusive') return undefined;
  return races > MAX_SHARED_RETRIES ? 'exclusive' : 'retry';
}

/**
 * The end of an attempt, by what its lane learns from it:
 *
 * - `accepted`: the service has responded, and not with 401.
 * - `race`: 401, and a later nonce of the same API key had been issued by then.
 * - `refused`: 401, and nothing had overtaken it.
 * - `lost`: no complete response.
 * - `unsent`: no byte left.
 */
export type AttemptEnd = 'accepted' | 'race' | 'refused' | 'lost' | 'unsent';

/** One attempt to be sent. Its methods return before the lane does anything else. */
export interface QueuedAttempt extends Linked<QueuedAttempt> {
  readonly priority: Priority;
  /** True for a write that must not be retried: it gets only a connection that is surely open. */
  readonly notRetryable: boolean;
  /** True if nothing may overtake it: a write that must not be sent again after a 401. */
  readonly travelsAlone: boolean;
  readonly withBody: boolean;
  /** Number of reasons for a 401 besides the API key: a write is one, an OTP another. */
  readonly otherReasons: number;
  /** Retries of its call after a 401; 0 without `keyIsShared`. */
  readonly retriesOfRefusals: number;
  /** Written by the lane: the time of its arrival, and its record while it is in flight. */
  queuedAt: number;
  inFlight: InFlight | undefined;
  /** Draws the nonce, signs and sends; a promise if a step needs one. Never throws or rejects. */
  begin(slot: Slot): void | PromiseLike<void>;
  /** Fails the attempt: no connection could be opened. */
  failUnreachable(error: unknown): void;
  readonly answer: Answer;
  /** Fails the attempt: the service rejects the API key. `answer` is its response to the probe. */
  failRefused(answer: Answer): void;
}

export interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: readonly Uint8Array[];
}

/** The lane's record of an attempt in flight. */
export interface InFlight {
  readonly slot: Slot;
  readonly pacer: Pacer;
  /** Undefined until the attempt has handed its bytes to the slot. */
  start: Start | undefined;
}

/** The waiting attempts, in the order of their starts. Any of them may leave from the middle. */
export class AttemptQueue {
  readonly #queued = new LinkedList<QueuedAttempt>();
  /** Attempts that start before all that are `queued`. */
  readonly #urgent = new LinkedList<QueuedAttempt>();

  get size(): number {
    return this.#queued.size + this.#urgent.size;
  }

  get first(): QueuedAttempt | undefined {
    return this.#urgent.first ?? this.#queued.first;
  }

  add(attempt: QueuedAttempt): void {
    (attempt.priority === 'queued' ? this.#queued : this.#urgent).add(attempt);
  }

  addFirst(attempt: QueuedAttempt): void {
    this.#urgent.addFirst(attempt);
  }

  /** False when the attempt does not wait here. */
  remove(attempt: QueuedAttempt): boolean {
    return this.#queued.remove(attempt) || this.#urgent.remove(attempt);
  }

  /** Removes and returns all attempts, or those that `isMeant` chooses. */
  removeAll(isMeant: (attempt: QueuedAttempt) => boolean = () => true): QueuedAttempt[] {
    const attempts = [...this.#urgent, ...this.#queued].filter(isMeant);
    for (const attempt of attempts) this.remove(attempt);
    return attempts;
  }

  /** Returns the attempt with the fewest reasons for a 401 besides the API key. */
  bestProbe(): QueuedAttempt | undefined {
    let best = this.first;
    for (const queue of [this.#queued, this.#urgent]) {
      for (const attempt of queue) {
        if (best === undefined || attempt.otherReasons < best.otherReasons) best = attempt;
        if (best.otherReasons === 0) return best;
      }
    }
    return best;
  }
}
