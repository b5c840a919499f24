/** How bytes reach the service. The default is chosen by what the runtime has; `undiciTransport` and `fetchTransport` make one. */
export interface Transport {
  /** For messages and `client.stats()`. */
  readonly name: string;
  /**
   * Opens what one lane sends through. Nothing is connected before the first exchange.
   *
   * @param origin Scheme, host and port.
   */
  connect(origin: string, options: ConnectOptions): Connection;
}

/** What a lane asks of its connection. */
export interface ConnectOptions {
  /** False: the order of arrival does not matter (`nonceOrder: 'unordered'`), a pool is welcome. */
  readonly ordered: boolean;
  /** The most exchanges that will be in flight at once. */
  readonly width: number;
  /** Told when a connection is closed because bytes arrived on it that no exchange had asked for. `client.stats()` counts them. */
  readonly onUnsolicited?: () => void;
}

/** What a lane sends through. */
export interface Connection {
  /** True when exchanges share one ordered connection, so that they arrive as sent and a break harms all that are in flight. */
  readonly pipelined: boolean;
  /**
   * Where exchanges share a connection: since when (`performance.now()`) its first unanswered exchange has made no progress, all bytes
   * of all exchanges being out; undefined while that is not so. Without it a slow answer holds up those behind it.
   */
  waitingSince?(): number | undefined;
  /** Starts one exchange. It never throws: failures reach the listener. */
  send(request: TransportRequest, listener: ExchangeListener): Exchange;
  /** Closes what was opened here, and nothing else. Nothing is in flight that anybody waits for. */
  close(): Promise<void>;
}

/** One request, complete to the byte. */
export interface TransportRequest {
  readonly method: string;
  /** Path with query, sent exactly so. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  /** A shared connection whose first unanswered exchange is abandoned and makes no progress for so many milliseconds may be closed. */
  readonly stallTimeout: number;
}

/** Follows one exchange. After `onEnd` or `onError` nothing more is called. */
export interface ExchangeListener {
  /** The bytes are about to leave: from here on a failure may have had its effect. */
  onSent(): void;
  /**
   * Only from a pipelined connection: all exchanges before this one have been answered. The time that an attempt may take runs from
   * here: nothing is slow for being behind something slow.
   */
  onTurn(): void;
  /** Status and headers (names in lower case) of the final answer, never of an interim one. */
  onHead(status: number, headers: Readonly<Record<string, string>>): void;
  onData(chunk: Uint8Array): void;
  onEnd(): void;
  onError(error: unknown, loss: Loss): void;
}

/**
 * How an exchange failed: `not_sent`, no byte left (refused, DNS, TLS); `lost`, after sending; `bystander`, after sending, because
 * another exchange's failure broke the connection they shared.
 */
export type Loss = 'not_sent' | 'lost' | 'bystander';

/** One exchange under way. */
export interface Exchange {
  /**
   * Nobody wants the answer any more. Not yet sent, it is never sent; sent, its answer is drained and dropped where other
   * exchanges share the connection. `onEnd` or `onError` still says when it is over.
   */
  abandon(tooSlow: boolean): void;
  /** Stops reading at once, whatever it costs the connection: the answer is too large. */
  destroy(): void;
  /**
   * Only of a pipelined connection, after the exchange has been answered: closes the connection that the answer came over, since it cannot
   * be the answer to this exchange. What else is in flight there fails as `bystander`. Does nothing when that connection is closed already.
   */
  closeConnection?(): void;
}
