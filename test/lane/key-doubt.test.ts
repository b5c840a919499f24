import { describe, expect, it } from 'vitest';
import { KeyDoubt } from '../../src/lane/key-doubt.js';

/** Refuses so many, of which the last leaves so many others in flight. */
function refused(count: number, inFlight: number): KeyDoubt {
  const doubt = new KeyDoubt();
  for (let left = count - 1; left >= 0; left--) doubt.refused(inFlight + left);
  return doubt;
}

describe('doubt about an API key', () => {
  it('is not there before a refusal, nor after an acceptance', () => {
    const doubt = new KeyDoubt();
    expect([doubt.isRaised, doubt.next(0), doubt.next(63)]).toEqual([false, 'free', 'free']);
    doubt.refused(0);
    expect(doubt.isRaised).toBe(true);
    doubt.accepted();
    expect([doubt.isRaised, doubt.isSpent, doubt.next(0)]).toEqual([false, false, 'free']);
  });

  it('lets four more start, then none, and one alone when nothing is in flight', () => {
    const doubt = refused(1, 63);
    const starts = Array.from({ length: 4 }, (_, place) => {
      const how = doubt.next(63 + place);
      doubt.started();
      return how;
    });
    expect(starts).toEqual(['free', 'free', 'free', 'free']);
    expect([doubt.next(67), doubt.next(1), doubt.next(0), doubt.isSpent]).toEqual(['wait', 'wait', 'alone', true]);
  });

  it('asks one alone when all that was in flight is refused, though not all four have started', () => {
    expect(refused(64, 0).next(0)).toBe('alone');
    expect(refused(5, 0).next(0)).toBe('alone');
    expect(refused(64, 3).next(3)).toBe('free');
  });

  it('is not enough after a few refusals', () => {
    expect(refused(4, 0).next(0)).toBe('free');
    expect(refused(4, 0).isSpent).toBe(false);
  });

  it('begins anew after an acceptance', () => {
    const doubt = refused(64, 0);
    doubt.accepted();
    for (let again = 0; again < 4; again++) doubt.refused(0);
    expect(doubt.next(0)).toBe('free');
    doubt.refused(0);
    expect(doubt.next(0)).toBe('alone');
  });
});
