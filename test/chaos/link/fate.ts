import { Dice } from '../plan/dice.js';

/** `up`: from the client to the service. */
export type Direction = 'up' | 'down';

/** What happens to a connection, and after how many bytes in that direction. */
export interface Strike {
  /**
   * `reset`, `fin`: the connection breaks between two bytes. `half`: what is before the place arrives, then nothing, then it breaks. `stall`:
   * the rest comes later. `garble`: the bytes at the place are no HTTP and no JSON any more.
   */
  readonly kind: 'reset' | 'fin' | 'half' | 'stall' | 'garble';
  readonly direction: Direction;
  readonly at: number;
  /** How long a `half` or a `stall` holds, in milliseconds. */
  readonly holds: number;
}

export interface Fate {
  /** Broken before a byte has passed. */
  readonly refused: boolean;
  /** After it nobody listens for a while: connections are refused. */
  readonly silences: boolean;
  /** Milliseconds before the first byte passes, as TLS would take. */
  readonly opensAfter: number;
  /** How many milliseconds the next chunk is held. */
  readonly jitter: () => number;
  readonly strikes: readonly Strike[];
  /** The first request is made one that no service can read; the service answers it 400 and closes. */
  readonly garblesFirst: boolean;
  /** What the client had written reaches the service although the connection broke, so many milliseconds later; undefined: it is dropped. */
  readonly lateBy: number | undefined;
}

/** Bytes until a connection is struck: some hundred requests; now and then in the midst of the first ones. */
const PLACES = [5_000, 1_000_000] as const;
const EARLY_PLACES = [1, 5_000] as const;
const SHARE_OF_EARLY = 0.15;

/** Milliseconds. */
const HOLDS = [30, 1_200] as const;

const BREAKS = [
  [3, 'reset'],
  [3, 'fin'],
  [2, 'half'],
  [3, 'garble'],
] as const;

/** The fate of the connection with this number. Every one is struck some time; many never get there. */
export function fateOf(seed: number, phase: string, connection: number): Fate {
  const dice = new Dice(seed, phase, 'connection', connection);
  const jitter = new Dice(seed, phase, 'jitter', connection);
  const strike = (kind: Strike['kind']): Strike => ({
    kind,
    direction: dice.pick(['up', 'down']),
    at: Math.floor(dice.chance(SHARE_OF_EARLY) ? dice.magnitude(...EARLY_PLACES) : dice.magnitude(...PLACES)),
    holds: dice.magnitude(...HOLDS),
  });
  const strikes = [strike(dice.weighted(BREAKS))];
  if (dice.chance(0.4)) strikes.push(strike('stall'));
  return {
    refused: dice.chance(0.03),
    silences: dice.chance(0.025),
    opensAfter: dice.between(5, 85),
    // Its own draws: how many chunks there are depends on the moment.
    jitter: () => jitter.between(0, 6),
    strikes: strikes.sort((one, other) => one.at - other.at),
    garblesFirst: dice.chance(0.03),
    lateBy: dice.chance(0.5) ? dice.magnitude(1, 600) : undefined,
  };
}
