import fastify from 'fastify';
import { isApiError, isPartnerError, type PartnerError, RequestValidationError } from 'partner-sdk';
import { nodeWebhookHandler } from 'partner-sdk/webhooks';
import { partner } from './partner.js';

const { PORT = '3000', PARTNER_WEBHOOK_SECRET: secret = '' } = process.env;
const app = fastify({ logger: { level: 'warn' } });

app.register(partner);

/** A write whose outcome is unknown may have happened, so your user must not send it again. */
const toldOf = ({ outcome }: PartnerError) =>
  outcome === 'not_applied' ? 'the partner service failed' : 'the result is not known yet, so do not try again';

// Without this handler, Fastify sends the message and the code of the error to your users. The
// client has logged the error.
app.setErrorHandler((error, _request, reply) => {
  if (!isPartnerError(error)) throw error; // Fastify's own handler responds
  return reply.code(502).send({ error: toldOf(error) });
});

/** Not any 404, which a proxy or a wrong base URL gets. The client rejects an id that nobody can have. */
const isNoUser = (error: unknown) => isApiError(error, 'user_not_found') || error instanceof RequestValidationError;

app.get<{ Params: { id: string } }>('/users/:id', async ({ params }, reply) => {
  try {
    const { id, created_at: since } = await app.partner.users.get(params.id);
    return { id, since };
  } catch (error) {
    if (isNoUser(error)) return reply.code(404).send({ error: 'no such user' });
    throw error;
  }
});

const receive = nodeWebhookHandler({
  secret,
  // The service may deliver the event again after a crash, so store `event.deliveryId` with the
  // effect.
  on: { 'quote.executed': ({ data }) => console.log('settled', data.id) },
  onRejected: ({ reason, message }) => app.log.warn({ reason }, message),
  onError: (error, event) =>
    app.log.error({ event: event?.deliveryId, error }, 'a webhook failed and will be delivered again'),
});

// The signature covers the raw body. In this scope the parser keeps the body raw, and other routes
// still parse their JSON.
app.register(async (scope) => {
  scope.removeAllContentTypeParsers(); // the content type of deliveries isn't documented
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  scope.post('/webhooks/partner', (request, reply) => {
    reply.hijack(); // the handler writes the response
    return receive(request, reply.raw);
  });
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void app.close());
await app.listen({ port: Number(PORT) });
