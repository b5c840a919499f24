import '../util/supported-node.js';

export {
  ConfigurationError,
  isPartnerError,
  PartnerError,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from '../partner-error.js';
export type { Unrecognized } from '../schema/types.js';
export type { WebhookBody } from './body.js';
export {
  isWebhookEvent,
  type KnownWebhookEventType,
  type RampTransactionUpdate,
  type UnrecognizedWebhookEvent,
  type WebhookEvent,
  type WebhookEventData,
  type WebhookEventOf,
  type WebhookEventType,
  type WebhookObject,
  type WebhookResource,
} from './event.js';
export { type FetchWebhookHandler, webhookHandler } from './fetch-handler.js';
export type {
  WebhookEventHandlers,
  WebhookHandlerHooks,
  WebhookHandlerOptions,
  WebhookHandling,
  WebhookRejection,
} from './handler-options.js';
export type { WebhookHeaders, WebhookHeadersReader } from './headers.js';
export {
  type NodeWebhookHandler,
  type NodeWebhookRequest,
  type NodeWebhookResponse,
  nodeWebhookHandler,
} from './node-handler.js';
export { type MemoryReplayGuardOptions, memoryReplayGuard, type ReplayGuard } from './replay-guard.js';
export {
  type SignedWebhookHeaders,
  type SignWebhookOptions,
  type StandardWebhookHeaders,
  signWebhook,
  type WebhookScheme,
} from './signature.js';
export {
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookSecrets,
  type WebhookVerification,
} from './verify.js';
