import { operations } from '../../resources/operations.js';
import { Faults } from './faults/faults.js';
import type { ApiKeys } from '../core/keys/api-keys.js';
import { QuotaCounter } from './quota.js';
import { StepTimes } from '../kinds/lifecycles/execution-times.js';
import type { SandboxOptions } from '../options.js';
import { Latencies } from './latency.js';
import { Scenarios } from './scenarios/scenarios.js';
import type { Random } from '../core/random.js';
import { ReadLag } from './read-lag.js';
import type { State } from '../core/state.js';
import type { RunTask } from '../core/task.js';
import { Outcomes } from './outcomes.js';

/** The troubles of a service in production, on a bad day. They belong to one run. */
export class Trouble {
  readonly faults: Faults;
  readonly latency: Latencies;
  readonly quota: QuotaCounter;
  readonly readLag: ReadLag;
  readonly stepTimes: StepTimes;
  readonly outcomes: Outcomes;
  readonly scenarios: Scenarios;

  constructor(state: State, keys: ApiKeys, streamOf: (label: string) => Random, options: SandboxOptions) {
    const { clock, timeline } = state;
    const { latency = 0, quota, readLag = 0, executionTimes } = options;
    this.faults = new Faults({ operations, random: streamOf('faults'), clock, timeline });
    this.latency = new Latencies(latency, operations, streamOf('latency'));
    this.quota = new QuotaCounter(quota, clock);
    this.readLag = new ReadLag(state, readLag);
    this.stepTimes = new StepTimes(executionTimes);
    this.outcomes = new Outcomes(state);
    const { faults, stepTimes } = this;
    this.scenarios = new Scenarios({ state, keys, faults, stepTimes, quota: this.quota, readLag: this.readLag });
  }

  /** Does what is due. */
  run({ kind, id }: RunTask): void {
    if (kind === 'fault.end') this.faults.end(id);
    else this.scenarios.end(id);
  }

  /** As just made. */
  reset(): void {
    this.clear();
    this.faults.reset();
    this.latency.reset();
    this.outcomes.reset();
  }

  /** Ends all of it: what the options of `createSandbox` say holds again. */
  clear(): void {
    this.scenarios.stopAll();
    this.faults.clear();
    this.latency.clear();
    this.quota.reset();
    this.readLag.set();
    this.stepTimes.restore();
    this.outcomes.clear();
  }
}
