// A worker, by the declarations that the conditions `workerd` and `edge-light` choose. It is compiled, never run.
import type * as sdk from 'partner-sdk';
import { type ClientOptions, Decimal, fetchTransport, isApiError, PartnerClient } from 'partner-sdk';
import { verifyWebhook, type WebhookEvent, webhookHandler } from 'partner-sdk/webhooks';

// @ts-expect-error: what needs Node is not exported there.
export type OfNode = typeof sdk.undiciTransport;

interface Env {
  readonly PARTNER_API_SECRET: string;
  readonly WEBHOOK_SECRET: string;
}

const optionsOf = (env: Env): ClientOptions => ({
  baseUrl: 'https://api.example.com',
  apiKey: 'key',
  apiSecret: env.PARTNER_API_SECRET,
  transport: fetchTransport({ fetch: (url, init) => fetch(url, init) }),
});

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    if (request.method === 'POST') {
      const event: WebhookEvent = verifyWebhook({
        body: await request.arrayBuffer(),
        headers: request.headers,
        secret: env.WEBHOOK_SECRET,
      });
      return Response.json(event.type);
    }
    const client = new PartnerClient(optionsOf(env));
    try {
      const quote = await client.accounts.quotes.get('account-0123456789', 'quote', { signal: request.signal });
      const left: Decimal = quote.to.amount.minus(new Decimal('1'));
      return Response.json({ left: left.toFixed() });
    } catch (error) {
      return new Response(isApiError(error, 'not_found') ? 'no such quote' : 'failed', { status: 502 });
    }
  },
};

export const receive: (request: Request) => Promise<Response> = webhookHandler({
  secret: 'c2VjcmV0',
  on: { 'quote.executed': ({ data }) => data.id },
});
