import { excerpt } from '../../core/basics/excerpt.js';
import { type FaultOptions, isProbability } from '../faults/fault-options.js';
import type { Fault, Faults } from '../faults/faults.js';

/** `sandbox.faults`: lets requests fail. */
export interface SandboxFaults {
  /**
   * Adds a fault. The faults of one request are tried oldest first.
   *
   * @throws TypeError for an unknown or wrong option.
   */
  add(options: FaultOptions): Fault;
  /**
   * Lets each request fail with this probability, 0 to 1, drawn by the seed. One of these strikes,
   * each as likely as the others:
   *
   * - 429 and 503 before the effect, each with `Retry-After: 1` and without;
   * - 503 and 504 after it;
   * - the named faults, before or after it, as docs/sandbox/sandbox-trouble.md lists them.
   *
   * Requests that are refused anyway are struck only before the effect. Faults of `add` come first.
   * A probability of 0 ends all chaos, and returns a fault that strikes nothing.
   *
   * @param probability Probability that a request fails: 0 to 1.
   * @throws TypeError for another probability.
   */
  chaos(probability: number): Fault;
  /** Returns the faults that can still strike, oldest first. */
  list(): Fault[];
  /**
   * Removes a fault. Answers that are on their way do not change.
   *
   * @throws Error if no fault with this id can still strike, and for a fault of a scenario, which
   * `scenarios.stop` removes.
   */
  remove(id: string): void;
  /**
   * Removes all faults, those of `chaos` too, but not those of scenarios, which `scenarios.stop`
   * removes. Answers that are on their way do not change.
   */
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
      return faults.addMix('chaos', probability);
    },
    list: () => faults.list(),
    remove(id) {
      const scenario = faults.scenarioOf(id);
      if (scenario !== undefined) {
        throw new Error(`faults.remove: ${id} belongs to the scenario ${scenario}: scenarios.stop ends it`);
      }
      if (!faults.remove(id)) throw new Error(`faults.remove: there is no fault ${excerpt(id)}`);
    },
    clear: () => faults.clear(),
  };
}
