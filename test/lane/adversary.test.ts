import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Lane } from '../../src/lane/lane.js';
import { seeded } from '../support/random.js';
import { Adversary } from './support/adversary.js';
import { CallCounter, SimulatedCall } from './support/calls.js';
import { VirtualClock } from './support/virtual-clock.js';

/** What the adversary does: how long it waits, which message it lets go, whether it holds back repeats. */
const STEP = fc.record({
  pause: fc.constantFrom(0, 0, 0, 1, 5, 30),
  which: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  delayRepeats: fc.boolean(),
});

const PLAN = fc.record({
  calls: fc.integer({ min: 1, max: 150 }),
  steps: fc.array(STEP, { minLength: 1, maxLength: 100 }),
  /** Reads alone, writes alone, or both. */
  writes: fc.constantFrom(0, 0.5, 1),
  refusals: fc.constantFrom(0.001, 0.01, 0.2),
});

interface Plan {
  readonly calls: number;
  readonly steps: readonly { readonly pause: number; readonly which: number; readonly delayRepeats: boolean }[];
  readonly writes: number;
  readonly refusals: number;
}

interface Outcome {
  readonly statuses: readonly number[];
  readonly counter: CallCounter;
  readonly adversary: Adversary;
}

/** So many messages are more than any run needs: two for each of five requests of a call. */
const MAX_STEPS = 10_000;

/** All calls at once on a lane that has sent nothing yet; the adversary repeats its steps until it holds nothing. */
function play({ calls, steps, writes, refusals }: Plan, { revokedAfter = Number.POSITIVE_INFINITY } = {}): Outcome {
  const clock = new VirtualClock(seeded(1));
  const adversary = new Adversary();
  const lane = new Lane('https://adversary', adversary.transport, clock);
  lane.members.join({ nonceOrder: 'adaptive', nonceRefusals: refusals, keyIsShared: false });
  const counter = new CallCounter();
  const statuses: number[] = [];
  const random = seeded(2);
  for (let call = 0; call < calls; call++) {
    new SimulatedCall(lane, clock, counter, random() < writes, (status) => statuses.push(status)).enter();
  }
  for (let count = 0; count < MAX_STEPS && statuses.length < calls; count++) {
    const { pause, which, delayRepeats } = steps[count % steps.length] as (typeof steps)[number];
    if (statuses.length >= revokedAfter) adversary.revoked = true;
    // With nothing to let go, time must pass until the lane sends again.
    clock.runUntil(clock.now() + (adversary.holdsNothing ? 100 : pause));
    adversary.release(which, delayRepeats);
  }
  return { statuses, counter, adversary };
}

describe('whatever the order in which requests and answers arrive', () => {
  it('every call is answered within five requests, and no nonce is sent twice', () => {
    const property = fc.property(PLAN, (plan) => {
      const { statuses, counter, adversary } = play(plan);
      expect(statuses).toEqual(Array(plan.calls).fill(200));
      expect(counter.mostRaces).toBeLessThanOrEqual(4);
      expect(counter.failed).toBe(0);
      expect(new Set(adversary.nonces).size).toBe(adversary.nonces.length);
    });
    fc.assert(property, { numRuns: 400 });
  });

  it('the worst of them lets a call be overtaken four times, and the fifth request is accepted', () => {
    // The second request arrives before the first, and each repeat of the first behind the next one.
    const others = Array.from({ length: 40 }, () => ({ pause: 3, which: 0, delayRepeats: true }));
    const steps = [{ pause: 3, which: 0.999, delayRepeats: false }, ...others];
    const { statuses, counter } = play({ calls: 150, steps, writes: 0, refusals: 0.01 });
    expect(statuses).toEqual(Array(150).fill(200));
    expect(counter.mostRaces).toBe(4);
  });

  it('a thousand calls on a revoked key cost those in flight and five more, and each gets the 401', () => {
    const property = fc.property(PLAN, (plan) => {
      const { statuses, counter, adversary } = play({ ...plan, calls: 1_000 }, { revokedAfter: 0 });
      expect(statuses).toEqual(Array(1_000).fill(401));
      expect(counter.sent).toBeLessThanOrEqual((adversary.inFlightAtFirstRefusal ?? 0) + 5);
      expect(new Set(adversary.nonces).size).toBe(adversary.nonces.length);
    });
    fc.assert(property, { numRuns: 300 });
  });

  it('a key that is revoked later gives each call that was not taken before the 401, too', () => {
    const property = fc.property(PLAN, fc.nat({ max: 200 }), (plan, revokedAfter) => {
      const { statuses, adversary } = play({ ...plan, calls: 300 }, { revokedAfter });
      expect(adversary.accepted).toBeGreaterThanOrEqual(revokedAfter);
      expect(adversary.accepted).toBeLessThan(300);
      const { accepted } = adversary;
      expect(statuses.filter((status) => status === 200)).toHaveLength(accepted);
      expect(statuses.filter((status) => status === 401)).toHaveLength(300 - accepted);
    });
    fc.assert(property, { numRuns: 100 });
  });
});
