// What an application with the types of Node hands to the package.
import type { IncomingMessage } from 'node:http';
import { verifyWebhook, type WebhookEvent } from 'partner-sdk/webhooks';

export function handle(request: IncomingMessage, body: Buffer): WebhookEvent {
  return verifyWebhook({ body, headers: request.headers, secret: 'c2VjcmV0' });
}
