import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { program } from '../../support/processes/program.js';
import { Fleet } from '../support/shared-key-fleet.js';

const PROCESSES = 12;
const REPEATED = ['read', 'keyed write'] as const;
const KINDS = [...REPEATED, 'unkeyed write'] as const;
const SHARED = { keyIsShared: true } as const;

/** Milliseconds that a slow machine may take to start the processes. */
const PATIENCE_MS = 120_000;

describe.each([0, 20, 200])('12 processes on one API key, every other clock %i ms behind', (behind) => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await Fleet.start(program('test/calls/support/shared-key-caller.ts'), { processes: PROCESSES, behind });
  }, PATIENCE_MS);
  afterAll(() => fleet[Symbol.asyncDispose]());

  it.each(REPEATED)('one call each succeeds and has one effect: %s', async (kind) => {
    const { succeeded, failed, applied } = await fleet.run({ kind, calls: 1, atOnce: true }, SHARED);
    expect(failed).toEqual({});
    expect(succeeded).toBe(PROCESSES);
    expect(applied).toBe(kind === 'read' ? 0 : PROCESSES);
  });

  it('one write without key each has one effect or gets a 401, which leaves it unknown', async () => {
    const { succeeded, failed, applied } = await fleet.run({ kind: 'unkeyed write', calls: 1, atOnce: true }, SHARED);
    const { '401 unknown': refused = 0, ...others } = failed;
    expect(others).toEqual({});
    expect(succeeded).toBeGreaterThan(0);
    expect(succeeded + refused).toBe(PROCESSES);
    expect(applied).toBe(succeeded);
  });

  it.each(KINDS)('of twenty calls each, those that succeed have one effect, and the others none: %s', async (kind) => {
    for (const atOnce of [true, false]) {
      const { succeeded, failed, applied } = await fleet.run({ kind, calls: 20, atOnce }, SHARED);
      expect(succeeded).toBeGreaterThan(0);
      // On a machine that stands still, an attempt may get no answer in time.
      const unknown = Object.entries(failed).reduce(
        (sum, [end, count]) => sum + (end.endsWith('unknown') ? count : 0),
        0,
      );
      if (kind === 'read') continue;
      expect(applied).toBeGreaterThanOrEqual(succeeded);
      expect(applied).toBeLessThanOrEqual(succeeded + unknown);
    }
  });

  it('without keyIsShared some calls fail', async () => {
    let refused = 0;
    for (let run = 0; run < 20 && refused === 0; run++) {
      const { failed } = await fleet.run({ kind: 'read', calls: 5, atOnce: true }, {});
      refused += failed['401 not_applied'] ?? 0;
    }
    expect(refused).toBeGreaterThan(0);
  });
});
