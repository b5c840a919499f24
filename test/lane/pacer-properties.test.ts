import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Pacer, type Start } from '../../src/lane/pacing/pacer.js';
import { seeded } from '../support/random.js';
import { flow, PLAIN, POOL } from './support/pacing.js';

/** What may happen to a pacer, in any order. */
const EVENT = fc.record({
  pause: fc.double({ min: 0, max: 50, noNaN: true }),
  end: fc.constantFrom('accepted' as const, 'refused' as const, 'lost' as const),
  /** Which of those in flight ends, as a part of them all. */
  which: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  starts: fc.nat({ max: 3 }),
  withBody: fc.boolean(),
  firstUse: fc.boolean(),
  retry: fc.boolean(),
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
