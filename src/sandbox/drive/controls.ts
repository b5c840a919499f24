import { kindControls } from '../kinds/registry/controls.js';
import type { KindControls } from '../kinds/registry/index.js';
import { faultControls, type SandboxFaults } from '../trouble/controls/faults.js';
import { latencyControls, type SandboxLatency } from '../trouble/controls/latency.js';
import {
  executionTimeControls,
  quotaControls,
  type SandboxExecutionTimes,
  type SandboxQuota,
} from '../trouble/controls/limits.js';
import { outcomeControls, type SandboxOutcomes } from '../trouble/controls/outcomes.js';
import { webhookFaultControls } from '../trouble/webhook-faults/webhook-faults.js';
import { inboxControls, type SandboxInbox } from '../webhooks/controls/inbox.js';
import { type SandboxWebhooks, webhookControls } from '../webhooks/controls/webhooks.js';
import { checkControls, type SandboxChecks } from './checks.js';
import { clockControls, type SandboxClock } from './clock.js';
import { idempotencyControls, type SandboxIdempotency } from './idempotency.js';
import { keyControls, type SandboxKeys } from './keys.js';
import {
  bookControls,
  postingControls,
  resourceControls,
  type SandboxBooks,
  type SandboxPostings,
  type SandboxResources,
} from './look/look.js';
import { requestControls, type SandboxRequests } from './requests/requests.js';
import { type SandboxWatching, watchingControls } from './requests/watching.js';
import type { DrivenService } from './service/driven.js';

/** The groups of methods that drive a sandbox, and the members that report what happens in it. */
export interface SandboxControls extends SandboxWatching, KindControls {
  /** The requests of the journal. */
  readonly requests: SandboxRequests;
  /** Checks of an integration. */
  readonly checks: SandboxChecks;
  /** The partner's API keys. */
  readonly keys: SandboxKeys;
  /** The idempotency keys whose answers are replayed. */
  readonly idempotency: SandboxIdempotency;
  /** All resources of the service, by kind. */
  readonly resources: SandboxResources;
  /** Movements of money. */
  readonly postings: SandboxPostings;
  /** Checks of the ledger. */
  readonly books: SandboxBooks;
  /** The sandbox's time. */
  readonly clock: SandboxClock;
  /** Makes requests fail. */
  readonly faults: SandboxFaults;
  /** Sets the outcomes of the next effects of operations. */
  readonly outcomes: SandboxOutcomes;
  /** Delays answers. */
  readonly latency: SandboxLatency;
  /** Maximum number of requests of each API key in a window. */
  readonly quota: SandboxQuota;
  /** Durations of the steps of quotes and other lifecycles. */
  readonly executionTimes: SandboxExecutionTimes;
  /** Webhooks and their deliveries. */
  readonly webhooks: SandboxWebhooks;
  /** Receivers inside the sandbox. */
  readonly inbox: SandboxInbox;
}

export function controlsOf(service: DrivenService): SandboxControls {
  return {
    ...watchingControls(service),
    requests: requestControls(service),
    checks: checkControls(service),
    keys: keyControls(service),
    idempotency: idempotencyControls(service),
    resources: resourceControls(service, service.changes),
    postings: postingControls(service.postings),
    books: bookControls(service.state, () => service.firstTotals),
    clock: clockControls(service),
    faults: faultControls(service.trouble.faults),
    outcomes: outcomeControls(service.trouble.outcomes),
    latency: latencyControls(service.trouble.latency),
    quota: quotaControls(service.trouble.quota, service.keys),
    executionTimes: executionTimeControls(service.trouble.stepTimes),
    webhooks: webhookControls(service, webhookFaultControls(service.trouble.webhookFaults)),
    inbox: inboxControls(service.webhooks.inbox),
    ...kindControls(service.state),
  };
}
