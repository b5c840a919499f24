import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/index.js';
import { parseRetryAfter } from '../../../src/response/api-error.js';
import { failure, GET, KEYED, KINDS, scene, UNKEYED } from '../../support/scene.js';
import { status } from '../../support/service.js';

const after = (value: string, number = 429) => status(number, { 'retry-after': value });

async function retryAfterOf(call: Promise<unknown>): Promise<number | undefined> {
  const error = await failure(call, ApiError);
  return (error as ApiError).retryAfter;
}

describe.concurrent('Retry-After is honoured', () => {
  for (const number of [429, 503]) {
    it(`${number} with seconds: never sooner than asked`, () =>
      scene({ answers: [after('1', number)] }, async ({ service, client }) => {
        await KEYED.invoke(client);
        const [first, second] = service.requests;
        expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(999);
      }));

    it(`${number} with a date: not before it`, async () => {
      const date = new Date(Math.ceil(Date.now() / 1000) * 1000 + 1_000);
      await scene({ answers: [after(date.toUTCString(), number)] }, async ({ service, client }) => {
        await GET.invoke(client);
        expect(service.requests[1]?.at).toBeGreaterThanOrEqual(date.getTime() - 1);
      });
    });
  }
});

describe.concurrent('Retry-After that is too long stops the call at once, with retryAfter on the error', () => {
  it.each(KINDS)('longer than maxRetryAfter: $name', (kind) =>
    scene({ answers: [after('3600')] }, async ({ service, client }) => {
      const begun = performance.now();
      const error = await failure(kind.invoke(client));
      expect(performance.now() - begun).toBeLessThan(10_000);
      expect(error).toMatchObject({ response: { status: 429 }, retryAfter: 3_600_000, outcome: 'not_applied' });
      expect(error.attempts.count).toBe(1);
      expect(service.requests).toHaveLength(1);
    }),
  );

  it('longer than the deadline allows, though within maxRetryAfter', () =>
    scene({ answers: [after('50')] }, async ({ service, client }) => {
      const begun = performance.now();
      expect(await retryAfterOf(GET.invoke(client, { timeout: 40_000 }))).toBe(50_000);
      expect(performance.now() - begun).toBeLessThan(10_000);
      expect(service.requests).toHaveLength(1);
    }));

  it('maxRetryAfter is the longest wait that is taken, not one millisecond less', () =>
    scene(
      { answers: [after('1'), after('1')], client: { maxRetryAfter: 1_000 } },
      async ({ service, client, connect }) => {
        await GET.invoke(client);
        expect(service.requests).toHaveLength(3);
        service.answers(after('1'));
        expect(await retryAfterOf(GET.invoke(connect({ maxRetryAfter: 999 })))).toBe(1_000);
      },
    ));

  it('a number beyond all measure', () =>
    scene({ answers: [after('9'.repeat(400))] }, async ({ service, client }) => {
      expect(await retryAfterOf(GET.invoke(client))).toBeGreaterThan(30_000);
      expect(service.requests).toHaveLength(1);
    }));

  it('is on the error also where the call does not repeat', () =>
    scene({ answers: [after('7', 503), after('8'), after('9', 400)] }, async ({ client }) => {
      expect(await retryAfterOf(UNKEYED.invoke(client))).toBe(7_000);
      expect(await retryAfterOf(GET.invoke(client, { maxRetries: 0 }))).toBe(8_000);
      expect(await retryAfterOf(GET.invoke(client))).toBe(9_000);
    }));
});

describe('parsing Retry-After', () => {
  const now = Date.UTC(2026, 7, 21, 12, 0, 0);

  it('seconds become milliseconds, whatever the clock says', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000_000), fc.constantFrom('', ' ', '\t'), fc.nat(4e12), (seconds, space, clock) => {
        expect(parseRetryAfter(`${space}${seconds}${space}`, clock)).toBe(seconds * 1_000);
      }),
    );
  });

  it('a date is the distance to it, and never negative', () => {
    const moment = fc.integer({ min: -10_000_000, max: 10_000_000 });
    fc.assert(
      fc.property(moment, fc.nat(999), (seconds, fraction) => {
        const date = new Date(now + seconds * 1_000);
        const expected = Math.max(0, seconds * 1_000 - fraction);
        expect(parseRetryAfter(date.toUTCString(), now + fraction)).toBe(expected);
      }),
    );
  });

  it('the two obsolete forms of an HTTP date are read as UTC', () => {
    expect(parseRetryAfter('Friday, 21-Aug-26 12:00:30 GMT', now)).toBe(30_000);
    expect(parseRetryAfter('Fri Aug 21 12:00:30 2026', now)).toBe(30_000);
  });

  it('anything else is no wait: undefined, never NaN, negative or a throw', () => {
    const odd = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '',
        ' ',
        '-1',
        '+1',
        '1.5',
        '1e3',
        '0x10',
        'Infinity',
        'NaN',
        '1,2',
        '12 s',
        '2026',
        '2026-08-21',
      ),
    );
    fc.assert(
      fc.property(odd, (text) => {
        const parsed = parseRetryAfter(text, now);
        if (/^\s*\d+\s*$/.test(text)) return;
        if (parsed !== undefined) {
          expect(parsed).toBeGreaterThanOrEqual(0);
          expect(text.trim()).toMatch(/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/);
        }
      }),
    );
    expect(parseRetryAfter(undefined, now)).toBeUndefined();
  });
});
