/**
 * Deliveries in Express: `createApp([secret], settle).listen(3000)`.
 */
import express, { type Express } from 'express';
import { nodeWebhookHandler, type WebhookEventOf } from 'partner-sdk/webhooks';

/**
 * Your program's work for an executed quote. After a crash it may be called again for the same
 * event, so store `event.deliveryId` together with the effect.
 */
export type Settle = (event: WebhookEventOf<'quote.executed'>) => Promise<void>;

export function createApp(secrets: readonly string[], settle: Settle): Express {
  const app = express();

  // Before express.json(): the signature covers the raw body, which the handler reads itself.
  app.post(
    '/webhooks/partner',
    nodeWebhookHandler({
      secrets, // two while one replaces the other
      on: { 'quote.executed': settle },
      onRejected: ({ reason, message }) => console.warn(`webhook rejected, ${reason}: ${message}`),
      onError: (error, event) =>
        console.error(`webhook ${event?.deliveryId} failed and will be delivered again`, error),
    }),
  );

  app.use(express.json());
  app.post('/orders', (request, response) => {
    response.status(201).json({ ordered: request.body });
  });
  return app;
}
