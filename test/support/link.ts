import { ChaosLink } from '../chaos/link/link.js';
import { seeded } from './random.js';

export interface LinkOptions {
  /** Milliseconds a fresh connection waits before its first byte passes: least and most. */
  readonly fresh: readonly [number, number];
  /** The most milliseconds a chunk is held. Order within a connection is kept. */
  readonly jitter: number;
  readonly seed?: number;
}

/** A TCP link that delays, and does nothing worse: fresh connections as TLS would, chunks as a network does. */
export function startLink(port: number, { fresh, jitter, seed = 1 }: LinkOptions): Promise<ChaosLink> {
  const random = seeded(seed);
  const [least, most] = fresh;
  return ChaosLink.start(port, {
    // It reads no request: TLS may pass through it.
    encrypted: true,
    seed,
    phase: '',
    fateOf: () => ({
      refused: false,
      silences: false,
      garblesFirst: false,
      lateBy: undefined,
      strikes: [],
      opensAfter: least + random() * (most - least),
      jitter: () => random() * jitter,
    }),
  });
}
