import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { answer, onRequests } from '../support/raw-server.js';
import { openings } from './support/openings.js';

const { drive, serve } = openings();

/** Answers each request with the number of its connection. */
const byNumber = (socket: Socket, number: number) => onRequests(socket, () => socket.write(answer(String(number))));

describe('a pool of HTTP/1.1 connections', () => {
  it('has at most one request in flight on a connection, and at most as many connections as its width', async () => {
    const busy = new Set<number>();
    let crowded = 0;
    const server = await serve((socket, number) => {
      onRequests(socket, (line) => {
        if (busy.has(number)) crowded++;
        busy.add(number);
        setTimeout(() => {
          busy.delete(number);
          socket.write(answer(line));
        }, 3);
      });
    });
    const driver = drive(server.origin, { width: 6 });
    const ends = await Promise.all(Array.from({ length: 100 }, (_, at) => driver.call(`/${at}`)));
    expect(ends.map(({ body }) => body)).toEqual(ends.map((_, at) => `GET /${at} HTTP/1.1`));
    expect(crowded).toBe(0);
    expect(server.accepted).toBe(6);
    expect(driver.connections.open).toBe(6);
    expect(driver.connections.way).toBe('http1');
  });

  it('opens at most four connections at once, and never more than requests wait', async () => {
    // A connection is accepted at once, but usable only after its handshake: the TLS of these never ends.
    const server = await serve(() => {});
    const driver = drive(server.origin.replace('http:', 'https:'));
    const starts = Array.from({ length: 10 }, () => driver.start('/').catch(() => undefined));
    await sleep(100);
    // Nobody knows yet whether one HTTP/2 session will carry them all.
    expect(server.accepted).toBe(1);
    driver.connections.avoidHttp2?.(60_000);
    driver.connections.reserve(2, false);
    await sleep(100);
    expect(server.accepted).toBe(2);
    driver.connections.reserve(10, false);
    await sleep(100);
    expect(server.accepted).toBe(4);
    void starts;
  });

  it('uses the connection that answered last', async () => {
    const driver = drive((await serve(byNumber)).origin);
    await Promise.all(Array.from({ length: 8 }, (_, at) => driver.call(`/${at}`)));
    const numbers = new Set<string | undefined>();
    for (let left = 20; left > 0; left--) numbers.add((await driver.call('/')).body);
    expect(numbers.size).toBe(1);
  });

  it('gives a request that must not be repeated no connection that has been idle', async () => {
    const server = await serve(byNumber);
    const driver = drive(server.origin, { width: 1 });
    expect((await driver.call('/', { notRetryable: true })).body).toBe('0');
    expect((await driver.call('/', { notRetryable: true })).body).toBe('0');
    await sleep(600);
    // The idle one gives way, since there may be only one.
    expect((await driver.call('/', { notRetryable: true })).body).toBe('1');
    await sleep(600);
    expect((await driver.call('/')).body).toBe('1');
  });

  it('loses nothing over connections that the service closes after a second, once it has seen that', async () => {
    const IDLE_MS = 1_000;
    const server = await serve((socket, number) => {
      let idle: NodeJS.Timeout | undefined;
      onRequests(socket, () => {
        clearTimeout(idle);
        socket.write(answer(String(number)));
        // A request that arrives with the end of the connection is lost.
        idle = setTimeout(() => socket.destroy(), IDLE_MS);
      });
    });
    const driver = drive(server.origin);
    await driver.call('/');
    await sleep(IDLE_MS + 100);
    const ends = [];
    for (const pause of [1_000, 1_050, 1_100, 990, 995, 1_300]) {
      ends.push(await driver.call('/'));
      await sleep(pause);
    }
    expect(ends.map(({ end }) => end)).toEqual(ends.map(() => 'answered'));
    // What has been idle for nearly so long is not used.
    expect(new Set(ends.map(({ body }) => body)).size).toBe(ends.length);
  });

  it('keeps using an idle connection where the service closes none', async () => {
    const server = await serve(byNumber);
    const driver = drive(server.origin);
    await driver.call('/');
    await sleep(1_100);
    expect((await driver.call('/')).body).toBe('0');
  });
});

describe('what becomes of an exchange', () => {
  it.each([
    ['nothing of its answer', ''],
    ['half a head', 'HTTP/1.1 200 OK\r\ncontent-le'],
    ['half a body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'],
    ['half a chunked body', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab'],
    ['an interim answer', 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'],
    ['what is no HTTP', 'hello\r\n\r\n'],
    ['100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
  ])('whose connection ends after %s: it is lost', async (_name, bytes) => {
    const server = await serve((socket) => onRequests(socket, () => socket.end(bytes)));
    const end = await drive(server.origin).call('/', { body: 'x' });
    expect(end).toMatchObject({ end: 'lost', sent: true });
    expect(end.error).toBeInstanceOf(Error);
    await sleep(20);
    expect(end.after).toEqual([]);
    expect(server.accepted).toBe(1);
  });

  it('whose answer is longer than it says: it has its answer, and the connection is closed', async () => {
    const server = await serve((socket) =>
      onRequests(socket, () => socket.write(`${answer('ok')}HTTP/1.1 200 OK\r\n`)),
    );
    const driver = drive(server.origin);
    expect(await driver.call('/')).toMatchObject({ end: 'answered', body: 'ok' });
    await sleep(20);
    expect(driver.unsolicited).toBe(1);
    expect(driver.connections.open).toBe(0);
    expect(await driver.call('/')).toMatchObject({ end: 'answered', body: 'ok' });
    expect(server.accepted).toBe(2);
  });

  it('that comes with an interim answer: only the final one is told', async () => {
    const server = await serve((socket) =>
      onRequests(socket, () => socket.write(`HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${answer('ok')}`)),
    );
    expect(await drive(server.origin).call('/')).toMatchObject({ end: 'answered', statuses: [200], body: 'ok' });
  });

  it('that is abandoned before it starts: no byte of it is written, and the connection stays', async () => {
    const lines: string[] = [];
    const server = await serve((socket) =>
      onRequests(socket, (line) => lines.push(line) && socket.write(answer('ok'))),
    );
    const driver = drive(server.origin);
    // First on a new connection, then on one that was used.
    for (const path of ['/1', '/2']) {
      const started = await driver.start(path);
      started.exchange?.abandon();
      expect(await started.ended).toMatchObject({ end: 'not_started', sent: false });
      expect((await driver.call('/ok')).end).toBe('answered');
    }
    expect(lines).toEqual(['GET /ok HTTP/1.1', 'GET /ok HTTP/1.1']);
    expect(server.accepted).toBe(1);
  });

  it('that is abandoned after it started: its connection is closed, and no other', async () => {
    const server = await serve((socket) =>
      onRequests(socket, (line) => {
        if (!line.includes('slow')) setTimeout(() => socket.write(answer('ok')), 100);
      }),
    );
    const driver = drive(server.origin);
    const others = Array.from({ length: 5 }, (_, at) => driver.call(`/${at}`));
    const slow = await driver.start('/slow');
    await sleep(40);
    expect(slow.sent).toBe(true);
    slow.exchange?.abandon();
    expect((await slow.ended).end).toBe('lost');
    expect((await Promise.all(others)).map(({ end }) => end)).toEqual(others.map(() => 'answered'));
    expect(driver.connections.open).toBe(server.accepted - 1);
    expect((await slow.ended).after).toEqual([]);
  });

  it('whose connection is closed for the sake of the one before it: it is a bystander', async () => {
    const server = await serve((socket) =>
      onRequests(socket, (line) => {
        if (!line.includes('slow')) socket.write(answer('ok'));
      }),
    );
    const driver = drive(server.origin, { width: 1 });
    const first = await driver.start('/first');
    await first.ended;
    const next = await driver.start('/slow');
    await sleep(20);
    expect(next.sent).toBe(true);
    first.exchange?.distrust?.();
    expect((await next.ended).end).toBe('bystander');
    expect((await driver.call('/again')).end).toBe('answered');
    expect(server.accepted).toBe(2);
  });

  it('that waits to be written when its connection is closed for that sake: it has not started', async () => {
    const lines: string[] = [];
    const server = await serve((socket) =>
      onRequests(socket, (line) => lines.push(line) && socket.write(answer('ok'))),
    );
    const driver = drive(server.origin, { width: 1 });
    const first = await driver.start('/first');
    await first.ended;
    const next = await driver.start('/next');
    first.exchange?.distrust?.();
    expect(await next.ended).toMatchObject({ end: 'not_started', sent: false });
    await driver.call('/again');
    expect(lines).toEqual(['GET /first HTTP/1.1', 'GET /again HTTP/1.1']);
  });

  it('that meets the end of an idle connection: it has not started, and goes over the next one', async () => {
    const server = await serve(byNumber);
    const driver = drive(server.origin);
    expect((await driver.call('/')).body).toBe('0');
    // The end has arrived when the request is sent, but nobody has read it: Node does so before the next turn of
    // immediates.
    await new Promise((resolve) => setImmediate(resolve));
    for (const socket of server.sockets) socket.destroy();
    const started = await driver.start('/');
    expect(await started.ended).toMatchObject({ end: 'not_started', sent: false });
    expect((await driver.call('/')).body).toBe('1');
  });

  it('whose request cannot be written at all: it was not sent, and is not to be started again', async () => {
    const server = await serve((socket) => onRequests(socket, () => socket.write(answer('ok'))));
    const driver = drive(server.origin);
    for (const path of ['/first use', '/later use']) {
      const end = await driver.call(path);
      expect(end).toMatchObject({ end: 'not_sent', sent: false });
      expect((await driver.call('/')).end).toBe('answered');
    }
    expect(server.accepted).toBe(1);
  });
});
