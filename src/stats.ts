import type { Way } from './transport/connections.js';

/** The order in which requests of one API key arrive. */
export type NonceOrder = 'adaptive' | 'strict' | 'unordered';

/** One lane in `client.stats()`. */
export interface LaneStats {
  readonly origin: string;
  /** Name of the transport. */
  readonly transport: string;
  readonly nonceOrder: NonceOrder;
  /**
   * The kind of connection in use. `http2`: one session with a stream for each request. `http1`: a
   * pool of connections, one request each at a time. `fetch`, `dispatcher`: the platform or your
   * dispatcher manages the connections. `memory`: a sandbox in this process. Undefined before the
   * first connection.
   */
  readonly way: Way | undefined;
  /** Time in ms between the starts of two requests. 0 with `unordered`. */
  readonly gap: number;
  /** Open connections. Undefined where the SDK does not open them. */
  readonly connections: number | undefined;
  readonly inFlight: number;
  readonly waiting: number;
  /** Share of the last 200 or so requests that were rejected after a later nonce: 0 to 1. */
  readonly refusedShare: number;
  /**
   * Number of requests that the service rejected because a later nonce arrived first, and that the
   * SDK retried. With `keyIsShared`, requests that the SDK retried after any other 401 count too.
   */
  readonly races: number;
  /**
   * Number of connections that the SDK closed because bytes arrived that no request had asked for.
   * More than a few mean that a proxy or load balancer sends surplus responses, which may also
   * reach the wrong call.
   */
  readonly unsolicited: number;
}

/** The result of `client.stats()`. */
export interface ClientStats {
  /** Calls that are running now. */
  readonly running: number;
  /** Calls that succeeded. */
  readonly succeeded: number;
  /** Calls that failed. */
  readonly failed: number;
  /** Attempts beyond the first of each call. */
  readonly retries: number;
  /** Responses that the service replayed for an idempotency key. */
  readonly replays: number;
  /** The retry budget: the tokens that are left, and the maximum. */
  readonly retryBudget: { readonly available: number; readonly capacity: number };
  /** One lane per API key. */
  readonly lanes: readonly LaneStats[];
}
