import { controlsOfGroup, type Group, type GroupOf } from '../core/kind/group.js';
import { KIND_GROUPS, kindControls } from '../kinds/registry/controls.js';
import type { KindControls } from '../kinds/registry/index.js';
import { faults, type SandboxFaults } from '../trouble/faults/faults.js';
import { latency, type SandboxLatency } from '../trouble/settings/latency.js';
import { outcomes, type SandboxOutcomes } from '../trouble/settings/outcomes.js';
import { quota, type SandboxQuota } from '../trouble/settings/quota.js';
import { executionTimes, type SandboxExecutionTimes } from '../trouble/settings/step-times.js';
import { webhookFaults } from '../trouble/webhook-faults/webhook-faults.js';
import { inbox, type SandboxInbox } from '../webhooks/controls/inbox.js';
import { type SandboxWebhooks, webhooks } from '../webhooks/controls/webhooks.js';
import { checks, type SandboxChecks } from './checks.js';
import { clock, type SandboxClock } from './clock.js';
import { idempotency, type SandboxIdempotency } from './idempotency.js';
import { keys, type SandboxKeys } from './keys.js';
import {
  books,
  postings,
  resources,
  type SandboxBooks,
  type SandboxPostings,
  type SandboxResources,
} from './look/look.js';
import { requests, type SandboxRequests } from './requests/requests.js';
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

/** The groups of the sandbox, but for those of kinds. */
const OWN_GROUPS = {
  requests,
  checks,
  keys,
  idempotency,
  resources,
  postings,
  books,
  clock,
  faults,
  outcomes,
  latency,
  quota,
  executionTimes,
  webhooks,
  inbox,
} satisfies Readonly<Record<string, Group<DrivenService>>>;

/** All groups that drive a sandbox. */
export const CONTROL_GROUPS: readonly Group<never>[] = [...Object.values(OWN_GROUPS), webhookFaults, ...KIND_GROUPS];

type MadeOf<Groups> = {
  readonly [Name in keyof Groups]: Groups[Name] extends { readonly makes?: infer Made } ? Made : never;
};

export function controlsOf(service: DrivenService): SandboxControls {
  const made = Object.entries(OWN_GROUPS).map(
    ([name, group]) => [name, controlsOfGroup(service, group as GroupOf<DrivenService, object>)] as const,
  );
  const own = Object.fromEntries(made) as MadeOf<typeof OWN_GROUPS>;
  return {
    ...watchingControls(service),
    ...own,
    webhooks: Object.assign(own.webhooks, { faults: controlsOfGroup(service, webhookFaults) }),
    ...kindControls(service.state),
  };
}
