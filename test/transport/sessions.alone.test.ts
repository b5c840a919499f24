import { createSecureServer } from 'node:http2';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { CERTIFICATE } from '../support/raw-server.js';
import type { Driver, End, Started } from './support/driver.js';
import { type Http2Wire, INTERNAL_ERROR, REFUSED_STREAM, type WireScript } from './support/http2-wire.js';
import { openings } from './support/openings.js';

const { drive, listen, wired } = openings();

/** The first session does what the test says; those that come after it answer `second`. */
const succeeded = (first: WireScript['request']) =>
  wired({ request: (wire, stream) => (wire.number > 0 ? wire.answer(stream, 'second') : first(wire, stream)) });

const startAll = async (driver: Driver, count: number): Promise<End[]> => {
  const started = await Promise.all(Array.from({ length: count }, (_, at) => driver.start(`/${at}`)));
  return Promise.all(started.map(({ ended }) => ended));
};

const ends = (all: readonly End[]): string[] => all.map(({ end }) => end);

const goaway = (wire: Http2Wire): void => wire.goaway(1);

describe('a session whose end is announced (GOAWAY)', () => {
  it('finishes the streams that the service has begun with; it disowns the others', async () => {
    const { driver, wires } = await wired({
      request: (wire, stream) => {
        if (wire.number > 0) wire.answer(stream, 'second');
        else if (stream === 19) {
          wire.goaway(9);
          setTimeout(() => {
            for (const begun of [1, 3, 5, 7, 9]) wire.answer(begun, 'first');
          }, 30);
        }
      },
    });
    const all = await startAll(driver, 10);
    expect(ends(all)).toEqual([...Array(5).fill('answered'), ...Array(5).fill('disowned')]);
    expect(all.every(({ sent }) => sent)).toBe(true);
    expect(all[9]?.error).toMatchObject({
      code: 'ERR_HTTP2_GOAWAY_SESSION',
      message: expect.stringContaining('GOAWAY'),
    });
    expect((await driver.call('/')).body).toBe('second');
    expect(wires).toHaveLength(2);
  });

  it.each<[string, string[], ((wire: Http2Wire) => void)[]]>([
    ['behind the refusal of a stream', ['unprocessed', 'disowned'], [(wire) => wire.reset(3, REFUSED_STREAM), goaway]],
    [
      'in front of the refusal of a stream',
      ['disowned', 'disowned'],
      [goaway, (wire) => wire.reset(3, REFUSED_STREAM)],
    ],
    ['in front of the answer of a stream', ['disowned', 'disowned'], [goaway, (wire) => wire.answer(3, 'late')]],
    ['behind the answer of a stream', ['answered', 'disowned'], [(wire) => wire.answer(3, 'early'), goaway]],
  ])('%s: the first of the two frames says what happened', async (_name, expected, frames) => {
    for (const sent of ['in one record', 'in one read', 'apart']) {
      const { driver } = await succeeded(async (wire, stream) => {
        if (stream !== 5) return;
        if (sent === 'in one record') wire.socket.cork();
        for (const frame of frames) {
          frame(wire);
          if (sent === 'apart') await sleep(30);
        }
        wire.answer(1, 'first');
        wire.socket.uncork();
      });
      expect(ends(await startAll(driver, 3)), sent).toEqual(['answered', ...expected]);
    }
  });

  it.each([
    ['names the last stream', 1],
    ['names every stream, as the first one of a graceful end', 2 ** 31 - 1],
  ])('%s: a request whose bytes have not left by then is certainly unprocessed', async (_name, last) => {
    const { driver, wires } = await succeeded(() => {});
    const first = await driver.start('/first');
    await expect.poll(() => wires[0]?.streams).toEqual([1]);
    const late = await new Promise<Started>((resolve) => {
      // Node polls its sockets after its timers, and writes new streams after that.
      setTimeout(() => {
        wires[0]?.goaway(last);
        void driver.start('/late').then(resolve);
      }, 1);
    });
    expect(await late.ended).toMatchObject({ end: 'unprocessed' });
    wires[0]?.answer(1, 'first');
    expect(await first.ended).toMatchObject({ end: 'answered', body: 'first' });
    expect(wires[0]?.streams).toEqual([1]);
  });

  it('is replaced at once, while its streams go on', async () => {
    const { driver, wires } = await succeeded((wire, stream) => {
      if (stream === 3) wire.goaway(3);
    });
    const old = await Promise.all([driver.start('/a'), driver.start('/b')]);
    await expect.poll(() => wires).toHaveLength(2);
    // Nobody has asked for the second one yet.
    expect(await driver.call('/c')).toMatchObject({ end: 'answered', body: 'second' });
    expect(old.map(({ end }) => end)).toEqual([undefined, undefined]);
    for (const stream of [1, 3]) wires[0]?.answer(stream, 'first');
    expect((await Promise.all(old.map(({ ended }) => ended))).map(({ body }) => body)).toEqual(['first', 'first']);
    await expect.poll(() => driver.connections.open).toBe(1);
  });

  it('in front of the last answers, which come with it: nothing is lost', async () => {
    const { driver } = await wired({
      request: (wire, stream) => {
        if (stream !== 9) return;
        // Each frame in a TLS record of its own, all in one read.
        wire.goaway(9);
        for (const begun of [1, 3, 5, 7, 9]) wire.answer(begun, 'first');
      },
    });
    expect((await startAll(driver, 5)).map(({ end, body }) => [end, body])).toEqual(
      Array(5).fill(['answered', 'first']),
    );
  });

  it('with an error: the streams above its last one are disowned, the others are lost with the session', async () => {
    const { driver } = await succeeded((wire, stream) => {
      if (stream === 7) wire.goaway(3, INTERNAL_ERROR);
    });
    expect(ends(await startAll(driver, 4))).toEqual(['bystander', 'bystander', 'disowned', 'disowned']);
    expect((await driver.call('/')).body).toBe('second');
  });

  it('loses nothing of a burst, however often sessions end in the middle of it', async () => {
    const EVERY = 40;
    const { driver, wires } = await wired({
      request: (wire, stream) => {
        const number = (stream + 1) / 2;
        // An edge that gives a session so many requests refuses what comes behind, and closes the connection after the
        // last answer.
        if (number === EVERY) wire.goaway(stream);
        if (number <= EVERY) setTimeout(() => wire.answer(stream, 'ok'), 3);
      },
    });
    const all = await Promise.all(Array.from({ length: 1_000 }, (_, at) => driver.call(`/${at}`)));
    expect(new Set(ends(all))).toEqual(new Set(['answered']));
    expect(wires.length).toBeGreaterThanOrEqual(1_000 / EVERY);
    expect(wires.length).toBeLessThan((2 * 1_000) / EVERY);
  });

  it('is succeeded before that, once the edge has shown how many requests it gives a session', async () => {
    const EVERY = 200;
    const { driver, wires } = await wired({
      request: (wire, stream) => {
        if ((stream + 1) / 2 === EVERY) wire.goaway(stream);
        wire.answer(stream, 'ok');
      },
    });
    for (let left = 1_000; left > 0; left--) {
      expect((await driver.call('/')).end).toBe('answered');
      // The next session is opened in the background: it has the time of a tenth of the requests.
      const streams = wires.at(-1)?.streams.length ?? 0;
      if (wires.length > 1 && streams === 0.9 * EVERY + 1) {
        const before = wires.length;
        await expect.poll(() => wires.length).toBe(before + 1);
        await expect.poll(() => driver.connections.open).toBe(1);
      }
    }
    // The first session is ended by the edge, each later one by its successor.
    expect(wires.length).toBeGreaterThanOrEqual(5);
    expect(wires.slice(1).every(({ streams }) => streams.length < EVERY)).toBe(true);
  });

  it.each([
    ['is succeeded before 1,000 requests if one of them must not be repeated', true, 2],
    ['is expected by no request that may be repeated until the edge has shown it', false, 1],
  ])('%s', async (_name, notRetryable, sessions) => {
    const { driver, wires } = await wired({ request: (wire, stream) => wire.answer(stream, 'ok') });
    for (let left = 990; left > 0; left--) {
      await driver.call('/', { notRetryable: notRetryable && left === 85 });
      if (notRetryable && left === 80) await expect.poll(() => driver.connections.open).toBe(1);
    }
    expect(wires).toHaveLength(sessions);
    expect(wires.every(({ streams }) => streams.length < 1_000)).toBe(true);
  });

  it('at once, before any stream: the call fails instead of going round in circles', async () => {
    const { driver, server } = await wired({
      connected: (wire) => {
        wire.settings();
        wire.goaway(0);
        wire.socket.end();
      },
      request: () => {},
    });
    await expect(driver.call('/')).rejects.toThrow('no connection');
    expect(server.accepted).toBeLessThan(5);
  });
});

describe('a session that breaks', () => {
  it('takes all its streams with it', async () => {
    const { driver } = await succeeded((wire, stream) => {
      if (stream === 9) wire.socket.destroy();
    });
    expect(ends(await startAll(driver, 5))).toEqual(Array(5).fill('bystander'));
    expect((await driver.call('/')).body).toBe('second');
  });

  it('with one stream alone: that one is lost', async () => {
    const { driver } = await succeeded((wire) => wire.socket.destroy());
    expect(ends(await startAll(driver, 1))).toEqual(['lost']);
    expect((await driver.call('/')).body).toBe('second');
  });

  it('twice in a row with several streams: HTTP/1.1 is used, where a request can only break its own connection', async () => {
    const sockets = new Set<Socket>();
    const service = createSecureServer({ ...CERTIFICATE, allowHTTP1: true }, (request, response) => {
      // The socket and not the session: newer Node announces the end of a session first (GOAWAY).
      const broken = request.httpVersion === '1.1' ? [request.socket] : sockets;
      if (request.url === '/poison') for (const socket of broken) socket.destroy();
      else setTimeout(() => response.end(request.httpVersion), 50);
    });
    service.on('secureConnection', (socket) => {
      sockets.add(socket);
    });
    const driver = drive(await listen(service));
    for (let round = 0; round < 2; round++) {
      await driver.call('/warm');
      expect(driver.connections.way).toBe('http2');
      const others = await Promise.all([driver.start('/a'), driver.start('/b'), driver.start('/poison')]);
      await Promise.all(others.map(({ ended }) => ended));
    }
    const others = [driver.call('/c'), driver.call('/d')];
    expect((await driver.call('/poison')).end).toBe('lost');
    expect((await Promise.all(others)).map(({ body }) => body)).toEqual(['1.1', '1.1']);
    expect(driver.connections.way).toBe('http1');
  });

  it('by standing still: when a stream is given up after a second of silence, the next one goes over another session', async () => {
    const { driver, wires } = await succeeded((wire, stream) => {
      if (stream === 1) wire.answer(stream, 'first');
    });
    vi.useFakeTimers({ toFake: ['performance'] });
    await driver.call('/');
    const short = await driver.start('/short');
    // What the service still says of the streams before has come.
    await sleep(100);
    vi.advanceTimersByTime(900);
    short.exchange?.abandon();
    await short.ended;
    // Too early to tell.
    const long = await driver.start('/long');
    expect(wires).toHaveLength(1);
    await sleep(100);
    vi.advanceTimersByTime(1_000);
    long.exchange?.abandon();
    expect((await driver.call('/')).body).toBe('second');
    await expect.poll(() => driver.connections.open).toBe(1);
  });

  it('that answers others meanwhile is kept, however slow one stream is', async () => {
    const { driver, wires } = await wired({
      request: (wire, stream) => {
        if (stream !== 1) wire.answer(stream, 'ok');
      },
    });
    vi.useFakeTimers({ toFake: ['performance'] });
    const slow = await driver.start('/slow');
    await driver.call('/');
    vi.advanceTimersByTime(1_100);
    slow.exchange?.abandon();
    await driver.call('/');
    expect(wires).toHaveLength(1);
  });

  it('whose answer cannot be trusted begins no new streams, and its others may end', async () => {
    const { driver } = await wired({
      request: (wire, stream) => setTimeout(() => wire.answer(stream, `${wire.number}`), stream === 1 ? 0 : 50),
    });
    const first = await driver.start('/first');
    const other = await driver.start('/other');
    await first.ended;
    first.exchange?.distrust?.();
    expect((await driver.call('/next')).body).toBe('1');
    expect(await other.ended).toMatchObject({ end: 'answered', body: '0' });
  });
});

describe('a session that is not used', () => {
  it('is closed after 20 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const { driver, server } = await wired({ request: (wire, stream) => wire.answer(stream, '') });
    await driver.call('/');
    vi.advanceTimersByTime(19_000);
    await driver.call('/');
    vi.advanceTimersByTime(19_900);
    expect(driver.connections.open).toBe(1);
    vi.advanceTimersByTime(200);
    expect(driver.connections.open).toBe(0);
    vi.useRealTimers();
    await expect.poll(() => server.sockets.size).toBe(0);
    expect((await driver.call('/')).end).toBe('answered');
  });

  it('is not closed while a stream is in flight', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const { driver, wires } = await wired({ request: () => {} });
    const slow = await driver.start('/');
    vi.advanceTimersByTime(60_000);
    wires[0]?.answer(1, 'late');
    expect((await slow.ended).body).toBe('late');
  });

  it('is not used for a request that must not be repeated', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { driver } = await wired({ request: (wire, stream) => wire.answer(stream, `${wire.number}`) });
    await driver.call('/');
    expect((await driver.call('/', { notRetryable: true })).body).toBe('0');
    vi.advanceTimersByTime(600);
    expect((await driver.call('/', { notRetryable: true })).body).toBe('1');
    vi.advanceTimersByTime(600);
    expect((await driver.call('/')).body).toBe('1');
  });
});

describe('HTTP/2 that is to be avoided', () => {
  it('gives way to HTTP/1.1: the session ends after its last stream, and HTTP/2 is tried again later', async () => {
    const service = createSecureServer({ ...CERTIFICATE, allowHTTP1: true }, (request, response) => {
      setTimeout(() => response.end(request.httpVersion), request.url === '/slow' ? 100 : 1);
    });
    let sessions = 0;
    service.on('session', () => {
      sessions++;
    });
    vi.useFakeTimers({ toFake: ['performance'] });
    const driver = drive(await listen(service));
    const slow = driver.call('/slow');
    expect((await driver.call('/')).body).toBe('2.0');
    driver.connections.avoidHttp2?.(500);
    expect((await driver.call('/')).body).toBe('1.1');
    expect(driver.connections.way).toBe('http1');
    expect((await slow).body).toBe('2.0');
    await expect.poll(() => driver.connections.open).toBe(1);
    vi.advanceTimersByTime(500);
    // HTTP/1.1 goes on until the new session is there.
    expect((await driver.call('/')).body).toBe('1.1');
    await expect.poll(() => driver.connections.way).toBe('http2');
    expect((await driver.call('/')).body).toBe('2.0');
    expect(sessions).toBe(2);
  });
});
