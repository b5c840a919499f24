/** A local service for tests and examples: `partner-sdk/sandbox`. */
import '../util/supported-node.js';

export type { Unrecognized } from '../schema/types.js';

export type { ControlCall } from './http/control-plane.js';
export type { ConversionInput } from './lifecycles/conversions.js';
export type { DepositInput } from './lifecycles/deposits.js';
export type { ListenOptions, SandboxOptions } from './options.js';
export type { SandboxCredentials } from './request/authenticate.js';
export type { Cause } from './request/errors.js';
export type { Fault, FaultOptions } from './request/faults.js';
export type { JournalEntry } from './request/journal.js';
export type { Latency } from './request/latency.js';
export { createSandbox, type Sandbox } from './sandbox.js';
export type { SandboxFixtures } from './seed/fixtures.js';
export type { SandboxSnapshot } from './snapshot/snapshot.js';
export type { Delivery, DeliveryAttempt } from './webhooks/delivery.js';
export type { Deliver } from './webhooks/in-process.js';
export type { DeliveryScheme } from './webhooks/signature.js';
export type { RegisteredWebhook, WebhookChange, WebhookInput } from './webhooks/subscriptions.js';
