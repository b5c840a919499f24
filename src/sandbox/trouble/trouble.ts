import { operations } from '../../resources/operations.js';
import type { Random } from '../core/basics/random.js';
import type { RunTask } from '../core/clock/task.js';
import type { ApiKeys } from '../core/keys/api-keys.js';
import type { RequestQuota } from '../core/keys/quota-terms.js';
import type { State } from '../core/records/state.js';
import type { ExecutionTimes } from '../kinds/registry/execution-times.js';
import type { WebhookDispatcher } from '../webhooks/dispatcher.js';
import { Faults } from './faults/faults.js';
import { Scenarios } from './scenarios/scenarios.js';
import { Latencies, type Latency } from './settings/latency.js';
import { Outcomes } from './settings/outcomes.js';
import { QuotaCounter } from './settings/quota.js';
import { StepTimes } from './settings/step-times.js';
import { WebhookFaults } from './webhook-faults/webhook-faults.js';

/** The parts of a sandbox that faults and scenarios change. */
interface TroubleParts {
  readonly state: State;
  readonly keys: ApiKeys;
  readonly webhooks: WebhookDispatcher;
  readonly streamOf: (label: string) => Random;
}

/** Options of `createSandbox` for delays, limits and durations. */
interface TroubleOptions {
  readonly latency?: Latency | undefined;
  readonly quota?: RequestQuota | undefined;
  readonly executionTimes?: ExecutionTimes | undefined;
}

/**
 * Faults, delays, limits and scenarios. They belong to one run of the sandbox: a snapshot does not
 * contain them.
 */
export class Trouble {
  readonly faults: Faults;
  readonly webhookFaults: WebhookFaults;
  readonly latency: Latencies;
  readonly quota: QuotaCounter;
  readonly stepTimes: StepTimes;
  readonly outcomes: Outcomes;
  readonly scenarios: Scenarios;
  readonly #webhooks: WebhookDispatcher;

  constructor({ state, keys, webhooks, streamOf }: TroubleParts, options: TroubleOptions) {
    const { clock, timeline } = state;
    const { latency = 0, quota, executionTimes } = options;
    this.faults = new Faults({ operations, random: streamOf('faults'), clock, timeline });
    this.#webhooks = webhooks;
    this.webhookFaults = new WebhookFaults(webhooks.fork('faults'), timeline);
    webhooks.strike = (delivery, isPlanned) => this.webhookFaults.strike(delivery, isPlanned);
    this.latency = new Latencies(latency, operations, streamOf('latency'), state.changes);
    this.quota = new QuotaCounter(quota, clock, state.changes);
    this.stepTimes = new StepTimes(executionTimes, state.changes);
    this.outcomes = new Outcomes(state);
    const { faults, webhookFaults, stepTimes } = this;
    this.scenarios = new Scenarios({ state, keys, faults, webhookFaults, stepTimes, quota: this.quota });
  }

  /** Runs a task that is due. */
  run({ kind, id }: RunTask): void {
    if (kind === 'fault.end') this.faults.end(id);
    else this.scenarios.end(id);
  }

  /** Removes everything, and restarts ids and random streams. */
  reset(): void {
    this.clear();
    this.faults.reset();
    this.latency.reset();
    this.outcomes.reset();
    this.webhookFaults.reset(this.#webhooks.fork('faults'));
  }

  /** Removes everything except the options of `createSandbox`. */
  clear(): void {
    this.scenarios.stopAll();
    this.faults.clear();
    this.latency.clear();
    this.quota.reset();
    this.stepTimes.reset();
    this.outcomes.clear();
  }
}
