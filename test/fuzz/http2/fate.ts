import { constants } from 'node:http2';
import type { Random } from '../../../src/sandbox/core/basics/random.js';

/** A GOAWAY that comes with a request. Only a proper one keeps its word. */
export interface Goaway {
  readonly name: string;
  /**
   * The last stream that it names:
   *
   * - `highest`: the highest that has arrived. `lower`: one before this request.
   * - `every`: the highest there can be, as the first GOAWAY of a graceful end.
   * - `of Node`: the one that Node's `session.goaway()` chooses.
   */
  readonly last: 'highest' | 'lower' | 'every' | 'of Node';
  /** The service begins with later streams all the same. */
  readonly isCareless: boolean;
}

const { NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM } = constants;

const GOAWAYS: readonly [Goaway, ...Goaway[]] = [
  { name: 'proper GOAWAY', last: 'highest', isCareless: false },
  { name: 'GOAWAY of every stream', last: 'every', isCareless: true },
  { name: 'careless GOAWAY of Node', last: 'of Node', isCareless: true },
  { name: 'careless GOAWAY of a lower stream', last: 'lower', isCareless: true },
];

/** RFC 9113 defines 14 error codes. Two more are unknown to everybody. */
const CODES = Array.from({ length: 16 }, (_, code) => code) as [number, ...number[]];

/**
 * The end of a request:
 *
 * - `answer`: 200. `bad request`, `too many requests`, `unavailable`: 400, 429, 503.
 * - `refused`: RST_STREAM with REFUSED_STREAM. `reset`: with any other code.
 * - `head, then reset`: a head with 200, and RST_STREAM with any code where its body is due.
 * - `cut`: the connection is reset. `silence`: nothing comes.
 */
const ENDS = {
  answer: 'applied',
  'bad request': 'not applied',
  'too many requests': 'not applied',
  unavailable: 'either',
  refused: 'not applied',
  reset: 'either',
  'head, then reset': 'applied',
  cut: 'either',
  silence: 'either',
} as const;

export type End = keyof typeof ENDS;

const FAULTS = Object.keys(ENDS).filter((end) => end !== 'answer') as [End, ...End[]];

/** What becomes of one request at the service. */
export interface Fate {
  readonly goaway: Goaway | undefined;
  /** Time in ms before it is applied, and before it ends. */
  readonly delays: readonly [number, number];
  readonly isApplied: boolean;
  readonly end: End;
  /** Of the GOAWAY, and of the RST_STREAM. */
  readonly codes: readonly [goaway: number, reset: number];
}

const GOAWAY_CHANCE = 0.04;
const FAULT_CHANCE = 0.12;
const DELAY_CHANCE = 0.5;
const DELAY_MAX_MS = 40;

export function fateOf(random: Random): Fate {
  const goaway = random.chance(GOAWAY_CHANCE) ? random.pick(GOAWAYS) : undefined;
  const end = random.chance(FAULT_CHANCE) ? random.pick(FAULTS) : 'answer';
  const isApplied = ENDS[end] === 'applied' || (ENDS[end] === 'either' && random.chance(0.5));
  const delay = () => (random.chance(DELAY_CHANCE) ? 0 : random.integer(1, DELAY_MAX_MS));
  // Most sessions end without an error.
  const goawayCode = random.chance(0.4) ? NGHTTP2_NO_ERROR : random.pick(CODES);
  return { goaway, delays: [delay(), delay()], isApplied, end, codes: [goawayCode, resetCodeOf(end, random)] };
}

function resetCodeOf(end: End, random: Random): number {
  if (end === 'refused') return NGHTTP2_REFUSED_STREAM;
  const code = random.pick(CODES);
  return end === 'reset' && code === NGHTTP2_REFUSED_STREAM ? NGHTTP2_NO_ERROR : code;
}
