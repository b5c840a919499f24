import { MILLISECONDS, type Rule } from '../../../util/options.js';
import type { ApiKeys } from '../../core/keys/api-keys.js';
import type { State } from '../../core/records/state.js';
import type { StepTimes } from '../../kinds/lifecycles/execution-times.js';
import type { Faults } from '../faults/faults.js';
import type { QuotaCounter } from '../quota.js';
import type { ReadLag } from '../read-lag.js';
import type { WebhookFaults } from '../webhook-faults/webhook-faults.js';

/** Options of a scenario. Each scenario takes some of them: `scenarios.list` names those. */
export interface ScenarioOptions {
  /**
   * Time after which it ends, in ms above 0 of the sandbox's clock. Default: it lasts until `stop`.
   */
  readonly for?: number | undefined;
  /** `maintenance`: the operations that are down, by name or title. Default: every request. */
  readonly operations?: readonly string[] | undefined;
  /**
   * `maintenance`, `nightly_settlement`: `Retry-After` in seconds, 0 or more. Default: what is left
   * of `for`, or 30 without it.
   */
  readonly retryAfterSeconds?: number | undefined;
  /** `rate_limited`: requests of one window, 1 or more. Default 5. */
  readonly requests?: number | undefined;
  /** `rate_limited`: length of a window in ms, 1 or more. Default 10,000. */
  readonly per?: number | undefined;
  /** `flaky_network`, `lossy_webhooks`: the share that goes wrong, above 0 to 1. Default 0.3. */
  readonly share?: number | undefined;
  /** `price_drop`: per cent by which the prices fall, above 0, below 100. Default 20. */
  readonly percent?: number | undefined;
  /** `price_drop`: tickers. Default: all but fiat money and stablecoins. */
  readonly symbols?: readonly string[] | undefined;
  /** `kyc_review`: ids of users. Default: all whose state is `ok`. */
  readonly users?: readonly string[] | undefined;
  /** `kyc_review`: `true` closes their accounts (403). Default: as `createSandbox` says. */
  readonly enforce?: boolean | undefined;
  /**
   * `slow_execution`: time of each step, default 300,000. `stale_reads`: time for which reads do
   * not see a write, default 500. In ms of the sandbox's clock, above 0.
   */
  readonly ms?: number | undefined;
  /** `revoked_key`, `rotated_key`: the API key. Default: that of `credentials`. */
  readonly apiKey?: string | undefined;
}

/** The parts of a sandbox that scenarios change. */
export interface Stage {
  readonly state: State;
  readonly keys: ApiKeys;
  readonly faults: Faults;
  readonly webhookFaults: WebhookFaults;
  readonly quota: QuotaCounter;
  readonly readLag: ReadLag;
  readonly stepTimes: StepTimes;
}

/** Takes back what a scenario has changed. */
export type Stop = () => void;

export interface ScenarioOption {
  readonly rule: Rule;
  /** A sentence about it. */
  readonly text: string;
}

/** The beginning of a message of `start`. */
export const METHOD = 'scenarios.start';

export interface ScenarioKind {
  /** A sentence about what it shows, and what its end puts back. */
  readonly summary: string;
  /** All but `for`, which every scenario has. */
  readonly options: Readonly<Record<string, ScenarioOption>>;
  /** `name`: that of the scenario. */
  readonly start: (stage: Stage, options: ScenarioOptions, name: string) => Stop;
}

export const FOR: ScenarioOption = {
  rule: MILLISECONDS,
  text: 'Ends after so many milliseconds of the clock; else it lasts until it is stopped.',
};
