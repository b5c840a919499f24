/** The types of what the sandbox tells: all that the page knows of its sources. */
export type { SandboxCredentials } from '../../sandbox/core/keys/api-keys.js';
export type { Cause } from '../../sandbox/core/request/refusal.js';
export type { ChangeEntry, ClockEntry, PostingEntry } from '../../sandbox/core/timeline/entries.js';
export type { ClockStatus } from '../../sandbox/drive/clock.js';
export type { SandboxKey } from '../../sandbox/drive/keys.js';
export type { AgendaEntry } from '../../sandbox/drive/look/agenda.js';
export type { ResourceKindInfo } from '../../sandbox/drive/look/kinds.js';
export type { ResourceDetails, SandboxResource } from '../../sandbox/drive/look/resources.js';
export type { MessageBody, RequestDetails } from '../../sandbox/drive/requests/details.js';
export type { SendOptions, SendResult } from '../../sandbox/drive/requests/send.js';
export type { SandboxHealth } from '../../sandbox/drive/requests/watching.js';
export type { GapEntry, TimelineEntry } from '../../sandbox/drive/timeline/entries.js';
export type { AccountHolding, BooksCheck } from '../../sandbox/kinds/registry/books.js';
export type { SandboxFixtures } from '../../sandbox/kinds/seed/fixtures.js';
export type { CheckEvidence, CheckStatus, SandboxCheck } from '../../sandbox/service/checks/check.js';
export type { JournalEntry } from '../../sandbox/service/journal/journal.js';
export type { KnownOutcome } from '../../sandbox/trouble/outcomes.js';
export type { Settings } from '../../sandbox/trouble/settings.js';
export type { Trouble } from '../../sandbox/trouble/trouble.js';
export type { DeliverySummary, WebhookOverview } from '../../sandbox/webhooks/controls/reports.js';
export type { WebhookSample } from '../../sandbox/webhooks/controls/trigger.js';
export type {
  Delivery,
  DeliveryAttempt,
  DeliveryEntry,
  DeliveryExchange,
} from '../../sandbox/webhooks/delivery/delivery.js';
export type { SigningSecret } from '../../sandbox/webhooks/delivery/subscriptions.js';
export type { InboxMessage } from '../../sandbox/webhooks/inbox/inbox.js';
export type { InboxAnswering } from '../../sandbox/webhooks/inbox/inbox-options.js';
export type { VerifiedSignature, WebhookVerdict } from '../../sandbox/webhooks/verify/verify.js';
