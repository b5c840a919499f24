import { LinkedList } from '../util/linked-list.js';
import type { QueuedAttempt } from './queued-attempt.js';

/** The attempts that wait, in the order in which they start. Any of them may leave from the middle. */
export class AttemptQueue {
  readonly #queued = new LinkedList<QueuedAttempt>();
  /** Those that go before all that are `queued`. */
  readonly #urgent = new LinkedList<QueuedAttempt>();

  get size(): number {
    return this.#queued.size + this.#urgent.size;
  }

  get first(): QueuedAttempt | undefined {
    return this.#urgent.first ?? this.#queued.first;
  }

  add(attempt: QueuedAttempt): void {
    (attempt.turn === 'queued' ? this.#queued : this.#urgent).add(attempt);
  }

  addFirst(attempt: QueuedAttempt): void {
    this.#urgent.addFirst(attempt);
  }

  /** False when it does not wait. */
  remove(attempt: QueuedAttempt): boolean {
    return this.#queued.remove(attempt) || this.#urgent.remove(attempt);
  }

  /** Removes all, or those that are meant. */
  removeAll(isMeant: (attempt: QueuedAttempt) => boolean = () => true): QueuedAttempt[] {
    const attempts = [...this.#urgent, ...this.#queued].filter(isMeant);
    for (const attempt of attempts) this.remove(attempt);
    return attempts;
  }

  /** The attempt whose refusal says most about the API key. */
  bestWitness(): QueuedAttempt | undefined {
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
