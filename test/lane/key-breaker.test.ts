import { describe, expect, it } from 'vitest';
import { KeyBreaker } from '../../src/lane/lane.js';

/** Refuses so many, of which the last leaves so many others in flight. */
function refused(count: number, inFlight: number): KeyBreaker {
  const breaker = new KeyBreaker();
  for (let left = count - 1; left >= 0; left--) breaker.refused(inFlight + left);
  return breaker;
}

describe('breaker about an API key', () => {
  it('asks one alone when all that was in flight is refused, though not all four have started', () => {
    expect(refused(64, 0).next(0)).toBe('probe');
    expect(refused(5, 0).next(0)).toBe('probe');
    expect(refused(64, 3).next(3)).toBe('send');
  });

  it('is not enough after a few refusals', () => {
    expect(refused(4, 0).next(0)).toBe('send');
    expect(refused(4, 0).isOpen).toBe(false);
  });

  it('begins anew after an acceptance', () => {
    const breaker = refused(64, 0);
    breaker.accepted();
    for (let again = 0; again < 4; again++) breaker.refused(0);
    expect(breaker.next(0)).toBe('send');
    breaker.refused(0);
    expect(breaker.next(0)).toBe('probe');
  });
});
