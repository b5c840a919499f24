/** A local service for tests and examples: `partner-sdk/sandbox`. */
export type { SandboxCredentials } from './authenticate.js';
export type { ControlCall } from './control-plane.js';
export type { Cause } from './errors.js';
export type { Fault, FaultOptions } from './faults.js';
export type { JournalEntry } from './journal.js';
export type { Latency } from './latency.js';
export type { ConversionInput } from './lifecycles/conversions.js';
export type { DepositInput } from './lifecycles/deposits.js';
export type { SandboxOptions } from './options.js';
export { createSandbox, type ListenOptions, type Sandbox } from './sandbox.js';
export type { SandboxFixtures } from './seed/fixtures.js';
export type { SandboxSnapshot } from './snapshot.js';
export type { Delivery, DeliveryAttempt } from './webhooks/delivery.js';
export type { Deliver } from './webhooks/in-process.js';
export type { RegisteredWebhook, WebhookChange, WebhookInput } from './webhooks/subscriptions.js';
