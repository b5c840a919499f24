import { type FetchWebhookHandler, webhookHandler } from 'partner-sdk/webhooks';

export const dynamic = 'force-dynamic';

let handler: FetchWebhookHandler | undefined;

/** The handler is made at the first delivery: `next build` has no secret. */
export function POST(request: Request): Promise<Response> {
  handler ??= webhookHandler({
    secret: process.env['PARTNER_WEBHOOK_SECRET'] ?? '',
    // The same event may come again after a crash, so store `event.deliveryId` with the effect.
    on: { 'quote.executed': ({ data }) => console.log('settled', data.id) },
  });
  return handler(request);
}
