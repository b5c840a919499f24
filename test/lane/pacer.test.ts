import { describe, expect, it } from 'vitest';
import { Pacer, type PacerOptions } from '../../src/lane/pacer.js';
import { BODY, FETCH, FIRST_USE, flow, HTTP2, PLAIN, POOL, play, REPEAT, type Row, refuse } from './support/pacing.js';

describe('the gap between two starts', () => {
  it('is at least as wide as at first when nothing has started for 4 s, and as narrow as it was after less', () => {
    const pacer = new Pacer(POOL);
    const at = flow(pacer, 0, 2_000);
    const narrow = pacer.gap;
    expect(narrow).toBeLessThan(0.9);
    const after = flow(pacer, at + 3_900, 1);
    expect(pacer.gap).toBeLessThanOrEqual(narrow);
    pacer.start(after + 4_100, PLAIN);
    expect(pacer.gap).toBe(1);
  });

  it.each<[title: string, options: PacerOptions, rows: readonly Row[]]>([
    [
      'the first request starts at once, the next one a gap later',
      POOL,
      [
        [0, 'wait', 0],
        [0, 'start', 'a'],
        [0, 'wait', 1],
        [0.4, 'wait', 0.6],
        [1, 'wait', 0],
        [7, 'wait', 0],
      ],
    ],
    [
      'the gap runs from the start itself, also when that was late',
      POOL,
      [
        [0, 'start', 'a'],
        [1.6, 'start', 'b'],
        [1.6, 'wait', 1],
        [2.5, 'wait', 0.1],
        [2.6, 'wait', 0],
      ],
    ],
    [
      'there is no gap when the last one sent has been answered, or lost',
      { ...POOL, startGap: 4 },
      [
        [0, 'start', 'a'],
        [4, 'start', 'b'],
        [5, 'accepted', 'a'],
        [5, 'wait', 3],
        [6, 'accepted', 'b'],
        [6, 'wait', 0],
        [6, 'start', 'c'],
        [6, 'wait', 4 * (1 - Math.log(1.25) * 0.001) ** 2],
        [7, 'lost', 'c'],
        [7, 'wait', 0],
      ],
    ],
    [
      'a race widens it by a quarter, once for what was in flight together',
      POOL,
      [
        [0, 'start', 'a'],
        [1, 'start', 'b'],
        [2, 'start', 'c'],
        [5, 'refused', 'a'],
        [5, 'gap', 1.25],
        [6, 'refused', 'b'],
        [6, 'gap', 1.25],
        [14, 'start', 'd'],
        [15, 'start', 'e'],
        [15, 'refused', 'c'],
        [15, 'gap', 1.25],
        [25, 'refused', 'd'],
        [25, 'gap', 1.25 * 1.25],
      ],
    ],
    [
      'a race within 10 ms of another does not widen it again: a machine that stood still lets all go at once',
      POOL,
      [
        [0, 'start', 'a'],
        [1, 'start', 'b'],
        [5, 'refused', 'a'],
        [6, 'start', 'c'],
        [7, 'start', 'd'],
        [14.9, 'refused', 'c'],
        [14.9, 'gap', 1.25],
        [15, 'refused', 'd'],
        [15, 'gap', 1.25 * 1.25],
      ],
    ],
    [
      'a race widens it to 0.25 ms at least',
      { ...POOL, startGap: 0.01 },
      [
        [0, 'start', 'a'],
        [1, 'start', 'b'],
        [5, 'refused', 'a'],
        [5, 'gap', 0.25],
      ],
    ],
    [
      'a clean answer narrows it by ln 1.25 of a thousandth while nobody waits',
      POOL,
      [
        [0, 'start', 'a'],
        [5, 'accepted', 'a'],
        [5, 'gap', 1 - Math.log(1.25) * 0.001],
      ],
    ],
    [
      'the first use of a connection moves it neither way',
      POOL,
      [
        [0, 'start', 'a', FIRST_USE],
        [1, 'start', 'b', FIRST_USE],
        [2, 'start', 'c'],
        [5, 'refused', 'a'],
        [5, 'gap', 1],
        [6, 'accepted', 'b'],
        [6, 'gap', 1],
      ],
    ],
    [
      'a lost one moves it neither way',
      POOL,
      [
        [0, 'start', 'a'],
        [5, 'lost', 'a'],
        [5, 'gap', 1],
      ],
    ],
    [
      'a request with a body leaves a gap of its own kind, which its own races widen',
      HTTP2,
      [
        [0, 'start', 'a', BODY],
        [0, 'wait', 1],
        [1, 'start', 'b'],
        [1, 'wait', 0.1],
        [1.1, 'start', 'c', BODY],
        [2.1, 'refused', 'a'],
        [2.1, 'gap', 0.1],
        [2.1, 'start', 'd', BODY],
        [2.1, 'wait', 1.25],
        [6, 'accepted', 'd'],
        [6, 'start', 'e'],
        [7, 'start', 'f'],
        [12.1, 'refused', 'e'],
        [12.1, 'gap', 0.25],
        [13, 'start', 'g', BODY],
        [13, 'accepted', 'g'],
        [13, 'start', 'h', BODY],
        [13, 'wait', 1.25 * (1 - Math.log(1.25) * 0.001) ** 2],
      ],
    ],
  ])('%s', (_title, options, rows) => {
    play(new Pacer(options), rows);
  });
});

describe('a late refusal', () => {
  it.each<[title: string, rows: readonly Row[]]>([
    [
      'does not move the gap when it took 10 ms longer than the fastest answer',
      [
        [0, 'start', 'a'],
        [2, 'start', 'b'],
        [7, 'accepted', 'b'],
        [15.1, 'refused', 'a'],
        [15.1, 'gap', 1 - Math.log(1.25) * 0.001],
      ],
    ],
    [
      'moves it when it took less than that',
      [
        [0, 'start', 'a'],
        [2, 'start', 'b'],
        [7, 'accepted', 'b'],
        [14.9, 'refused', 'a'],
        [14.9, 'gap', 1.25 * (1 - Math.log(1.25) * 0.001)],
      ],
    ],
    [
      'is no late one where every answer takes as long',
      [
        [0, 'start', 'a'],
        [2, 'start', 'b'],
        [102, 'accepted', 'b'],
        [105, 'refused', 'a'],
        [105, 'gap', 1.25 * (1 - Math.log(1.25) * 0.001)],
      ],
    ],
  ])('%s', (_title, rows) => {
    play(new Pacer(POOL), rows);
  });

  it('moves the gap while more than 5 % are refused: then it is no spike', () => {
    const pacer = new Pacer(POOL);
    const at = refuse(pacer, flow(pacer, 0, 10), 12);
    expect(pacer.refusedShare).toBeGreaterThan(0.05);
    const before = pacer.gap;
    refuse(pacer, at, 1, 80);
    expect(pacer.gap).toBeGreaterThan(before);
  });

  it('stays late when many were refused that arrived together: a machine that rests shuffles all of them once', () => {
    const pacer = new Pacer(POOL);
    const at = flow(pacer, 0, 10);
    const starts = Array.from({ length: 12 }, () => pacer.start(at, PLAIN));
    for (const start of starts) pacer.refused(start, at + 5);
    expect(pacer.refusedShare).toBeGreaterThan(0.05);
    const before = pacer.gap;
    refuse(pacer, at + 20, 1, 80);
    expect(pacer.gap).toBe(before);
  });

  it('is late also right after the minute in which the fastest answer came', () => {
    const pacer = new Pacer(POOL);
    const at = flow(pacer, 0, 10) + 60_000;
    flow(pacer, at, 1, { answerTime: 50 });
    const before = pacer.gap;
    refuse(pacer, at + 100, 1, 40);
    expect(pacer.gap).toBe(before);
  });

  it('is compared with the answers of the last two minutes, since routes change', () => {
    const pacer = new Pacer(POOL);
    flow(pacer, 0, 10, { answerTime: 1 });
    const at = flow(pacer, 60_000, 200, { apart: 1_000, answerTime: 40 });
    const before = pacer.gap;
    refuse(pacer, at, 1, 41);
    expect(pacer.gap).toBeGreaterThan(before);
  });
});

describe('holds', () => {
  it.each<[title: string, options: PacerOptions, rows: readonly Row[]]>([
    [
      'a repeat holds the others for 1 ms, and other repeats for the gap alone',
      { ...POOL, startGap: 0.25 },
      [
        [0, 'start', 'a', REPEAT],
        [0, 'wait', 1],
        [0, 'wait of a repeat', 0.25],
        [0.5, 'wait', 0.5],
        [0.5, 'wait of a repeat', 0],
        [1, 'wait', 0],
      ],
    ],
    [
      'a repeat holds the others for 2 gaps where that is longer',
      { ...POOL, startGap: 4 },
      [
        [0, 'start', 'a', REPEAT],
        [0, 'wait', 8],
        [0, 'wait of a repeat', 4],
      ],
    ],
    [
      'a repeat with a body holds the others for 2 gaps of its kind',
      { ...HTTP2, bodyGap: 2 },
      [
        [0, 'start', 'a', { ...REPEAT, ...BODY }],
        [0, 'wait', 4],
        [0, 'wait of a repeat', 2],
      ],
    ],
    [
      'the hold ends with the answer to the repeat',
      { ...POOL, startGap: 0.25 },
      [
        [0, 'start', 'a', REPEAT],
        [0.5, 'accepted', 'a'],
        [0.5, 'wait', 0],
      ],
    ],
    [
      'the hold of the later of two repeats counts',
      POOL,
      [
        [0, 'start', 'a', REPEAT],
        [1, 'start', 'b', REPEAT],
        [2, 'refused', 'a'],
        [2.5, 'wait', 0.5],
        [2.5, 'lost', 'b'],
        [2.5, 'wait', 0],
      ],
    ],
    [
      'nothing follows the first use of a connection for as long as the options say, but repeats',
      FETCH,
      [
        [0, 'start', 'a', FIRST_USE],
        [0, 'wait', 10],
        [0, 'wait of a repeat', 1],
        [9, 'wait', 1],
        [10, 'wait', 0],
      ],
    ],
    [
      'a first use that is a repeat holds for the longer of both',
      FETCH,
      [
        [0, 'start', 'a', { ...FIRST_USE, ...REPEAT }],
        [0, 'wait', 10],
      ],
    ],
    [
      'a repeat does not shorten the hold after the first use of a connection',
      FETCH,
      [
        [0, 'start', 'a', FIRST_USE],
        [1, 'start', 'b', REPEAT],
        [1, 'wait', 9],
      ],
    ],
    [
      'the first use of a connection holds nothing where the options say so',
      POOL,
      [
        [0, 'start', 'a', FIRST_USE],
        [0, 'wait', 1],
      ],
    ],
  ])('%s', (_title, options, rows) => {
    play(new Pacer(options), rows);
  });
});

it('the gap after a request with a body stays within 4 ms, too', () => {
  const pacer = new Pacer({ ...HTTP2, bodyGap: 3.9 });
  pacer.refused(pacer.start(0, { ...PLAIN, ...BODY }), 5);
  pacer.start(10, { ...PLAIN, ...BODY });
  expect(pacer.wait(10, false)).toBe(4);
});
