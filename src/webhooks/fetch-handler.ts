import { ConfigurationError } from '../partner-error.js';
import { hasMethod } from '../util/members.js';
import { atLimit, type PlatformRequest, type PlatformResponse } from '../util/platform.js';
import { BodyCollector, type BodyLimits, KEEP_THE_RAW_BODY, type ReceivedBody, rawBytes } from './body.js';
import type { WebhookHandlerOptions } from './handler-options.js';
import { type Delivery, headersOf, Receiver } from './receive.js';

/** Responds to one request. Never rejects. */
export type FetchWebhookHandler = (request: PlatformRequest) => Promise<PlatformResponse>;

/**
 * Receives deliveries as requests of the fetch standard: Hono, Next.js, Bun, Deno, workers.
 *
 * Create it once, not for each request. No code before it may read the body. It responds with
 *
 * - 200 once `on…` has returned (its promise is awaited), for a duplicate of a handled event, and
 *   for kinds without a function;
 * - 400 to a request that can't be verified, 405, 408, 413: see `WebhookRejection`. It reads the
 *   body only if the signature is well formed and its time is fresh;
 * - 500 if `on…` or the guard throws, or the program has already consumed the raw body, so that the
 *   service delivers again.
 *
 * The service waits 30 s for the response, then delivers again, so put longer work into a queue. In
 * an older edition of its reference, it stops after 5 minutes, so after a longer outage, read what
 * you missed. The guard drops duplicates. Don't rely on the order of events.
 *
 * @example
 * import { Hono } from 'hono';
 *
 * const app = new Hono();
 * const receive = webhookHandler({ secret, onEvent: (event) => settle(event) });
 * app.post('/webhooks', (c) => receive(c.req.raw)); // in Next.js: export const POST = receive
 *
 * @throws ConfigurationError at once if an option is missing, unknown or wrong.
 */
export function webhookHandler(options: WebhookHandlerOptions): FetchWebhookHandler {
  const receiver = new Receiver(options);
  return async (request) => {
    const answer = await receiver.receive(() => deliveryOf(request));
    return new Response(answer.word, { status: answer.status, headers: headersOf(answer) });
  };
}

function deliveryOf(request: Request): Delivery {
  if (typeof request?.arrayBuffer !== 'function') throw new ConfigurationError(NOT_A_FETCH_REQUEST);
  const { method, headers } = request;
  return { method, headers, read: (limits) => readBody(request, limits) };
}

async function readBody(request: Request, { maxBodyBytes, bodyTimeout }: BodyLimits): Promise<ReceivedBody> {
  if (request.bodyUsed || request.body?.locked) throw new ConfigurationError(KEEP_THE_RAW_BODY);
  const collector = new BodyCollector(maxBodyBytes);
  const { next, cancel } = chunksOf(request);
  const collect = async (): Promise<ReceivedBody> => {
    for (let chunk = await next(); chunk !== undefined; chunk = await next()) {
      collector.add(chunk);
      if (collector.tooLarge) break;
    }
    return collector.received();
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<ReceivedBody>((resolve) => {
    timer = setTimeout(() => atLimit(() => resolve({ kind: 'too_slow' })), bodyTimeout);
  });
  try {
    return await Promise.race([collect(), limit]);
  } catch {
    return { kind: 'incomplete' };
  } finally {
    clearTimeout(timer);
    cancel();
  }
}

interface Chunks {
  /** Returns the next chunk, undefined at the end. */
  next(): Promise<Uint8Array | undefined>;
  /** Releases the unread rest of the body. */
  cancel(): void;
}

/** The body is a web stream, a Node stream (node-fetch), or can only be read as a whole. */
function chunksOf(request: Request): Chunks {
  const body: unknown = request.body;
  if (hasMethod(body, 'getReader')) {
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    return { next: async () => (await reader.read()).value, cancel: () => void reader.cancel().catch(() => {}) };
  }
  const stream = hasMethod(body, 'destroy') ? (body as unknown as NodeBody) : undefined;
  const chunks = stream?.[Symbol.asyncIterator]() ?? wholeBody(request);
  const next = async () => {
    const { value } = await chunks.next();
    return value === undefined ? undefined : rawBytes(value);
  };
  return { next, cancel: () => stream?.destroy() };
}

type NodeBody = AsyncIterable<unknown> & { destroy(): void };

async function* wholeBody(request: Request): AsyncGenerator<unknown> {
  if (request.body !== null) yield await request.arrayBuffer();
}

const NOT_A_FETCH_REQUEST =
  "webhookHandler takes a fetch-style Request; for Node's request and response (Express, Fastify) use nodeWebhookHandler";
