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
export { type FetchWebhookHandler, webhookHandler } from './fetch-handler.js';
export { type MemoryReplayGuardOptions, memoryReplayGuard, type ReplayGuard } from './guard.js';
export type {
  WebhookEventHandlers,
  WebhookHandlerHooks,
  WebhookHandlerOptions,
  WebhookHandling,
  WebhookRejection,
} from './handler-options.js';
export type { WebhookHeaders, WebhookHeadersReader } from './headers.js';
export {
  isWebhookEvent,
  type KnownWebhookEventType,
  type UnrecognizedWebhookEvent,
  type WebhookEvent,
  type WebhookEventData,
  type WebhookEventOf,
  type WebhookEventType,
  type WebhookObject,
  type WebhookResource,
} from './kinds.js';
export type { NodeWebhookResponse } from './node-answer.js';
export type { NodeWebhookRequest } from './node-body.js';
export { type NodeWebhookHandler, nodeWebhookHandler } from './node-handler.js';
export { type SignedWebhookHeaders, type SignWebhookOptions, signWebhook } from './sign.js';
export type { WebhookScheme } from './signature.js';
export {
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookSecrets,
  type WebhookVerification,
} from './verify.js';
