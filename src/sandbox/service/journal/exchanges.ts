import type { ConnectionAction, HttpAnswer, ReceivedBody, RequestHead } from '../../core/request/messages.js';
import type { SigningCheck } from '../../core/request/refusal-details.js';

/**
 * Maximum number of requests whose bytes are kept, and of their bytes; the oldest are dropped
 * first.
 */
const LIMIT_REQUESTS = 1_000;
const LIMIT_BYTES = 16 * 1024 * 1024;

/** Maximum number of bytes kept of each body; the rest is cut. */
const LIMIT_BODY_BYTES = 16 * 1024;

/**
 * Maximum number of characters kept of all header names and values; further headers are dropped.
 */
const LIMIT_HEAD_LENGTH = 16 * 1024;

/** A body, or the first part of it. */
export interface KeptBody {
  readonly bytes: Uint8Array | string;
  /** Length of the whole body in bytes. */
  readonly length: number;
  readonly isCut: boolean;
}

/** The bytes of a request and of its answer. */
export interface Exchange {
  readonly origin: string;
  /** Path and query as received, of any length. */
  readonly target: string;
  /** Names and values in turn, as they were received. */
  readonly headers: readonly string[];
  /** Undefined if it was too large, or the client closed the connection before its end. */
  readonly body: KeptBody | undefined;
  /** Undefined if there was no answer. */
  readonly answer: (Pick<HttpAnswer, 'status' | 'headers'> & { readonly body: KeptBody }) | undefined;
  /**
   * Time at which the answer started, or would have started, by the machine's clock: milliseconds
   * since the epoch. It cannot be computed from the entry: `ms` counts from the head, `real` is
   * after the body.
   */
  readonly answeredAt: number;
  /** The way in which the answer was sent. */
  readonly sent: ConnectionAction['kind'];
  /** The sandbox's own signature, if that of the request was wrong. */
  readonly signing: SigningCheck | undefined;
}

/** A request that has ended. */
interface EndedRequest {
  readonly head: RequestHead;
  readonly received: ReceivedBody;
  readonly action: ConnectionAction;
  readonly signing: SigningCheck | undefined;
  /** Time in ms for which its answer is still delayed. */
  readonly delayMs: number;
}

/** The newest requests with their bodies, by the `seq` of their journal entry. */
export class Exchanges {
  readonly #kept = new Map<number, { readonly exchange: Exchange; readonly size: number }>();
  #size = 0;

  get(seq: number): Exchange | undefined {
    return this.#kept.get(seq)?.exchange;
  }

  keep(seq: number, { head, received, action, signing, delayMs }: EndedRequest): void {
    const answer = 'answer' in action ? action.answer : undefined;
    const { headers, length } = keptHeaders(head.headers());
    const body = received.kind === 'complete' ? keptBytes(received.bytes) : undefined;
    const answered = answer === undefined ? undefined : keptText(answer.body);
    const size = head.target.length + length + sizeOf(body) + sizeOf(answered);
    const exchange: Exchange = {
      origin: head.origin,
      target: head.target,
      headers,
      body,
      answer:
        answer === undefined || answered === undefined
          ? undefined
          : { status: answer.status, headers: answer.headers, body: answered },
      answeredAt: Date.now() + delayMs,
      sent: action.kind,
      signing,
    };
    this.#kept.set(seq, { exchange, size });
    this.#size += size;
    if (this.#kept.size > LIMIT_REQUESTS || this.#size > LIMIT_BYTES) this.#forget();
  }

  clear(): void {
    this.#kept.clear();
    this.#size = 0;
  }

  #forget(): void {
    for (const [seq, { size }] of this.#kept) {
      if (this.#kept.size <= LIMIT_REQUESTS && this.#size <= LIMIT_BYTES) return;
      this.#kept.delete(seq);
      this.#size -= size;
    }
  }
}

const sizeOf = (body: KeptBody | undefined): number => Math.min(body?.length ?? 0, LIMIT_BODY_BYTES);

/** HTTP limits the size of a head, but a request within the process can be of any size. */
function keptHeaders(headers: readonly string[]): { readonly headers: readonly string[]; readonly length: number } {
  let length = 0;
  for (const [index, text] of headers.entries()) {
    length += text.length;
    if (length > LIMIT_HEAD_LENGTH)
      return { headers: headers.slice(0, index - (index % 2)), length: LIMIT_HEAD_LENGTH };
  }
  return { headers, length };
}

/** A part of a larger body is copied, so that it does not keep the whole in memory. */
function keptBytes(bytes: Uint8Array): KeptBody {
  const { length } = bytes;
  if (length <= LIMIT_BODY_BYTES) return { bytes, length, isCut: false };
  return { bytes: bytes.slice(0, LIMIT_BODY_BYTES), length, isCut: true };
}

function keptText(text: string): KeptBody {
  const length = Buffer.byteLength(text);
  if (length <= LIMIT_BODY_BYTES) return { bytes: text, length, isCut: false };
  const bytes = Buffer.alloc(LIMIT_BODY_BYTES);
  return { bytes: bytes.subarray(0, bytes.write(text)), length, isCut: true };
}
