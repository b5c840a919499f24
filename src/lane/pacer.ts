/** What a pacer notes of a request that has started. */
export interface Start {
  /** When, in ms on the lane's clock. */
  readonly at: number;
  /** Rises with each start. */
  readonly serial: number;
  readonly withBody: boolean;
  /** False for the first request over a connection: whether it is refused says nothing about the gap. */
  readonly counts: boolean;
}

/** A request that is about to start. */
export interface Starting {
  readonly withBody: boolean;
  /** Nothing was sent over its connection before. */
  readonly firstUse: boolean;
  /** It repeats one that was overtaken: those behind it are held for a moment. */
  readonly repeat: boolean;
  /** Time in ms that it waited in the lane's queue. */
  readonly queued: number;
}

/** Where a pacer begins. */
export interface PacerOptions {
  /** The gap in ms that a new lane leaves between two starts. */
  readonly startGap: number;
  /** The gap in ms after a request with a body, where it has one of its own. Absent: the same gap as after any other. */
  readonly bodyGap?: number;
  /** Time in ms in which nothing follows the first use of a connection. 0: none. */
  readonly firstUseHold: number;
  /** The share of requests that may be refused for their order, 0 to 1. */
  readonly refusals: number;
}
