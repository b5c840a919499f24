import type { Fetch } from '../core/platform.js';
import { systemCode } from '../core/system-code.js';
import type { Connection, Exchange, ExchangeListener, Transport, TransportRequest } from './transport.js';

/** Options of `fetchTransport`. */
export interface FetchTransportOptions {
  /** Default: the platform's `fetch`, looked up at each request, so that MSW and other patches of it are seen. */
  readonly fetch?: Fetch | undefined;
}

/**
 * Sends through `fetch`: where undici does not run (Bun, workers), and under MSW. The platform decides about connections, so calls
 * of one API key rely on the lane's width and race recovery alone. Redirects are never followed.
 */
export function fetchTransport(options: FetchTransportOptions = {}): Transport {
  const send = (url: string, init: RequestInit) => ((options.fetch as typeof fetch | undefined) ?? fetch)(url, init);
  return { name: 'fetch', connect: (origin) => new FetchConnection(origin, send) };
}

type Send = (url: string, init: RequestInit) => Promise<Response>;

class FetchConnection implements Connection {
  readonly pipelined = false;
  readonly #origin: string;
  readonly #send: Send;

  constructor(origin: string, send: Send) {
    this.#origin = origin;
    this.#send = send;
  }

  send(request: TransportRequest, listener: ExchangeListener): Exchange {
    const controller = new AbortController();
    listener.onSent();
    run(this.#send, this.#origin, request, listener, controller.signal).then(
      () => listener.onEnd(),
      (error: unknown) => listener.onError(error, neverConnected(error) ? 'not_sent' : 'lost'),
    );
    const stop = () => controller.abort();
    return { abandon: stop, destroy: stop };
  }

  async close(): Promise<void> {}
}

async function run(
  send: Send,
  origin: string,
  { method, path, headers, body }: TransportRequest,
  listener: ExchangeListener,
  signal: AbortSignal,
): Promise<void> {
  const init: RequestInit = { method, headers, redirect: 'manual', signal };
  if (body !== undefined) init.body = body as Uint8Array<ArrayBuffer>;
  const response = await send(origin + path, init);
  listener.onHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) return;
  const reader = response.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) listener.onData(part.value);
}

/** Codes of Node, Bun and OpenSSL for a connection that was never made. Whatever is not among them may have been sent. */
const NEVER_CONNECTED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|FailedToOpenSocket|ERR_TLS_.*|CERT_.*|UNABLE_TO_.*|SELF_SIGNED_.*|DEPTH_ZERO_.*)$/;

function neverConnected(error: unknown): boolean {
  const code = systemCode(error);
  return code !== undefined && NEVER_CONNECTED.test(code);
}
