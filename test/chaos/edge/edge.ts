import type { WireRequest } from '../judge/evidence.js';

/**
 * What stands between the link and the service: nothing, a proxy that takes a connection's requests in turn, one that
 * also sends the same bytes again when the service fails, or one that speaks HTTP/2.
 */
export const EDGES = ['direct', 'serial', 'resending', 'http2'] as const;

export type EdgeName = (typeof EDGES)[number];

export interface Edge {
  readonly port: number;
  /** Each request that arrived whole, where the link cannot read what passes through it. */
  readonly wire: readonly WireRequest[] | undefined;
  /** How often each fault struck. */
  readonly faults: ReadonlyMap<string, number>;
  /** No request is under way to the service or back. */
  readonly atRest: boolean;
  close(): Promise<void>;
}
