import { excerpt } from '../../core/basics/excerpt.js';
import { GIVEN, type GroupOf } from '../../core/kind/group.js';
import { type FaultOptions, isProbability } from '../faults/fault-options.js';
import type { Fault } from '../faults/faults.js';
import type { Trouble } from '../trouble.js';

/** `sandbox.faults`: makes requests fail. */
export interface SandboxFaults {
  /**
   * Adds a fault. If several match a request, the oldest applies.
   *
   * @throws TypeError for an unknown or wrong option.
   */
  add(options: FaultOptions): Fault;
  /**
   * Makes each request fail with this probability, 0 to 1, drawn from the seed. One of these
   * applies, all with the same probability:
   *
   * - 429 and 503 before the effect, each with `Retry-After: 1` and without;
   * - 503 and 504 after it;
   * - the named faults, before or after it, as docs/sandbox/sandbox-trouble.md lists them.
   *
   * Requests that are refused anyway fail only before the effect. Faults of `add` have priority. A
   * probability of 0 stops all chaos, and returns a fault that applies to no request.
   *
   * @param probability Probability that a request fails: 0 to 1.
   * @throws TypeError for a probability out of range.
   */
  chaos(probability: number): Fault;
  /** Returns the active faults, oldest first. */
  list(): Fault[];
  /**
   * Removes a fault. Answers under way do not change.
   *
   * @throws Error if no active fault has this id.
   */
  remove(id: string): void;
  /** Removes all faults, including `chaos`. Answers under way do not change. */
  clear(): void;
}

/** Makes requests fail. */
export const faults: GroupOf<{ readonly trouble: Trouble }, SandboxFaults> = {
  name: 'faults',
  removal: 'remove',
  methods: {
    add: { takes: { options: GIVEN }, run: ({ trouble }, options) => trouble.faults.add('faults.add', options) },
    chaos: {
      takes: { probability: GIVEN },
      run({ trouble }, probability) {
        if (probability !== 0 && !isProbability(probability)) {
          throw new TypeError('faults.chaos: probability must be above 0, at most 1, or 0 to end chaos');
        }
        if (probability === 0) return trouble.faults.clearChaos();
        return trouble.faults.addChaos(probability);
      },
    },
    list: { id: 'id', run: ({ trouble }) => trouble.faults.list() },
    remove: {
      takes: { id: GIVEN },
      run({ trouble }, id) {
        if (!trouble.faults.remove(id)) throw new Error(`faults.remove: there is no fault ${excerpt(id)}`);
      },
    },
    clear: { run: ({ trouble }) => trouble.faults.clear() },
  },
};
