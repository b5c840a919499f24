import { ConfigurationError } from '../errors.js';
import { checkOptions, FUNCTION, type Rules } from '../util/options.js';
import { type Fetch, soon } from '../util/platform.js';
import { systemFailure } from '../util/system-error.js';
import type { ConnectOptions, Exchange, ExchangeListener, TransportRequest, Way } from './connections.js';
import { DelegatedConnections } from './delegated.js';
import { createTransport, type Transport } from './transport.js';

/** Options of `fetchTransport`. */
export interface FetchTransportOptions {
  /**
   * Default: the platform's `fetch`, looked up at each request, so MSW and other patches work.
   *
   * @example
   * const transport = fetchTransport({
   *   fetch: async (url, init) => {
   *     const response = await fetch(url, init);
   *     console.log(response.status, response.headers.get('cf-ray'));
   *     return response;
   *   },
   * });
   */
  readonly fetch?: Fetch | undefined;
}

/**
 * Sends through `fetch`, for runtimes without undici (workers, Bun before 1.4) and for MSW. The
 * platform opens the connections, so only the gap between two starts keeps calls of one API key in
 * order. `fetch` of Bun and Deno may send a request twice when a connection breaks, so there each
 * write gets a new connection, unless you give a `fetch`. Redirects are never followed. The
 * platform's own settings, including `NODE_TLS_REJECT_UNAUTHORIZED`, decide how TLS is verified:
 * only `undiciTransport` always verifies it.
 *
 * @example
 * const client = new PartnerClient({ transport: fetchTransport() });
 *
 * @throws ConfigurationError for an unknown or wrong option.
 */
export function fetchTransport(options: FetchTransportOptions = {}): Transport {
  const { fetch: given } = checkOptions('fetchTransport', options, RULES, ConfigurationError);
  return createTransport('fetch', (origin, lane) => new FetchConnections(origin, given as Send | undefined, lane));
}

const RULES = { fetch: FUNCTION } satisfies Rules<FetchTransportOptions>;

type Send = (url: string, init: RequestInit) => Promise<Response>;

/** Exchanges over the platform's `fetch`, or a user-supplied one. */
class FetchConnections extends DelegatedConnections {
  readonly way: Way = 'fetch';
  readonly #origin: string;
  readonly #given: Send | undefined;
  #ownConnection: OwnConnection | undefined;

  constructor(origin: string, given: Send | undefined, options: ConnectOptions) {
    super(options);
    this.#origin = origin;
    this.#given = given;
  }

  protected override start(request: TransportRequest, listener: ExchangeListener): Exchange {
    const exchange = new FetchExchange(this, listener);
    listener.onSent();
    exchange.send(this.#senderOf(request), this.#origin, request);
    return exchange;
  }

  override async close(): Promise<void> {
    this.#ownConnection?.close();
    this.#ownConnection = undefined;
  }

  /** A read may share its connection: it does no harm if the platform sends the read twice. */
  #senderOf({ method }: TransportRequest): Send {
    if (this.#given !== undefined) return this.#given;
    if (method === 'GET') return (url, init) => fetch(url, init);
    this.#ownConnection ??= ownConnection();
    const own = this.#ownConnection?.init;
    return (url, init) => fetch(url, Object.assign(init, own));
  }
}

/** One fetch. `abandon` ends it for its listener, even if `fetch` ignores its signal. */
class FetchExchange implements Exchange {
  readonly #connections: FetchConnections;
  readonly #listener: ExchangeListener;
  readonly #controller = new AbortController();
  #over = false;

  constructor(connections: FetchConnections, listener: ExchangeListener) {
    this.#connections = connections;
    this.#listener = listener;
  }

  send(send: Send, origin: string, request: TransportRequest): void {
    this.#run(send, origin, request).then(
      () => {
        if (this.#over) return;
        this.#over = true;
        this.#connections.onExchangeEnded();
        this.#listener.onEnd();
        this.#connections.onUnclaimed();
      },
      (error: unknown) => this.#fail(error),
    );
  }

  async #run(send: Send, origin: string, { method, path, headers, body }: TransportRequest): Promise<void> {
    const init: RequestInit = { method, headers, redirect: 'manual', signal: this.#controller.signal };
    if (body !== undefined) init.body = body as Uint8Array<ArrayBuffer>;
    const response = await send(origin + path, init);
    // The platform's fetch rejects. A function in its place, for example the sandbox's, may return
    // the standard's "network error".
    if (response.type === 'error') throw new TypeError('fetch failed');
    if (!this.#over) this.#listener.onHead(response.status, Object.fromEntries(response.headers));
    if (response.body === null) return;
    const reader = response.body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read())
      if (!this.#over) this.#listener.onData(part.value);
  }

  abandon(): void {
    this.#controller.abort();
    this.#fail(new Error('abandoned'));
  }

  #fail(error: unknown): void {
    if (this.#over) return;
    this.#over = true;
    // Calls that the same signal aborts must leave the queue before this place is free.
    soon(() => {
      this.#connections.onExchangeEnded();
      this.#listener.onError(error, neverConnected(error) ? 'not_sent' : 'lost');
      this.#connections.onUnclaimed();
    });
  }
}

/** Codes of Node, Bun and OpenSSL before a connection is open. After others bytes may have left. */
const NEVER_CONNECTED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|FailedToOpenSocket|ERR_TLS_.*|CERT_.*|UNABLE_TO_.*|SELF_SIGNED_.*|DEPTH_ZERO_.*)$/;

function neverConnected(error: unknown): boolean {
  const failure = systemFailure(error);
  // "Host unreachable" may also end an open connection.
  if (failure === undefined || failure.syscall === 'read' || failure.syscall === 'write') return false;
  return NEVER_CONNECTED.test(failure.code);
}

/** What makes the platform's `fetch` use a new connection for a request. */
interface OwnConnection {
  /** Members of `fetch`'s init. */
  readonly init: Readonly<Record<string, unknown>>;
  close(): void;
}

interface Platform {
  readonly Bun?: unknown;
  readonly Deno?: { createHttpClient?(options: object): { close(): void } };
}

/**
 * Returns what keeps `fetch` of Bun and Deno from sending a request twice. Both send the request
 * again when a connection breaks that was used before, although the service may have processed it.
 * `connection: close` does not change that. Undefined where `fetch` sends a request once.
 */
function ownConnection(): OwnConnection | undefined {
  const { Bun, Deno } = globalThis as Platform;
  if (Bun !== undefined) return { init: { keepalive: false }, close() {} };
  const client = Deno?.createHttpClient?.({ poolMaxIdlePerHost: 0 });
  return client && { init: { client }, close: () => client.close() };
}
