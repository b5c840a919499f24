/** The number of requests that each API key may make in a window. */
export interface RequestQuota {
  /** Maximum number of requests in one window, 1 or more. */
  readonly requests: number;
  /**
   * Length of a window in ms, 1 or more. A window starts with the first request after the previous
   * one has ended.
   */
  readonly perMs: number;
}
