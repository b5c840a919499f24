import { Lane } from '../../../src/lane/lane.js';
import type { NonceOrder } from '../../../src/stats.js';
import { seeded } from '../../support/random.js';
import { CallCounter, SimulatedCall } from './calls.js';
import { type Edge, type Link, type Random, SimulatedNetwork } from './network.js';
import { VirtualClock } from './virtual-clock.js';

export interface Load {
  /** So many callers, each of which calls again when it is answered; or so many calls a second, at random times. */
  readonly callers?: number;
  readonly perSecond?: number;
  readonly answerTime: (random: Random) => number;
}

/** One call in ten is a write. */
const WRITES = 0.1;

/** Time in ms in which a lane opens its connections and finds its gap: counted apart. */
const START_MS = 1_000;

const SAMPLE_MS = 10;

export interface Simulation {
  readonly edge: Edge;
  readonly link: Link;
  readonly load: Load;
  readonly seed: number;
  readonly seconds: number;
  readonly order?: NonceOrder;
}

/** What came of it after the first second. */
export interface Figures {
  /** Answered calls per second. */
  readonly rate: number;
  /** The share of requests that were refused. */
  readonly refused: number;
  readonly p95: number;
  /** Time in ms. */
  readonly longestWait: number;
  readonly widestGap: number;
  /** The most requests of one call that were overtaken. */
  readonly mostRaces: number;
  readonly failed: number;
  readonly repeatedNonces: number;
}

/** Runs a lane under a load through a network, in virtual time. The service checks no order where the lane keeps none. */
export function simulate({ edge, link, load, seed, seconds, order = 'adaptive' }: Simulation): Figures {
  const clock = new VirtualClock(seeded(seed));
  const service = { answerTime: load.answerTime, ordered: order !== 'unordered' };
  const network = new SimulatedNetwork({ clock, random: seeded(seed + 1), link, edge, service });
  const lane = new Lane('https://simulated', network.transport, clock);
  lane.members.join({ nonceOrder: order, nonceRefusals: 0.01, keyIsShared: false });
  const counter = new CallCounter();
  const random = seeded(seed + 2);
  const times: number[] = [];
  let widestGap = 0;
  let answered = 0;

  const call = (then: () => void): void => {
    const start = clock.now();
    const ended = () => {
      answered += 1;
      if (start >= START_MS) times.push(clock.now() - start);
      then();
    };
    new SimulatedCall(lane, clock, counter, random() < WRITES, ended).enter();
  };
  const sample = (): void => {
    widestGap = Math.max(widestGap, lane.stats().gap);
    clock.at(clock.now() + SAMPLE_MS, sample);
  };

  startLoad(load, clock, random, call);
  clock.runUntil(START_MS);
  const answeredAtStart = answered;
  counter.reset();
  sample();
  clock.runUntil(seconds * 1_000);
  times.sort((one, other) => one - other);
  return {
    rate: (answered - answeredAtStart) / (seconds - START_MS / 1_000),
    refused: counter.refused / counter.sent,
    p95: times[Math.floor(times.length * 0.95)] ?? Number.NaN,
    longestWait: counter.longestWait,
    widestGap,
    mostRaces: counter.mostRaces,
    failed: counter.failed,
    repeatedNonces: network.nonces.length - new Set(network.nonces).size,
  };
}

function startLoad(load: Load, clock: VirtualClock, random: Random, call: (then: () => void) => void): void {
  const { callers = 0, perSecond } = load;
  for (let caller = 0; caller < callers; caller++) {
    // Later in the same moment: an answer's own work is done first.
    const again = () => call(() => clock.at(clock.now(), again));
    clock.at(0, again);
  }
  if (perSecond === undefined) return;
  const next = () => {
    call(() => {});
    clock.at(clock.now() - (Math.log(1 - random()) * 1_000) / perSecond, next);
  };
  clock.at(0, next);
}
