import {
  type KnownOutcome,
  knownOutcomes,
  type OutcomeAhead,
  type OutcomeOptions,
  type Outcomes,
} from '../outcomes.js';

/** `sandbox.outcomes`: how the next effects of operations are to end. */
export interface SandboxOutcomes {
  /**
   * Sets the outcome of the next effects of an operation. The effect of a request uses it up; a
   * refused request and a replayed answer do not. The outcomes of one operation are taken oldest
   * first.
   *
   * @throws TypeError for an unknown or wrong option, and for an outcome that the operation cannot
   * have: the message lists those that it can. Error for an unknown account.
   */
  add(options: OutcomeOptions): OutcomeAhead;
  /** Returns what is set ahead, oldest first, with its present counts. */
  list(): OutcomeAhead[];
  /** Returns all outcomes that can be set ahead, by operation. */
  known(): KnownOutcome[];
  /**
   * Takes an outcome back. Effects that had it keep it.
   *
   * @throws Error for the id of none that is set ahead.
   */
  remove(id: string): void;
  /** Takes all outcomes back. Effects that had one keep it. */
  clear(): void;
}

export function outcomeControls(outcomes: Outcomes): SandboxOutcomes {
  return {
    add: (options) => outcomes.add('outcomes.add', options),
    list: () => outcomes.list(),
    known: knownOutcomes,
    remove(id) {
      if (!outcomes.remove(id)) throw new Error(`outcomes.remove: there is no outcome ${id}`);
    },
    clear: () => outcomes.clear(),
  };
}
