import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { AbortedError, NotFoundError, TimeoutError } from '../../../src/index.js';
import { API_SECRET, failure } from '../support/service.js';
import {
  answerUser,
  end,
  follow,
  late,
  Polled,
  pass,
  statuses,
  USER,
  underFakeTimers,
  waitFor,
} from '../support/waiting.js';

underFakeTimers();

/** The bound of the nth delay, as the documentation has it: 250 ms, half as much again each time, at most 5 s. */
const boundOf = (index: number): number => Math.min(5_000, 250 * 1.5 ** index);

/** What timers round. */
const ROUNDING = 2;

/** The text of a moment so many milliseconds from now, by the local clock. */
const inMilliseconds = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

/** Expects each delay to be this share of its bound. */
function expectGaps(gaps: readonly number[], share: number): void {
  for (const [index, gap] of gaps.entries())
    expect(Math.abs(gap - share * boundOf(index))).toBeLessThanOrEqual(ROUNDING);
}

/** Tells the random source what to give. */
const random = (next: () => number) => vi.spyOn(Math, 'random').mockImplementation(next);

const offeredUntil = (expires_at: string) => ({ status: 'offered', expires_at });

describe('delays', () => {
  it('grow, with jitter in the whole upper half of each bound', async () => {
    const draw = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    await fc.assert(
      fc.asyncProperty(draw, async (drawn) => {
        random(() => drawn);
        const polled = new Polled(statuses('executing'));
        const { error } = await end(waitFor(polled, { timeout: 90_000 }));
        expect(error).toBeInstanceOf(TimeoutError);
        // The last delay is the one that the deadline cuts.
        const gaps = polled.gaps.slice(0, -1);
        expect(gaps.length).toBeGreaterThan(15);
        expectGaps(gaps, (1 + drawn) / 2);
      }),
      { numRuns: 25 },
    );
  });

  it('begin when a poll has been answered', async () => {
    random(() => 0.5);
    const polled = new Polled(() => late(3_000, 'executing'));
    await end(waitFor(polled, { timeout: 10_000 }));
    expect(polled.times[1]).toBe(3_000 + 187);
  });
});

describe('the expiry of an offered quote', () => {
  /** An offer that ends so many milliseconds after the wait began, by the service's clock, which differs by `skew` from the local one. */
  const offer = (lifetime: number, skew = 0): Polled => {
    const begun = performance.now();
    const expires_at = inMilliseconds(lifetime + skew);
    return new Polled(() => (performance.now() - begun < lifetime ? offeredUntil(expires_at) : 'expired'));
  };

  it('is looked at right after it, wherever in a delay it falls, and not earlier because of it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40_000 }), async (lifetime) => {
        const polled = offer(lifetime);
        const { value, settledAfter } = await end(waitFor(polled));
        expect(value?.status).toBe('expired');
        expect(settledAfter).toBeGreaterThanOrEqual(lifetime);
        expect(settledAfter).toBeLessThanOrEqual(lifetime + 60);
        for (const [index, gap] of polled.gaps.slice(0, -1).entries()) {
          expect(gap).toBeGreaterThanOrEqual(boundOf(index) / 2 - ROUNDING);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('that falls into a poll is looked at right after that poll', async () => {
    random(() => 0.999);
    const tenth = Array.from({ length: 10 }, (_, index) => 0.999 * boundOf(index)).reduce((sum, gap) => sum + gap);
    const offered = offeredUntil(inMilliseconds(tenth + 1_000));
    const polled = new Polled((poll) => (poll < 10 ? offered : poll === 10 ? late(2_500, offered) : 'expired'));
    const { settledAfter } = await end(waitFor(polled));
    expect(polled.times).toHaveLength(12);
    expect(Math.abs((polled.times[10] ?? 0) - tenth)).toBeLessThanOrEqual(20);
    expect(settledAfter).toBeLessThanOrEqual((polled.times[10] ?? 0) + 2_500 + 60);
  });

  it('by a service whose clock is a little behind is seen soon', async () => {
    for (const behind of [60, 200, 900]) {
      random(() => 0.999);
      const polled = offer(30_000, -behind);
      const { settledAfter } = await end(waitFor(polled));
      expect(settledAfter, `${behind} ms behind`).toBeLessThanOrEqual(30_000 + 800);
    }
  });

  it.each([
    ['long past', -86_400_000],
    ['just past', -100],
    ['far ahead', 86_400_000],
    ['beyond any timer', 8.64e15 - Date.now() - 86_400_000],
  ])('%s by the local clock changes nothing: neither a spin nor a hang', async (_, skew) => {
    random(() => 0.5);
    const polled = offer(30_000, skew - 30_000);
    const { value, settledAfter } = await end(waitFor(polled));
    expect(value?.status).toBe('expired');
    expect(settledAfter).toBeLessThanOrEqual(35_000);
    expectGaps(polled.gaps, 0.75);
  });

  it.each(['', 'soon', '2026-13-45T00:00:00Z', '-1'])('that is no time (%j) changes nothing', async (expires_at) => {
    const polled = new Polled((poll) => (poll < 5 ? { status: 'offered', expires_at } : 'executed'));
    await end(waitFor(polled));
    for (const [index, gap] of polled.gaps.entries()) expect(gap).toBeGreaterThanOrEqual(boundOf(index) / 2 - ROUNDING);
  });

  it('is for the service to say: an offer past its time can still be executed', async () => {
    const expires_at = inMilliseconds(1_000);
    const polled = new Polled((poll) => (poll < 12 ? offeredUntil(expires_at) : { status: 'executed', expires_at }));
    const { value } = await end(waitFor(polled));
    expect(value?.status).toBe('executed');
    expect(polled.times).toHaveLength(13);
  });

  it('that moves on with every poll is no spin', async () => {
    const polled = new Polled(() => offeredUntil(inMilliseconds(5)));
    await end(waitFor(polled));
    // One look more, and the delays that begin again after it.
    expect(polled.times.length).toBeLessThan(40);
  });

  it('by a clock that stands still is no spin', async () => {
    const now = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => now);
    const polled = new Polled(() => offeredUntil(new Date(now + 5).toISOString()));
    await end(waitFor(polled));
    expect(polled.times.length).toBeLessThan(40);
  });

  it('of a quote that is executing is of no interest', async () => {
    random(() => 0.999);
    const expires_at = inMilliseconds(300);
    const polled = new Polled((poll) => ({ status: poll < 3 ? 'executing' : 'executed', expires_at }));
    await end(waitFor(polled));
    expectGaps(polled.gaps, 1);
  });
});

describe('timeout', () => {
  it('is 60 s when it is not given', async () => {
    const ofQuote = await end(waitFor(new Polled(statuses('executing'))));
    const ofUser = await end(new Polled(() => answerUser('pending')).client.users.waitFor(USER));
    for (const { error, settledAfter } of [ofQuote, ofUser]) {
      expect(error).toBeInstanceOf(TimeoutError);
      expect(settledAfter).toBe(60_000);
    }
  });

  it('between the repeats of a poll: no repeat is begun that cannot fit', async () => {
    const polled = new Polled(() => failure(503, 'unavailable'), { maxRetries: 100 });
    const { error, settledAfter } = await end(waitFor(polled, { timeout: 3_000 }));
    // The poll ends as its own repeats no longer fit, the wait at its timeout.
    expect(error).toMatchObject({ name: 'TimeoutError', cause: { response: { status: 503 } } });
    expect(settledAfter).toBe(3_000);
  });

  it('is used: the last poll is made as late as it can be answered, whatever delays and answers take', async () => {
    // Answers within the second that each request has at least.
    const life = { timeout: fc.integer({ min: 1, max: 60_000 }), latency: fc.integer({ min: 0, max: 999 }) };
    await fc.assert(
      fc.asyncProperty(fc.record(life), async ({ timeout, latency }) => {
        const polled = new Polled(() => late(latency, 'executing'));
        const { error, settledAfter } = await end(waitFor(polled, { timeout }));
        expect(error).toBeInstanceOf(TimeoutError);
        expect(settledAfter).toBeGreaterThanOrEqual(timeout);
        expect(settledAfter).toBeLessThanOrEqual(timeout + ROUNDING);
        // The service, too, comes to the end of what it was doing.
        await pass(latency);
        const last = polled.times.at(-1) ?? 0;
        // Time for the answer, a little more, and less than would let another answer come.
        expect(timeout - last).toBeLessThanOrEqual(2 * latency + 100 + ROUNDING);
        // But for the first, none is begun whose answer could not come.
        if (polled.times.length > 1) expect(timeout - last).toBeGreaterThanOrEqual(latency + 100 - ROUNDING);
      }),
      { numRuns: 60 },
    );
  });

  it.each([1, 10, 99, 100])('of %d ms polls once', async (timeout) => {
    const polled = new Polled(statuses('executing'));
    const { error, settledAfter } = await end(waitFor(polled, { timeout }));
    expect(error).toMatchObject({ name: 'TimeoutError', message: expect.stringContaining('polled once') });
    expect(settledAfter).toBe(timeout);
    expect(polled.times).toHaveLength(1);
  });

  it('that has passed while the program was busy begins no poll', async () => {
    const polled = new Polled(statuses('executing'));
    const wait = follow(waitFor(polled, { timeout: 5_000 }));
    await pass(1_000);
    const polls = polled.times.length;
    const later = performance.now() + 60_000;
    vi.spyOn(performance, 'now').mockImplementation(() => later);
    // The timer of the next poll fires, that of the deadline has not come to its turn.
    await pass(2_000);
    expect(wait.error).toBeInstanceOf(TimeoutError);
    expect(polled.times).toHaveLength(polls);
  });

  it('shows no status that may be something else', async () => {
    for (const status of [API_SECRET, 'a\nb', 'otp-918273', 'x'.repeat(100), '']) {
      const { error } = await end(waitFor(new Polled(statuses(status)), { timeout: 50 }));
      expect(error).toBeInstanceOf(TimeoutError);
      const text = `${(error as Error).stack}${JSON.stringify(error)}`;
      if (status !== '') expect(text).not.toContain(status);
    }
  });
});

describe('1,000 waits on one signal', () => {
  /** Counts who listens to a signal. */
  const counted = (signal: AbortSignal) => {
    const listeners = { now: 0, most: 0 };
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = (...parts: Parameters<typeof add>) => {
      listeners.now++;
      listeners.most = Math.max(listeners.most, listeners.now);
      add(...parts);
    };
    signal.removeEventListener = (...parts: Parameters<typeof remove>) => {
      listeners.now--;
      remove(...parts);
    };
    return listeners;
  };

  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

  it.each([
    ['ended', 'executed', 60_000, undefined],
    ['out of time', 'executing', 800, TimeoutError],
    ['failed', failure(404, 'not_found'), 60_000, NotFoundError],
    ['aborted', 'executing', 60_000, AbortedError],
  ])('leave neither listener nor timer, nor a warning: %s', async (how, last, timeout, errorClass) => {
    // So many fake timers would take longer than real ones.
    vi.useRealTimers();
    const emitted = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const before = timers();
    const controller = new AbortController();
    const listeners = counted(controller.signal);
    const polled = new Polled((poll) => {
      if (poll < 1_500) return 'executing';
      if (how === 'aborted') controller.abort();
      return last instanceof Response ? last.clone() : last;
    });
    const options = { signal: controller.signal, timeout };
    const ends = await Promise.allSettled(Array.from({ length: 1_000 }, () => waitFor(polled, options)));
    const right = ends.filter((end) =>
      end.status === 'fulfilled'
        ? errorClass === undefined && end.value.status === 'executed'
        : errorClass !== undefined && end.reason instanceof errorClass,
    );
    expect(right).toHaveLength(1_000);
    expect(listeners).toEqual({ most: 1, now: 0 });
    // The test runner has timers, too.
    expect(timers() - before).toBeLessThan(10);
    expect(emitted).not.toHaveBeenCalled();
    expect(polled.client.stats().running).toBe(0);
  });
});
