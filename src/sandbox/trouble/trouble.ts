import { operations } from '../../resources/operations.js';
import type { Random } from '../core/basics/random.js';
import type { RequestQuota } from '../core/keys/quota-terms.js';
import type { State } from '../core/records/state.js';
import type { ExecutionTimes } from '../kinds/registry/execution-times.js';
import type { WebhookDispatcher } from '../webhooks/dispatcher.js';
import { Faults } from './faults/faults.js';
import { Latencies, type Latency } from './settings/latency.js';
import { Outcomes } from './settings/outcomes.js';
import { QuotaCounter } from './settings/quota.js';
import { StepTimes } from './settings/step-times.js';
import { WebhookFaults } from './webhook-faults/webhook-faults.js';

/** The parts of a sandbox to which faults apply. */
interface TroubleParts {
  readonly state: State;
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
 * Faults, delays, limits and outcomes. They belong to one run of the sandbox: a snapshot does not
 * contain them.
 */
export class Trouble {
  readonly faults: Faults;
  readonly webhookFaults: WebhookFaults;
  readonly latency: Latencies;
  readonly quota: QuotaCounter;
  readonly stepTimes: StepTimes;
  readonly outcomes: Outcomes;
  readonly #webhooks: WebhookDispatcher;

  constructor({ state, webhooks, streamOf }: TroubleParts, options: TroubleOptions) {
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
  }

  /** Removes everything, and restarts ids and random streams. */
  reset(): void {
    this.faults.reset();
    this.latency.reset();
    this.quota.reset();
    this.stepTimes.reset();
    this.outcomes.reset();
    this.webhookFaults.reset(this.#webhooks.fork('faults'));
  }
}
