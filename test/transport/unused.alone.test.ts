import diagnostics from 'node:diagnostics_channel';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemCode } from '../../src/util/system-error.js';
import { answer, CERTIFICATE, onRequests, type RawServer } from '../support/raw-server.js';
import type { Driver } from './support/driver.js';
import { openings } from './support/openings.js';

const { drive, listen, serve } = openings();

/** Subscribes to a channel of undici until the end of the test. */
function hear(name: string, listener: (message: never) => void): void {
  const heard = (message: unknown) => listener(message as never);
  diagnostics.subscribe(name, heard);
  onTestFinished(() => void diagnostics.unsubscribe(name, heard));
}

/** Paths of the requests that undici announces from now on. */
function announcements(): string[] {
  const paths: string[] = [];
  hear('undici:request:create', ({ request }: { request: { path: string } }) => paths.push(request.path));
  return paths;
}

/** Opens a connection over which nothing is sent. */
async function openUnused(driver: Driver): Promise<void> {
  expect(driver.connections.reserve(1, false)).toBeUndefined();
  await expect.poll(() => driver.connections.open).toBe(1);
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('every request that undici announces arrives', () => {
  it.each([['plain'], ['TLS']])('over %s, with connections that open and end all the time', async (kind) => {
    const arrived: (string | undefined)[] = [];
    const listener: RequestListener = (request, response) => {
      arrived.push(request.url);
      setTimeout(() => response.end('ok'), 1);
    };
    const server = kind === 'TLS' ? createTlsServer(CERTIFICATE, listener) : createServer(listener);
    server.maxRequestsPerSocket = 3;
    const announced = announcements();
    const driver = drive(await listen(server), { width: 8 });
    await Promise.all(Array.from({ length: 60 }, (_, at) => driver.call(`/${at}`)));
    expect(announced).toHaveLength(60);
    expect(announced.toSorted()).toEqual(arrived.toSorted());
  });

  it('and one that is abandoned before it starts on a new connection is not announced', async () => {
    const server = await serve((socket) => onRequests(socket, () => socket.write(answer('ok'))));
    const announced = announcements();
    const driver = drive(server.origin);
    const started = await driver.start('/1');
    started.exchange?.abandon();
    expect(await started.ended).toMatchObject({ end: 'not_started', sent: false });
    const next = await driver.start('/2');
    expect(next.firstUse).toBe(true);
    expect((await next.ended).end).toBe('answered');
    expect(announced).toEqual(['/2']);
    expect(server.accepted).toBe(1);
  });
});

describe.each([
  ['plain', undefined],
  ['TLS', ['http/1.1']],
])('a connection that is open and unused (%s)', (_kind, protocols) => {
  const served = (): Promise<RawServer> =>
    serve((socket, number) => onRequests(socket, () => socket.write(answer(String(number)))), { protocols });
  const socketOf = ({ sockets }: RawServer): Socket => [...sockets][0] as Socket;

  it('is closed and counted when bytes arrive that nobody asked for, and nothing is sent over it', async () => {
    const server = await served();
    const driver = drive(server.origin);
    await openUnused(driver);
    socketOf(server).write(answer('wrong'));
    await expect.poll(() => driver.unsolicited).toBe(1);
    expect(driver.connections.open).toBe(0);
    expect((await driver.call('/')).body).toBe('1');
    await expect.poll(() => server.sockets.size).toBe(1);
    expect(driver.unsolicited).toBe(1);
  });

  it('is closed and counted, too, while its first request waits to be written: it has not started', async () => {
    const server = await served();
    const driver = drive(server.origin);
    await openUnused(driver);
    socketOf(server).write(answer('wrong'));
    // The bytes have arrived, but Node reads them only before the next turn of immediates.
    await nextTurn();
    const started = await driver.start('/');
    const { end, body } = await started.ended;
    expect([end, body]).not.toContain('wrong');
    if (end === 'answered') expect(body).toBe('1');
    else expect(end).toBe('not_started');
    await expect.poll(() => driver.unsolicited).toBe(1);
  });

  it.each([
    ['ends', (socket: Socket) => socket.end()],
    ['breaks', (socket: Socket) => ('encrypted' in socket ? socket.destroy() : socket.resetAndDestroy())],
  ])('is let go when the service %s it, and the end is not counted', async (_how, endIt) => {
    const server = await served();
    const driver = drive(server.origin);
    await openUnused(driver);
    endIt(socketOf(server));
    await expect.poll(() => driver.connections.open).toBe(0);
    await expect.poll(() => server.sockets.size).toBe(0);
    expect(driver.unsolicited).toBe(0);
    // One that ends so early counts as one that could not be opened.
    expect(driver.unreachable.map(systemCode)).toEqual([expect.stringMatching(/^(UND_ERR_SOCKET|ECONNRESET)$/)]);
    expect((await driver.call('/')).body).toBe('1');
  });

  it('is closed after four seconds, before an edge loses patience', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const server = await served();
    const driver = drive(server.origin);
    expect(driver.connections.reserve(1, false)).toBeUndefined();
    while (driver.connections.open === 0) await nextTurn();
    vi.advanceTimersByTime(3_900);
    expect(driver.connections.open).toBe(1);
    vi.advanceTimersByTime(200);
    while (server.sockets.size > 0) await nextTurn();
    expect(driver.connections.open).toBe(0);
    expect(driver.unreachable).toEqual([]);
  });

  it('is closed with its client', async () => {
    const server = await served();
    const driver = drive(server.origin);
    await openUnused(driver);
    await driver.close();
    expect(driver.connections.open).toBe(0);
    await expect.poll(() => server.sockets.size).toBe(0);
  });
});
