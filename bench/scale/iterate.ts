import { median, round, table, target } from '../lanes/figures.js';
import type { Scale } from '../scenarios.js';
import type { Held } from './memory.js';
import { reportOf, withService } from './processes.js';
import { PAGE_SIZE } from './service.js';

const ITEMS = 1_000_000;

/** The list is cut into so many stretches; the first warms up. */
const STRETCHES = 20;

/** As many stretches at the beginning are held against as many at the end. */
const COMPARED = 5;

const MAX_HEAP_SPREAD = 10_000_000;
const MAX_COST_RATIO = 1.1;

export interface IterateSetup {
  readonly url: string;
  readonly pages: number;
  readonly prefetch: boolean;
  readonly stretches: number;
}

/** What one part of the list cost, in microseconds per page, and what was held at its end. */
export interface Stretch {
  readonly cpu: number;
  readonly wall: number;
  readonly held: Held;
}

export interface IterateReport {
  readonly items: number;
  readonly stretches: readonly Stretch[];
}

/** A list of a million items: memory stays flat, and a page costs the same at the end as at the beginning. */
export async function iterate({ share }: Scale): Promise<void> {
  const pages = (ITEMS * share) / PAGE_SIZE;
  const rows = [];
  let spread = 0;
  let ratio = 0;
  for (const prefetch of [false, true]) {
    const { items, stretches } = await withService(pages, (url) =>
      reportOf<IterateReport>('iterate-process.ts', { url, pages, prefetch, stretches: STRETCHES }),
    );
    if (items !== pages * PAGE_SIZE) throw new Error(`${items} items came of ${pages} pages`);
    const figures = figuresOf(stretches.slice(1));
    spread = Math.max(spread, figures.spread);
    ratio = Math.max(ratio, figures.ratio);
    rows.push({ variant: prefetch ? 'prefetch' : 'page by page', items, ...figures.row });
  }
  table(rows);
  target(
    `the heap stays within ${MAX_HEAP_SPREAD / 1e6} MB either way after the first stretch`,
    spread <= MAX_HEAP_SPREAD,
  );
  target(`a page at the end costs at most ${MAX_COST_RATIO} of one at the beginning`, ratio <= MAX_COST_RATIO);
}

function figuresOf(stretches: readonly Stretch[]) {
  const heaps = stretches.map(({ held }) => held.heap);
  const resident = stretches.map(({ held }) => held.resident);
  const begin = median(stretches.slice(0, COMPARED).map(({ cpu }) => cpu));
  const end = median(stretches.slice(-COMPARED).map(({ cpu }) => cpu));
  const middle = median(heaps);
  const spread = Math.max(...heaps.map((heap) => Math.abs(heap - middle)));
  const row = {
    'heap, MB': `${megabytes(Math.min(...heaps))}–${megabytes(Math.max(...heaps))}`,
    'resident, MB': `${megabytes(Math.min(...resident))}–${megabytes(Math.max(...resident))}`,
    'µs CPU/page, first': round(begin),
    'µs CPU/page, last': round(end),
    'last/first': round(end / begin, 3),
    'µs/page': round(median(stretches.map(({ wall }) => wall))),
  };
  return { row, spread, ratio: end / begin };
}

const megabytes = (bytes: number) => round(bytes / 1e6, 2);
