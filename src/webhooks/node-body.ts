import { ConfigurationError } from '../partner-error.js';
import { KEEP_THE_RAW_BODY, rawBytes } from './body.js';
import type { BodyLimits } from './handler-options.js';
import { BodyCollector, type ReceivedBody } from './received-body.js';

/**
 * What is needed of Node's `IncomingMessage`, so of Express's `req`; or of Fastify's `request`, whose parser has kept
 * the bytes.
 */
export interface NodeWebhookRequest {
  readonly method?: string | undefined;
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
  readonly httpVersionMajor?: number | undefined;
  /** The raw bytes or text, where something has kept them beside the parsed body (NestJS, cloud functions). */
  readonly rawBody?: unknown;
  /** What a body parser left: the raw bytes or text are used, a parsed object cannot be verified. */
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

/**
 * The body, from a parser that has kept it raw, else from the stream.
 *
 * @throws ConfigurationError when neither has it: something before has read the stream and parsed it.
 */
export async function readNodeBody(request: NodeWebhookRequest, limits: BodyLimits): Promise<ReceivedBody> {
  const kept = rawBytes(request.rawBody) ?? rawBytes(request.body);
  if (kept !== undefined) {
    return kept.length > limits.maxBodyBytes ? { kind: 'too_large' } : { kind: 'complete', bytes: kept };
  }
  // What stands in `body` says nothing: Express 4 puts an empty object there when it has read nothing.
  if (request.on === undefined || request.readableDidRead) throw new ConfigurationError(KEEP_THE_RAW_BODY);
  // It would give no event any more.
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
      // Text when the program has called setEncoding. What is too large is read on, so that the refusal reaches a
      // sender still sending.
      data: (chunk: unknown) => collector.add(rawBytes(chunk) ?? new Uint8Array()),
      end: () => finish(collector.received()),
      // Node reports a sender that went away as an error and as a close.
      error: () => finish({ kind: 'incomplete' }),
      close: () => finish({ kind: 'incomplete' }),
    };
    const timer = setTimeout(() => finish({ kind: collector.tooLarge ? 'too_large' : 'too_slow' }), bodyTimeout);
    for (const [event, listener] of Object.entries(listeners)) request.on?.(event, listener);
  });
}
