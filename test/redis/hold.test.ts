import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Hold, momentOf } from '../../src/redis/hold.js';
import { TestClock } from './support/test-clock.js';

const TTL = 1_000;
const FLOOR = 1_800_000_000_000_000_000n;
const MILLISECOND = 1_000_000n;

function held(clock: TestClock, ceiling = FLOOR + BigInt(TTL) * MILLISECOND): Hold {
  return new Hold('source.1', FLOOR, { from: momentOf(clock), ceiling, ends: '1' }, TTL, clock);
}

describe('a hold', () => {
  it('issues nonces above its floor that follow the time', () => {
    const clock = new TestClock();
    const hold = held(clock);
    expect(hold.issue()).toBe(FLOOR + 1n);
    expect(hold.issue()).toBe(FLOOR + 2n);
    clock.pass(300);
    expect(hold.issue()).toBe(FLOOR + 300n * MILLISECOND);
    expect(hold.issue()).toBe(FLOOR + 300n * MILLISECOND + 1n);
    expect(hold.last).toBe(FLOOR + 300n * MILLISECOND + 1n);
  });

  it('ends a fifth of ttl before Redis takes it to be over', () => {
    const clock = new TestClock();
    const hold = held(clock);
    clock.pass(799);
    expect(hold.issue()).toBeTypeOf('bigint');
    clock.pass(1);
    expect(hold.isValid()).toBe(false);
    expect(hold.issue()).toBeUndefined();
  });

  it('ends while the machine sleeps: by the wall clock when the steady one stands still', () => {
    const clock = new TestClock();
    const hold = held(clock);
    clock.wallNow += TTL;
    expect(hold.issue()).toBeUndefined();
  });

  it('is not prolonged by a wall clock that steps back', () => {
    const clock = new TestClock();
    const hold = held(clock);
    clock.wallNow -= 3_600_000;
    clock.steadyNow += 800;
    expect(hold.issue()).toBeUndefined();
  });

  it('goes on from where it was when it is renewed, counted from before the question', () => {
    const clock = new TestClock();
    const hold = held(clock);
    clock.pass(300);
    const first = hold.issue() ?? 0n;
    const from = momentOf(clock);
    const ceiling = hold.reach();
    clock.pass(200);
    hold.renew({ from, ceiling, ends: '2' });
    clock.pass(599);
    const second = hold.issue() ?? 0n;
    expect(second).toBe(FLOOR + 1_099n * MILLISECOND);
    expect(second > first && second <= ceiling).toBe(true);
    expect(hold.ends).toBe('2');
    clock.pass(1);
    expect(hold.issue()).toBeUndefined();
  });

  it('issues nothing above its ceiling', () => {
    const hold = held(new TestClock(), FLOOR + 2n);
    expect([hold.issue(), hold.issue(), hold.issue()]).toEqual([FLOOR + 1n, FLOOR + 2n, undefined]);
  });

  it('rises strictly and stays within what was announced, whatever the clocks do', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('issue' as const) }),
      fc.record({ kind: fc.constant('pass' as const), by: fc.double({ min: 0, max: 500, noNaN: true }) }),
      fc.record({ kind: fc.constant('step' as const), by: fc.integer({ min: -10_000, max: 10_000 }) }),
      fc.record({ kind: fc.constant('renew' as const), took: fc.double({ min: 0, max: 300, noNaN: true }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const clock = new TestClock();
        const hold = held(clock);
        let ceiling = FLOOR + BigInt(TTL) * MILLISECOND;
        let last = FLOOR;
        for (const one of steps) {
          if (one.kind === 'pass') clock.pass(one.by);
          else if (one.kind === 'step') clock.wallNow += one.by;
          else if (one.kind === 'renew') {
            const from = momentOf(clock);
            const reach = hold.reach();
            clock.pass(one.took);
            ceiling = reach > ceiling ? reach : ceiling;
            hold.renew({ from, ceiling, ends: '1' });
          } else {
            const nonce = hold.issue();
            if (nonce === undefined) continue;
            expect(nonce > last && nonce <= ceiling).toBe(true);
            last = nonce;
          }
        }
        expect(hold.last).toBe(last);
      }),
    );
  });
});
