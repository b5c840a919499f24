/**
 * Deliveries in Fastify: `await createApp([secret], settle).listen({ port: 3000 })`.
 */
import fastify, { type FastifyInstance } from 'fastify';
import { nodeWebhookHandler, type WebhookEventOf } from 'partner-sdk/webhooks';

/**
 * Your program's work for an executed quote. After a crash it may be called again for the same
 * event, so store `event.deliveryId` together with the effect.
 */
export type Settle = (event: WebhookEventOf<'quote.executed'>) => Promise<void>;

export function createApp(secrets: readonly string[], settle: Settle): FastifyInstance {
  const app = fastify();
  const receive = nodeWebhookHandler({
    secrets, // two while one replaces the other
    on: { 'quote.executed': settle },
    onRejected: ({ reason, message }) => console.warn(`webhook rejected, ${reason}: ${message}`),
    onError: (error, event) => console.error(`webhook ${event?.deliveryId} failed and will be delivered again`, error),
  });

  // The signature covers the raw body. In this scope the parser keeps the body raw, and other
  // routes still parse their JSON.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers(); // the content type of deliveries isn't documented
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post('/webhooks/partner', (request, reply) => {
      reply.hijack(); // the handler writes the response
      return receive(request, reply.raw);
    });
  });

  app.post('/orders', (request, reply) => reply.code(201).send({ ordered: request.body }));
  return app;
}
