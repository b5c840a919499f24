import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { startTimer as StartTimer } from '../../src/util/timers.js';

let startTimer: typeof StartTimer;

/** The module as it is where the timers at its import are these. */
async function importTimers(): Promise<void> {
  vi.resetModules();
  ({ startTimer } = await import('../../src/util/timers.js'));
}

/** Notes when it is woken. */
function sleep(milliseconds: number, woken: string[] = [], name = '') {
  const sleeper = {
    dueAt: performance.now() + milliseconds,
    wokenAt: undefined as number | undefined,
    onTimer() {
      this.wokenAt = performance.now();
      woken.push(name);
    },
  };
  const timer = startTimer(milliseconds, sleeper);
  return Object.assign(sleeper, { off: () => timer.cancel() });
}

function sleepAndThrow(milliseconds: number): void {
  const onTimer = () => {
    throw new Error('a transport of the application’s own');
  };
  startTimer(milliseconds, { dueAt: performance.now() + milliseconds, onTimer });
}

/** Lets so much time pass: only its last millisecond wakes the sleeper. */
function expectWokenAfter(milliseconds: number, sleeper: ReturnType<typeof sleep>): void {
  vi.advanceTimersByTime(milliseconds - 1);
  expect(sleeper.wokenAt).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(sleeper.wokenAt).toBeDefined();
}

const runningTimers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

afterEach(() => void vi.useRealTimers());

describe('alarms', () => {
  beforeEach(async () => {
    vi.useFakeTimers();
    await importTimers();
  });

  it('wake each at its own moment, with one timer for those that wait equally long', () => {
    const timers = vi.getTimerCount();
    const first = sleep(1_000);
    vi.advanceTimersByTime(300);
    const second = sleep(1_000);
    expect(vi.getTimerCount() - timers).toBe(1);
    expectWokenAfter(700, first);
    expectWokenAfter(300, second);
  });

  it('wake nobody who was taken off, and the others in time', () => {
    const woken: string[] = [];
    const first = sleep(700, woken, 'first');
    vi.advanceTimersByTime(100);
    sleep(700, woken, 'second');
    first.off();
    vi.advanceTimersByTime(699);
    expect(woken).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(woken).toEqual(['second']);
  });

  it('let one who is woken set another and take off a third', () => {
    const woken: string[] = [];
    startTimer(900, {
      dueAt: performance.now() + 900,
      onTimer() {
        third.off();
        sleep(900, woken, 'second');
      },
    });
    const third = sleep(900, woken, 'third');
    const timers = vi.getTimerCount();
    vi.advanceTimersByTime(900);
    expect(woken).toEqual([]);
    expect(vi.getTimerCount()).toBe(timers);
    vi.advanceTimersByTime(900);
    expect(woken).toEqual(['second']);
  });

  it('wake the others when one throws', () => {
    const woken: string[] = [];
    sleepAndThrow(400);
    sleep(400, woken, 'second');
    expect(() => vi.advanceTimersByTime(400)).toThrow('a transport');
    vi.advanceTimersByTime(1);
    expect(woken).toEqual(['second']);
  });
});

describe('alarms of the platform’s own timers', () => {
  beforeEach(importTimers);

  it('keep no process running when nobody waits', () => {
    const before = runningTimers();
    const sleeper = sleep(12_345);
    expect(runningTimers() - before).toBe(1);
    sleeper.off();
    expect(runningTimers() - before).toBe(0);
    const again = sleep(12_345);
    expect(runningTimers() - before).toBe(1);
    again.off();
  });
});

describe('alarms where a test has replaced the timers', () => {
  beforeEach(importTimers);

  it('forget nobody when the timers change, in either direction', async () => {
    const before = sleep(60);
    vi.useFakeTimers();
    const replaced = sleep(60);
    vi.advanceTimersByTime(60);
    expect(replaced.wokenAt).toBeDefined();
    vi.useRealTimers();
    const after = sleep(60);
    await expect.poll(() => [before.wokenAt, after.wokenAt]).not.toContain(undefined);
  });
});
