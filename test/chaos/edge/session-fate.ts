import { constants } from 'node:http2';
import { Dice } from '../plan/dice.js';

/**
 * How an edge ends an HTTP/2 session:
 *
 * - `goaway`: it names the last stream that it serves, answers what it has begun with, and closes.
 * - `graceful`: it says first that it will go, serves what comes meanwhile, then names the last stream.
 * - `careless goaway`: it names an earlier stream, with any error code, and serves the later ones all the same.
 * - `goaway and reset`: it names the last stream, then the connection breaks with the answers unsaid.
 * - `reset`: the connection breaks without a word.
 * - `stall`: it begins with nothing that comes, for a while.
 */
export type SessionEnd = 'goaway' | 'graceful' | 'careless goaway' | 'goaway and reset' | 'reset' | 'stall';

/**
 * What an edge does to a stream: `refused`: REFUSED_STREAM, not served; `reset before`: broken and not served, but it
 * does not say so; `reset after`: served, and broken in place of the answer; `reset within`: served, and broken after the
 * head of the answer.
 */
export type StreamFault = 'refused' | 'reset before' | 'reset after' | 'reset within';

/** What becomes of one connection at an edge with TLS. */
export interface SessionFate {
  /** How many streams may be open at once. */
  readonly maxStreams: number;
  readonly end: SessionEnd;
  /** How many requests come before it ends, or stalls. */
  readonly endsAfter: number;
  /** How long a stall lasts and how long after `goaway` a reset comes, in ms. */
  readonly holds: number;
  /** The fault of the next stream. */
  readonly faultOf: () => StreamFault | undefined;
  /** The error code of the next RST_STREAM or careless GOAWAY. */
  readonly codeOf: () => number;
}

/** RFC 9113 defines 14 error codes, and two more are unknown to everybody. REFUSED_STREAM promises what no fate keeps. */
const CODES = Array.from({ length: 16 }, (_, code) => code).filter((code) => code !== constants.NGHTTP2_REFUSED_STREAM);

const ENDS: readonly (readonly [number, SessionEnd])[] = [
  [4, 'goaway'],
  [2, 'graceful'],
  [2, 'careless goaway'],
  [3, 'goaway and reset'],
  [2, 'reset'],
  [2, 'stall'],
];

/** Requests before a session ends; edges in use take about a thousand. */
const REQUESTS = [3, 400] as const;

/** In ms: shorter and longer than an attempt may take. */
const HOLDS = [5, 1_500] as const;

export function sessionFateOf(seed: number, phase: string, session: number): SessionFate {
  const dice = new Dice(seed, phase, 'session', session);
  const streams = new Dice(seed, phase, 'streams', session);
  return {
    maxStreams: dice.pick([1, 8, 64, 128, 256]),
    end: dice.weighted(ENDS),
    endsAfter: Math.floor(dice.magnitude(...REQUESTS)),
    holds: dice.magnitude(...HOLDS),
    // Its own draws: how many streams there are depends on the moment.
    faultOf: () =>
      streams.weighted([
        [95, undefined],
        [3, 'refused'],
        [1, 'reset before'],
        [1, 'reset after'],
        [1, 'reset within'],
      ] as const),
    codeOf: () => streams.pick(CODES),
  };
}

/** The share of handshakes in which the edge speaks HTTP/1.1 alone, as an edge may that has many machines. */
const OLD = 0.1;

/** The protocol that the edge wants in a handshake. It does not know yet which connection comes of it. */
export const protocolOf = (seed: number, phase: string, handshake: number): 'h2' | 'http/1.1' =>
  new Dice(seed, phase, 'handshake', handshake).chance(OLD) ? 'http/1.1' : 'h2';
