import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PartnerError } from '../../../src/index.js';
import { end, pass, underFakeTimers } from '../support/waiting.js';
import { EXECUTIONS, Ledger, READS } from './support/ledger.js';

underFakeTimers();

describe('an execution that may have happened', () => {
  const cases = ([403, 409, 410, 429] as const).flatMap((status) =>
    [0, 3].map((maxRetries) => [status, maxRetries] as const),
  );

  it.each(cases)(
    'and whose repeats get a %i (maxRetries %i) is waited for, though the quote still reads offered',
    async (status, maxRetries) => {
      const ledger = new Ledger(['late, answer lost', ...Array.from({ length: 20 }, () => status)]);
      const { value } = await end(ledger.trade({ maxRetries }));
      expect(value).toMatchObject({ status: 'executed', quotes: 1 });
      expect(ledger.bought).toBe(1);
    },
  );

  it('stays unknown when a read of the quote is rejected', async () => {
    const ledger = new Ledger(['late, answer lost', 409], ['true', 'true', 429]);
    const { error } = await end(ledger.trade({ maxRetries: 0 }));
    expect(error).toMatchObject({ name: 'TradeError', outcome: 'unknown', cause: { name: 'ResourceExhaustedError' } });
  });

  it('stays unknown when it was accepted, a poll is rejected, and an old read says offered', async () => {
    const ledger = new Ledger(['answered'], [429, 'old']);
    const { error } = await end(ledger.trade({ maxRetries: 0 }));
    expect(error).toMatchObject({ outcome: 'unknown' });
    expect(ledger.bought).toBe(1);
  });

  it('stays unknown when the time runs out', async () => {
    const ledger = new Ledger(
      ['late, answer lost', 409],
      Array.from({ length: 50 }, () => 503 as const),
    );
    const { error } = await end(ledger.trade({ maxRetries: 0, timeout: 10_000 }));
    expect(error).toMatchObject({ outcome: 'unknown' });
  });

  it('is asked for once more when the quote reads expired, and a 410 then leads to the next quote', async () => {
    const ledger = new Ledger(['never arrives', 409]);
    const { value } = await end(ledger.trade({ maxRetries: 0 }));
    expect(value).toMatchObject({ status: 'executed', quotes: 2 });
    expect(ledger.lines.filter((line) => line !== 'GET quote')).toEqual([
      ...['POST quotes', 'POST execute', 'POST execute', 'POST execute'],
      ...['POST quotes', 'POST execute'],
    ]);
  });

  /** The execution leaves one second before the quote's time is over, and ends three seconds after that. */
  const thinks = 29_000;

  it('may end after the quote reads expired: no other quote is asked for', async () => {
    const ledger = new Ledger(['late, answer lost', 409, 409]);
    const { value } = await end(ledger.trade({ maxRetries: 0, thinks }));
    expect(value).toMatchObject({ status: 'executed', quotes: 1 });
    expect(ledger.bought).toBe(1);
  });

  it('is not undone by reads of an old copy that say expired, once the service has accepted it', async () => {
    const ledger = new Ledger(
      ['answered'],
      Array.from({ length: 10 }, () => 'oldest' as const),
    );
    const { value } = await end(ledger.trade({ maxRetries: 0, thinks }));
    expect(value).toMatchObject({ status: 'executed', quotes: 1 });
    expect(ledger.bought).toBe(1);
  });

  it('of a killed program may end after the quote reads expired, too', async () => {
    const ledger = new Ledger(['late, answer lost']);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), thinks + 1_100);
    const killed = await end(ledger.trade({ maxRetries: 0, thinks, signal: controller.signal }));
    expect(killed.error).toMatchObject({ outcome: 'unknown' });
    const { value } = await end(ledger.trade({ maxRetries: 0 }));
    expect(value).toMatchObject({ status: 'executed', quotes: 1 });
    expect(ledger.bought).toBe(1);
  });

  it('did not happen if the quote still reads expired later, whatever its repeats get', async () => {
    const ledger = new Ledger(['never arrives', 409, 409]);
    const { value } = await end(ledger.trade({ maxRetries: 0 }));
    expect(value).toMatchObject({ status: 'executed', quotes: 2 });
    expect(ledger.bought).toBe(1);
  });
});

it('a single rejection of the execution of an offered quote is told as it is: nothing was bought', async () => {
  for (const status of [403, 409, 410, 429] as const) {
    const ledger = new Ledger([status]);
    const { error } = await end(ledger.trade({ maxRetries: 0 }));
    expect(error).toMatchObject({ outcome: 'not_applied', operation: 'accounts.quotes.execute' });
    await pass(60_000);
    expect(ledger.bought).toBe(0);
  }
});

it('whatever executions and reads meet, an outcome is never more certain than the ledger allows, and nothing is bought twice', async () => {
  const executions = fc.array(fc.constantFrom(...EXECUTIONS), { maxLength: 8 });
  const reads = fc.array(fc.constantFrom(...READS), { maxLength: 8 });
  /** The moment at which a run is aborted, in ms; the next run is made when that one has ended. */
  const abort = fc.option(fc.integer({ min: 0, max: 40_000 }));
  const runs = fc.array(
    fc.record({ abort, maxRetries: fc.constantFrom(0, 2), timeout: fc.constantFrom(5_000, 40_000, 120_000) }),
    {
      minLength: 1,
      maxLength: 3,
    },
  );
  await fc.assert(
    fc.asyncProperty(executions, reads, runs, async (executionEvents, readEvents, program) => {
      const ledger = new Ledger(executionEvents, readEvents);
      for (const { abort, ...options } of program) {
        const controller = new AbortController();
        const timer = abort === null ? undefined : setTimeout(() => controller.abort(), abort);
        const before = ledger.bought;
        const { value, error } = await end(ledger.trade({ ...options, signal: controller.signal }), 130_000);
        clearTimeout(timer);
        const atEnd = ledger.bought;
        // Of a run that has ended nothing is on its way but what a late service still does.
        await pass(5_000);
        expect(ledger.bought).toBeLessThanOrEqual(1);
        if (value !== undefined) {
          expect(value.status).toBe('executed');
          expect(atEnd).toBe(1);
          return;
        }
        expect(error).toBeInstanceOf(PartnerError);
        if ((error as PartnerError).outcome === 'not_applied') expect(ledger.bought, String(error)).toBe(before);
      }
    }),
    { numRuns: 150, interruptAfterTimeLimit: 60_000 },
  );
}, 90_000);
