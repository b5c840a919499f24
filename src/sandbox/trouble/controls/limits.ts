import { checkGiven } from '../../../util/options.js';
import type { ApiKeys } from '../../core/keys/api-keys.js';
import { QUOTA_RULES, type RequestQuota } from '../../core/keys/quota-terms.js';
import { EXECUTION_TIMES_RULES, type ExecutionTimes } from '../../kinds/registry/execution-times.js';
import type { QuotaCounter, QuotaLevel } from '../settings/quota.js';
import type { StepTimes } from '../settings/step-times.js';

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

export function quotaControls(quota: QuotaCounter, keys: ApiKeys): SandboxQuota {
  return {
    set(given) {
      const { requests, per } = checkGiven('quota.set', given, QUOTA_RULES, TypeError);
      quota.set({ requests, per });
    },
    level: () => quota.level(keys.list()),
    clear: () => quota.set(undefined),
  };
}

export function executionTimeControls(stepTimes: StepTimes): SandboxExecutionTimes {
  return {
    set(times) {
      stepTimes.set(checkGiven('executionTimes.set', times, EXECUTION_TIMES_RULES, TypeError));
      return { ...stepTimes.current };
    },
    get: () => ({ ...stepTimes.current }),
    clear: () => stepTimes.reset(),
  };
}
