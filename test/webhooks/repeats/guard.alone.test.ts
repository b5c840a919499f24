import { afterEach, describe, expect, it, vi } from 'vitest';
import { ConfigurationError, memoryReplayGuard } from '../../../src/webhooks/index.js';

afterEach(() => {
  vi.useRealTimers();
});

describe('memoryReplayGuard', () => {
  it('tells an id that it has seen from one that it has not', () => {
    const guard = memoryReplayGuard();
    expect(['a', 'b', 'a', 'b', 'c'].map((id) => guard.seen(id))).toEqual([false, false, true, true, false]);
  });

  it('takes an id back', () => {
    const guard = memoryReplayGuard();
    guard.seen('a');
    guard.forget('a');
    guard.forget('never seen');
    expect([guard.seen('a'), guard.seen('a')]).toEqual([false, true]);
  });

  it('keeps as many ids as the limit says, and lets the oldest go first', () => {
    const guard = memoryReplayGuard({ limit: 2 });
    for (const id of ['a', 'b', 'a', 'c']) guard.seen(id);
    expect(guard.seen('b')).toBe(true);
    expect(guard.seen('c')).toBe(true);
    expect(guard.seen('a')).toBe(false);
    expect(guard.seen('b')).toBe(false);
  });

  it('keeps 100,000 ids by default', () => {
    const guard = memoryReplayGuard();
    for (let index = 0; index < 100_000; index++) guard.seen(`evt_${index}`);
    expect(guard.seen('evt_0')).toBe(true);
    guard.seen('one more');
    expect(guard.seen('evt_1')).toBe(true);
    expect(guard.seen('evt_0')).toBe(false);
  });

  it('takes an id for new after ttl, and not before', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const guard = memoryReplayGuard({ ttl: 1_000 });
    guard.seen('a');
    vi.advanceTimersByTime(999);
    expect(guard.seen('a')).toBe(true);
    vi.advanceTimersByTime(1);
    expect(guard.seen('a')).toBe(false);
    expect(guard.seen('a')).toBe(true);
  });

  it('counts an id that came back after ttl as recorded then, not first', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const guard = memoryReplayGuard({ limit: 2, ttl: 1_000 });
    guard.seen('a');
    guard.seen('b');
    vi.advanceTimersByTime(1_000);
    guard.seen('a');
    guard.seen('c');
    expect([guard.seen('a'), guard.seen('c')]).toEqual([true, true]);
  });

  it.each([
    { limit: 0 },
    { limit: 1.5 },
    { limit: Number.POSITIVE_INFINITY },
    { limit: '10' },
    { ttl: 0 },
    { ttl: -1 },
    { ttl: Number.NaN },
    { ttl: 2 ** 31 },
    { size: 10 },
  ])('refuses %j', (options) => {
    expect(() => memoryReplayGuard(options as never)).toThrow(ConfigurationError);
    expect(() => memoryReplayGuard(options as never)).toThrow(new RegExp(Object.keys(options).join()));
  });
});
