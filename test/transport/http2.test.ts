import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Loss } from '../../src/transport/connections.js';
import type { Driver } from './support/driver.js';
import { CANCEL, INTERNAL_ERROR, NO_ERROR, REFUSED_STREAM, type WireScript } from './support/http2-wire.js';
import { openings } from './support/openings.js';

const { wired } = openings();

/** The same, with a session that has answered once: its next stream is the third (stream 3). */
async function warm({ request }: WireScript) {
  const made = await wired({
    request: (wire, stream) => (stream === 1 ? wire.answer(1, '') : request(wire, stream)),
  });
  expect((await made.driver.call('/warm')).end).toBe('answered');
  return made;
}

function startAll(driver: Driver, count: number) {
  return Promise.all(Array.from({ length: count }, (_, at) => driver.start(`/${at}`)));
}

const count = (ends: readonly { end: string }[], end: string): number => ends.filter((one) => one.end === end).length;

describe('an HTTP/2 session', () => {
  it('has no more streams in flight than the service allows, nor than the width', async () => {
    for (const [allowed, width, expected] of [
      [3, 64, 3],
      [100, 5, 5],
    ] as const) {
      let [inFlight, most] = [0, 0];
      const { driver } = await wired(
        {
          connected: (wire) => wire.settings(allowed),
          request: (wire, stream) => {
            most = Math.max(most, ++inFlight);
            setTimeout(() => {
              inFlight--;
              wire.answer(stream, '');
            }, 5);
          },
        },
        { width },
      );
      const ends = await Promise.all(Array.from({ length: 20 }, (_, at) => driver.call(`/${at}`)));
      expect(count(ends, 'answered')).toBe(20);
      expect(most).toBe(expected);
    }
  });

  it('follows the service when that allows more streams later', async () => {
    const { driver, wires } = await wired({ connected: (wire) => wire.settings(1), request: () => {} });
    await driver.start('/0');
    const second = driver.start('/1');
    await sleep(20);
    expect(driver.waiting).toBe(1);
    wires[0]?.settings(2);
    await second;
    expect(driver.waiting).toBe(0);
  });

  it('carries all requests in their order, and gives each its own answer, however these are mixed', async () => {
    const { driver, wires } = await wired({
      request: async (wire, stream) => {
        // Each after the one before: timers that are due together fire in any order.
        await sleep((stream * 7) % 11);
        wire.head(stream);
        await sleep((stream * 5) % 13);
        wire.data(stream, `<${stream}`, false);
        await sleep((stream * 3) % 7);
        wire.data(stream, `${stream}>`, true);
      },
    });
    const ends = await Promise.all(Array.from({ length: 60 }, (_, at) => driver.call(`/${at}`)));
    // Streams are numbered in the order in which requests are sent: the first is 1, the next 3.
    expect(ends.map(({ body }) => body)).toEqual(ends.map((_, at) => `<${2 * at + 1}${2 * at + 1}>`));
    expect(wires).toHaveLength(1);
  });

  it('joins repeated headers of an answer, and has no pseudo-headers', async () => {
    const { driver } = await wired({
      request: (wire, stream) => {
        wire.headWith(stream, [
          ['x-a', '1'],
          ['x-a', '2'],
          ['set-cookie', 'c=1'],
          ['set-cookie', 'd=2'],
        ]);
        wire.data(stream, '', true);
      },
    });
    expect((await driver.call('/')).headers).toEqual({ 'x-a': '1, 2', 'set-cookie': 'c=1, d=2' });
  });

  it('sends a request whose extra headers belong to the connection without these', async () => {
    const { driver } = await wired({ request: (wire, stream) => wire.answer(stream, 'ok') });
    const headers = { 'proxy-connection': 'keep-alive', 'http2-settings': 'AAMAAABk', 'x-own': '1' };
    expect(await driver.call('/', { headers })).toMatchObject({ end: 'answered', body: 'ok' });
  });

  it.each<[string, WireScript['request'], string]>([
    [
      'an interim head',
      (wire, stream) => {
        wire.interim(stream);
        wire.answer(stream, 'ok');
      },
      'ok',
    ],
    [
      'an interim head, and a final one that ends it',
      (wire, stream) => {
        wire.interim(stream);
        setTimeout(() => wire.lastHead(stream), 10);
      },
      '',
    ],
    ['a head alone', (wire, stream) => wire.lastHead(stream), ''],
    [
      'trailers',
      (wire, stream) => {
        wire.head(stream);
        wire.data(stream, 'ok', false);
        wire.trailers(stream);
      },
      'ok',
    ],
    [
      'a reset without an error after the whole answer',
      (wire, stream) => {
        wire.answer(stream, 'ok');
        wire.reset(stream, NO_ERROR);
      },
      'ok',
    ],
  ])('takes an answer with %s', async (_name, request, body) => {
    const { driver } = await wired({ request });
    expect(await driver.call('/', { body: 'x' })).toMatchObject({
      end: 'answered',
      body,
      statuses: [expect.any(Number)],
    });
    await driver.call('/');
  });
});

describe('a stream that ends without its answer', () => {
  it.each<[string, WireScript['request'], Loss]>([
    ['refused', (wire, stream) => wire.reset(stream, REFUSED_STREAM), 'unprocessed'],
    [
      'refused after its head',
      (wire, stream) => {
        wire.head(stream);
        wire.reset(stream, REFUSED_STREAM);
      },
      'lost',
    ],
    ['reset with an error', (wire, stream) => wire.reset(stream, INTERNAL_ERROR), 'lost'],
    ['cancelled', (wire, stream) => wire.reset(stream, CANCEL), 'lost'],
    ['reset without an error', (wire, stream) => wire.reset(stream, NO_ERROR), 'lost'],
    [
      'reset in the middle of its body',
      (wire, stream) => {
        wire.head(stream);
        wire.data(stream, 'abc', false);
        setTimeout(() => wire.reset(stream, INTERNAL_ERROR), 10);
      },
      'lost',
    ],
    [
      'cancelled in the middle of its body',
      (wire, stream) => {
        wire.head(stream);
        wire.data(stream, 'abc', false);
        setTimeout(() => wire.reset(stream, CANCEL), 10);
      },
      'lost',
    ],
    [
      'reset in the middle of its body without an error',
      (wire, stream) => {
        wire.headWith(stream, [['content-length', '10']]);
        wire.data(stream, 'abc', false);
        setTimeout(() => wire.reset(stream, NO_ERROR), 10);
      },
      'lost',
    ],
    [
      'ended after an interim head alone',
      (wire, stream) => {
        wire.interim(stream);
        setTimeout(() => wire.reset(stream, NO_ERROR), 10);
      },
      'lost',
    ],
    [
      'with fewer bytes than it says',
      (wire, stream) => {
        wire.headWith(stream, [['content-length', '10']]);
        wire.data(stream, 'abc', true);
      },
      'lost',
    ],
    [
      'with more bytes than it says',
      (wire, stream) => {
        wire.headWith(stream, [['content-length', '2']]);
        wire.data(stream, 'abc', true);
      },
      'lost',
    ],
    [
      'with more headers than can be read',
      (wire, stream) => {
        wire.headWith(
          stream,
          Array.from({ length: 400 }, (_, at) => [`x-${at}`, '1'] as const),
        );
        wire.data(stream, '', true);
      },
      'lost',
    ],
  ])('%s: says so, and no other stream is harmed', async (_name, request, loss) => {
    const { driver } = await warm({
      request: (wire, stream) => {
        if (stream === 5) request(wire, stream);
        else setTimeout(() => wire.answer(stream, 'ok'), 40);
      },
    });
    const started = await startAll(driver, 3);
    const ends = await Promise.all(started.map(({ ended }) => ended));
    const others = [ends[0]?.end, ends[2]?.end];
    // Node may cut off a service that breaks the protocol: then all streams end with the session.
    const isCut = others.every((end) => end === 'bystander');
    if (!isCut) expect(others).toEqual(['answered', 'answered']);
    expect(isCut ? [loss, 'bystander'] : [loss]).toContain(ends[1]?.end);
    expect(ends[1]).toMatchObject({ error: expect.any(Error), sent: true });
    await sleep(20);
    expect(ends[1]?.after).toEqual([]);
    expect((await driver.call('/after')).end).toBe('answered');
  });

  it('since it was abandoned: it alone is reset', async () => {
    const { driver, wires } = await warm({
      request: (wire, stream) => {
        if (stream !== 5) setTimeout(() => wire.answer(stream, 'ok'), 40);
      },
    });
    const started = await startAll(driver, 3);
    await sleep(10);
    started[1]?.exchange?.abandon();
    const ends = await Promise.all(started.map(({ ended }) => ended));
    expect(ends.map(({ end }) => end)).toEqual(['answered', 'lost', 'answered']);
    // Its answer comes after the reset: they travel in order.
    await driver.call('/after');
    expect(wires).toHaveLength(1);
    expect([...(wires[0]?.resets ?? [])]).toEqual([[5, CANCEL]]);
  });
});
