import { describe, expect, it } from 'vitest';
import { Pacer } from '../../src/lane/pacing/pacer.js';
import { FETCH, FIRST_USE, flow, HTTP2, PLAIN, POOL, refuse } from './support/pacing.js';

describe('the share of refusals', () => {
  it('comes to 0.7 of what is allowed while requests wait in the queue: the gap narrows seven times as fast', () => {
    const idle = new Pacer(POOL);
    const busy = new Pacer(POOL);
    flow(idle, refuse(idle, 0, 1), 300, { queued: 4 });
    flow(busy, refuse(busy, 0, 1), 300, { queued: 20 });
    expect(idle.gap / 1.25).toBeCloseTo((1 - Math.log(1.25) * 0.001) ** 300, 6);
    // About 15 starts pass before the average says that somebody waits.
    expect(busy.gap / 1.25).toBeGreaterThan((1 - Math.log(1.25) * 0.007) ** 300);
    expect(busy.gap / 1.25).toBeLessThan((1 - Math.log(1.25) * 0.007) ** 270);
  });

  it('is not yet aimed at before the first refusal: the gap narrows four times as fast while requests wait', () => {
    const pacer = new Pacer(POOL);
    const at = flow(pacer, 0, 300, { queued: 20 });
    expect(pacer.gap).toBeGreaterThan((1 - Math.log(1.25) * 0.028) ** 300);
    expect(pacer.gap).toBeLessThan((1 - Math.log(1.25) * 0.028) ** 270);
    const later = refuse(pacer, at, 1);
    const before = pacer.gap;
    flow(pacer, later, 1, { queued: 20 });
    expect(pacer.gap / before).toBeCloseTo(1 - Math.log(1.25) * 0.007, 9);
  });

  it('is what the client allows, also when that changes', () => {
    const pacer = new Pacer(POOL);
    const at = flow(pacer, refuse(pacer, 0, 1), 100, { queued: 50 });
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

describe('the depth', () => {
  it('has no limit before anything was refused', () => {
    expect(new Pacer(POOL).window(0)).toBe(Number.POSITIVE_INFINITY);
  });

  it('is always 1 where no refusal is allowed, and follows the option', () => {
    const pacer = new Pacer({ ...POOL, refusals: 0 });
    flow(pacer, 0, 500);
    expect(pacer.window(5_000)).toBe(1);
    pacer.refusals = 0.01;
    expect(pacer.window(5_000)).toBe(Number.POSITIVE_INFINITY);
  });

  it.each([
    ['10 of 50 refused: none', 10, Number.POSITIVE_INFINITY],
    ['11 of 50 refused: 1', 11, 1],
  ])('%s', (_title, refused, depth) => {
    const pacer = new Pacer(POOL);
    flow(pacer, 0, 50 - refused);
    expect(pacer.window(refuse(pacer, 1_000, refused))).toBe(depth);
  });

  it('is not moved where the client allows so many', () => {
    const pacer = new Pacer({ ...POOL, refusals: 0.2 });
    const at = refuse(pacer, 0, 20);
    expect(pacer.window(at)).toBe(Number.POSITIVE_INFINITY);
    expect(pacer.window(refuse(pacer, at, 1))).toBe(1);
  });

  it('is not moved by refusals that come together, as often as they do', () => {
    const pacer = new Pacer(POOL);
    for (let round = 0; round < 20; round++) {
      const starts = Array.from({ length: 30 }, () => pacer.start(round * 1_000, PLAIN));
      for (const start of starts) pacer.refused(start, round * 1_000 + 40);
      flow(pacer, round * 1_000 + 50, 30);
    }
    expect(pacer.window(20_000)).toBe(Number.POSITIVE_INFINITY);
    expect(pacer.gap).toBeLessThanOrEqual(4);
    expect(pacer.refusedShare).toBeGreaterThan(0.4);
  });

  it('is not moved by refusals that are spread over hundreds of answers', () => {
    const pacer = new Pacer(POOL);
    for (let round = 0; round < 20; round++) {
      flow(pacer, round * 1_000, 45);
      refuse(pacer, round * 1_000 + 900, 5);
    }
    expect(pacer.window(20_000)).toBe(Number.POSITIVE_INFINITY);
  });

  it('is not moved by the first uses of connections', () => {
    const pacer = new Pacer(FETCH);
    for (let index = 0; index < 64; index++) pacer.refused(pacer.start(index, { ...PLAIN, ...FIRST_USE }), index + 5);
    expect(pacer.window(100)).toBe(Number.POSITIVE_INFINITY);
  });

  it('is 1 for 1 s, then 2 s and so on up to 60 s, and 1 s again after a good minute', () => {
    const pacer = new Pacer(POOL);
    /** Time in ms of depth 1 when eleven are refused then. */
    const narrowed = (at: number) => {
      refuse(pacer, at - 105, 11);
      let until = at;
      while (pacer.window(until) === 1) until += 500;
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
    expect(pacer.window(1_104)).toBe(1);
    expect(pacer.window(1_106)).toBe(Number.POSITIVE_INFINITY);
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
    expect(pacer.window(at)).toBe(1);
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
