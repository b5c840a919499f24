/** A local service for tests and examples: `partner-sdk/sandbox`. */
import '../util/supported-node.js';

export type { Unrecognized } from '../schema/types.js';
export type { SandboxCredentials } from './core/keys/api-keys.js';
export type { CredentialOptions } from './core/keys/credential-options.js';
export type { NonceTime } from './core/keys/nonce-time.js';
export type { RequestQuota } from './core/keys/quota-terms.js';
export type { ApiKeyScope } from './core/keys/scopes.js';
export type { Cause } from './core/request/refusal.js';
export type { KeyConflict, SigningCheck } from './core/request/refusal-details.js';
export type { ChangeEntry, ClockEntry, EntryHead, PostingEntry, TimerEntry } from './core/timeline/entries.js';
export { createSandbox } from './create-sandbox.js';
export type { AdvanceOptions, ClockStatus } from './drive/clock.js';
export type { IdempotencyFilter } from './drive/idempotency.js';
export type { KeyUse, LastNonce, SandboxKey } from './drive/keys.js';
export type { AgendaEntry, AgendaFilter } from './drive/look/agenda.js';
export type { ResourceKindInfo } from './drive/look/kinds.js';
export type { PostingFilter } from './drive/look/look.js';
export type {
  ResourceChange,
  ResourceDetails,
  ResourceFilter,
  ResourceMove,
  SandboxResource,
} from './drive/look/resources.js';
export type { MessageBody, RequestDetails, SentAnswer, SentRequest } from './drive/requests/details.js';
export type { ExpectOptions, RequestMatcher, WaitOptions } from './drive/requests/expecting.js';
export type { ReplayOptions, SendOptions, SendResult } from './drive/requests/send.js';
export type { SandboxHealth } from './drive/requests/watching.js';
export type { SandboxSnapshot } from './drive/snapshot/snapshot-schema.js';
export type { ControlEntry, EntryKind, GapEntry, TimelineEntry } from './drive/timeline/entries.js';
export type { EventsOptions } from './drive/timeline/events.js';
export type {
  AccountInput,
  AddressDepositInput,
  BalanceInput,
  DepositInput,
  SandboxBalance,
} from './kinds/accounts/accounts.js';
export type {
  AssetOptions,
  AssetUse,
  SandboxAsset,
  SandboxTradeLimits,
  TradeLimitInput,
} from './kinds/assets/assets.js';
export type { BankLinkEligibility, BankLinkOptions, SandboxBankLink } from './kinds/bank-links.js';
export type { Arrival } from './kinds/conversions/arrivals.js';
export type { SandboxReward } from './kinds/earn.js';
export type { SandboxDeposit } from './kinds/funds/deposits.js';
export type { SandboxWithdrawalAddress } from './kinds/funds/withdrawal-addresses.js';
export type { SandboxWithdrawal } from './kinds/funds/withdrawals.js';
export type { LimitInput } from './kinds/limits.js';
export type { ConversionInput } from './kinds/on-demand-conversions/convert.js';
export type { SandboxPrice } from './kinds/prices.js';
export type { AccountHolding, AssetSum, BooksCheck, HoldingOrder } from './kinds/registry/books.js';
export type { ExecutionTimes } from './kinds/registry/execution-times.js';
export type { SandboxFixtures } from './kinds/seed/fixtures.js';
export type { TradeFees, TradeLimits } from './kinds/shared/trade-terms.js';
export type { SandboxUser, SandboxUserInput } from './kinds/users.js';
export type { SandboxOptions } from './options.js';
export type { ControlCall } from './serve/control/control-messages.js';
export type { ListeningAddress, ListenOptions, TlsIdentity } from './serve/sandbox/listen-options.js';
export type { Sandbox } from './serve/sandbox/sandbox.js';
export type { CheckEvidence, CheckStatus, SandboxCheck } from './service/checks/check.js';
export type { IdempotencyScope, KeyedRequest, SandboxIdempotencyKey } from './service/idempotency/idempotency.js';
export type { JournalEntry } from './service/journal/journal.js';
export type { JournalFilter, RequestSelection } from './service/journal/journal-filter.js';
export { createTestClient, type TestClient, type TestClientOptions } from './test-client.js';
export type { TroubleMatch } from './trouble/match.js';
export type { KnownOutcome } from './trouble/outcomes.js';
export type { QuotaLevel, Settings, SettingsInput } from './trouble/settings.js';
export type {
  Delay,
  FailOptions,
  Fault,
  FaultKind,
  Outcome,
  SpoiltDelivery,
  Trouble,
  TroubleEntry,
  TroubleOptions,
} from './trouble/trouble.js';
export type { DeliveryFilter, DeliverySummary, MaskedSecret, WebhookOverview } from './webhooks/controls/reports.js';
export type { TriggerOptions, WebhookSample } from './webhooks/controls/trigger.js';
export type { Delivery, DeliveryAttempt, DeliveryEntry, DeliveryExchange } from './webhooks/delivery/delivery.js';
export type { DeliveryEffects } from './webhooks/delivery/effects.js';
export type { Deliver } from './webhooks/delivery/in-process.js';
export type { DeliveryForm } from './webhooks/delivery/payload.js';
export type { DeliveryScheme } from './webhooks/delivery/signature.js';
export type {
  DeliveryManner,
  RegisteredWebhook,
  SigningSecret,
  WebhookChange,
  WebhookInput,
} from './webhooks/delivery/subscriptions.js';
export type { InboxMessage } from './webhooks/inbox/inbox.js';
export type { InboxAnswer, InboxAnswering, InboxFilter } from './webhooks/inbox/inbox-options.js';
export type { VerifiedSignature, WebhookVerdict } from './webhooks/verify/verify.js';
export type { WebhookVerifyInput } from './webhooks/verify/verify-input.js';
