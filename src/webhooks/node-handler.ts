import { ConfigurationError } from '../partner-error.js';
import { afterPolling, atLimit } from '../util/platform.js';
import { BodyCollector, type BodyLimits, KEEP_THE_RAW_BODY, type ReceivedBody, rawBytes } from './body.js';
import type { WebhookHandlerOptions } from './handler-options.js';
import { type Answer, type Delivery, headersOf, Receiver } from './receive.js';

/**
 * The members that are used of Node's `IncomingMessage`, and so of Express's `req`; or of Fastify's
 * `request`, whose parser has stored the bytes.
 */
export interface NodeWebhookRequest {
  readonly method?: string | undefined;
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
  readonly httpVersionMajor?: number | undefined;
  /** The raw bytes or string, stored beside the parsed body (NestJS, cloud functions). */
  readonly rawBody?: unknown;
  /** The result of a body parser: raw bytes or a string are used, a parsed object is rejected. */
  readonly body?: unknown;
  readonly destroyed?: boolean | undefined;
  readonly readableDidRead?: boolean | undefined;
  /** False while the body is still being sent. */
  readonly complete?: boolean | undefined;
  readonly socket?: { end(): unknown } | undefined;
  resume?(): unknown;
  on?(event: string, listener: (...values: unknown[]) => void): unknown;
  off?(event: string, listener: (...values: unknown[]) => void): unknown;
}

/** The used part of Node's `ServerResponse`: Express's `res`, Fastify's `reply.raw`. */
export interface NodeWebhookResponse {
  readonly headersSent: boolean;
  readonly destroyed: boolean;
  writeHead(status: number, headers: Record<string, string>): unknown;
  write?(text: string, written: () => void): unknown;
  end(text: string): unknown;
}

/** Responds to one request. Resolves when the response has ended, and never rejects. */
export type NodeWebhookHandler = (request: NodeWebhookRequest, response: NodeWebhookResponse) => Promise<void>;

/** A sender whose body is not wanted may send for this long; then its connection is closed. */
const MAX_LINGER_MS = 2_000;

/**
 * Receives deliveries as requests of Node: `node:http`, Express, Fastify (`reply.hijack()`, then
 * `reply.raw`), Koa, NestJS.
 *
 * Mount it before any body parser (`express.json()`), because it reads the raw body itself. If a
 * parser has stored the raw bytes or string in `request.rawBody` or `request.body`
 * (`express.raw()`, Fastify's `parseAs: 'buffer'`), then those are used. A parsed body gets 500 and
 * is reported, because it cannot be verified. Everything else is as with `webhookHandler`.
 *
 * @example
 * import express from 'express';
 *
 * const app = express();
 * app.post('/webhooks', nodeWebhookHandler({ secret, onEvent: (event) => settle(event) }));
 *
 * @throws ConfigurationError at once if an option is missing, unknown or wrong.
 */
export function nodeWebhookHandler(options: WebhookHandlerOptions): NodeWebhookHandler {
  const receiver = new Receiver(options);
  return async (request, response) => {
    const answer = await receiver.receive(() => deliveryOf(request));
    try {
      if (typeof response?.writeHead !== 'function') throw new ConfigurationError(NOT_OF_NODE);
      await writeAnswer(request, response, answer);
    } catch (error) {
      receiver.failed('the response could not be sent', error, undefined, 'the service will deliver again');
    }
  };
}

const NOT_OF_NODE =
  "nodeWebhookHandler takes Node's request and response (Fastify: request, reply.raw); for a fetch-style Request use webhookHandler";

function deliveryOf(request: NodeWebhookRequest): Delivery {
  if (typeof request !== 'object' || request === null) throw new ConfigurationError(NOT_OF_NODE);
  const { method, headers } = request;
  return { method, headers, read: (limits) => readBody(request, limits) };
}

/**
 * Reads the body from a parser that has stored it raw, otherwise from the stream.
 *
 * @throws ConfigurationError if neither has it: the program has read the stream and parsed it.
 */
async function readBody(request: NodeWebhookRequest, limits: BodyLimits): Promise<ReceivedBody> {
  const kept = rawBytes(request.rawBody) ?? rawBytes(request.body);
  if (kept !== undefined) {
    return kept.length > limits.maxBodyBytes ? { kind: 'too_large' } : { kind: 'complete', bytes: kept };
  }
  // An object in `body` says nothing: Express 4 puts an empty one there if it has read nothing.
  if (request.on === undefined || request.readableDidRead) throw new ConfigurationError(KEEP_THE_RAW_BODY);
  // A destroyed request emits no event any more.
  if (request.destroyed) return { kind: 'incomplete' };
  return readStream(request, limits);
}

function readStream(request: NodeWebhookRequest, { maxBodyBytes, bodyTimeout }: BodyLimits): Promise<ReceivedBody> {
  const collector = new BodyCollector(maxBodyBytes);
  return new Promise((resolve) => {
    const finish = (received: ReceivedBody): void => {
      clearTimeout(timer);
      for (const [event, listener] of Object.entries(listeners)) request.off?.(event, listener);
      resolve(received);
    };
    const listeners = {
      // A chunk is a string if the program has called setEncoding. A body that is too large is read
      // completely: a sender that is still sending would not read the response.
      data: (chunk: unknown) => collector.add(rawBytes(chunk) ?? new Uint8Array()),
      end: () => finish(collector.received()),
      // Node reports a sender that went away as an error and as a close.
      error: () => finish({ kind: 'incomplete' }),
      close: () => finish({ kind: 'incomplete' }),
    };
    const giveUp = () => finish({ kind: collector.tooLarge ? 'too_large' : 'too_slow' });
    const timer = setTimeout(() => atLimit(giveUp), bodyTimeout);
    for (const [event, listener] of Object.entries(listeners)) request.on?.(event, listener);
  });
}

/** Responds to a request, whether its body has been read or not. */
async function writeAnswer(request: NodeWebhookRequest, response: NodeWebhookResponse, answer: Answer): Promise<void> {
  // A small body often comes with its head: by the end of this turn of the loop, Node has read
  // both.
  if (isStillSent(request)) await new Promise<void>(afterPolling);
  // The sender went away, or the program has responded in the meantime (its own time limit).
  if (response.destroyed || response.headersSent) return;
  if (isStillSent(request) && response.write !== undefined) {
    await answerAndClose(request, response, answer);
  } else {
    response.writeHead(answer.status, headersOf(answer));
    response.end(answer.word);
  }
}

/** Returns true if an HTTP/1 body is on its way: only there the connection must be closed. */
function isStillSent(request: NodeWebhookRequest | undefined): boolean {
  return request?.httpVersionMajor === 1 && request.complete === false;
}

/**
 * Responds at once and closes our side of the connection. The rest of the body is discarded until
 * the sender stops. If we closed both sides at once, the sender's system would report a broken
 * connection, and the response might never be read. Resolves when the response has ended, because
 * Koa writes its own into a response that is still open.
 */
function answerAndClose(request: NodeWebhookRequest, response: NodeWebhookResponse, answer: Answer): Promise<void> {
  const { status, word } = answer;
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      request.off?.('close', end);
      // Closes the connection: the head has announced it.
      response.end('');
      resolve();
    };
    const timer = setTimeout(end, MAX_LINGER_MS);
    timer.unref?.();
    request.on?.('close', end);
    response.writeHead(status, { ...headersOf(answer), connection: 'close', 'content-length': `${word.length}` });
    response.write?.(word, () => request.socket?.end());
    request.resume?.();
  });
}
