import type { Service } from './service.js';
import { firstHalf, MAX_BODY_BYTES, type Outcome, type ReceivedBody } from './wire.js';

/** Statuses whose `Response` may have no body. */
const BODILESS: readonly number[] = [204, 205, 304];

/** A request that has no answer yet, and what ends the wait for one. */
interface Waiting {
  /** Held on purpose: a platform may forget to abort a `Request` that nobody holds any more. */
  readonly request: Request;
  readonly lose: () => void;
}

/** The service behind a function like `fetch`. */
export class FetchHandler {
  readonly #service: Service;
  readonly #waiting = new Set<Waiting>();
  #closed = false;

  constructor(service: Service) {
    this.#service = service;
  }

  async fetch(request: Request): Promise<Response> {
    request.signal.throwIfAborted();
    if (this.#closed) throw connectionLost();
    const { pathname, search } = new URL(request.url);
    const head = {
      method: request.method,
      target: pathname + search,
      header: (name: string) => request.headers.get(name) ?? undefined,
    };
    return this.#untilEnded(request, this.#service.receive(head, receivedBody(request)).then(responseOf));
  }

  /** Ends everything that is waited for. */
  close(): void {
    this.#closed = true;
    for (const { lose } of this.#waiting) lose();
  }

  /** Settles as `answer`, or rejects as soon as the caller aborts or the sandbox closes. */
  async #untilEnded(request: Request, answer: Promise<Response>): Promise<Response> {
    const { signal } = request;
    let end: (reason: unknown) => void = () => {};
    const ended = new Promise<never>((_, reject) => {
      end = reject;
    });
    const abort = (): void => end(signal.reason);
    const waiting: Waiting = { request, lose: () => end(connectionLost()) };
    signal.addEventListener('abort', abort);
    this.#waiting.add(waiting);
    try {
      return await Promise.race([answer, ended]);
    } finally {
      signal.removeEventListener('abort', abort);
      this.#waiting.delete(waiting);
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

function responseOf(outcome: Outcome): Response | Promise<never> {
  if (outcome.kind === 'reset') throw connectionLost();
  if (outcome.kind === 'silence') return new Promise<never>(() => {});
  const { status, headers, body } = outcome.answer;
  if (outcome.kind === 'cut') {
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
