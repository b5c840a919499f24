import { excerpt } from '../../core/basics/excerpt.js';
import { type FaultOptions, isProbability } from '../faults/fault-options.js';
import type { Fault, Faults } from '../faults/faults.js';

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

export function faultControls(faults: Faults): SandboxFaults {
  return {
    add: (options) => faults.add('faults.add', options),
    chaos(probability) {
      if (probability !== 0 && !isProbability(probability)) {
        throw new TypeError('faults.chaos: probability must be above 0, at most 1, or 0 to end chaos');
      }
      if (probability === 0) return faults.clearChaos();
      return faults.addChaos(probability);
    },
    list: () => faults.list(),
    remove(id) {
      if (!faults.remove(id)) throw new Error(`faults.remove: there is no fault ${excerpt(id)}`);
    },
    clear: () => faults.clear(),
  };
}
