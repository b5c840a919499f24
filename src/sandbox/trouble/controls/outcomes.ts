import { excerpt } from '../../core/basics/excerpt.js';
import {
  type KnownOutcome,
  knownOutcomes,
  type OutcomeAhead,
  type OutcomeOptions,
  type Outcomes,
} from '../settings/outcomes.js';

/** `sandbox.outcomes`: forces how the next effects of operations end. */
export interface SandboxOutcomes {
  /**
   * Forces the outcome of the next effects of an operation. Only a request that takes effect
   * counts, no refused request and no replayed answer. Of several outcomes of one operation the
   * oldest is first.
   *
   * @throws TypeError for an unknown or wrong option, and for an outcome that the operation cannot
   *   have: the message lists those that it can. Error for an unknown account.
   */
  add(options: OutcomeOptions): OutcomeAhead;
  /** Returns the outcomes that still wait, oldest first. */
  list(): OutcomeAhead[];
  /** Returns all outcomes that can be forced, by operation. */
  known(): KnownOutcome[];
  /**
   * Removes an outcome. Effects that had it keep it.
   *
   * @throws Error if no outcome with this id waits.
   */
  remove(id: string): void;
  /** Removes all outcomes. Effects that had one keep it. */
  clear(): void;
}

export function outcomeControls(outcomes: Outcomes): SandboxOutcomes {
  return {
    add: (options) => outcomes.add('outcomes.add', options),
    list: () => outcomes.list(),
    known: knownOutcomes,
    remove(id) {
      if (!outcomes.remove(id)) throw new Error(`outcomes.remove: there is no outcome ${excerpt(id)}`);
    },
    clear: () => outcomes.clear(),
  };
}
