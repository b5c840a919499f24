/** The connections of one lane. */
export interface Connections {
  /** How the next request travels; undefined until the first connection is open. */
  readonly way: Way | undefined;
  /** Number of open connections; undefined where it is not known. */
  readonly open: number | undefined;
  /**
   * Reserves a place for one request on an open connection. Returns undefined if there is none.
   * Then connections are opened in the background, a few at a time, and `onReady` is called when
   * there may be a place.
   *
   * @param waiting Number of requests that wait for a place, this one included.
   * @param notRetryable True for a write that must not be retried. It gets no connection that the
   *   service may be about to close.
   */
  reserve(waiting: number, notRetryable: boolean): Slot | undefined;
  /** Uses HTTP/1.1 for this time, unless the service speaks only HTTP/2. */
  avoidHttp2?(milliseconds: number): void;
  /** Closes all connections that were opened here. Called when no call waits for an exchange. */
  close(): Promise<void>;
}

/** The lane's side of its connections. */
export interface ConnectOptions {
  /** The most exchanges in flight at once. */
  readonly width: number;
  /** Called when `reserve` may return a place, although it returned none before. */
  onReady(): void;
  /** Called when no connection is open and none could be opened: all waiting requests fail. */
  onUnreachable(error: unknown): void;
  /** Called when a connection is closed because bytes arrived without a request. */
  onUnsolicited(): void;
}

/**
 * The kind of connection:
 *
 * - `http2`: one session, a stream for each request.
 * - `http1`: a pool of connections, each with one request at a time.
 * - `fetch`, `dispatcher`: connections of the platform or of a user-supplied dispatcher.
 * - `memory`: none. The service is in this process, and takes requests in the order of their start.
 */
export type Way = 'http2' | 'http1' | 'fetch' | 'dispatcher' | 'memory';

/** A place for one request. Either `send` or `release` is called, once. */
export interface Slot {
  /** True if nothing was sent over this connection before. Such a request may arrive late. */
  readonly firstUse: boolean;
  /**
   * Starts one exchange. Exchanges start in the order of these calls, even those of different
   * connections. It never throws: the listener is told of a failure, in a later microtask at the
   * earliest.
   */
  send(request: TransportRequest, listener: ExchangeListener): Exchange;
  /** Gives the place back unused. */
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

/** Follows one exchange. `onEnd` or `onError` is called last, once. */
export interface ExchangeListener {
  /** The bytes are about to leave. From now on the request may have its effect. */
  onSent(): void;
  /** Status and headers (names in lower case) of the final response, never of an interim one. */
  onHead(status: number, headers: Readonly<Record<string, string>>): void;
  onData(chunk: Uint8Array): void;
  onEnd(): void;
  onError(error: unknown, loss: Loss): void;
}

/**
 * The kind of failure of an exchange:
 *
 * - `not_started`: no byte left. The connection was gone before the start; another one may be open.
 * - `not_sent`: no byte left. No connection could be opened (refused, DNS, TLS).
 * - `unprocessed`: the service says that it has not begun with this request (REFUSED_STREAM), or it
 *   announced the end of the session (GOAWAY) before any byte left.
 * - `disowned`: bytes left, and only a GOAWAY says that the service has not begun with the request.
 *   A careless service may have.
 * - `lost`: bytes left. The request may have had its effect.
 * - `bystander`: as `lost`, because another exchange made the connection close.
 */
export type Loss = 'not_started' | 'not_sent' | 'unprocessed' | 'disowned' | 'lost' | 'bystander';

/**
 * The body of a response after its content codings have been undone:
 *
 * - `whole`: decoded, or it had no coding.
 * - `cut`: its codings end too early. `body` is what could be decoded.
 * - `too_large`: the decoded body is larger than the limit.
 * - `undecoded`: unchanged. A coding is not known here, or the bytes are not encoded with it.
 */
export interface DecodedBody {
  readonly kind: 'whole' | 'cut' | 'too_large' | 'undecoded';
  readonly body: Uint8Array[];
}

/** One request under way. */
export interface Exchange {
  /**
   * Gives up the response. An exchange that has not started never starts. Otherwise its stream is
   * reset or its connection closed. `onError` is called soon after.
   */
  abandon(): void;
  /**
   * Undoes the content codings of a body. Absent where the platform does: `fetch` decodes, and may
   * leave the header `content-encoding`.
   */
  decode?(body: Uint8Array[], headers: Readonly<Record<string, string>>, maxBytes: number): DecodedBody;
  /** Closes the connection: its response was for another request. Absent: it is not known. */
  distrust?(): void;
}
