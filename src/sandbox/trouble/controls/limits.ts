import { checkGiven, isMilliseconds, MAX_TIMER_MS } from '../../../util/options.js';
import type { ApiKeys } from '../../core/keys/api-keys.js';
import { QUOTA_RULES, type RequestQuota } from '../../core/keys/quota-terms.js';
import { EXECUTION_TIMES_RULES, type ExecutionTimes } from '../../kinds/registry/execution-times.js';
import type { QuotaCounter, QuotaLevel } from '../settings/quota.js';
import type { ReadLag } from '../settings/read-lag.js';
import type { StepTimes } from '../settings/step-times.js';

/** `sandbox.quota`: the number of requests that each API key may make in a window. */
export interface SandboxQuota {
  /**
   * Sets the quota of all API keys, as the option `quota` of `createSandbox` does. All windows
   * start again.
   *
   * @throws TypeError for an unknown or wrong option.
   */
  set(quota: RequestQuota): void;
  /** Returns the quota, and what each API key has left of its quota. */
  level(): QuotaLevel;
  /**
   * Removes the quota, also that of `createSandbox`. API keys with a quota of their own keep it.
   */
  clear(): void;
}

/** `sandbox.readLag`: the time for which reads do not see a write. */
export interface SandboxReadLag {
  /**
   * Sets the time in ms of the sandbox's clock, 0 to 2,147,483,647, as the option `readLag` of
   * `createSandbox` does. With 0 all writes show at once.
   *
   * @param ms Time in ms of the sandbox's clock: 0 to 2,147,483,647.
   * @throws TypeError for another number.
   */
  set(ms: number): void;
  /** Returns the time in ms. */
  get(): number;
  /** Sets the time that `createSandbox` was given. */
  clear(): void;
}

/** `sandbox.executionTimes`: how long the steps of quotes and other resources take. */
export interface SandboxExecutionTimes {
  /**
   * Sets times of steps, as the option `executionTimes` of `createSandbox` does. Steps that are not
   * named keep their times, and so do those that are planned already. Returns all times that are
   * set.
   *
   * @throws TypeError for an unknown step or a wrong time.
   */
  set(times: ExecutionTimes): ExecutionTimes;
  /** Returns the times that are set, by step. */
  get(): ExecutionTimes;
  /** Sets the times that `createSandbox` was given. */
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

export function readLagControls(readLag: ReadLag): SandboxReadLag {
  return {
    set(ms) {
      if (!isMilliseconds(ms)) throw new TypeError(`readLag.set: must be milliseconds from 0 to ${MAX_TIMER_MS}`);
      readLag.set(ms);
    },
    get: () => readLag.ms,
    clear: () => readLag.set(),
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
