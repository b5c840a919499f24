import { excerpt } from '../../core/basics/excerpt.js';
import {
  type KnownOutcome,
  knownOutcomes,
  type OutcomeAhead,
  type OutcomeOptions,
  type Outcomes,
} from '../settings/outcomes.js';

/** `sandbox.outcomes`: sets the outcome of the next effects of operations. */
export interface SandboxOutcomes {
  /**
   * Sets the outcome of the next effects of an operation. Only requests that take effect count, not
   * refused requests and replayed answers. If several outcomes match, the oldest applies first.
   *
   * @throws TypeError for an unknown or wrong option, and for an outcome that the operation cannot
   * have: the message lists those that it can. Error for an unknown account.
   */
  add(options: OutcomeOptions): OutcomeAhead;
  /** Returns the outcomes that still apply, oldest first. */
  list(): OutcomeAhead[];
  /** Returns all outcomes that can be set, by operation. */
  known(): KnownOutcome[];
  /**
   * Removes an outcome. Earlier effects keep it.
   *
   * @throws Error if no outcome with this id still applies.
   */
  remove(id: string): void;
  /** Removes all outcomes. Earlier effects keep theirs. */
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
