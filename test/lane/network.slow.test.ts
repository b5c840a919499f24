import { describe, expect, it } from 'vitest';
import { type Cell, type EDGES, type LINKS, measure, shortfalls } from './support/cells.js';

type Edge = keyof typeof EDGES;
type Link = keyof typeof LINKS;

/** The widest gap in ms, but where more than 5 % are refused for a while. */
const WIDEST_GAP = 4;

/**
 * 64 callers, 50 ms. Bounds: the largest share refused in per cent, the smallest rate as a multiple of one call at a time, and as a part
 * of a pool that nobody checks; the widest gap where it may exceed 4 ms. Behind each row: what was measured, as the mean of three seeds.
 */
const SATURATED: readonly (readonly [Edge, Link, refused: number, strict: number, any: number, gap?: number])[] = [
  ['pool', '0-0.2', 0.2, 57, 0.89], // 0.02 % · 64 × · 1.00
  ['pool', '0-1', 1.3, 42, 0.66], // 0.86 % · 47 × · 0.74
  ['pool', '0-5', 2.5, 11, 0.18], // 1.63 % · 13 × · 0.21
  ['pool', 'spikes', 2.7, 40, 0.63], // 1.96 % · 46 × · 0.73
  ['pool', 'rare spikes', 0.4, 57, 0.89], // 0.15 % · 64 × · 1.00
  ['pool', 'loss', 1.3, 41, 0.65], // 0.91 % · 47 × · 0.73
  ['pool', 'rests', 4.9, 54, 0.85], // 3.81 % · 61 × · 0.95
  ['pool, workers', '0-0.2', 1.2, 31, 0.48], // 0.79 % · 36 × · 0.56
  ['pool, workers', '0-1', 1.2, 28, 0.43], // 0.80 % · 32 × · 0.50
  ['pool, workers', '0-5', 3, 11, 0.18], // 2.00 % · 13 × · 0.20
  ['pool, workers', 'spikes', 2.6, 26, 0.42], // 1.81 % · 30 × · 0.48
  ['pool, workers', 'rare spikes', 1.5, 30, 0.47], // 0.90 % · 36 × · 0.56
  ['pool, workers', 'loss', 1.4, 26, 0.41], // 0.85 % · 30 × · 0.47
  ['pool, busy', '0-0.2', 10, 50, 0.77], // 7.05 % · 58 × · 0.89
  ['pool, busy', '0-1', 12, 35, 0.57], // 7.44 % · 39 × · 0.64
  ['pool, busy', '0-5', 11.7, 10, 0.16, 10], // 7.34 % · 12 × · 0.19
  ['pool, busy', 'spikes', 11.1, 25, 0.39], // 8.11 % · 35 × · 0.55
  ['pool, busy', 'rare spikes', 10.9, 50, 0.79], // 7.14 % · 57 × · 0.90
  ['pool, busy', 'loss', 9.9, 35, 0.56], // 7.05 % · 40 × · 0.64
  ['h2', '0-0.2', 0, 57, 0.9], // 0.00 % · 64 × · 1.00
  ['h2', '0-1', 0, 57, 0.89], // 0.00 % · 64 × · 1.00
  ['h2', '0-5', 0, 54, 0.88], // 0.00 % · 61 × · 0.98
  ['h2', 'spikes', 0, 35, 0.79], // 0.00 % · 40 × · 0.90
  ['h2', 'rare spikes', 0, 35, 0.8], // 0.00 % · 44 × · 0.99
  ['h2', 'loss', 0, 46, 0.76], // 0.00 % · 54 × · 0.89
  ['h2', 'rests', 0, 56, 0.88], // 0.00 % · 63 × · 0.98
  ['h2, late bodies', '0-0.2', 0.2, 56, 0.89], // 0.01 % · 63 × · 0.99
  ['h2, late bodies', '0-1', 0.2, 55, 0.86], // 0.02 % · 62 × · 0.97
  ['h2, late bodies', '0-5', 1.1, 45, 0.72], // 0.65 % · 51 × · 0.82
  ['h2, late bodies', 'spikes', 4.3, 32, 0.71], // 3.11 % · 36 × · 0.81
  ['h2, late bodies', 'rare spikes', 1.6, 33, 0.78], // 0.69 % · 42 × · 0.99
  ['h2, late bodies', 'loss', 0.2, 45, 0.74], // 0.03 % · 52 × · 0.85
  ['h2, workers', '0-0.2', 1.1, 31, 0.49], // 0.75 % · 36 × · 0.56
  ['h2, workers', '0-1', 1.1, 26, 0.42], // 0.72 % · 30 × · 0.48
  ['h2, workers', '0-5', 3.8, 11, 0.19], // 2.63 % · 13 × · 0.21
  ['h2, workers', 'spikes', 3.8, 26, 0.61], // 2.48 % · 30 × · 0.70
  ['h2, workers', 'rare spikes', 4.6, 28, 0.56], // 3.53 % · 32 × · 0.63
  ['h2, workers', 'loss', 1, 24, 0.4], // 0.68 % · 28 × · 0.46
  ['h2, slow workers', '0-0.2', 1.5, 16, 0.24], // 1.00 % · 18 × · 0.28
  ['h2, slow workers', '0-1', 1.6, 14, 0.23], // 1.02 % · 17 × · 0.26
  ['h2, slow workers', '0-5', 5.7, 11, 0.18, 10], // 4.17 % · 13 × · 0.21
  ['h2, slow workers', 'spikes', 2.7, 14, 0.3], // 1.94 % · 17 × · 0.35
  ['h2, slow workers', 'rare spikes', 1.5, 15, 0.41], // 1.10 % · 18 × · 0.49
  ['h2, slow workers', 'loss', 1.6, 15, 0.24], // 1.07 % · 17 × · 0.28
  ['fetch', '0-0.2', 0.5, 56, 0.87], // 0.25 % · 63 × · 0.98
  ['fetch', '0-1', 1.3, 40, 0.63], // 0.93 % · 46 × · 0.72
  ['fetch', '0-5', 2.3, 11, 0.18], // 1.63 % · 13 × · 0.21
  ['fetch', 'spikes', 2.8, 40, 0.63], // 1.94 % · 47 × · 0.73
  ['fetch', 'rare spikes', 0.8, 55, 0.87], // 0.43 % · 62 × · 0.97
  ['fetch', 'loss', 1.6, 39, 0.62], // 1.08 % · 45 × · 0.70
  ['fetch', 'rests', 5.4, 53, 0.82], // 4.14 % · 59 × · 0.92
];

/** 200 calls a second at random times, 20 ms each. Bounds: refused in per cent, p95 and the longest wait in the queue in ms. */
const STEADY: readonly (readonly [Edge, Link, refused: number, p95: number, wait: number])[] = [
  ['pool', '0-1', 1, 40, 100], // 0.07 % · 25 ms · 8 ms
  ['pool', 'spikes', 2, 40, 100], // 1.13 % · 25 ms · 12 ms
  ['pool', 'rests', 9, 110, 110], // 5.99 % · 79 ms · 51 ms
  ['h2', 'rests', 0, 80, 100], // 0 % · 60 ms · 3 ms
  ['fetch', 'rests', 9, 110, 130], // 5.61 % · 81 ms · 76 ms
  ['pool, workers', '0-1', 1, 40, 100], // 0.30 % · 27 ms · 12 ms
  ['pool, busy', '0-1', 8, 80, 100], // 4.15 % · 52 ms · 65 ms
  ['h2', '0-1', 0, 40, 100], // 0 % · 24 ms · 3 ms
  ['h2', 'spikes', 0, 80, 100], // 0 % · 67 ms · 3 ms
  ['h2, late bodies', '0-1', 1, 40, 100], // 0.14 % · 24 ms · 8 ms
  ['h2, workers', '0-1', 1, 40, 100], // 0.47 % · 26 ms · 10 ms
  ['h2, slow workers', '0-1', 1, 50, 100], // 0.37 % · 40 ms · 35 ms
  ['fetch', '0-1', 1, 40, 100], // 0.09 % · 25 ms · 11 ms
  ['fetch', 'spikes', 2, 40, 100], // 1.28 % · 25 ms · 11 ms
];

/** 200 calls a second at random times: 5 to 15 ms, and 1 % take 2 s. The same bounds. */
const SLOW: readonly (readonly [Edge, Link, refused: number, p95: number, wait: number])[] = [
  ['pool', '0-1', 1, 60, 100], // 0.10 % · 18 ms · 5 ms
  ['pool, workers', '0-1', 1, 60, 100], // 0.33 % · 19 ms · 12 ms
  ['pool, busy', '0-1', 8, 60, 100], // 5.26 % · 43 ms · 55 ms
  ['h2', '0-1', 0, 60, 100], // 0 % · 18 ms · 2 ms
  ['h2, late bodies', '0-1', 1, 60, 100], // 0.14 % · 18 ms · 5 ms
  ['h2, workers', '0-1', 1.5, 60, 100], // 0.68 % · 19 ms · 10 ms
  ['h2, slow workers', '0-1', 1, 60, 100], // 0.16 % · 31 ms · 66 ms
  ['fetch', '0-1', 1, 60, 100], // 0.35 % · 18 ms · 13 ms
];

const CELLS: readonly Cell[] = [
  ...SATURATED.map(([edge, link, refused, strict, any, gap = WIDEST_GAP]): Cell => {
    return { edge, link, load: '64 callers', bounds: { refused, strict, any, gap } };
  }),
  ...STEADY.map(([edge, link, refused, p95, wait]): Cell => {
    return { edge, link, load: '200/s', bounds: { refused, p95, wait, gap: WIDEST_GAP } };
  }),
  ...SLOW.map(([edge, link, refused, p95, wait]): Cell => {
    return { edge, link, load: '200/s, 1 % slow', bounds: { refused, p95, wait, gap: WIDEST_GAP } };
  }),
];

const SEED = 1_000;

describe('a lane in a simulated network loses no call, sends no nonce twice, and is as fast as its order allows', () => {
  it.each(CELLS)('$load, edge: $edge, link: $link', (cell) => {
    expect(shortfalls(cell, measure(cell, SEED))).toEqual([]);
  });

  it('does the same on connections that an edge handles in turn and together: it sends one request at a time on each', () => {
    const bounds = { refused: 100 };
    const inTurn = measure({ edge: 'pool', link: '0-1', load: '64 callers', bounds }, SEED);
    const together = measure({ edge: 'pool, together', link: '0-1', load: '64 callers', bounds }, SEED);
    expect(together).toEqual(inTurn);
  });
});
