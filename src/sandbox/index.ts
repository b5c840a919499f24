/** A local service for tests and examples: `partner-sdk/sandbox`. */
import '../util/supported-node.js';

export type { Unrecognized } from '../schema/types.js';
export type { CheckEvidence, CheckStatus, SandboxCheck } from './checks/check.js';
export type { AdvanceOptions, ClockStatus } from './controls/clock.js';
export type { IdempotencyFilter, SandboxIdempotencyKey } from './controls/idempotency.js';
export type { KeyUse, LastNonce, SandboxKey } from './controls/keys.js';
export type { PostingFilter } from './controls/look.js';
export type {
  AssetOptions,
  AssetUse,
  SandboxAsset,
  SandboxTradeLimits,
  TradeLimitInput,
} from './controls/market/assets.js';
export type { SandboxPrice } from './controls/market/prices.js';
export type { ConversionInput } from './controls/money/convert.js';
export type { AddressDepositInput, DepositInput } from './controls/money/deposit.js';
export type { SandboxReward } from './controls/money/earn.js';
export type { LimitInput } from './controls/money/limits.js';
export type { SandboxWithdrawalAddress } from './controls/money/withdrawal-addresses.js';
export type { AccountInput } from './controls/people/accounts.js';
export type { BalanceInput, SandboxBalance } from './controls/people/balances.js';
export type { BankLinkEligibility, BankLinkOptions, SandboxBankLink } from './controls/people/bank-links.js';
export type { SandboxUserInput } from './controls/people/own-users.js';
export type { MessageBody, RequestDetails, SentAnswer, SentRequest } from './controls/requests/details.js';
export type { ExpectOptions, WaitOptions } from './controls/requests/expecting.js';
export type { RequestMatcher } from './controls/requests/matcher.js';
export type { ReplayOptions } from './controls/requests/replay.js';
export type { SendOptions, SendResult } from './controls/requests/send.js';
export type { SandboxHealth } from './controls/requests/watching.js';
export type { DeliveryFilter, MaskedSecret, WebhookOverview } from './controls/webhooks/reports.js';
export type { WebhookSample } from './controls/webhooks/samples.js';
export type { DeliverySummary, SummaryFilter } from './controls/webhooks/summaries.js';
export type { TriggerOptions } from './controls/webhooks/trigger.js';
export { createSandbox } from './create-sandbox.js';
export type { FaultKind, FaultMatch, FaultOptions } from './faults/fault-options.js';
export type { Fault } from './faults/faults.js';
export type { RequestMatch } from './faults/request-match.js';
export type { ListeningAddress, ListenOptions, TlsIdentity } from './http/listen-options.js';
export type { SandboxCredentials } from './keys/api-keys.js';
export type { NonceTime } from './keys/nonce-time.js';
export type { KeyQuotaLevel, QuotaLevel, RequestQuota } from './keys/quota.js';
export type { ApiKeyScope } from './keys/scopes.js';
export type { ExecutionTimes } from './lifecycles/execution-times.js';
export type { SandboxDeposit, SandboxWithdrawal } from './lifecycles/funds/settle.js';
export type { Arrival } from './lifecycles/inbound/arrivals.js';
export type { SwapFailure } from './lifecycles/price-trigger-swaps.js';
export type { TradeFees, TradeLimits } from './lifecycles/trade-terms.js';
export type { AgendaEntry, AgendaFilter } from './look/agenda.js';
export type { AccountHolding, AssetSum, BooksCheck, HoldingOrder } from './look/books.js';
export type { ResourceMove, StateMachine, StateTransition } from './look/machines.js';
export type {
  ResourceChange,
  ResourceDetails,
  ResourceFilter,
  ResourceKindInfo,
  SandboxResource,
} from './look/resources.js';
export type { ControlCall, CredentialOptions, SandboxOptions } from './options.js';
export type { Cause } from './refusal.js';
export type { SigningCheck } from './request/diagnosis/signing-check.js';
export type { JournalEntry } from './request/journal.js';
export type { JournalFilter } from './request/journal-filter.js';
export type { KeyedRequest } from './request/keyed/idempotency.js';
export type { KeyConflict } from './request/keyed/key-conflict.js';
export type { Latency, LatencyOptions, LatencySetting } from './request/latency.js';
export type { Sandbox } from './sandbox.js';
export type { ScenarioOptions } from './scenarios/scenario.js';
export type { Scenario } from './scenarios/scenarios.js';
export type { ScenarioName } from './scenarios/table.js';
export type { SandboxFixtures } from './seed/fixtures.js';
export type { Checkpoint } from './snapshot/checkpoints.js';
export type { SandboxSnapshot } from './snapshot/snapshot.js';
export { createTestClient, type TestClient, type TestClientOptions } from './test-client.js';
export type {
  ChangeEntry,
  ClockEntry,
  ControlEntry,
  DeliveryEntry,
  EntryKind,
  FaultEntry,
  GapEntry,
  PostingEntry,
  TimelineEntry,
  TimerEntry,
} from './timeline/entries.js';
export type { EntryHead } from './timeline/entry-head.js';
export type { EventsOptions } from './timeline/events.js';
export type { KnownOutcome, OutcomeAhead, OutcomeOptions } from './trouble/outcomes.js';
export type { Delivery, DeliveryAttempt, DeliveryExchange } from './webhooks/delivery.js';
export type { WebhookFaultOptions } from './webhooks/faults/fault-options.js';
export type { WebhookFault } from './webhooks/faults/webhook-faults.js';
export type { Deliver } from './webhooks/in-process.js';
export type { InboxMessage } from './webhooks/inbox/inbox.js';
export type { InboxAnswer, InboxAnswering, InboxFilter } from './webhooks/inbox/inbox-options.js';
export type { DeliveryScheme } from './webhooks/signature.js';
export type { RegisteredWebhook, SigningSecret, WebhookChange, WebhookInput } from './webhooks/subscriptions.js';
export type { VerifiedSignature, WebhookVerdict } from './webhooks/verify/verify.js';
export type { WebhookVerifyInput } from './webhooks/verify/verify-input.js';
