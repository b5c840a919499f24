import { median, quantile } from '../figures.js';
import type { Pair, Rounds } from './rounds.js';
import type { Sample } from './visit.js';

/** A median of ratios, with what nine of ten rounds lay above, and below. */
export interface Ratio {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** A client in one cell. */
export interface CellSummary {
  /** Of the medians of all rounds. */
  readonly sample: Sample;
  /** To the floor. */
  readonly cpu: Ratio;
  readonly rate: Ratio;
  readonly p99: Ratio;
  /** CPU of the first calls of young processes. */
  readonly first: Ratio;
}

/** By client, then by cell. */
export type CallsSummary = ReadonlyMap<string, ReadonlyMap<string, CellSummary>>;

export function summarise(rounds: Rounds): CallsSummary {
  return new Map(
    [...rounds].map(([client, cells]) => [
      client,
      new Map([...cells].map(([cell, pairs]) => [cell, summaryOf(pairs)])),
    ]),
  );
}

function summaryOf(pairs: readonly Pair[]): CellSummary {
  const samples = pairs.map(({ client }) => client);
  return {
    sample: medians(samples),
    cpu: ratio(pairs, 'cpu'),
    rate: ratio(pairs, 'rate'),
    p99: ratio(pairs, 'p99'),
    first: ratio(pairs, 'first'),
  };
}

/** The floor's own figures: of every visit that something was held against. */
export function floorOf(rounds: Rounds): ReadonlyMap<string, Sample> {
  const samples = new Map<string, Sample[]>();
  for (const cells of rounds.values()) {
    for (const [cell, pairs] of cells) {
      samples.set(cell, [...(samples.get(cell) ?? []), ...pairs.flatMap(({ floor }) => floor)]);
    }
  }
  return new Map([...samples].map(([cell, list]) => [cell, medians(list)]));
}

function medians(samples: readonly Sample[]): Sample {
  const of = (figure: keyof Sample) => median(samples.map((sample) => sample[figure]));
  return {
    cpu: of('cpu'),
    rate: of('rate'),
    p50: of('p50'),
    p99: of('p99'),
    serviceBusy: of('serviceBusy'),
    first: of('first'),
  };
}

function ratio(pairs: readonly Pair[], figure: keyof Sample): Ratio {
  const ratios = pairs
    .map(({ client, floor }) => client[figure] / ((floor[0][figure] + floor[1][figure]) / 2))
    .sort((a, b) => a - b);
  return { median: median(ratios), low: quantile(ratios, 0.1), high: quantile(ratios, 0.9) };
}
