/** What a lane asks of its connections, and what it wants to be told. */
export interface ConnectOptions {
  /** The most exchanges that are in flight at once. */
  readonly width: number;
  /** Called when `reserve` may give a slot that it did not give before. */
  onReady(): void;
  /** Called when no connection could be opened and none is open: what waits for one fails. */
  onUnreachable(error: unknown): void;
  /**
   * Called when a connection is closed because bytes arrived on it that no exchange had asked for. `client.stats()`
   * counts them.
   */
  onUnsolicited(): void;
}

/**
 * What requests go over: `http2`, one session with a stream for each; `http1`, a pool of connections with one request
 * each at a time; `fetch` and `dispatcher`, connections that the platform or the caller's dispatcher decides about.
 */
export type Way = 'http2' | 'http1' | 'fetch' | 'dispatcher';

/** The connections of one lane. */
export interface Connections {
  /** What the next request goes over; undefined until the first connection is open. */
  readonly way: Way | undefined;
  /** How many connections are open; undefined where it is not known. */
  readonly open: number | undefined;
  /**
   * Reserves a place for one request, on a connection that is open. Undefined when there is none: then `onReady` tells
   * when there may be one, and connections are opened in the background, a few at a time.
   *
   * @param waiting How many requests wait for a place, this one included.
   * @param fragile The request must not be repeated: it gets no connection that the service may be about to close.
   */
  reserve(waiting: number, fragile: boolean): Slot | undefined;
  /** Sends over HTTP/1.1 for so many milliseconds, where there is a choice. */
  avoidHttp2?(milliseconds: number): void;
  /** Closes what was opened here, and nothing else. Nothing is in flight that anybody waits for. */
  close(): Promise<void>;
}

/** A place for one request. Either `send` or `release` is called, once. */
export interface Slot {
  /** Nothing was sent over this connection before: such a request may arrive late. */
  readonly firstUse: boolean;
  /**
   * Starts one exchange. Exchanges start in the order of these calls, also those of different connections. It never
   * throws: failures reach the listener, in a later microtask at the earliest.
   */
  send(request: TransportRequest, listener: ExchangeListener): Exchange;
  /** Nothing is sent. */
  release(): void;
}

/** One request, complete to the byte. */
export interface TransportRequest {
  readonly method: string;
  /** Path with query, sent exactly so. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

/** Follows one exchange. After `onEnd` or `onError` nothing more is called. */
export interface ExchangeListener {
  /** The bytes are about to leave: from here on a failure may have had its effect. */
  onSent(): void;
  /** Status and headers (names in lower case) of the final answer, never of an interim one. */
  onHead(status: number, headers: Readonly<Record<string, string>>): void;
  onData(chunk: Uint8Array): void;
  onEnd(): void;
  onError(error: unknown, loss: Loss): void;
}

/**
 * How an exchange failed:
 *
 * - `not_started`: no byte left, since the connection was gone when it should have started. Another one may be open.
 * - `not_sent`: no byte left, since there was no connection to be had (refused, DNS, TLS).
 * - `unprocessed`: bytes left, and the service says that it has not begun with the request (GOAWAY, REFUSED_STREAM).
 * - `lost`: after sending; it may have had its effect.
 * - `bystander`: as `lost`, because the connection was closed for the sake of another exchange.
 */
export type Loss = 'not_started' | 'not_sent' | 'unprocessed' | 'lost' | 'bystander';

/** One request under way. */
export interface Exchange {
  /**
   * Nobody wants the answer any more, or the rest of it. Not yet started, it never starts; started, its stream is reset
   * or its connection closed, whichever harms no other exchange. `onError` still says when it is over, soon.
   */
  abandon(): void;
  /**
   * After the exchange has been answered: what came cannot be the answer to this request, so nothing more is read from
   * that connection. Another exchange that started on it meanwhile fails as `bystander`. Does nothing where connections
   * are not known.
   */
  distrust?(): void;
}
