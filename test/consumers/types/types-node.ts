// What an application with the types of Node hands to the package.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { nodeWebhookHandler, verifyWebhook, type WebhookEvent } from 'partner-sdk/webhooks';

export function handle(request: IncomingMessage, body: Buffer): WebhookEvent {
  return verifyWebhook({ body, headers: request.headers, secret: 'c2VjcmV0' });
}

export function receiver(): Server {
  return createServer(nodeWebhookHandler({ secret: 'c2VjcmV0', on: { 'quote.executed': ({ data }) => data.status } }));
}
