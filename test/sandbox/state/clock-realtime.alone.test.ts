import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Clock } from '../../../src/sandbox/core/clock/clock.js';
import { createSandbox } from '../../../src/sandbox/index.js';
import { program, run } from '../../support/processes/program.js';
import { directSandbox } from '../support/direct-partner.js';
import { bodies } from '../support/partner.js';

const index = program('src/sandbox/index.ts');
const SECOND = 1_000;
const HOUR = 3_600_000;
const START = Date.UTC(2026, 5, 1, 12);

describe('a clock that runs with the machine', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: START });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const seen: [string, number][] = [];
  function running(): Clock<string> {
    seen.length = 0;
    const clock = new Clock<string>(true);
    clock.begin({ run: (name) => seen.push([name, clock.now() - START]) });
    return clock;
  }

  test('wakes by itself for each thing that is due', () => {
    const clock = running();
    clock.schedule(START + 10 * SECOND, 'a');
    clock.schedule(START + 5 * SECOND, 'b');
    vi.advanceTimersByTime(5 * SECOND - 1);
    expect(seen).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(seen).toEqual([['b', 5 * SECOND]]);
    vi.advanceTimersByTime(5 * SECOND);
    expect(seen).toHaveLength(2);
  });

  test.each([
    ['earlier for what an advance has brought nearer', 30 * SECOND, 20 * SECOND],
    ['for what is further away than the longest timer', 60 * 24 * HOUR, 0],
  ])('wakes %s', (_, due, advanced) => {
    const clock = running();
    clock.schedule(START + due, 'a');
    clock.advance(advanced);
    vi.advanceTimersByTime(due - advanced - 1);
    expect(seen).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(seen).toEqual([['a', due]]);
  });

  test('runs on when the machine’s clock is set back: it neither goes back nor waits', () => {
    const clock = running();
    clock.schedule(START + 10 * SECOND, 'a');
    vi.advanceTimersByTime(4 * SECOND);
    expect(clock.now()).toBe(START + 4 * SECOND);
    vi.setSystemTime(START - HOUR);
    expect(clock.now()).toBe(START + 4 * SECOND);
    vi.advanceTimersByTime(3 * SECOND);
    expect(clock.now()).toBe(START + 7 * SECOND);
    vi.setSystemTime(START - 2 * HOUR);
    vi.advanceTimersByTime(3 * SECOND);
    clock.catchUp();
    expect(clock.now()).toBeGreaterThanOrEqual(START + 7 * SECOND);
    vi.advanceTimersByTime(3 * SECOND);
    expect(seen).toEqual([['a', 10 * SECOND]]);
  });

  test('goes along when the machine’s clock is set forward', () => {
    const clock = running();
    clock.schedule(START + HOUR, 'a');
    vi.setSystemTime(START + 2 * HOUR);
    expect(clock.now()).toBe(START + 2 * HOUR);
    clock.catchUp();
    expect(seen).toEqual([['a', HOUR]]);
  });

  test('has one timer at most, and none once it is stopped', () => {
    const clock = running();
    for (let index = 0; index < 100; index += 1) clock.schedule(START + (100 - index) * SECOND, String(index));
    clock.advance(SECOND);
    expect(vi.getTimerCount()).toBe(1);
    clock.close();
    expect(vi.getTimerCount()).toBe(0);
    clock.schedule(START, 'late');
    clock.advance(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a clock', () => {
  /** A clock that stands still, with what is due in so many milliseconds; `run` sees each thing before it is noted. */
  function still(due: Readonly<Record<string, number>>, run: (name: string, clock: Clock<string>) => void) {
    const clock = new Clock<string>(false);
    const start = clock.now();
    const at = () => clock.now() - start;
    const seen: [string, number][] = [];
    clock.begin({
      run(name) {
        run(name, clock);
        seen.push([name, at()]);
      },
    });
    for (const [name, after] of Object.entries(due)) clock.schedule(start + after, name);
    return { clock, start, seen, at };
  }

  test('runs what is due in order, each thing at its own moment, also what is planned meanwhile', () => {
    const { clock, seen } = still({ c: 30, a: 10, d: 30, later: 31 }, (name, clock) => {
      if (name === 'a') clock.schedule(clock.now() + 10, 'b');
    });
    clock.advance(30);
    expect(seen.flat()).toEqual(['a', 10, 'b', 20, 'c', 30, 'd', 30]);
  });

  test('that is advanced in the middle of a task runs what becomes due by it after the task, each at its own moment', () => {
    const { clock, seen, at } = still({ a: 10, b: 40, c: 60, later: 61 }, (name, clock) => {
      if (name === 'a') clock.advance(50);
    });
    clock.advance(10);
    expect(seen.flat()).toEqual(['a', 10, 'b', 40, 'c', 60]);
    expect(at()).toBe(60);
  });

  test('runs at once, and not in the past, what is planned for the past', () => {
    const { clock, start, seen } = still({ a: 10, c: 10 }, (name, clock) => {
      if (name === 'a') clock.schedule(clock.now() - HOUR, 'b');
    });
    clock.advance(20);
    clock.schedule(start, 'd');
    clock.catchUp();
    expect(seen.flat()).toEqual(['a', 10, 'c', 10, 'b', 10, 'd', 20]);
  });

  test('goes on when a task fails', () => {
    const { clock, seen, at } = still({ a: 10, b: 20 }, (name) => {
      if (name === 'a') throw new Error('no');
    });
    expect(() => clock.advance(30)).toThrow('no');
    clock.catchUp();
    expect(seen).toEqual([['b', 20]]);
    expect(at()).toBe(30);
  });

  test('is the same to a sandbox after many small steps as after one', () => {
    const [small, large] = [createSandbox(), createSandbox()];
    for (let step = 0; step < 400; step += 1) small.advance(1_000);
    large.advance(400_000);
    expect(small.snapshot()).toEqual(large.snapshot());
  });

  test('is not advanced into a year of five digits', () => {
    const sandbox = createSandbox();
    expect(() => sandbox.advance(8000 * 366 * 24 * HOUR)).toThrow('advance: must not lead beyond the year 9998');
    const before = sandbox.clock.now();
    sandbox.advance(Date.UTC(9999, 0, 1) - before);
    expect(() => sandbox.advance(1)).toThrow('advance: must not lead beyond the year 9998');
    const link = sandbox.bankLinks.add(sandbox.fixtures.accountId);
    expect(link.linked_at).toBe('9999-01-01T00:00:00.000Z');
  });
});

describe('a sandbox in real time', () => {
  test('moves states and tells webhooks without being asked for anything', async () => {
    const told: string[] = [];
    const partner = directSandbox({
      realTime: true,
      deliver: async (request) => {
        told.push(((await (request as Request).json()) as { type: string }).type);
        return new Response();
      },
    });
    partner.sandbox.webhooks.register({ url: 'https://partner.example/hook' });
    await partner.post(`${partner.account}/quotes/${partner.sandbox.fixtures.quoteId}/execute`);
    await partner.post(`${partner.account}/wallets/whitelist`, bodies.wallet, { 'API-Otp': '1' });
    // Two seconds and five seconds, all but a little.
    partner.sandbox.advance(1_950);
    await expect.poll(() => told).toContain('quote.executed');
    partner.sandbox.advance(2_950);
    await expect.poll(() => told).toContain('wallet.whitelisted');
    await partner.sandbox.close();
  });

  test('lets a program end that has nothing else to do, whatever it has planned', async () => {
    const text = `
      const { createSandbox } = await import(${JSON.stringify(index)});
      const sandbox = createSandbox({ realTime: true });
      sandbox.webhooks.register({ url: 'http://127.0.0.1:9/' });
      sandbox.accounts.convert(sandbox.fixtures.accountId, { from: { type: 'balance', symbol: 'USD', amount: '10' },
        to: { type: 'bank', symbol: 'EUR' },
      });
      console.log('done');
    `;
    const { stdout } = await run('--eval', [text], { node: ['--input-type=module'] });
    expect(stdout.trim()).toBe('done');
  });
});
