import * as z from 'zod/mini';
import { MILLISECONDS, type Rule, rule } from '../../../util/options.js';
import type { ApiKeys } from '../../core/keys/api-keys.js';
import type { State } from '../../core/records/state.js';
import type { Faults } from '../faults/faults.js';
import type { QuotaCounter } from '../settings/quota.js';
import type { StepTimes } from '../settings/step-times.js';
import type { WebhookFaults } from '../webhook-faults/webhook-faults.js';

/** Name of a scenario. */
export type ScenarioName =
  | 'maintenance'
  | 'rate_limited'
  | 'flaky_network'
  | 'slow_execution'
  | 'nightly_settlement'
  | 'price_drop'
  | 'kyc_review'
  | 'revoked_key'
  | 'rotated_key'
  | 'lossy_webhooks';

/** Options of a scenario. Each scenario accepts some of them, which `scenarios.list` names. */
export interface ScenarioOptions {
  /**
   * Time in ms of the sandbox's clock after which it ends, above 0. Default: it runs until `stop`.
   */
  readonly for?: number | undefined;
  /** `maintenance`: the operations that fail, by name or title. Default: every request. */
  readonly operations?: readonly string[] | undefined;
  /**
   * `maintenance`, `nightly_settlement`: `Retry-After` in seconds, 0 or more. Default: the rest of
   * `for`, or 30 without it.
   */
  readonly retryAfterSeconds?: number | undefined;
  /** `rate_limited`: maximum number of requests in a window, 1 or more. Default 5. */
  readonly requests?: number | undefined;
  /** `rate_limited`: length of a window in ms, 1 or more. Default 10,000. */
  readonly per?: number | undefined;
  /** `flaky_network`, `lossy_webhooks`: the share that fails, above 0 to 1. Default 0.3. */
  readonly share?: number | undefined;
  /** `price_drop`: percentage by which prices drop, above 0, below 100. Default 20. */
  readonly percent?: number | undefined;
  /** `price_drop`: tickers. Default: all but fiat money and stablecoins. */
  readonly symbols?: readonly string[] | undefined;
  /** `kyc_review`: ids of users. Default: all whose state is `ok`. */
  readonly users?: readonly string[] | undefined;
  /** `kyc_review`: `true` closes their accounts (403). Default: the option of `createSandbox`. */
  readonly enforce?: boolean | undefined;
  /**
   * `slow_execution`: duration of each step in ms of the sandbox's clock, above 0. Default 300,000.
   */
  readonly ms?: number | undefined;
  /** `revoked_key`, `rotated_key`: the API key. Default: the one in `credentials`. */
  readonly apiKey?: string | undefined;
}

/** The parts of a sandbox that scenarios change. */
export interface ScenarioParts {
  readonly state: State;
  readonly keys: ApiKeys;
  readonly faults: Faults;
  readonly webhookFaults: WebhookFaults;
  readonly quota: QuotaCounter;
  readonly stepTimes: StepTimes;
}

/**
 * Data with which a scenario can be undone: what it changed and the earlier values, as plain JSON
 * data.
 */
export type Undo<Saved extends object = object, Run = unknown> = Saved & {
  /**
   * The part for faults and settings. It is not saved: they belong to one run of the sandbox, and
   * the next run starts without them.
   */
  readonly run?: Run | undefined;
};

export interface ScenarioOption {
  readonly rule: Rule;
  /** One sentence about the option. */
  readonly text: string;
}

/** Start of the error messages of `start`. */
export const METHOD = 'scenarios.start';

/** One scenario. All members are required: a new scenario without one of them does not compile. */
export interface ScenarioKind<Saved extends object = object, Run = unknown> {
  /** One sentence about the effect of the scenario, and what its end restores. */
  readonly summary: string;
  /** All options except `for`, which every scenario accepts. */
  readonly options: Readonly<Record<string, ScenarioOption>>;
  /** Schema of a saved undo. */
  readonly saved: z.core.$ZodType<Saved>;
  /** @param name Name of the scenario. */
  start(parts: ScenarioParts, options: ScenarioOptions, name: ScenarioName): Undo<Saved, Run>;
  /** Restores what `start` changed, except what has changed again since then. */
  stop(parts: ScenarioParts, undo: Undo<Saved, Run>, name: ScenarioName): void;
}

export const FOR: ScenarioOption = {
  rule: MILLISECONDS,
  text: 'Ends after so many milliseconds of the clock; else it lasts until it is stopped.',
};

/** A list of texts. `what` starts the message, for example `a list of texts`. */
export const listOfTexts = (what: string): Rule =>
  rule(
    (value) => Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string'),
    `must be ${what}, at least one`,
    (value) => (Array.isArray(value) ? [...value] : value),
  );

/** Schema of the saved undo of a scenario that changes only faults and settings. */
export const NOTHING_SAVED: z.ZodMiniObject = z.object({});
