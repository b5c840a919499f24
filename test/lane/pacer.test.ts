import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Pacer, type PacerOptions, type Start, type Starting } from '../../src/lane/pacer.js';
import { seeded } from '../support/link.js';

const POOL: PacerOptions = { startGap: 1, firstUseHold: 0, refusals: 0.01 };
const HTTP2: PacerOptions = { startGap: 0.1, bodyGap: 1, firstUseHold: 0, refusals: 0.01 };
const FETCH: PacerOptions = { startGap: 1, firstUseHold: 10, refusals: 0.01 };

const PLAIN: Starting = { withBody: false, firstUse: false, repeat: false, queued: 0 };
const FIRST_USE = { firstUse: true };
const REPEAT = { repeat: true };
const BODY = { withBody: true };

/** One event of a table: a start with its name and kind, its end, or what is expected then. */
type Row =
  | readonly [at: number, event: 'start', name: string, kind?: Partial<Starting>]
  | readonly [at: number, event: 'accepted', name: string]
  | readonly [at: number, event: 'refused', name: string]
  | readonly [at: number, event: 'lost', name: string]
  | readonly [at: number, event: 'wait', expected: number]
  | readonly [at: number, event: 'wait of a repeat', expected: number]
  | readonly [at: number, event: 'gap', expected: number];

/** Plays a table to a pacer: each row at its time in ms. */
function play(pacer: Pacer, rows: readonly Row[]): void {
  const starts = new Map<string, Start>();
  for (const [at, event, given, kind] of rows) {
    const text = `at ${at} ms: ${event}`;
    if (event === 'start') starts.set(given, pacer.start(at, { ...PLAIN, ...kind }));
    else if (event === 'wait') expect(pacer.wait(at, false), text).toBeCloseTo(given, 6);
    else if (event === 'wait of a repeat') expect(pacer.wait(at, true), text).toBeCloseTo(given, 6);
    else if (event === 'gap') expect(pacer.gap, text).toBeCloseTo(given, 6);
    else pacer[event](starts.get(given) ?? expect.unreachable(`${given} has not started`), at);
  }
}

/** Starts one request each `apart` ms and answers it after `answerTime`, `count` times. Returns the time after that. */
function flow(pacer: Pacer, from: number, count: number, { apart = 10, answerTime = 5, queued = 0 } = {}): number {
  for (let index = 0; index < count; index++) {
    const at = from + index * apart;
    pacer.accepted(pacer.start(at, { ...PLAIN, queued }), at + answerTime);
  }
  return from + count * apart;
}

/** `count` requests one after the other, each 10 ms, all of which are refused after `roundTrip` ms. Returns the time after that. */
function refuse(pacer: Pacer, at: number, count: number, roundTrip = 5): number {
  for (let index = 0; index < count; index++) {
    const start = pacer.start(at + 10 * index, PLAIN);
    pacer.refused(start, at + 10 * index + roundTrip);
  }
  return at + 10 * count;
}

describe('the gap between two starts', () => {
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

describe('the share of refusals', () => {
  it('comes to 0.7 of what is allowed while requests wait in the queue: the gap narrows seven times as fast', () => {
    const idle = new Pacer(POOL);
    const busy = new Pacer(POOL);
    flow(idle, 0, 300, { queued: 4 });
    flow(busy, 0, 300, { queued: 20 });
    expect(idle.gap).toBeCloseTo((1 - Math.log(1.25) * 0.001) ** 300, 6);
    // About 15 starts pass before the average says that somebody waits.
    expect(busy.gap).toBeGreaterThan((1 - Math.log(1.25) * 0.007) ** 300);
    expect(busy.gap).toBeLessThan((1 - Math.log(1.25) * 0.007) ** 270);
  });

  it('is what the client allows, also when that changes', () => {
    const pacer = new Pacer(POOL);
    const at = flow(pacer, 0, 100, { queued: 50 });
    const before = pacer.gap;
    pacer.refusals = 0.002;
    flow(pacer, at, 1, { queued: 50 });
    expect(pacer.gap / before).toBeCloseTo(1 - Math.log(1.25) * 0.7 * 0.002, 9);
  });

  it('is told over the last 200 answers or so', () => {
    const pacer = new Pacer(POOL);
    const at = flow(pacer, 0, 500);
    const starts = [pacer.start(at, PLAIN), pacer.start(at, PLAIN)];
    for (const start of starts) pacer.refused(start, at + 5);
    expect(pacer.refusedShare).toBeCloseTo(0.01, 3);
    flow(pacer, at + 10, 200);
    expect(pacer.refusedShare).toBeCloseTo(0.01 / Math.E, 3);
  });

  it('far above the aim doubles the gap, up to 25 ms above 5 %, else up to 4 ms', () => {
    const pacer = new Pacer(POOL);
    const gaps: number[] = [];
    for (let set = 0; set < 16; set++) {
      refuse(pacer, set * 100, 1);
      gaps.push(pacer.gap);
    }
    // Seven refusals make 3 %, eleven make 5 %: before, the gap stops at 4 ms.
    expect(gaps.slice(0, 6).map((gap, index) => gap / 1.25 ** (index + 1))).toEqual(
      Array(6).fill(expect.closeTo(1, 6)),
    );
    expect(gaps.slice(6, 10)).toEqual([4, 4, 4, 4]);
    expect(gaps.slice(10)).toEqual([8, 16, 25, 25, 25, 25]);
    flow(pacer, 2_000, 150);
    expect(pacer.refusedShare).toBeLessThan(0.05);
    expect(pacer.gap).toBeLessThanOrEqual(4);
  });
});

it('the gap after a request with a body stays within 4 ms, too', () => {
  const pacer = new Pacer({ ...HTTP2, bodyGap: 3.9 });
  pacer.refused(pacer.start(0, { ...PLAIN, ...BODY }), 5);
  pacer.start(10, { ...PLAIN, ...BODY });
  expect(pacer.wait(10, false)).toBe(4);
});

describe('the depth', () => {
  it('has no limit before anything was refused', () => {
    expect(new Pacer(POOL).depth(0)).toBe(Number.POSITIVE_INFINITY);
  });

  it('is always 1 where no refusal is allowed, and follows the option', () => {
    const pacer = new Pacer({ ...POOL, refusals: 0 });
    flow(pacer, 0, 500);
    expect(pacer.depth(5_000)).toBe(1);
    pacer.refusals = 0.01;
    expect(pacer.depth(5_000)).toBe(Number.POSITIVE_INFINITY);
  });

  it.each([
    ['10 of 50 refused: none', 10, Number.POSITIVE_INFINITY],
    ['11 of 50 refused: 1', 11, 1],
  ])('%s', (_title, refused, depth) => {
    const pacer = new Pacer(POOL);
    flow(pacer, 0, 50 - refused);
    expect(pacer.depth(refuse(pacer, 1_000, refused))).toBe(depth);
  });

  it('is not moved where the client allows so many', () => {
    const pacer = new Pacer({ ...POOL, refusals: 0.2 });
    const at = refuse(pacer, 0, 20);
    expect(pacer.depth(at)).toBe(Number.POSITIVE_INFINITY);
    expect(pacer.depth(refuse(pacer, at, 1))).toBe(1);
  });

  it('is not moved by refusals that come together, as often as they do', () => {
    const pacer = new Pacer(POOL);
    for (let round = 0; round < 20; round++) {
      const starts = Array.from({ length: 30 }, () => pacer.start(round * 1_000, PLAIN));
      for (const start of starts) pacer.refused(start, round * 1_000 + 40);
      flow(pacer, round * 1_000 + 50, 30);
    }
    expect(pacer.depth(20_000)).toBe(Number.POSITIVE_INFINITY);
    expect(pacer.gap).toBeLessThanOrEqual(4);
    expect(pacer.refusedShare).toBeGreaterThan(0.4);
  });

  it('is not moved by refusals that are spread over hundreds of answers', () => {
    const pacer = new Pacer(POOL);
    for (let round = 0; round < 20; round++) {
      flow(pacer, round * 1_000, 45);
      refuse(pacer, round * 1_000 + 900, 5);
    }
    expect(pacer.depth(20_000)).toBe(Number.POSITIVE_INFINITY);
  });

  it('is not moved by the first uses of connections', () => {
    const pacer = new Pacer(FETCH);
    for (let index = 0; index < 64; index++) pacer.refused(pacer.start(index, { ...PLAIN, ...FIRST_USE }), index + 5);
    expect(pacer.depth(100)).toBe(Number.POSITIVE_INFINITY);
  });

  it('is 1 for 1 s, then 2 s and so on up to 60 s, and 1 s again after a good minute', () => {
    const pacer = new Pacer(POOL);
    /** Time in ms of depth 1 when eleven are refused then. */
    const narrowed = (at: number) => {
      refuse(pacer, at - 105, 11);
      let until = at;
      while (pacer.depth(until) === 1) until += 500;
      return until - at;
    };
    const times: number[] = [];
    let at = 100_000;
    for (let round = 0; round < 8; round++) {
      const time = narrowed(at);
      times.push(time);
      at += time + 1_000;
    }
    expect(times).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    expect(narrowed(at + 60_000)).toBe(1_000);
  });

  it('is not prolonged by what was in flight before', () => {
    const pacer = new Pacer(POOL);
    refuse(pacer, 0, 11);
    refuse(pacer, 500, 30);
    expect(pacer.depth(1_104)).toBe(1);
    expect(pacer.depth(1_106)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('a strained way', () => {
  it('has had a gap above 1 ms and more than 1 % refused since the refusal that made it so', () => {
    const pacer = new Pacer({ ...HTTP2, startGap: 0.9 });
    expect(pacer.strainedSince).toBeUndefined();
    refuse(pacer, 0, 3);
    expect(pacer.gap).toBeGreaterThan(1);
    expect(pacer.strainedSince).toBe(25);
    refuse(pacer, 100, 1);
    expect(pacer.strainedSince).toBe(25);
    flow(pacer, 200, 200);
    expect(pacer.refusedShare).toBeLessThan(0.01);
    expect(pacer.strainedSince).toBeUndefined();
  });

  it('has had more than 5 % refused, whatever the gap, also all at once', () => {
    const pacer = new Pacer(HTTP2);
    const starts = Array.from({ length: 11 }, () => pacer.start(0, PLAIN));
    for (const [place, start] of starts.entries()) {
      expect(pacer.strainedSince).toBeUndefined();
      pacer.refused(start, 5 + place / 10);
    }
    expect(pacer.gap).toBeLessThan(1);
    expect(pacer.strainedSince).toBe(6);
    flow(pacer, 10, 20);
    expect(pacer.strainedSince).toBeUndefined();
  });

  it('need not be waited for when so many were refused that one at a time is sent', () => {
    const pacer = new Pacer(HTTP2);
    refuse(pacer, 0, 10);
    expect(pacer.strainedSince).not.toBe(Number.NEGATIVE_INFINITY);
    const at = refuse(pacer, 100, 1);
    expect(pacer.depth(at)).toBe(1);
    expect(pacer.strainedSince).toBe(Number.NEGATIVE_INFINITY);
  });

  it('is none with a small gap', () => {
    const pacer = new Pacer(HTTP2);
    refuse(pacer, 0, 5);
    expect(pacer.refusedShare).toBeGreaterThan(0.01);
    expect(pacer.gap).toBeLessThan(1);
    expect(pacer.strainedSince).toBeUndefined();
  });
});

/** What may happen to a pacer, in any order. */
const EVENT = fc.record({
  pause: fc.double({ min: 0, max: 50, noNaN: true }),
  end: fc.constantFrom('accepted' as const, 'refused' as const, 'lost' as const),
  /** Which of those in flight ends, as a part of them all. */
  which: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  starts: fc.nat({ max: 3 }),
  withBody: fc.boolean(),
  firstUse: fc.boolean(),
  repeat: fc.boolean(),
  queued: fc.double({ min: 0, max: 10_000, noNaN: true }),
});

const OPTIONS = fc.record({
  startGap: fc.double({ min: 0, max: 4, noNaN: true }),
  bodyGap: fc.double({ min: 0, max: 4, noNaN: true }),
  firstUseHold: fc.constantFrom(0, 10),
  refusals: fc.double({ min: 0, max: 1, noNaN: true }),
});

describe('whatever happens', () => {
  it('the gap stays between 0 and 25 ms, and a wait is never longer than a hold of two such gaps', () => {
    const property = fc.property(OPTIONS, fc.array(EVENT, { maxLength: 300 }), (options, events) => {
      const pacer = new Pacer(options);
      const inFlight: Start[] = [];
      let now = 0;
      for (const { pause, end, which, starts, ...kind } of events) {
        now += pause;
        for (let count = 0; count < starts; count++) inFlight.push(pacer.start(now, kind));
        const [start] = inFlight.splice(Math.floor(which * inFlight.length), 1);
        if (start !== undefined) pacer[end](start, now);
        expect(pacer.gap).toBeGreaterThanOrEqual(0);
        expect(pacer.gap).toBeLessThanOrEqual(25);
        if (pacer.refusedShare <= 0.05 && start !== undefined && end !== 'lost' && start.counts) {
          expect(pacer.gap).toBeLessThanOrEqual(4);
        }
        expect(pacer.refusedShare).toBeGreaterThanOrEqual(0);
        expect(pacer.refusedShare).toBeLessThanOrEqual(1);
        expect(pacer.wait(now, false)).toBeGreaterThanOrEqual(pacer.wait(now, true));
        expect(pacer.wait(now, true)).toBeGreaterThanOrEqual(0);
        expect(pacer.wait(now, false)).toBeLessThanOrEqual(50);
      }
    });
    fc.assert(property, { numRuns: 300 });
  });

  it('spikes never widen the gap while they are no more than 5 %', () => {
    const spikes = fc.array(
      fc.record({ after: fc.integer({ min: 40, max: 80 }), late: fc.double({ min: 11, max: 500, noNaN: true }) }),
      {
        minLength: 1,
        maxLength: 40,
      },
    );
    const property = fc.property(fc.double({ min: 0.01, max: 3, noNaN: true }), spikes, (startGap, rounds) => {
      const pacer = new Pacer({ ...POOL, startGap });
      let at = 0;
      for (const { after, late } of rounds) {
        at = flow(pacer, at, after);
        const before = pacer.gap;
        const spike = pacer.start(at, PLAIN);
        at = flow(pacer, at + 1, 1);
        pacer.refused(spike, at + 5 + late);
        expect(pacer.gap).toBeLessThanOrEqual(before);
        at += late + 10;
      }
    });
    fc.assert(property, { numRuns: 100 });
  });

  it.each([
    ['while nobody waits a gap of 1 ms is below 0.81 ms', 0, 0.81],
    ['while requests wait it is below 0.22 ms', 50, 0.22],
  ])('after a thousand clean answers %s', (_title, queued, most) => {
    const pacer = new Pacer(POOL);
    flow(pacer, 0, 1_000, { queued });
    expect(pacer.gap).toBeLessThan(most);
  });
});

describe('on a link where a request is overtaken the more often the smaller the gap is', () => {
  it.each([
    [0.002, 0],
    [0.005, 0],
    [0.01, 0],
    [0.02, 0],
    [0.01, 1],
    [0.01, 2],
  ])('the share of refusals stays below %d and above half of it, seed %d', (refusals, seed) => {
    const random = seeded(seed);
    const pacer = new Pacer({ ...POOL, refusals });
    const roundTrip = 5;
    const inFlight: { start: Start; answeredAt: number; refused: boolean }[] = [];
    let now = 0;
    let answers = 0;
    let refused = 0;
    for (let sent = 0; sent < 60_000; sent++) {
      now += pacer.wait(now, false);
      for (let first = inFlight[0]; first !== undefined && first.answeredAt <= now; first = inFlight[0]) {
        inFlight.shift();
        pacer[first.refused ? 'refused' : 'accepted'](first.start, first.answeredAt);
        // The gap settles first.
        if (sent < 10_000) continue;
        answers += 1;
        if (first.refused) refused += 1;
      }
      // With a gap of 1 ms none is overtaken, with none every second.
      const overtaken = random() < Math.max(0, 1 - pacer.gap) ** 2 / 2;
      const start = pacer.start(now, { ...PLAIN, queued: 20 });
      inFlight.push({ start, answeredAt: now + roundTrip, refused: overtaken });
    }
    expect(refused / answers).toBeGreaterThan(0.5 * refusals);
    expect(refused / answers).toBeLessThan(refusals);
  });
});
