import { operations } from '../../resources/operations.js';
import { Faults } from '../faults/faults.js';
import { StepTimes } from '../lifecycles/execution-times.js';
import type { SandboxOptions } from '../options.js';
import { Latencies } from '../request/latency.js';
import { QuotaCounter } from '../request/quota.js';
import type { Random } from '../state/random.js';
import { ReadLag } from '../state/read-lag.js';
import type { State } from '../state/state.js';
import type { RunTask } from '../state/task.js';
import { Outcomes } from './outcomes.js';

/** What makes the service behave as in production, on a bad day. It belongs to one run. */
export class Trouble {
  readonly faults: Faults;
  readonly latency: Latencies;
  readonly quota: QuotaCounter;
  readonly readLag: ReadLag;
  readonly stepTimes: StepTimes;
  readonly outcomes: Outcomes;

  constructor(state: State, streamOf: (label: string) => Random, options: SandboxOptions) {
    const { clock, timeline } = state;
    const { latency = 0, quota, readLag = 0, executionTimes } = options;
    this.faults = new Faults({ operations, random: streamOf('faults'), clock, timeline });
    this.latency = new Latencies(latency, operations, streamOf('latency'));
    this.quota = new QuotaCounter(quota, clock);
    this.readLag = new ReadLag(state, readLag);
    this.stepTimes = new StepTimes(executionTimes);
    this.outcomes = new Outcomes(state);
  }

  /** Does what is due. */
  run({ id }: RunTask): void {
    this.faults.end(id);
  }

  /** As just made. */
  reset(): void {
    this.clear();
    this.faults.reset();
    this.latency.reset();
  }

  /** Ends all of it: what the options of `createSandbox` say holds again. */
  clear(): void {
    this.faults.clear();
    this.latency.clear();
    this.quota.reset();
    this.readLag.set();
    this.stepTimes.restore();
    this.outcomes.clear();
  }
}
