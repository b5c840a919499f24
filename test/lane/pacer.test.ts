import { describe, expect, it } from 'vitest';
import { Pacer } from '../../src/lane/pacing/pacer.js';
import { BODY, FETCH, FIRST_USE, flow, HTTP2, PLAIN, POOL, play, REPEAT, refuse } from './support/pacing.js';

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

  it('the first request starts at once, the next one a gap later', () =>
    play(POOL, [
      { at: 0, wait: 0 },
      { at: 0, start: 'a', wait: 1 },
      { at: 0.4, wait: 0.6 },
      { at: 1, wait: 0 },
      { at: 7, wait: 0 },
    ]));

  it('the gap runs from the start itself, also when that was late', () =>
    play(POOL, [
      { at: 0, start: 'a' },
      { at: 1.6, start: 'b', wait: 1 },
      { at: 2.5, wait: 0.1 },
      { at: 2.6, wait: 0 },
    ]));

  it('there is no gap when the last one sent has been answered, or lost', () =>
    play({ ...POOL, startGap: 4 }, [
      { at: 0, start: 'a' },
      { at: 4, start: 'b' },
      { at: 5, accepted: 'a', wait: 3 },
      { at: 6, accepted: 'b', wait: 0 },
      { at: 6, start: 'c', wait: 4 * (1 - Math.log(1.25) * 0.001) ** 2 },
      { at: 7, lost: 'c', wait: 0 },
    ]));

  it('a race widens it by a quarter, once for what was in flight together', () =>
    play(POOL, [
      { at: 0, start: 'a' },
      { at: 1, start: 'b' },
      { at: 2, start: 'c' },
      { at: 5, refused: 'a', gap: 1.25 },
      { at: 6, refused: 'b', gap: 1.25 },
      { at: 14, start: 'd' },
      { at: 15, start: 'e' },
      { at: 15, refused: 'c', gap: 1.25 },
      { at: 25, refused: 'd', gap: 1.25 * 1.25 },
    ]));

  it('a race within 10 ms of another does not widen it again: a machine that stood still lets all go at once', () =>
    play(POOL, [
      { at: 0, start: 'a' },
      { at: 1, start: 'b' },
      { at: 5, refused: 'a' },
      { at: 6, start: 'c' },
      { at: 7, start: 'd' },
      { at: 14.9, refused: 'c', gap: 1.25 },
      { at: 15, refused: 'd', gap: 1.25 * 1.25 },
    ]));

  it('a clean answer narrows it by ln 1.25 of a thousandth while nobody waits', () =>
    play(POOL, [
      { at: 0, start: 'a' },
      { at: 5, accepted: 'a', gap: 1 - Math.log(1.25) * 0.001 },
    ]));

  it('the first use of a connection moves it neither way', () =>
    play(POOL, [
      { at: 0, start: ['a', FIRST_USE] },
      { at: 1, start: ['b', FIRST_USE] },
      { at: 2, start: 'c' },
      { at: 5, refused: 'a', gap: 1 },
      { at: 6, accepted: 'b', gap: 1 },
    ]));

  it('a lost one moves it neither way', () =>
    play(POOL, [
      { at: 0, start: 'a' },
      { at: 5, lost: 'a', gap: 1 },
    ]));

  it('a request with a body leaves a gap of its own kind, which its own races widen', () =>
    play(HTTP2, [
      { at: 0, start: ['a', BODY], wait: 1 },
      { at: 1, start: 'b', wait: 0.1 },
      { at: 1.1, start: ['c', BODY] },
      { at: 2.1, refused: 'a', gap: 0.1, start: ['d', BODY], wait: 1.25 },
      { at: 6, accepted: 'd', start: 'e' },
      { at: 7, start: 'f' },
      { at: 12.1, refused: 'e', gap: 0.25 },
      { at: 13, start: ['g', BODY] },
      { at: 13, accepted: 'g', start: ['h', BODY], wait: 1.25 * (1 - Math.log(1.25) * 0.001) ** 2 },
    ]));
});

describe('a late refusal', () => {
  it('does not move the gap when it took 10 ms longer than the fastest answer', () =>
    play(POOL, [
      { at: 0, start: 'a' },
      { at: 2, start: 'b' },
      { at: 7, accepted: 'b' },
      { at: 15.1, refused: 'a', gap: 1 - Math.log(1.25) * 0.001 },
    ]));

  it('moves it when it took less than that', () =>
    play(POOL, [
      { at: 0, start: 'a' },
      { at: 2, start: 'b' },
      { at: 7, accepted: 'b' },
      { at: 14.9, refused: 'a', gap: 1.25 * (1 - Math.log(1.25) * 0.001) },
    ]));

  it('is no late one where every answer takes as long', () =>
    play(POOL, [
      { at: 0, start: 'a' },
      { at: 2, start: 'b' },
      { at: 102, accepted: 'b' },
      { at: 105, refused: 'a', gap: 1.25 * (1 - Math.log(1.25) * 0.001) },
    ]));

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
  it('a repeat holds the others for 1 ms, and other repeats for the gap alone', () =>
    play({ ...POOL, startGap: 0.25 }, [
      { at: 0, start: ['a', REPEAT], wait: 1, repeatWait: 0.25 },
      { at: 0.5, wait: 0.5, repeatWait: 0 },
      { at: 1, wait: 0 },
    ]));

  it('a repeat holds the others for 2 gaps where that is longer', () =>
    play({ ...POOL, startGap: 4 }, [{ at: 0, start: ['a', REPEAT], wait: 8, repeatWait: 4 }]));

  it('a repeat with a body holds the others for 2 gaps of its kind', () =>
    play({ ...HTTP2, bodyGap: 2 }, [{ at: 0, start: ['a', { ...REPEAT, ...BODY }], wait: 4, repeatWait: 2 }]));

  it('the hold ends with the answer to the repeat', () =>
    play({ ...POOL, startGap: 0.25 }, [
      { at: 0, start: ['a', REPEAT] },
      { at: 0.5, accepted: 'a', wait: 0 },
    ]));

  it('the hold of the later of two repeats counts', () =>
    play(POOL, [
      { at: 0, start: ['a', REPEAT] },
      { at: 1, start: ['b', REPEAT] },
      { at: 2, refused: 'a' },
      { at: 2.5, wait: 0.5 },
      { at: 2.5, lost: 'b', wait: 0 },
    ]));

  it('nothing follows the first use of a connection for as long as the options say, but repeats', () =>
    play(FETCH, [
      { at: 0, start: ['a', FIRST_USE], wait: 10, repeatWait: 1 },
      { at: 9, wait: 1 },
      { at: 10, wait: 0 },
    ]));

  it('a first use that is a repeat holds for the longer of both', () =>
    play(FETCH, [{ at: 0, start: ['a', { ...FIRST_USE, ...REPEAT }], wait: 10 }]));

  it('a repeat does not shorten the hold after the first use of a connection', () =>
    play(FETCH, [
      { at: 0, start: ['a', FIRST_USE] },
      { at: 1, start: ['b', REPEAT], wait: 9 },
    ]));

  it('the first use of a connection holds nothing where the options say so', () =>
    play(POOL, [{ at: 0, start: ['a', FIRST_USE], wait: 1 }]));
});

it('the gap after a request with a body stays within 4 ms, too', () => {
  const pacer = new Pacer({ ...HTTP2, bodyGap: 3.9 });
  pacer.refused(pacer.start(0, { ...PLAIN, ...BODY }), 5);
  pacer.start(10, { ...PLAIN, ...BODY });
  expect(pacer.wait(10, false)).toBe(4);
});
