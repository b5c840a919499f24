/** A worker of Cloudflare: reads through the client, and receives webhooks. */
import { Hono } from 'hono';
import { isPartnerError, NotFoundError, PartnerClient } from 'partner-sdk';
import { memoryReplayGuard, webhookHandler } from 'partner-sdk/webhooks';

/** Variables and secrets of the worker. */
interface Bindings {
  readonly PARTNER_BASE_URL: string;
  readonly PARTNER_API_KEY: string;
  readonly PARTNER_API_SECRET: string;
  readonly PARTNER_WEBHOOK_SECRET: string;
}

/** Repeats that this isolate has handled. Others have a memory of their own. */
const guard = memoryReplayGuard();

const app = new Hono<{ Bindings: Bindings }>();

app.get('/users/:id', async (c) => {
  const { PARTNER_BASE_URL: baseUrl, PARTNER_API_KEY: apiKey, PARTNER_API_SECRET: apiSecret } = c.env;
  // A client of its own: workers forbid that one request waits for the sockets of another.
  const client = new PartnerClient({ baseUrl, apiKey, apiSecret });
  try {
    const { id, created_at: since } = await client.users.get(c.req.param('id'));
    return c.json({ id, since });
  } catch (error) {
    if (error instanceof NotFoundError) return c.json({ error: 'no such user' }, 404);
    throw error;
  }
});

// The message of an error is not for your users.
app.onError((error, c) => {
  console.error(error);
  if (isPartnerError(error)) return c.json({ error: 'the partner service failed' }, 502);
  return c.text('Internal Server Error', 500);
});

// The signature covers the raw body, so no middleware before this may call c.req.json().
app.post('/webhooks/partner', (c) => {
  const receive = webhookHandler({
    secret: c.env.PARTNER_WEBHOOK_SECRET,
    guard,
    // The same event may come again after a crash, so store `event.deliveryId` with the effect.
    on: { 'quote.executed': ({ data }) => console.log('settled', data.id) },
  });
  return receive(c.req.raw);
});

export default app;
