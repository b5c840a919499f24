import { excerpt } from '../../core/basics/excerpt.js';
import { GIVEN, type GroupOf } from '../../core/kind/group.js';
import type { LatencyOptions, LatencySetting } from '../settings/latency.js';
import type { Trouble } from '../trouble.js';

/** `sandbox.latency`: delays answers. */
export interface SandboxLatency {
  /**
   * Delays the answers to some requests, or to all. If several delays match a request, the newest
   * applies. A delay replaces an earlier one with the same `operation` and `match`. The request
   * itself takes effect when it arrives.
   *
   * @throws TypeError for an unknown or wrong option.
   */
  set(options: LatencyOptions): LatencySetting;
  /** Returns the delays, oldest first. The first is the option `latency` of `createSandbox`. */
  list(): LatencySetting[];
  /**
   * Removes a delay. Answers under way do not change.
   *
   * @throws Error for an unknown id, and for `base`.
   */
  remove(id: string): void;
  /** Removes all delays except that of `createSandbox`. Answers under way do not change. */
  clear(): void;
}

/** Delays answers. */
export const latency: GroupOf<{ readonly trouble: Trouble }, SandboxLatency> = {
  name: 'latency',
  removal: 'remove',
  methods: {
    set: { takes: { options: GIVEN }, run: ({ trouble }, options) => trouble.latency.set(options) },
    list: { id: 'id', run: ({ trouble }) => trouble.latency.list() },
    remove: {
      takes: { id: GIVEN },
      run({ trouble }, id) {
        if (trouble.latency.remove(id)) return;
        if (id === 'base') throw new Error('latency.remove: base is the option latency of createSandbox: it stays');
        throw new Error(`latency.remove: there is no delay ${excerpt(id)}`);
      },
    },
    clear: { run: ({ trouble }) => trouble.latency.clear() },
  },
};
