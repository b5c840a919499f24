import { SizedMap } from '../../core/basics/sized-map.js';
import type { ConnectionAction, HttpAnswer, ReceivedBody, RequestHead } from '../../core/request/messages.js';
import type { SigningCheck } from '../../core/request/refusal-details.js';

/** Maximum number of requests whose bytes are kept, and of their bytes. Older ones are dropped. */
const LIMIT_REQUESTS = 1_000;
const LIMIT_BYTES = 16 * 1024 * 1024;

/** Maximum number of bytes kept of each body; the rest is cut. */
const LIMIT_BODY_BYTES = 16 * 1024;

/** Maximum number of characters kept of all headers; further headers are dropped. */
const LIMIT_HEAD_LENGTH = 16 * 1024;

/** A body, or the first part of it. */
export interface KeptBody {
  readonly bytes: Uint8Array | string;
  /** Length of the whole body in bytes. */
  readonly length: number;
  readonly isCut: boolean;
}

/** The bytes of a request and of its response. */
export interface Exchange {
  readonly origin: string;
  /** Path and query as received, of any length. */
  readonly target: string;
  /** Names and values in turn, as they were received. */
  readonly headers: readonly string[];
  /** Undefined if it was too large, or the client closed the connection before its end. */
  readonly body: KeptBody | undefined;
  /** Undefined if there was no response. */
  readonly answer: (Pick<HttpAnswer, 'status' | 'headers'> & { readonly body: KeptBody }) | undefined;
  /** Machine time at which the response started, or would have: ms since the epoch. */
  readonly answeredAt: number;
  /** The way in which the response was sent. */
  readonly sent: ConnectionAction['kind'];
  /** The sandbox's own signature, if that of the request was wrong. */
  readonly signing: SigningCheck | undefined;
}

interface EndedRequest {
  readonly head: RequestHead;
  readonly received: ReceivedBody;
  readonly action: ConnectionAction;
  readonly signing: SigningCheck | undefined;
  /** Time in ms for which its response is still delayed. */
  readonly delayMs: number;
}

/** The newest requests with their bodies, by the `seq` of their journal entry. */
export class Exchanges {
  readonly #kept = new SizedMap<number, Exchange>(LIMIT_REQUESTS, LIMIT_BYTES);

  get(seq: number): Exchange | undefined {
    return this.#kept.get(seq);
  }

  keep(seq: number, { head, received, action, signing, delayMs }: EndedRequest): void {
    const { origin, target } = head;
    const { headers, length } = keptHeaders(head.headers());
    const body = received.kind === 'complete' ? keptBytes(received.bytes) : undefined;
    const answer = 'answer' in action ? keptAnswer(action.answer) : undefined;
    const answeredAt = Date.now() + delayMs;
    const size = target.length + length + sizeOf(body) + sizeOf(answer?.body);
    this.#kept.add(seq, { origin, target, headers, body, answer, answeredAt, sent: action.kind, signing }, size);
  }

  clear(): void {
    this.#kept.clear();
  }
}

const keptAnswer = ({ status, headers, body }: HttpAnswer): Exchange['answer'] => ({
  status,
  headers,
  body: keptText(body),
});

/** Returns the names and values of headers, with names in lower case. */
export const headerPairs = ({ headers }: Exchange): [name: string, value: string][] =>
  headers.flatMap((name, index) => (index % 2 === 0 ? [[name.toLowerCase(), headers[index + 1] ?? '']] : []));

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
