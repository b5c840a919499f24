import { excerpt } from '../../core/basics/excerpt.js';
import { GIVEN, type GroupOf } from '../../core/kind/group.js';
import { type KnownOutcome, knownOutcomes, type OutcomeAhead, type OutcomeOptions } from '../settings/outcomes.js';
import type { Trouble } from '../trouble.js';

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

/** Sets the outcomes of the next effects of operations. */
export const outcomes: GroupOf<{ readonly trouble: Trouble }, SandboxOutcomes> = {
  name: 'outcomes',
  removal: 'remove',
  methods: {
    add: { takes: { options: GIVEN }, run: ({ trouble }, options) => trouble.outcomes.add('outcomes.add', options) },
    list: { id: 'id', run: ({ trouble }) => trouble.outcomes.list() },
    known: { get: 'known', run: knownOutcomes },
    remove: {
      takes: { id: GIVEN },
      run({ trouble }, id) {
        if (!trouble.outcomes.remove(id)) throw new Error(`outcomes.remove: there is no outcome ${excerpt(id)}`);
      },
    },
    clear: { run: ({ trouble }) => trouble.outcomes.clear() },
  },
};
