import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Lease } from '../../src/redis/lease.js';
import { readClock } from '../../src/redis/time.js';
import { TestClock } from './support/test-clock.js';

const TTL = 1_000;
const FLOOR = 1_800_000_000_000_000_000n;
const MILLISECOND = 1_000_000n;

function held(clock: TestClock, ceiling = FLOOR + BigInt(TTL) * MILLISECOND): Lease {
  return new Lease('source.1', FLOOR, { from: readClock(clock), ceiling, ends: '1' }, TTL, clock);
}

describe('a lease', () => {
  it('issues nonces above its floor that follow the time', () => {
    const clock = new TestClock();
    const lease = held(clock);
    expect(lease.issue()).toBe(FLOOR + 1n);
    expect(lease.issue()).toBe(FLOOR + 2n);
    clock.pass(300);
    expect(lease.issue()).toBe(FLOOR + 300n * MILLISECOND);
    expect(lease.issue()).toBe(FLOOR + 300n * MILLISECOND + 1n);
    expect(lease.last).toBe(FLOOR + 300n * MILLISECOND + 1n);
  });

  it('ends while the machine sleeps: by the wall clock when the steady one stands still', () => {
    const clock = new TestClock();
    const lease = held(clock);
    clock.wallNow += TTL;
    expect(lease.issue()).toBeUndefined();
  });

  it('is not prolonged by a wall clock that steps back', () => {
    const clock = new TestClock();
    const lease = held(clock);
    clock.wallNow -= 3_600_000;
    clock.steadyNow += 800;
    expect(lease.issue()).toBeUndefined();
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
        const lease = held(clock);
        let ceiling = FLOOR + BigInt(TTL) * MILLISECOND;
        let last = FLOOR;
        for (const one of steps) {
          if (one.kind === 'pass') clock.pass(one.by);
          else if (one.kind === 'step') clock.wallNow += one.by;
          else if (one.kind === 'renew') {
            const from = readClock(clock);
            const reach = lease.neededCeiling();
            clock.pass(one.took);
            ceiling = reach > ceiling ? reach : ceiling;
            lease.renew({ from, ceiling, ends: '1' });
          } else {
            const nonce = lease.issue();
            if (nonce === undefined) continue;
            expect(nonce > last && nonce <= ceiling).toBe(true);
            last = nonce;
          }
        }
        expect(lease.last).toBe(last);
      }),
    );
  });
});
