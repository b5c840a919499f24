import { controlsOfGroup, type Group, type GroupOf } from '../core/kind/group.js';
import { KIND_GROUPS, kindControls } from '../kinds/registry/controls.js';
import type { KindControls } from '../kinds/registry/index.js';
import { checks, type SandboxChecks } from '../service/checks/run-checks.js';
import { type SandboxTroubles, troubles } from '../trouble/registry.js';
import { type SandboxSettings, settings } from '../trouble/settings.js';
import { inbox, type SandboxInbox } from '../webhooks/controls/inbox.js';
import { type SandboxWebhooks, webhooks } from '../webhooks/controls/webhooks.js';
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

/**
 * The groups of methods that drive a sandbox, and the members that report what happens in it. Each
 * method throws a `TypeError` for a wrong argument, and an `Error` for an unknown id and for what
 * the state does not allow.
 */
export interface SandboxControls extends SandboxWatching, KindControls {
  /** The requests of the journal. */
  readonly requests: SandboxRequests;
  /** Checks of an integration. */
  readonly checks: SandboxChecks;
  /** The partner's API keys. */
  readonly keys: SandboxKeys;
  /** The idempotency keys whose responses are replayed. */
  readonly idempotency: SandboxIdempotency;
  /** All resources of the service, by kind. */
  readonly resources: SandboxResources;
  /** Movements of money. */
  readonly postings: SandboxPostings;
  /** Checks of the ledger. */
  readonly books: SandboxBooks;
  /** The sandbox's time. */
  readonly clock: SandboxClock;
  /** What goes wrong, with requests and with deliveries of webhooks. */
  readonly troubles: SandboxTroubles;
  /** Settings of the whole sandbox. */
  readonly settings: SandboxSettings;
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
  troubles,
  settings,
  webhooks,
  inbox,
} satisfies Readonly<Record<string, Group<DrivenService>>>;

/** All groups that drive a sandbox. */
export const CONTROL_GROUPS: readonly Group<never>[] = [...Object.values(OWN_GROUPS), ...KIND_GROUPS];

type MadeOf<Groups> = {
  readonly [Name in keyof Groups]: Groups[Name] extends { readonly makes?: infer Made } ? Made : never;
};

export function controlsOf(service: DrivenService): SandboxControls {
  const made = Object.entries(OWN_GROUPS).map(
    ([name, group]) => [name, controlsOfGroup(service, group as GroupOf<DrivenService, object>)] as const,
  );
  const own = Object.fromEntries(made) as MadeOf<typeof OWN_GROUPS>;
  return { ...watchingControls(service), ...own, ...kindControls(service.state) };
}
