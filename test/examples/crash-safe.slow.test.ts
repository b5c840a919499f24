import { readFile, rm, writeFile } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { crashing } from './support/crash.js';
import { expectEachOnce, verdicts } from './support/effects.js';

vi.setConfig({ testTimeout: 10 * 60_000 });

/** Answers are on their way when the program dies. */
const troubles = [{ does: { delayMs: [5, 40] } }] as const;

const DAY_MS = 24 * 60 * 60 * 1_000;

describe('500 addresses, killed with SIGKILL at random moments and started again until done: each is saved once', () => {
  for (const seed of [1, 2]) {
    it(`seed ${seed}`, () =>
      crashing({ rows: 500, sandbox: { troubles } }, async (program) => {
        const last = await program.survive({ seed, kills: 8 });
        expect(last.code, last.output).toBe(0);
        expectEachOnce(program);
        expect(verdicts(program), 'answers were on their way').toContain('replayed');
      }));
  }

  it('also while the service fails in every way, and progress is lost now and then', () =>
    crashing({ rows: 500, sandbox: { troubles } }, async (program) => {
      program.sandbox.troubles.add({ does: 'chaos', probability: 0.04 });
      const last = await program.survive({ seed: 4, kills: 6, forget: 0.3 });
      expect(last.code, last.output).toBe(0);
      expectEachOnce(program);
      expect(verdicts(program)).toContain('fault_before');
      expect(verdicts(program)).toContain('fault_after');
    }));
});

it('with random keys it takes its own addresses for those of others, and the test sees it', () => {
  const stable = "idempotencyKeyFor('address-import', 'funds.withdrawalAddresses.save', accountId, id)";
  return crashing({ rows: 60, sandbox: { troubles }, changes: [[stable, 'crypto.randomUUID()']] }, async (program) => {
    expect((await program.run({ atRequest: 30 })).code).toBe(null);
    const last = await program.run();
    expect(last.code, last.output).toBe(2);
    expect(verdicts(program)).toContain('conflict');
    expect(() => expectEachOnce(program)).toThrow();
  });
});

describe('progress', () => {
  it('spares a run the requests; without it they are repeats of what was saved', () =>
    crashing({ rows: 20 }, async (program) => {
      expect(await program.run()).toEqual({
        code: 0,
        output: '20 addresses: 20 saved, 0 replayed, 0 done before, 0 open, 0 rejected\n',
      });
      expect((await program.run()).output).toContain('0 saved, 0 replayed, 20 done before');
      // A request that another overtook is rejected and made again.
      expect(program.sandbox.journal.filter(({ verdict }) => verdict === 'accepted')).toHaveLength(20);
      await rm(program.progressFile);
      expect((await program.run()).output).toContain('0 saved, 20 replayed, 0 done before');
      expectEachOnce(program);
    }));

  it('that is torn, of another form, or of another service is none', () =>
    crashing({ rows: 5 }, async (program) => {
      await program.run();
      const whole = await readFile(program.progressFile, 'utf8');
      const foreign = JSON.stringify({ ...JSON.parse(whole), target: 'https://api.elsewhere.example' });
      for (const text of [whole.slice(0, -4), '', 'null', '[]', foreign]) {
        await writeFile(program.progressFile, text);
        const { code, output } = await program.run();
        expect([code, output]).toEqual([0, expect.stringContaining('0 saved, 5 replayed, 0 done before')]);
      }
      expectEachOnce(program);
    }));

  it('that cannot be kept changes nothing else', () =>
    crashing({ rows: 5 }, async (program) => {
      await program.blockProgress();
      const { code, output } = await program.run();
      expect([code, output]).toEqual([0, expect.stringMatching(/progress is not stored.*5 addresses: 5 saved/s)]);
    }));
});

describe('errors are told apart by their outcome', () => {
  it('a name that is taken, or an address that is wrong, needs a person; the others are saved', () =>
    crashing({ rows: 8 }, async (program) => {
      const { rows, sandbox } = program;
      const [taken, wrong, ...others] = rows;
      await program.write([
        { ...taken, key: sandbox.fixtures.withdrawalAddressKey },
        { ...wrong, address: '' },
        ...others,
      ]);
      const { code, output } = await program.run();
      expect(code, output).toBe(2);
      expect(output).toMatch(/row-1 is rejected: ConflictError: 409 conflict/);
      expect(output).toMatch(/row-2 is rejected: BadRequestError: 400 bad_request/);
      expect(output).toContain('8 addresses: 6 saved, 0 replayed, 0 done before, 0 open, 2 rejected');
      expect(program.saved.map(([name]) => name).sort()).toEqual(others.map(({ key }) => key).sort());
    }));

  it('a row that has changed since it was sent is rejected, not saved a second time', () =>
    crashing({ rows: 3 }, async (program) => {
      await program.run();
      await rm(program.progressFile);
      const [first, ...others] = program.rows;
      await program.write([{ ...first, key: 'another name' }, ...others]);
      const { code, output } = await program.run();
      expect(code, output).toBe(2);
      expect(output).toMatch(/row-1 is rejected: ConflictError/);
      expect(program.saved.map(([name]) => name)).not.toContain('another name');
    }));

  for (const [when, later] of [
    ['before', '20 saved, 0 replayed'],
    ['after', '0 saved, 20 replayed'],
  ] as const) {
    it(`an outage ${when} the effect: nobody knows what was saved, and a later run settles it`, () =>
      crashing({ rows: 20 }, async (program) => {
        const over = program.sandbox.fail({ fault: 503, when, times: Number.POSITIVE_INFINITY });
        const during = await program.run();
        expect(during.code, during.output).toBe(1);
        expect(during.output).toContain('20 addresses: 0 saved, 0 replayed, 0 done before, 20 open, 0 rejected');
        over();
        const after = await program.run();
        expect(after.code, after.output).toBe(0);
        expect(after.output).toContain(later);
        expectEachOnce(program);
      }));
  }

  it('keys that the service has forgotten: names that must be unique are still not saved twice, and a person looks', () =>
    crashing({ rows: 5 }, async (program) => {
      await program.run();
      await rm(program.progressFile);
      program.sandbox.advance(2 * DAY_MS);
      const { code, output } = await program.run();
      expect(code, output).toBe(2);
      expect(output).toContain('0 saved, 0 replayed, 0 done before, 0 open, 5 rejected');
      expect(program.saved).toHaveLength(5);
    }));

  it('a file that is wrong is rejected before anything is sent', () =>
    crashing({ rows: 3 }, async (program) => {
      const [first, second] = program.rows;
      for (const rows of [[first, second, { ...first, address: 'other' }], [{ ...first, id: undefined }]]) {
        await program.write(rows as object[]);
        const { code, output } = await program.run();
        expect(code, output).toBe(2);
        expect(output).toContain('is missing or not unique');
      }
      expect(program.sandbox.journal).toEqual([]);
    }));
});
