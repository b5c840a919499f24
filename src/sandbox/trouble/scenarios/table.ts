import { kycReview, lossyWebhooks, priceDrop, revokedKey, rotatedKey } from './data.js';
import { slowExecution, staleReads } from './execution.js';
import { flakyNetwork, maintenance, nightlySettlement, rateLimited } from './requests.js';
import type { ScenarioKind } from './scenario.js';

/** A trouble that a sandbox can show. */
export type ScenarioName =
  | 'maintenance'
  | 'rate_limited'
  | 'flaky_network'
  | 'slow_execution'
  | 'stale_reads'
  | 'nightly_settlement'
  | 'price_drop'
  | 'kyc_review'
  | 'revoked_key'
  | 'rotated_key'
  | 'lossy_webhooks';

/** The one table of scenarios. */
export const SCENARIOS: Readonly<Record<ScenarioName, ScenarioKind>> = {
  maintenance,
  rate_limited: rateLimited,
  flaky_network: flakyNetwork,
  slow_execution: slowExecution,
  stale_reads: staleReads,
  nightly_settlement: nightlySettlement,
  price_drop: priceDrop,
  kyc_review: kycReview,
  revoked_key: revokedKey,
  rotated_key: rotatedKey,
  lossy_webhooks: lossyWebhooks,
};
