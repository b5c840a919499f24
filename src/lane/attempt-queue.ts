import { LinkedList } from '../util/linked-list.js';
import type { QueuedAttempt } from './queued-attempt.js';

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
