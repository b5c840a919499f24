import { randomUUID } from 'node:crypto';
import { type ClientOptions, PartnerClient } from '../../src/index.js';
import type { ExchangeListener, Slot, TransportRequest, Way } from '../../src/transport/connections.js';
import { connectionsOf, createTransport, type Transport } from '../../src/transport/transport.js';

/** What becomes of one request. It is called in a later microtask than the request was sent in. */
export type Exchanging = (listener: ExchangeListener, request: TransportRequest) => void;

/** A transport without connections: there is always a place, and `exchange` says what becomes of each request. */
export function fakeTransport(exchange: Exchanging, close: () => Promise<void> = async () => {}): Transport {
  const way: Way = 'dispatcher';
  return createTransport('fake', () => ({
    way,
    open: undefined,
    reserve: () => ({
      firstUse: false,
      send(request, listener) {
        queueMicrotask(() => exchange(listener, request));
        return { abandon() {} };
      },
      release() {},
    }),
    close,
  }));
}

/** A client over this transport, with an API key of its own. */
export const clientOver = (transport: Transport, options: ClientOptions = {}): PartnerClient =>
  new PartnerClient({
    baseUrl: 'https://api.test',
    apiKey: randomUUID(),
    apiSecret: 'c2VjcmV0',
    transport,
    ...options,
  });

/** A whole answer with 200 and this body, at once. */
export function answerWith(listener: ExchangeListener, body: Uint8Array): void {
  listener.onSent();
  listener.onHead(200, { 'content-type': 'application/json' });
  listener.onData(body);
  listener.onEnd();
}

export const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** A transport that is another one in all, but for `watch`, which is told of each request before it is sent. */
export function watched(
  inner: Transport,
  watch: (request: TransportRequest, listener: ExchangeListener) => void,
): Transport {
  return createTransport(inner.name, (origin, options) => {
    const connections = connectionsOf(inner, origin, options);
    return {
      get way() {
        return connections.way;
      },
      get open() {
        return connections.open;
      },
      reserve: (waiting, notRetryable) => watchedSlot(connections.reserve(waiting, notRetryable), watch),
      avoidHttp2: (milliseconds) => connections.avoidHttp2?.(milliseconds),
      close: () => connections.close(),
    };
  });
}

function watchedSlot(slot: Slot | undefined, watch: (request: TransportRequest, listener: ExchangeListener) => void) {
  if (slot === undefined) return undefined;
  return {
    firstUse: slot.firstUse,
    send(request: TransportRequest, listener: ExchangeListener) {
      watch(request, listener);
      return slot.send(request, listener);
    },
    release: () => slot.release(),
  };
}
