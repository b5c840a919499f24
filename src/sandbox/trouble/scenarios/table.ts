import { slowExecution } from './execution.js';
import { revokedKey, rotatedKey } from './keys.js';
import { priceDrop } from './prices.js';
import { flakyNetwork, maintenance, nightlySettlement, rateLimited } from './requests.js';
import type { ScenarioKind, ScenarioName } from './scenario.js';
import { kycReview } from './users.js';
import { lossyWebhooks } from './webhooks.js';

/** All scenarios. Lists, rules and documents are derived from this table. */
export const SCENARIOS: Readonly<Record<ScenarioName, ScenarioKind>> = {
  maintenance,
  rate_limited: rateLimited,
  flaky_network: flakyNetwork,
  slow_execution: slowExecution,
  nightly_settlement: nightlySettlement,
  price_drop: priceDrop,
  kyc_review: kycReview,
  revoked_key: revokedKey,
  rotated_key: rotatedKey,
  lossy_webhooks: lossyWebhooks,
};

export const SCENARIO_NAMES = Object.keys(SCENARIOS) as readonly ScenarioName[];
