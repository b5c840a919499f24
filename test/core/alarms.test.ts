import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearAlarm, setAlarm } from '../../src/core/alarms.js';

/** Notes when it is woken. */
function sleeperOf(milliseconds: number, woken: string[] = [], name = '') {
  return {
    dueAt: performance.now() + milliseconds,
    wokenAt: undefined as number | undefined,
    onDue() {
      this.wokenAt = performance.now();
      woken.push(name);
    },
  };
}

function sleep(milliseconds: number, woken?: string[], name?: string) {
  const sleeper = sleeperOf(milliseconds, woken, name);
  setAlarm(milliseconds, sleeper);
  return sleeper;
}

describe('alarms', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('wake each at its own moment, with one timer for those that wait equally long', () => {
    const timers = vi.getTimerCount();
    const first = sleep(1_000);
    vi.advanceTimersByTime(300);
    const second = sleep(1_000);
    expect(vi.getTimerCount() - timers).toBe(1);
    vi.advanceTimersByTime(699);
    expect(first.wokenAt).toBeUndefined();
    vi.advanceTimersByTime(1);
    expect(first.wokenAt).toBeDefined();
    vi.advanceTimersByTime(299);
    expect(second.wokenAt).toBeUndefined();
    vi.advanceTimersByTime(1);
    expect(second.wokenAt).toBeDefined();
  });

  it('wake those that wait a shorter time first, in whatever order they began', () => {
    const woken: string[] = [];
    sleep(2_000, woken, 'long');
    sleep(500, woken, 'short');
    sleep(2_000, woken, 'long too');
    vi.advanceTimersByTime(2_000);
    expect(woken).toEqual(['short', 'long', 'long too']);
  });

  it('wake nobody who was taken off, and the others in time', () => {
    const woken: string[] = [];
    const first = sleep(700, woken, 'first');
    vi.advanceTimersByTime(100);
    sleep(700, woken, 'second');
    clearAlarm(700, first);
    vi.advanceTimersByTime(699);
    expect(woken).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(woken).toEqual(['second']);
  });

  it('wake one who began when all before were taken off', () => {
    clearAlarm(800, sleep(800));
    vi.advanceTimersByTime(500);
    const late = sleep(800);
    vi.advanceTimersByTime(799);
    expect(late.wokenAt).toBeUndefined();
    vi.advanceTimersByTime(1);
    expect(late.wokenAt).toBeDefined();
  });

  it('let one who is woken set another and take off a third', () => {
    const woken: string[] = [];
    const third = sleeperOf(900, woken, 'third');
    setAlarm(900, {
      dueAt: performance.now() + 900,
      onDue() {
        clearAlarm(900, third);
        sleep(900, woken, 'second');
      },
    });
    setAlarm(900, third);
    const timers = vi.getTimerCount();
    vi.advanceTimersByTime(900);
    expect(woken).toEqual([]);
    expect(vi.getTimerCount()).toBe(timers);
    vi.advanceTimersByTime(900);
    expect(woken).toEqual(['second']);
  });

  it('wake the others when one throws', () => {
    const woken: string[] = [];
    setAlarm(400, {
      dueAt: performance.now() + 400,
      onDue() {
        throw new Error('a transport of the application’s own');
      },
    });
    sleep(400, woken, 'second');
    expect(() => vi.advanceTimersByTime(400)).toThrow('a transport');
    vi.advanceTimersByTime(1);
    expect(woken).toEqual(['second']);
  });

  it('go by the timers alone where a test replaces those and not the clock', () => {
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const sleeper = sleep(60_000);
    vi.advanceTimersByTime(60_000);
    expect(sleeper.wokenAt).toBeDefined();
  });

  it('follow a change of the timers, from real ones to replaced ones and back', async () => {
    vi.useRealTimers();
    clearAlarm(50, sleep(50));
    vi.useFakeTimers();
    const replaced = sleep(50);
    vi.advanceTimersByTime(50);
    expect(replaced.wokenAt).toBeDefined();
    clearAlarm(50, sleep(50));
    vi.useRealTimers();
    const real = sleep(50);
    await vi.waitFor(() => expect(real.wokenAt).toBeDefined());
  });

  it('leave no timer behind that a test would count', () => {
    const timers = vi.getTimerCount();
    clearAlarm(650, sleep(650));
    expect(vi.getTimerCount()).toBe(timers);
  });

  it('keep no process running when nobody waits', () => {
    vi.useRealTimers();
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const sleeper = sleep(12_345);
    expect(timers() - before).toBe(1);
    clearAlarm(12_345, sleeper);
    expect(timers() - before).toBe(0);
    const again = sleep(12_345);
    expect(timers() - before).toBe(1);
    clearAlarm(12_345, again);
  });
});
