import { ConfigurationError } from '../partner-error.js';
import type { WebhookHandlerOptions } from './handler-options.js';
import { type NodeWebhookResponse, writeAnswer } from './node-answer.js';
import { type NodeWebhookRequest, readNodeBody } from './node-body.js';
import { type Delivery, Receiver } from './receive.js';

/** Answers one request. Never rejects. */
export type NodeWebhookHandler = (request: NodeWebhookRequest, response: NodeWebhookResponse) => Promise<void>;

/**
 * Receives deliveries where requests are Node's: `node:http`, Express, Fastify (`reply.hijack()`, then `reply.raw`),
 * Koa, NestJS.
 *
 * ```ts
 * app.post('/webhooks', nodeWebhookHandler({ secret, on: { 'quote.executed': (event) => settle(event.data) } })); // Express
 * ```
 *
 * Mount it before any body parser (`express.json()`): it reads the raw body itself. Where a parser has kept the raw
 * bytes or text in `request.rawBody` or `request.body` (`express.raw()`, Fastify's `parseAs: 'buffer'`), those are
 * used; a parsed body is answered 500 and reported, since it cannot be verified. Everything else is as with
 * `webhookHandler`.
 *
 * @throws ConfigurationError at once when an option is missing, unknown or wrong.
 */
export function nodeWebhookHandler(options: WebhookHandlerOptions): NodeWebhookHandler {
  const receiver = new Receiver(options);
  return async (request, response) => {
    const answer = await receiver.receive(() => deliveryOf(request));
    try {
      if (typeof response?.writeHead !== 'function') throw new ConfigurationError(NOT_OF_NODE);
      await writeAnswer(request, response, answer);
    } catch (error) {
      receiver.failed('the answer could not be written', error);
    }
  };
}

function deliveryOf(request: NodeWebhookRequest): Delivery {
  if (typeof request !== 'object' || request === null) throw new ConfigurationError(NOT_OF_NODE);
  const { method, headers } = request;
  return { method, headers, read: (limits) => readNodeBody(request, limits) };
}

const NOT_OF_NODE =
  "nodeWebhookHandler takes Node's request and response (Fastify: request, reply.raw); for a fetch-style Request use webhookHandler";
