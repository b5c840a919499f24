/**
 * Deliveries in Hono: `serve({ fetch: createApp([secret], settle).fetch, port: 3000 })`.
 */
import { Hono } from 'hono';
import { type WebhookEventOf, webhookHandler } from 'partner-sdk/webhooks';

/**
 * Your program's work for an executed quote. After a crash it may be called again for the same
 * event, so store `event.deliveryId` together with the effect.
 */
export type Settle = (event: WebhookEventOf<'quote.executed'>) => Promise<void>;

export function createApp(secrets: readonly string[], settle: Settle): Hono {
  const app = new Hono();
  const receive = webhookHandler({
    secrets, // two while one replaces the other
    on: { 'quote.executed': settle },
    onRejected: ({ reason, message }) => console.warn(`webhook rejected, ${reason}: ${message}`),
    onError: (error, event) => console.error(`webhook ${event?.deliveryId} failed and will be delivered again`, error),
  });

  // The signature covers the raw body, so no middleware before this may call c.req.json().
  app.post('/webhooks/partner', (c) => receive(c.req.raw));

  app.post('/orders', async (c) => c.json({ ordered: await c.req.json() }, 201));
  return app;
}
