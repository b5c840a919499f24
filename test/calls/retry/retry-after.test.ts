import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/index.js';
import { readRetryAfter } from '../../../src/response/retry-after.js';
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

describe.concurrent('Retry-After that many services send, and no standard has', () => {
  it.each([
    ['299.997', 300_000],
    ['2.5, 299.997', 300_000],
    ['1, 300', 300_000],
    ['300, 1', 300_000],
  ])('%s: the call is not repeated sooner', (value, retryAfter) =>
    scene({ answers: [after(value)] }, async ({ service, client }) => {
      expect(await retryAfterOf(GET.invoke(client))).toBe(retryAfter);
      expect(service.requests).toHaveLength(1);
    }),
  );

  it('a date is by the clock of the service, which its Date shows', () =>
    scene({}, async ({ service, client }) => {
      const ahead = Date.now() + 600_000;
      const headers = { date: new Date(ahead).toUTCString(), 'retry-after': new Date(ahead + 40_000).toUTCString() };
      service.answers(status(429, headers));
      expect(await retryAfterOf(GET.invoke(client))).toBe(40_000);
    }));

  it('a value that cannot be read is told to the debug log, without a secret, and a back-off is used', async () => {
    const lines: [string, object][] = [];
    const logger = { debug: (message: string, fields: object) => lines.push([message, fields]) };
    await scene({ client: { logger } }, async ({ service, client }) => {
      service.answers(after(`soon, ${service.apiSecret}`));
      await GET.invoke(client);
      expect(service.requests).toHaveLength(2);
      expect(JSON.stringify(lines)).not.toContain(service.apiSecret);
    });
    const told = lines.filter(([message]) => message.includes('Retry-After'));
    expect(told).toEqual([
      [
        'partner-sdk: Retry-After is neither seconds nor a date',
        { operation: GET.operation, retryAfter: expect.stringMatching(/^soon, /) },
      ],
    ]);
  });
});

describe('reading Retry-After', () => {
  const now = Date.UTC(2026, 7, 21, 12, 0, 0);
  const read = (value: string, clock = now, date?: string) =>
    readRetryAfter(date === undefined ? { 'retry-after': value } : { 'retry-after': value, date }, clock);

  it('seconds become milliseconds, whatever the clock says', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000_000), fc.constantFrom('', ' ', '\t'), fc.nat(4e12), (seconds, space, clock) => {
        expect(read(`${space}${seconds}${space}`, clock)).toBe(seconds * 1_000);
      }),
    );
  });

  it('a fraction is never a shorter wait, and less than a second longer', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(999), (seconds, thousandths) => {
        const text = `${seconds}.${String(thousandths).padStart(3, '0')}`;
        const wait = read(text) ?? Number.NaN;
        expect(wait).toBeGreaterThanOrEqual(seconds * 1_000 + thousandths);
        expect(wait).toBeLessThan(seconds * 1_000 + thousandths + 1_000);
      }),
    );
  });

  it('of several values, also dates, the largest counts, and what cannot be read does not', () => {
    const values = fc.array(
      fc.oneof(
        fc.nat(90_000).map((seconds) => [String(seconds), seconds * 1_000] as const),
        fc.nat(90_000).map((seconds) => [new Date(now + seconds * 1_000).toUTCString(), seconds * 1_000] as const),
        fc.constantFrom(['soon', undefined] as const, ['-1', undefined] as const),
      ),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(values, (all) => {
        const waits = all.flatMap(([, wait]) => wait ?? []);
        expect(read(all.map(([text]) => text).join(', '))).toBe(waits.length === 0 ? undefined : Math.max(...waits));
      }),
    );
  });

  it('a date is the distance to it, and never negative', () => {
    const moment = fc.integer({ min: -10_000_000, max: 10_000_000 });
    fc.assert(
      fc.property(moment, fc.nat(999), (seconds, fraction) => {
        const date = new Date(now + seconds * 1_000);
        const expected = Math.max(0, seconds * 1_000 - fraction);
        expect(read(date.toUTCString(), now + fraction)).toBe(expected);
      }),
    );
  });

  it('a date is read against the Date of the response, unless that is more than a day away', () => {
    const minute = 60_000;
    const value = new Date(now + minute).toUTCString();
    const dateAt = (distance: number) => new Date(now + distance).toUTCString();
    expect(read(value, now, dateAt(-10 * minute))).toBe(11 * minute);
    expect(read(value, now, dateAt(30_000))).toBe(30_000);
    expect(read(value, now, dateAt(86_400_000 + 1_000))).toBe(minute);
    expect(read(value, now, 'yesterday')).toBe(minute);
  });

  it('the two obsolete forms of an HTTP date, milliseconds and ISO 8601 are read, as UTC', () => {
    expect(read('Friday, 21-Aug-26 12:00:30 GMT')).toBe(30_000);
    expect(read('Fri Aug 21 12:00:30 2026')).toBe(30_000);
    expect(read('Fri, 21 Aug 2026 12:00:30.500 GMT')).toBe(30_500);
    expect(read('2026-08-21T12:00:30.500Z')).toBe(30_500);
    expect(read('2026-08-21T14:00:30+02:00')).toBe(30_000);
  });

  it('anything else is no wait: undefined, never NaN, negative, infinite or a throw', () => {
    const odd = fc.oneof(
      fc.string(),
      fc.constantFrom('', ' ', '-1', '+1', '.5', '1e3', '0x10', 'Infinity', 'NaN', '12 s', '2026', '2026-08-21', ',,'),
      fc.constant('9'.repeat(400)),
    );
    fc.assert(
      fc.property(odd, (text) => {
        const wait = read(text);
        if (wait === undefined) return;
        expect(Number.isSafeInteger(wait)).toBe(true);
        expect(wait).toBeGreaterThanOrEqual(0);
        expect(text).toMatch(/\d(\.\d*)?\s*(,|$)|Mon|Tue|Wed|Thu|Fri|Sat|Sun|^\d{4}-\d\d-\d\dT/);
      }),
    );
    expect(readRetryAfter({}, now)).toBeUndefined();
  });
});
