import type { PartnerClient } from 'partner-sdk';

/** A user that the service knows. */
export const USER = 'USER-0000-0000-0001';

/** A user about whom the service never answers. */
export const HELD = 'USER-0000-0000-HELD';

/** Where the service tells how many connections it has open. */
export const CONNECTIONS = '/v1/connections';

export interface Report {
  /** How many ended how: `success`, or the error's name. */
  readonly ends: Readonly<Record<string, number>>;
  /** Milliseconds from the first call to the end of the last. */
  readonly ms: number;
  /** Bytes that the heap has grown by, at least, each time that so many calls were made. */
  readonly grown: number;
  /** Listeners left on the long-lived signals. */
  readonly listeners: number;
  readonly warnings: readonly string[];
  readonly stats: ReturnType<PartnerClient['stats']>;
  /** Sockets and timers that would keep the process alive, while the client is open and idle. */
  readonly open: readonly string[];
  /** What the service tells a further call of its open connections, and how many the client knows of then. */
  readonly connections: { readonly open: number; readonly known: number | undefined };
  /** The same after `close()`. */
  readonly closed: readonly string[];
}
