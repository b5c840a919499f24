import { excerpt } from '../../core/basics/excerpt.js';
import type { Latencies, LatencyOptions, LatencySetting } from '../settings/latency.js';

/** `sandbox.latency`: delays answers. */
export interface SandboxLatency {
  /**
   * Delays the answers to some requests, or to all. The newest delay that matches a request counts.
   * A delay replaces an earlier one of the same `operation` and `match`. A request takes effect
   * when it arrives.
   *
   * @throws TypeError for an unknown or wrong option.
   */
  set(options: LatencyOptions): LatencySetting;
  /** Returns the delays, oldest first. The first is the option `latency` of `createSandbox`. */
  list(): LatencySetting[];
  /**
   * Removes a delay. Answers that are on their way do not change.
   *
   * @throws Error for an unknown id, and for `base`.
   */
  remove(id: string): void;
  /**
   * Removes all delays but that of `createSandbox`. Answers that are on their way do not change.
   */
  clear(): void;
}

export function latencyControls(latency: Latencies): SandboxLatency {
  return {
    set: (options) => latency.set(options),
    list: () => latency.list(),
    remove(id) {
      if (latency.remove(id)) return;
      if (id === 'base') throw new Error('latency.remove: base is the option latency of createSandbox: it stays');
      throw new Error(`latency.remove: there is no delay ${excerpt(id)}`);
    },
    clear: () => latency.clear(),
  };
}
