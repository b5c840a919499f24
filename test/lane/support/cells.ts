import type { Edge, Link, Random } from './network.js';
import { type Figures, type Load, simulate } from './simulate.js';

const upTo =
  (milliseconds: number) =>
  (random: Random): number =>
    random() * milliseconds;

const exponential =
  (mean: number) =>
  (random: Random): number =>
    -Math.log(1 - random()) * mean;

/** Now and then a message takes much longer. */
const spikes =
  (share: number, milliseconds: number, usual: (random: Random) => number) =>
  (random: Random): number =>
    usual(random) + (random() < share ? milliseconds : 0);

export const LINKS = {
  '0-0.2': { latency: 0.5, jitter: upTo(0.2) },
  '0-1': { latency: 1, jitter: upTo(1) },
  '0-5': { latency: 1, jitter: upTo(5) },
  spikes: { latency: 1, jitter: spikes(0.01, 50, upTo(1)) },
  'rare spikes': { latency: 1, jitter: spikes(0.001, 200, upTo(0.3)) },
  loss: { latency: 1, jitter: upTo(1), loss: 0.002 },
  /** A busy machine: nothing is read for a tenth of a second, again and again. */
  rests: { latency: 1, jitter: upTo(0.3), rest: { every: 1_500, lasts: 100 } },
} satisfies Record<string, Link>;

export const EDGES = {
  /** One request of a connection at a time, as nearly every edge does. */
  pool: { way: 'http1', inTurn: true, firstUse: upTo(3) },
  'pool, together': { way: 'http1', firstUse: upTo(3) },
  /** Each request goes to a worker, which takes its time. */
  'pool, workers': { way: 'http1', inTurn: true, firstUse: upTo(3), handling: exponential(0.3) },
  /** A busy machine: it stands still for 10 to 40 ms, and then goes on with all that has arrived. */
  'pool, busy': {
    way: 'http1',
    inTurn: true,
    firstUse: upTo(3),
    handling: exponential(0.1),
    standstill: (random) => 10 + 30 * random(),
  },
  h2: { way: 'http2' },
  /** A request with a body goes on when the body has been read. */
  'h2, late bodies': { way: 'http2', handling: (random, withBody) => (withBody ? random() * 1.5 : 0) },
  'h2, workers': { way: 'http2', handling: exponential(0.3) },
  'h2, slow workers': { way: 'http2', handling: upTo(3) },
  /** Connections open while their first request waits. */
  fetch: { way: 'fetch', inTurn: true, firstUse: (random) => 5 + 80 * random() },
} satisfies Record<string, Edge>;

export const LOADS = {
  '64 callers': { callers: 64, answerTime: () => 50 },
  '200/s': { perSecond: 200, answerTime: () => 20 },
  '200/s, 1 % slow': { perSecond: 200, answerTime: (random) => (random() < 0.01 ? 2_000 : 5 + 10 * random()) },
} satisfies Record<string, Load>;

/** What must come of a cell. */
export interface Bounds {
  /** The largest share of requests that is refused, in per cent. */
  readonly refused: number;
  /** The smallest rate, as a multiple of one call at a time, and as a part of a pool that nobody checks. */
  readonly strict?: number;
  readonly any?: number;
  /** Times in ms. */
  readonly p95?: number;
  readonly wait?: number;
  readonly gap?: number;
}

export interface Cell {
  readonly edge: keyof typeof EDGES;
  readonly link: keyof typeof LINKS;
  readonly load: keyof typeof LOADS;
  readonly bounds: Bounds;
}

const SECONDS = 8;

/** A call whose requests were overtaken four times is sent a fifth time, and nothing is sent after it. */
const MAX_RACES = 4;

export interface Measured extends Figures {
  readonly ofStrict: number;
  readonly ofAny: number;
}

const references = new Map<string, number>();

/** The rate of the same callers in the same network, in another order. */
function referenceRate({ edge, link, load }: Cell, order: 'strict' | 'unordered', seed: number): number {
  const name = `${order}, ${edge}, ${link}, ${load}`;
  let rate = references.get(name);
  if (rate === undefined) {
    const seconds = order === 'strict' ? SECONDS : SECONDS / 2;
    rate = simulate({ edge: EDGES[edge], link: LINKS[link], load: LOADS[load], seed, seconds, order }).rate;
    references.set(name, rate);
  }
  return rate;
}

export function measure(cell: Cell, seed: number): Measured {
  const { edge, link, load } = cell;
  const figures = simulate({ edge: EDGES[edge], link: LINKS[link], load: LOADS[load], seed, seconds: SECONDS });
  const ofStrict = figures.rate / referenceRate(cell, 'strict', seed);
  const ofAny = figures.rate / referenceRate(cell, 'unordered', seed);
  return { ...figures, ofStrict, ofAny };
}

/** What of a cell is not as it must be. */
export function shortfalls({ bounds }: Cell, measured: Measured): string[] {
  const { refused, strict = 0, any = 0, p95 = Infinity, wait = Infinity, gap = Infinity } = bounds;
  const atMost = (name: string, value: number, most: number) => (value <= most ? [] : [`${name}: ${value} > ${most}`]);
  const atLeast = (name: string, value: number, least: number) =>
    value >= least ? [] : [`${name}: ${value} < ${least}`];
  return [
    ...atMost('failed calls', measured.failed, 0),
    ...atMost('nonces that were sent twice', measured.repeatedNonces, 0),
    ...atMost('overtaken requests of one call', measured.mostRaces, MAX_RACES),
    ...atMost('refused, in per cent', 100 * measured.refused, refused),
    ...atLeast('rate, of one at a time', measured.ofStrict, strict),
    ...atLeast('rate, of any order', measured.ofAny, any),
    ...atMost('p95 in ms', measured.p95, p95),
    ...atMost('longest wait in ms', measured.longestWait, wait),
    ...atMost('widest gap in ms', measured.widestGap, gap),
  ];
}
