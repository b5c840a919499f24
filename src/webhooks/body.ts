import { WebhookVerificationError } from '../partner-error.js';
import { isBytes, utf8Bytes } from '../runtime/bytes.js';

/**
 * A delivery's body exactly as it arrived: its bytes (`Uint8Array`, which includes Node's `Buffer`,
 * or `ArrayBuffer`) or a string. A parsed object does not work: the signature covers the bytes.
 */
export type WebhookBody = string | Uint8Array | ArrayBuffer;

/** The advice for a program that has parsed the body. */
export const KEEP_THE_RAW_BODY =
  'body must be the raw bytes or the raw string of the delivery, which cannot be verified once a framework has parsed it. ' +
  "Keep it raw: Express: express.raw({ type: 'application/json' }) on this route, before express.json(); " +
  "Fastify: addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => done(null, body)); " +
  'Hono: await c.req.raw.arrayBuffer(); fetch style handlers: await request.arrayBuffer()';

/** Returns the bytes to verify or sign. */
export function bytesOf(body: WebhookBody): Uint8Array {
  const bytes = rawBytes(body);
  if (bytes !== undefined) return bytes;
  throw new WebhookVerificationError('bad_format', KEEP_THE_RAW_BODY);
}

/** Returns the bytes of a raw body, undefined for anything else. Works across realms. */
export function rawBytes(body: unknown): Uint8Array | undefined {
  if (typeof body === 'string') return utf8Bytes(body);
  // A Buffer is one, too.
  if (isBytes(body)) return body;
  const kind = Object.prototype.toString.call(body);
  return /^\[object (Shared)?ArrayBuffer\]$/.test(kind) ? new Uint8Array(body as ArrayBuffer) : undefined;
}

export interface BodyLimits {
  readonly maxBodyBytes: number;
  /** In ms. */
  readonly bodyTimeout: number;
}

/** A delivery's complete body, or why it is not complete. */
export type ReceivedBody =
  | { readonly kind: 'complete'; readonly bytes: Uint8Array }
  | { readonly kind: 'too_large' | 'too_slow' | 'incomplete' };

/**
 * Puts a body together from its chunks. Copies them into one growing buffer, because the chunks of
 * a body that is sent byte by byte would take a hundred times its length in small objects.
 */
export class BodyCollector {
  readonly #maxBytes: number;
  #buffer = new Uint8Array(0);
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** True if the body is larger than allowed. Its bytes are no longer stored. */
  get tooLarge(): boolean {
    return this.#length > this.#maxBytes;
  }

  add(chunk: Uint8Array): void {
    const start = this.#length;
    this.#length += chunk.length;
    if (this.tooLarge) this.#buffer = new Uint8Array(0);
    else this.#grow().set(chunk, start);
  }

  received(): ReceivedBody {
    if (this.tooLarge) return { kind: 'too_large' };
    return { kind: 'complete', bytes: this.#buffer.subarray(0, this.#length) };
  }

  #grow(): Uint8Array {
    if (this.#buffer.length < this.#length) {
      const larger = new Uint8Array(Math.min(this.#maxBytes, Math.max(this.#length, 2 * this.#buffer.length)));
      larger.set(this.#buffer);
      this.#buffer = larger;
    }
    return this.#buffer;
  }
}
