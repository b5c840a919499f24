/** A Cloudflare worker that reads with the client and receives webhooks. */
import { Hono } from 'hono';
import { isApiError, isPartnerError, PartnerClient, type PartnerError, RequestValidationError } from 'partner-sdk';
import { memoryReplayGuard, webhookHandler } from 'partner-sdk/webhooks';

/** Variables and secrets of the worker. */
interface Bindings {
  readonly PARTNER_BASE_URL: string;
  readonly PARTNER_API_KEY: string;
  readonly PARTNER_API_SECRET: string;
  readonly PARTNER_WEBHOOK_SECRET: string;
}

/** The events that this isolate has handled. Other isolates have a memory of their own. */
const guard = memoryReplayGuard();

const app = new Hono<{ Bindings: Bindings }>();

/** Not any 404, which a proxy or a wrong base URL gets. The client rejects an id that nobody can have. */
const isNoUser = (error: unknown) => isApiError(error, 'user_not_found') || error instanceof RequestValidationError;

app.get('/users/:id', async (c) => {
  const { PARTNER_BASE_URL: baseUrl, PARTNER_API_KEY: apiKey, PARTNER_API_SECRET: apiSecret } = c.env;
  // Each request needs its own client, because a worker's request can't use the sockets of another
  // one.
  const client = new PartnerClient({ baseUrl, apiKey, apiSecret });
  try {
    const { id, created_at: since } = await client.users.get(c.req.param('id'));
    return c.json({ id, since });
  } catch (error) {
    if (isNoUser(error)) return c.json({ error: 'no such user' }, 404);
    throw error;
  }
});

/** A write whose outcome is unknown may have happened, so your user must not send it again. */
const toldOf = ({ outcome }: PartnerError) =>
  outcome === 'not_applied' ? 'the partner service failed' : 'the result is not known yet, so do not try again';

// Don't show the message of an error to your users.
app.onError((error, c) => {
  console.error(error);
  if (isPartnerError(error)) return c.json({ error: toldOf(error) }, 502);
  return c.text('Internal Server Error', 500);
});

// The signature covers the raw body, so no middleware before this may call c.req.json().
app.post('/webhooks/partner', (c) => {
  const receive = webhookHandler({
    secret: c.env.PARTNER_WEBHOOK_SECRET,
    guard,
    // The service may deliver the event again after a crash, so store `event.deliveryId` with the
    // effect.
    on: { 'quote.executed': ({ data }) => console.log('settled', data.id) },
  });
  return receive(c.req.raw);
});

export default app;
