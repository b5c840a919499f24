import { ConfigurationError } from '../core/errors.js';
import type { WebhookHandlerOptions } from './handler-options.js';
import { type NodeWebhookRequest, readNodeBody } from './node-body.js';
import { type Answer, type Delivery, headersOf, Receiver } from './receive.js';

/** What is needed of Node's `ServerResponse`, so of Express's `res` and Fastify's `reply.raw`. */
export interface NodeWebhookResponse {
  readonly headersSent: boolean;
  readonly destroyed: boolean;
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(text: string): unknown;
}

/** Answers one request. Never rejects. */
export type NodeWebhookHandler = (request: NodeWebhookRequest, response: NodeWebhookResponse) => Promise<void>;

/**
 * Receives deliveries where requests are Node's: `node:http`, Express, Fastify (`reply.hijack()`, then `reply.raw`), Koa, NestJS.
 *
 * ```ts
 * app.post('/webhooks', nodeWebhookHandler({ secret, on: { 'quote.executed': (event) => settle(event.data) } })); // Express
 * ```
 *
 * Mount it before any body parser (`express.json()`): it reads the raw body itself. Where a parser has kept the raw bytes or text in
 * `request.rawBody` or `request.body` (`express.raw()`, Fastify's `parseAs: 'buffer'`), those are used; a parsed body is answered 500
 * and reported, since it cannot be verified. Everything else is as with `webhookHandler`.
 *
 * @throws ConfigurationError at once when an option is missing, unknown or wrong.
 */
export function nodeWebhookHandler(options: WebhookHandlerOptions): NodeWebhookHandler {
  const receiver = new Receiver(options);
  return async (request, response) => {
    const answer = await receiver.receive(() => deliveryOf(request));
    try {
      write(request, response, answer);
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

function write(request: NodeWebhookRequest, response: NodeWebhookResponse, answer: Answer): void {
  if (typeof response?.writeHead !== 'function') throw new ConfigurationError(NOT_OF_NODE);
  // The sender went away, or the program has answered in the meantime (a time limit of its own).
  if (response.destroyed || response.headersSent) return;
  response.writeHead(answer.status, { ...headersOf(answer), ...closing(request, answer) });
  response.end(answer.word);
}

/** A sender that is still sending has its connection closed, which exists in HTTP/1 only. */
function closing(request: NodeWebhookRequest, { status }: Answer): Record<string, string> {
  // Without a request, there is an answer to write all the same.
  return request?.httpVersionMajor === 1 && (status === 408 || status === 413) ? { connection: 'close' } : {};
}

const NOT_OF_NODE =
  "nodeWebhookHandler takes Node's request and response (Fastify: request, reply.raw); for a fetch-style Request use webhookHandler";
