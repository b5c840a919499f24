import { describe, expect, it } from 'vitest';
import { KeyBreaker } from '../../src/lane/key-breaker.js';

/** Refuses so many, of which the last leaves so many others in flight. */
function refused(count: number, inFlight: number): KeyBreaker {
  const breaker = new KeyBreaker();
  for (let left = count - 1; left >= 0; left--) breaker.refused(inFlight + left);
  return breaker;
}

describe('breaker about an API key', () => {
  it('is not there before a refusal, nor after an acceptance', () => {
    const breaker = new KeyBreaker();
    expect([breaker.isInDoubt, breaker.next(0), breaker.next(63)]).toEqual([false, 'send', 'send']);
    breaker.refused(0);
    expect(breaker.isInDoubt).toBe(true);
    breaker.accepted();
    expect([breaker.isInDoubt, breaker.isOpen, breaker.next(0)]).toEqual([false, false, 'send']);
  });

  it('lets four more start, then none, and one alone when nothing is in flight', () => {
    const breaker = refused(1, 63);
    const starts = Array.from({ length: 4 }, (_, place) => {
      const how = breaker.next(63 + place);
      breaker.started();
      return how;
    });
    expect(starts).toEqual(['send', 'send', 'send', 'send']);
    expect([breaker.next(67), breaker.next(1), breaker.next(0), breaker.isOpen]).toEqual([
      'wait',
      'wait',
      'probe',
      true,
    ]);
  });

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
