import { constants } from 'node:http2';
import type { Random } from '../../../src/sandbox/core/basics/random.js';

/** A GOAWAY that comes with a request. Only a proper one keeps its word. */
export interface Goaway {
  readonly name: string;
  readonly code: number;
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

const { NGHTTP2_NO_ERROR, NGHTTP2_ENHANCE_YOUR_CALM } = constants;

const GOAWAYS: readonly [Goaway, ...Goaway[]] = [
  { name: 'proper GOAWAY', code: NGHTTP2_NO_ERROR, last: 'highest', isCareless: false },
  { name: 'proper GOAWAY with an error', code: NGHTTP2_ENHANCE_YOUR_CALM, last: 'highest', isCareless: false },
  { name: 'GOAWAY of every stream', code: NGHTTP2_NO_ERROR, last: 'every', isCareless: true },
  { name: 'careless GOAWAY of Node', code: NGHTTP2_NO_ERROR, last: 'of Node', isCareless: true },
  { name: 'careless GOAWAY of a lower stream', code: NGHTTP2_NO_ERROR, last: 'lower', isCareless: true },
  { name: 'careless GOAWAY with an error', code: NGHTTP2_ENHANCE_YOUR_CALM, last: 'lower', isCareless: true },
];

/**
 * The end of a request:
 *
 * - `answer`: 200. `bad request`, `too many requests`, `unavailable`: 400, 429, 503.
 * - `refused`: REFUSED_STREAM. `cancelled`, `broken`: RST_STREAM with CANCEL and INTERNAL_ERROR.
 * - `head, then refused`: a head with 200, and REFUSED_STREAM where its body is due.
 * - `head, then broken`: the same with INTERNAL_ERROR.
 * - `cut`: the connection is reset. `silence`: nothing comes.
 */
const ENDS = {
  answer: 'applied',
  'bad request': 'not applied',
  'too many requests': 'not applied',
  unavailable: 'either',
  refused: 'not applied',
  cancelled: 'either',
  broken: 'either',
  'head, then refused': 'applied',
  'head, then broken': 'applied',
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
  return { goaway, delays: [delay(), delay()], isApplied, end };
}
