import { type FetchWebhookHandler, webhookHandler } from 'partner-sdk/webhooks';

export const dynamic = 'force-dynamic';

let handler: FetchWebhookHandler | undefined;

/** The handler is created at the first delivery, because `next build` has no secret. */
export function POST(request: Request): Promise<Response> {
  handler ??= webhookHandler({
    secret: process.env['PARTNER_WEBHOOK_SECRET'] ?? '',
    // The service may deliver the event again after a crash, so store `event.deliveryId` with the
    // effect.
    on: { 'quote.executed': ({ data }) => console.log('settled', data.id) },
  });
  return handler(request);
}
