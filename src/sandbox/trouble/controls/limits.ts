import { checkGiven } from '../../../util/options.js';
import type { ApiKeys } from '../../core/keys/api-keys.js';
import { requestQuota } from '../../core/keys/credential-options.js';
import type { RequestQuota } from '../../core/keys/quota-terms.js';
import { GIVEN, type GroupOf } from '../../core/kind/group.js';
import { EXECUTION_TIMES_RULES, type ExecutionTimes } from '../../kinds/registry/execution-times.js';
import type { QuotaLevel } from '../settings/quota.js';
import type { Trouble } from '../trouble.js';

/** `sandbox.quota`: the number of requests that each API key may make in a window. */
export interface SandboxQuota {
  /**
   * Sets the quota of all API keys, like the option `quota` of `createSandbox`. All windows start
   * again.
   *
   * @throws TypeError for an unknown or wrong option.
   */
  set(quota: RequestQuota): void;
  /** Returns the quota, and the remaining requests of each API key. */
  level(): QuotaLevel;
  /**
   * Removes the quota, even that of `createSandbox`. API keys with a quota of their own keep it.
   */
  clear(): void;
}

/** `sandbox.executionTimes`: the durations of steps of quotes and other resources. */
export interface SandboxExecutionTimes {
  /**
   * Sets durations of steps, like the option `executionTimes` of `createSandbox`. Steps that are
   * not named, or are scheduled already, keep their times. Returns all durations that are set.
   *
   * @throws TypeError for an unknown step or a wrong time.
   */
  set(times: ExecutionTimes): ExecutionTimes;
  /** Returns the durations that are set, by step. */
  get(): ExecutionTimes;
  /** Restores the durations of `createSandbox`. */
  clear(): void;
}

/** Maximum number of requests of each API key in a window. */
export const quota: GroupOf<{ readonly keys: ApiKeys; readonly trouble: Trouble }, SandboxQuota> = {
  name: 'quota',
  methods: {
    set: { takes: { quota: requestQuota }, run: ({ trouble }, given) => trouble.quota.set(given) },
    level: { get: '', run: ({ trouble, keys }) => trouble.quota.level(keys.list()) },
    clear: { run: ({ trouble }) => trouble.quota.set(undefined) },
  },
};

/** Durations of the steps of quotes and other lifecycles. */
export const executionTimes: GroupOf<{ readonly trouble: Trouble }, SandboxExecutionTimes> = {
  name: 'executionTimes',
  methods: {
    set: {
      takes: { times: GIVEN },
      run({ trouble: { stepTimes } }, times) {
        stepTimes.set(checkGiven('executionTimes.set', times, EXECUTION_TIMES_RULES, TypeError));
        return { ...stepTimes.current };
      },
    },
    get: { get: '', run: ({ trouble: { stepTimes } }) => ({ ...stepTimes.current }) },
    clear: { run: ({ trouble: { stepTimes } }) => stepTimes.reset() },
  },
};
