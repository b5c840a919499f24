import { kycReview, lossyWebhooks, priceDrop, revokedKey } from './data.js';
import { slowExecution, staleReads } from './execution.js';
import { flakyNetwork, maintenance, nightlySettlement, rateLimited } from './requests.js';
import type { ScenarioKind } from './scenario.js';

/** The one table of scenarios. */
export const SCENARIOS = {
  maintenance,
  rate_limited: rateLimited,
  flaky_network: flakyNetwork,
  slow_execution: slowExecution,
  stale_reads: staleReads,
  nightly_settlement: nightlySettlement,
  price_drop: priceDrop,
  kyc_review: kycReview,
  revoked_key: revokedKey,
  lossy_webhooks: lossyWebhooks,
} as const satisfies Readonly<Record<string, ScenarioKind>>;

/** A trouble that a sandbox can show. */
export type ScenarioName = keyof typeof SCENARIOS;
