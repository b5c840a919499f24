/** A local service for tests and examples: `partner-sdk/sandbox`. */
import '../util/supported-node.js';

export type { Unrecognized } from '../schema/types.js';

export type { BankLinkOptions } from './controls/accounts.js';
export type { ConversionInput } from './controls/conversion.js';
export type { AddressDepositInput, DepositInput } from './controls/deposit.js';
export type { SandboxKey } from './controls/keys.js';
export type { SandboxUserInput } from './controls/own-users.js';
export type { SandboxPrice } from './controls/prices.js';
export { createSandbox } from './create-sandbox.js';
export type { FaultKind, FaultOptions } from './faults/fault-options.js';
export type { Fault } from './faults/faults.js';
export type { ExecutionTimes } from './lifecycles/execution-times.js';
export type { SandboxDeposit } from './lifecycles/funds/settle.js';
export type { Arrival } from './lifecycles/inbound/arrivals.js';
export type { ControlCall, CredentialOptions, ListenOptions, SandboxOptions } from './options.js';
export type { Cause } from './refusal.js';
export type { SandboxCredentials } from './request/authenticate.js';
export type { JournalEntry } from './request/journal.js';
export type { Latency } from './request/latency.js';
export type { RequestQuota } from './request/quota.js';
export type { ApiKeyScope } from './request/scopes.js';
export type { Sandbox } from './sandbox.js';
export type { SandboxFixtures } from './seed/fixtures.js';
export type { SandboxSnapshot } from './snapshot/snapshot.js';
export type { Delivery, DeliveryAttempt } from './webhooks/delivery.js';
export type { Deliver } from './webhooks/in-process.js';
export type { DeliveryScheme } from './webhooks/signature.js';
export type { RegisteredWebhook, WebhookChange, WebhookInput } from './webhooks/subscriptions.js';
