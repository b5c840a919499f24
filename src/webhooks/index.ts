export { WebhookVerificationError, type WebhookVerificationReason } from '../core/errors.js';
export type { WebhookBody } from './body.js';
export type { WebhookContent, WebhookEventType, WebhookObject } from './event.js';
export type { WebhookHeaders, WebhookHeadersReader } from './headers.js';
export { type SignedWebhookHeaders, type SignWebhookOptions, signWebhook } from './sign.js';
export type { WebhookScheme } from './signature.js';
export { type VerifyWebhookOptions, verifyWebhook, type WebhookEvent, type WebhookSecrets } from './verify.js';
