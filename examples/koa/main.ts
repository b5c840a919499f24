import Router from '@koa/router';
import Koa from 'koa';
import { isApiError, isPartnerError, PartnerClient, type PartnerError, RequestValidationError } from 'partner-sdk';
import { nodeWebhookHandler } from 'partner-sdk/webhooks';

const { PORT = '3000', PARTNER_WEBHOOK_SECRET: secret = '' } = process.env;
const client = new PartnerClient({ logger: { warn: console.warn, error: console.error } });
const app = new Koa();
const router = new Router();

/** A write whose outcome is unknown may have happened, so your user must not send it again. */
const toldOf = ({ outcome }: PartnerError) =>
  outcome === 'not_applied' ? 'the partner service failed' : 'the result is not known yet, so do not try again';

// Before everything else, so that it catches what the others throw. The client has logged the
// error; its message is not for your users.
app.use(async (context, next) => {
  try {
    await next();
  } catch (error) {
    if (!isPartnerError(error)) throw error; // Koa's own handler answers
    context.status = 502;
    context.body = { error: toldOf(error) };
  }
});

/** Not any 404, which a proxy or a wrong base URL gets. The client rejects an id that nobody can have. */
const isNoUser = (error: unknown) => isApiError(error, 'user_not_found') || error instanceof RequestValidationError;

router.get('/users/:id', async (context) => {
  try {
    const { id, created_at: since } = await client.users.get(context.params.id);
    context.body = { id, since };
  } catch (error) {
    if (!isNoUser(error)) throw error;
    context.status = 404;
    context.body = { error: 'no such user' };
  }
});

const receive = nodeWebhookHandler({
  secret,
  // The same event may come again after a crash, so store `event.deliveryId` with the effect.
  on: { 'quote.executed': ({ data }) => console.log('settled', data.id) },
});

// Before any body parser, because the signature covers the raw body, which the handler reads itself.
router.post('/webhooks/partner', async (context) => {
  context.respond = false; // the handler writes the response
  await receive(context.req, context.res);
});

app.use(router.routes());

const server = app.listen(Number(PORT));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // First the last requests are answered, then the client closes its connections.
  process.once(signal, () => server.close(() => void client.close()));
}
