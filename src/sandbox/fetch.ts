import type { Service } from './service.js';
import { firstHalf, MAX_BODY_BYTES, type Outcome, type ReceivedBody, type WireAnswer } from './wire.js';

/** Statuses whose `Response` may have no body. */
const BODILESS: readonly number[] = [204, 205, 304];

/** The service behind a function like `fetch`. */
export class FetchFace {
  readonly #service: Service;
  readonly #closed = new AbortController();

  constructor(service: Service) {
    this.#service = service;
  }

  async fetch(request: Request): Promise<Response> {
    const { signal } = request;
    signal.throwIfAborted();
    if (this.#closed.signal.aborted) throw connectionLost();
    const { pathname, search } = new URL(request.url);
    const head = {
      method: request.method,
      target: pathname + search,
      header: (name: string) => request.headers.get(name) ?? undefined,
    };
    const outcome = await this.#untilEnded(this.#service.receive(head, receivedBody(request)), signal);
    if (outcome.kind === 'silence') return this.#untilEnded(new Promise<never>(() => {}), signal);
    if (outcome.kind === 'reset') throw connectionLost();
    return responseOf(outcome);
  }

  /** Ends everything that is waited for. */
  close(): void {
    this.#closed.abort();
  }

  /** Settles as `promise`, or rejects as soon as the caller aborts or the sandbox closes. */
  async #untilEnded<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
    const closed = this.#closed.signal;
    const done = new AbortController();
    const ended = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { signal: done.signal });
      closed.addEventListener('abort', () => reject(connectionLost()), { signal: done.signal });
    });
    try {
      return await Promise.race([promise, ended]);
    } finally {
      done.abort();
    }
  }
}

/** What a platform's fetch rejects with when a connection ends without an answer. */
const connectionLost = (): TypeError => new TypeError('fetch failed');

async function receivedBody(request: Request): Promise<ReceivedBody> {
  try {
    const bytes = new Uint8Array(await request.arrayBuffer());
    return bytes.length > MAX_BODY_BYTES ? { kind: 'too_large' } : { kind: 'complete', bytes };
  } catch {
    return { kind: 'broken' };
  }
}

function responseOf({ kind, answer }: Extract<Outcome, { answer: WireAnswer }>): Response {
  const { status, headers, body } = answer;
  if (kind === 'cut') {
    const length = String(Buffer.byteLength(body));
    return new Response(brokenStream(firstHalf(body)), { status, headers: { ...headers, 'content-length': length } });
  }
  return new Response(BODILESS.includes(status) ? null : body, { status, headers });
}

/** Gives the bytes, then breaks. */
function brokenStream(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let given = false;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      // An error in the same step would drop the bytes before they are read.
      if (given) controller.error(new TypeError('terminated'));
      else controller.enqueue(bytes);
      given = true;
    },
  });
}
