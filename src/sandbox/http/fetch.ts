import type { Service } from '../service.js';
import { Timers } from './timers.js';
import { Trickle } from './trickle.js';
import { BODILESS, firstHalf, MAX_BODY_BYTES, type Outcome, type ReceivedBody } from './wire.js';

/** The service behind a function like `fetch`. */
export class FetchHandler {
  readonly #service: Service;
  readonly #waits = new Waits();

  constructor(service: Service) {
    this.#service = service;
  }

  async fetch(request: Request): Promise<Response> {
    try {
      return await this.#answer(request);
    } catch (error) {
      // As a value: MSW makes a failed fetch of it, where it would make a 500 of what its handler throws.
      if (error instanceof ConnectionLost) return Response.error();
      throw error;
    }
  }

  async #answer(request: Request): Promise<Response> {
    const exchange = new Exchange(request, this.#waits);
    const { outcome, delay } = await exchange.until((lost) => {
      const { pathname, search } = new URL(request.url);
      const head = {
        method: request.method,
        target: pathname + search,
        header: (name: string) => request.headers.get(name) ?? undefined,
      };
      return this.#service.receive(head, receivedBody(request, lost));
    });
    await exchange.pause(delay);
    return responseOf(outcome, exchange);
  }

  /** Ends everything that is waited for. */
  close(): void {
    this.#waits.close();
  }
}

/** Everything that is waited for at present, so that closing can end it. */
class Waits {
  readonly timers = new Timers();
  readonly running = new Set<Exchange>();
  closed = false;

  close(): void {
    this.closed = true;
    this.timers.close();
    for (const exchange of this.running) exchange.end(new ConnectionLost());
  }
}

/** One request and its answer: its waits end early when the caller aborts or the sandbox closes. */
class Exchange {
  /** Held on purpose: a platform may forget to abort a `Request` that nobody holds any more. */
  readonly #request: Request;
  readonly #waits: Waits;
  #lose: (reason: unknown) => void = () => {};

  constructor(request: Request, waits: Waits) {
    this.#request = request;
    this.#waits = waits;
  }

  /** Settles as what `begin` gives, or rejects as soon as the exchange ends. */
  async until<T>(begin: (lost: Promise<never>) => Promise<T>): Promise<T> {
    const { signal } = this.#request;
    signal.throwIfAborted();
    if (this.#waits.closed) throw new ConnectionLost();
    const lost = new Promise<never>((_, reject) => {
      this.#lose = reject;
    });
    const abort = (): void => this.end(signal.reason);
    signal.addEventListener('abort', abort);
    this.#waits.running.add(this);
    try {
      return await Promise.race([begin(lost), lost]);
    } finally {
      signal.removeEventListener('abort', abort);
      this.#waits.running.delete(this);
    }
  }

  /** Waits so many milliseconds. */
  async pause(ms: number): Promise<void> {
    let cancel = (): void => {};
    const over = (): Promise<void> =>
      new Promise((resolve) => {
        cancel = this.#waits.timers.after(ms, resolve);
      });
    try {
      await this.until(over);
    } finally {
      cancel();
    }
  }

  /** Ends what is waited for now. */
  end(reason: unknown): void {
    this.#lose(reason);
  }
}

/** The connection ends without an answer, or in the middle of one: what a platform's fetch calls a `TypeError`. */
class ConnectionLost extends TypeError {
  constructor() {
    super('fetch failed');
  }
}

/** `lost` rejects when the request ends first: a body that never comes must not hold up the others of its API key. */
async function receivedBody(request: Request, lost: Promise<never>): Promise<ReceivedBody> {
  try {
    const bytes = new Uint8Array(await Promise.race([request.arrayBuffer(), lost]));
    return bytes.length > MAX_BODY_BYTES ? { kind: 'too_large' } : { kind: 'complete', bytes };
  } catch {
    return { kind: 'broken' };
  }
}

function responseOf(outcome: Outcome, exchange: Exchange): Response | Promise<never> {
  if (outcome.kind === 'reset') throw new ConnectionLost();
  if (outcome.kind === 'silence') return exchange.until(() => new Promise<never>(() => {}));
  const { status, headers, body } = outcome.answer;
  if (outcome.kind === 'cut') {
    const length = String(Buffer.byteLength(body));
    return new Response(brokenStream(firstHalf(body)), { status, headers: { ...headers, 'content-length': length } });
  }
  if (BODILESS.includes(status)) return new Response(null, { status, headers });
  const content = outcome.kind === 'slow' ? slowStream(new Trickle(body, outcome.bytesPerSecond), exchange) : body;
  return new Response(content, { status, headers });
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

/** Gives the bytes as they become available. Nothing runs while nobody reads. */
function slowStream(body: Trickle, exchange: Exchange): ReadableStream<Uint8Array> {
  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
      if (!body.done) {
        await exchange.pause(body.wait());
        controller.enqueue(body.take());
      }
      if (body.done) controller.close();
    },
    cancel: (reason: unknown) => exchange.end(reason),
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}
