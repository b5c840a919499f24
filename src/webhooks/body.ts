import { types } from 'node:util';
import { WebhookVerificationError } from '../partner-error.js';

/**
 * A delivery's body exactly as it arrived: the bytes (`Uint8Array`, so Node's `Buffer` too, or `ArrayBuffer`), or their
 * text. Never the parsed object: the signature covers the bytes, and parsing loses them.
 */
export type WebhookBody = string | Uint8Array | ArrayBuffer;

/** What to do when a body arrives that is no longer raw. */
export const KEEP_THE_RAW_BODY =
  'body must be the raw bytes or text of the delivery, it cannot be verified once a framework has parsed it. ' +
  "Keep it raw: Express: express.raw({ type: 'application/json' }) on this route, before express.json(); " +
  "Fastify: addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => done(null, body)); " +
  'Hono: await c.req.raw.arrayBuffer(); fetch style handlers: await request.arrayBuffer()';

/** The bytes to verify or sign. */
export function bytesOf(body: WebhookBody): Uint8Array {
  const bytes = rawBytes(body);
  if (bytes !== undefined) return bytes;
  throw new WebhookVerificationError('bad_format', KEEP_THE_RAW_BODY);
}

/**
 * The bytes of a raw body, undefined for anything else. Asks what the value is, not whose class it has: test runners
 * load classes twice.
 */
export function rawBytes(body: unknown): Uint8Array | undefined {
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  if (types.isUint8Array(body)) return body;
  return types.isAnyArrayBuffer(body) ? new Uint8Array(body) : undefined;
}
