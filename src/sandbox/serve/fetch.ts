import {
  BODILESS,
  type ConnectionAction,
  MAX_BODY_BYTES,
  type ReceivedBody,
  type RequestReceiver,
} from '../core/request/messages.js';
import { firstHalf, OwnedTimers, Trickle } from './pacing.js';

export class FetchHandler {
  readonly timers = new OwnedTimers();
  readonly waiting = new Set<RunningFetch>();
  closed = false;
  readonly #service: RequestReceiver;

  constructor(service: RequestReceiver) {
    this.#service = service;
  }

  async fetch(request: Request): Promise<Response> {
    try {
      return await this.#answer(request);
    } catch (error) {
      // Returned, not thrown: MSW turns it into a failed fetch, and a thrown error into a 500.
      if (error instanceof ConnectionLost) return Response.error();
      throw error;
    }
  }

  async #answer(request: Request): Promise<Response> {
    const running = new RunningFetch(request, this);
    const { action, delayMs } = await running.until((lost) => {
      const { origin, pathname, search } = new URL(request.url);
      const head = {
        method: request.method,
        target: pathname + search,
        origin,
        header: (name: string) => request.headers.get(name) ?? undefined,
        headers: () => [...request.headers].flat(),
      };
      return this.#service.receive(head, receivedBody(request, lost));
    });
    await running.pause(delayMs);
    return responseOf(action, running);
  }

  close(): void {
    this.closed = true;
    this.timers.close();
    for (const fetch of this.waiting) fetch.end(new ConnectionLost());
  }
}

/** One request. Its waits end early if the caller aborts or the sandbox closes. */
class RunningFetch {
  /** Keeps a reference: some platforms do not abort a `Request` that is no longer referenced. */
  readonly #request: Request;
  readonly #handler: FetchHandler;
  #lose: (reason: unknown) => void = () => {};

  constructor(request: Request, handler: FetchHandler) {
    this.#request = request;
    this.#handler = handler;
  }

  /** Settles like the promise of `begin`, or rejects as soon as the request ends. */
  async until<T>(begin: (lost: Promise<never>) => Promise<T>): Promise<T> {
    const { signal } = this.#request;
    signal.throwIfAborted();
    if (this.#handler.closed) throw new ConnectionLost();
    const lost = new Promise<never>((_, reject) => {
      this.#lose = reject;
    });
    const abort = (): void => this.end(signal.reason);
    signal.addEventListener('abort', abort);
    this.#handler.waiting.add(this);
    try {
      return await Promise.race([begin(lost), lost]);
    } finally {
      signal.removeEventListener('abort', abort);
      this.#handler.waiting.delete(this);
    }
  }

  async pause(ms: number): Promise<void> {
    let cancel = (): void => {};
    const over = (): Promise<void> =>
      new Promise((resolve) => {
        cancel = this.#handler.timers.after(ms, resolve);
      });
    try {
      await this.until(over);
    } finally {
      cancel();
    }
  }

  end(reason: unknown): void {
    this.#lose(reason);
  }
}

/** The connection ends early. A platform's fetch reports it as a `TypeError`. */
class ConnectionLost extends TypeError {
  constructor() {
    super('fetch failed');
  }
}

/** `lost` rejects if the request ends first, so that it does not block its API key. */
async function receivedBody(request: Request, lost: Promise<never>): Promise<ReceivedBody> {
  try {
    const bytes = new Uint8Array(await Promise.race([request.arrayBuffer(), lost]));
    return bytes.length > MAX_BODY_BYTES ? { kind: 'too_large' } : { kind: 'complete', bytes };
  } catch {
    return { kind: 'broken' };
  }
}

function responseOf(action: ConnectionAction, running: RunningFetch): Response | Promise<never> {
  if (action.kind === 'reset') throw new ConnectionLost();
  if (action.kind === 'silence') return running.until(() => new Promise<never>(() => {}));
  const { status, headers, body } = action.answer;
  if (action.kind === 'cut') {
    const length = String(Buffer.byteLength(body));
    return new Response(brokenStream(firstHalf(body)), { status, headers: { ...headers, 'content-length': length } });
  }
  if (BODILESS.includes(status)) return new Response(null, { status, headers });
  const content = action.kind === 'slow' ? slowStream(new Trickle(body, action.bytesPerSecond), running) : body;
  return new Response(content, { status, headers });
}

function brokenStream(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let given = false;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      // An error at the same time would drop the bytes before they are read.
      if (given) controller.error(new TypeError('terminated'));
      else controller.enqueue(bytes);
      given = true;
    },
  });
}

/** Sends the bytes as they become available. No timer runs while the stream is not read. */
function slowStream(body: Trickle, running: RunningFetch): ReadableStream<Uint8Array> {
  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
      if (!body.done) {
        await running.pause(body.wait());
        controller.enqueue(body.take());
      }
      if (body.done) controller.close();
    },
    cancel: (reason: unknown) => running.end(reason),
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}
