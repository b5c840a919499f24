import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { describe, expect, it, vi } from 'vitest';
import { undiciTransport } from '../../src/transport/undici.js';
import { systemCode } from '../../src/util/system-error.js';
import { answer, CERTIFICATE, onRequests } from '../support/raw-server.js';
import { silenceWarning } from '../support/silenced-warning.js';
import { openings } from './support/openings.js';

silenceWarning('NODE_TLS_REJECT_UNAUTHORIZED');

const { drive, listen, serve, wired } = openings();

async function errorOf(call: Promise<unknown>): Promise<Error> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Error);
  return error as Error;
}

const machineSetTimeout = setTimeout;

/** Fires the fake timers of this time at once, as those of a process that stood still. */
function standStill(milliseconds: number): void {
  const fake = setTimeout;
  globalThis.setTimeout = machineSetTimeout;
  vi.advanceTimersByTime(milliseconds);
  globalThis.setTimeout = fake;
}

describe('a connection that cannot be opened', () => {
  it('since it is refused: all that wait are told, once', async () => {
    const server = await serve(() => {});
    const { origin } = server;
    await server.close();
    const driver = drive(origin);
    const errors = await Promise.all([errorOf(driver.call('/a')), errorOf(driver.call('/b'))]);
    expect(errors.map((error) => [error.message, systemCode(error)])).toEqual(
      Array(2).fill(['no connection', 'ECONNREFUSED']),
    );
    expect(driver.unreachable).toHaveLength(1);
    expect(driver.connections.way).toBeUndefined();
    // Nothing has been learned from it: the next call tries again.
    expect(systemCode(await errorOf(driver.call('/c')))).toBe('ECONNREFUSED');
  });

  it('since its certificate is not trusted, also where NODE_TLS_REJECT_UNAUTHORIZED says not to look', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    let requests = 0;
    const { server } = await wired({
      request: () => {
        requests++;
      },
    });
    const error = await errorOf(drive(server.origin, {}, undiciTransport()).call('/'));
    expect(systemCode(error)).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(requests).toBe(0);
  });

  it.each([[['h2']], [['http/1.1']]])(
    'since the service asks for a certificate of the client (%s): the alert is the cause',
    async (ALPNProtocols) => {
      const server = createTlsServer({
        ...CERTIFICATE,
        ca: CERTIFICATE.cert,
        requestCert: true,
        rejectUnauthorized: true,
        ALPNProtocols,
      });
      server.on('tlsClientError', () => {});
      const error = await errorOf(drive(await listen(server)).call('/'));
      expect(systemCode(error)).toMatch(/^ERR_SSL_.*ALERT.*CERTIFICATE/);
    },
  );

  it('since the service closes each at once: the call fails, and does not go round in circles', async () => {
    for (const delay of [0, 5]) {
      const server = await serve((socket) => setTimeout(() => socket.destroy(), delay));
      const driver = drive(server.origin);
      // Whether the request had been sent by then is a matter of chance.
      const end = await driver.call('/').catch(() => ({ end: 'failed' }));
      expect(['failed', 'lost']).toContain(end.end);
      expect(server.accepted).toBeLessThan(5);
    }
  });

  it('in time: it is given up after ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const server = await serve(() => {});
    const driver = drive(server.origin.replace('http:', 'https:'));
    const failing = errorOf(driver.call('/'));
    vi.advanceTimersByTime(9_900);
    expect(driver.unreachable).toEqual([]);
    vi.advanceTimersByTime(200);
    expect(systemCode(await failing)).toBe('UND_ERR_CONNECT_TIMEOUT');
    await expect.poll(() => server.sockets.size).toBe(0);
  });

  it('since the service speaks HTTP/2 and never sends its settings: it is given up, too', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { server, wires, driver } = await wired({ connected: () => {}, request: () => {} });
    const failing = errorOf(driver.call('/'));
    await expect.poll(() => wires).toHaveLength(1);
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(9_900);
    expect(driver.unreachable).toEqual([]);
    vi.advanceTimersByTime(200);
    expect((await failing).cause).toEqual(new Error('the service sent no settings'));
    await expect.poll(() => server.sockets.size).toBe(0);
  });

  it('in time, but was while the process stood still: it is used', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const server = await serve((socket) => onRequests(socket, () => socket.write(answer('ok'))));
    const driver = drive(server.origin.replace('localhost', '127.0.0.1'));
    const call = driver.call('/');
    // The system opens the connection, and the event loop has not heard of it yet.
    standStill(10_000);
    expect((await call).body).toBe('ok');
    expect(server.accepted).toBe(1);
  });

  it('by settings that came while the process stood still: they count', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { wires, driver } = await wired({
      connected: () => {},
      request: (wire, stream) => wire.answer(stream, 'ok'),
    });
    const call = driver.call('/');
    await expect.poll(() => wires).toHaveLength(1);
    await new Promise((resolve) => setImmediate(resolve));
    wires[0]?.settings();
    standStill(10_000);
    expect((await call).body).toBe('ok');
  });

  it('while another one is open: nobody is told, and it is tried again', async () => {
    const server = await serve((socket, number) => {
      // The second to the fifth are closed at once.
      if (number > 0 && number < 5) socket.destroy();
      else
        onRequests(socket, (line) => setTimeout(() => socket.write(answer('ok')), line.includes('slow') ? 1_000 : 1));
    });
    const driver = drive(server.origin);
    await driver.call('/');
    const slow = driver.call('/slow');
    await sleep(20);
    const other = await driver.call('/other');
    expect(other.body).toBe('ok');
    expect(driver.unreachable).toEqual([]);
    expect((await slow).body).toBe('ok');
  });
});

describe('bytes that the service sends before any request', () => {
  it('close it also while it is idle', async () => {
    const server = await serve((socket, number) => onRequests(socket, () => socket.write(answer(`${number}`))));
    const driver = drive(server.origin);
    await driver.call('/');
    for (const socket of server.sockets) socket.write(answer('wrong'));
    await expect.poll(() => driver.unsolicited).toBe(1);
    expect(driver.connections.open).toBe(0);
    expect((await driver.call('/')).body).toBe('1');
  });
});

describe('what a connection offers', () => {
  it('is HTTP/2 first, then HTTP/1.1; HTTP/1.1 alone while HTTP/2 is avoided', async () => {
    const offers: (readonly string[])[] = [];
    const server = createTlsServer({
      ...CERTIFICATE,
      ALPNCallback: ({ protocols }) => {
        offers.push(protocols);
        return 'http/1.1';
      },
    });
    server.on('secureConnection', (socket: TLSSocket) =>
      onRequests(socket, () => socket.end(answer('ok', 'connection: close\r\n'))),
    );
    const driver = drive(await listen(server));
    await driver.call('/');
    driver.connections.avoidHttp2?.(60_000);
    await driver.call('/');
    expect(offers).toEqual([['h2', 'http/1.1'], ['http/1.1']]);
  });

  it('names the host, and resumes the last session of TLS', async () => {
    const names: unknown[] = [];
    const resumed: boolean[] = [];
    const server = createTlsServer({ ...CERTIFICATE, ALPNProtocols: ['http/1.1'] });
    server.on('secureConnection', (socket: TLSSocket) => {
      names.push((socket as TLSSocket & { servername: unknown }).servername);
      resumed.push(socket.isSessionReused());
      onRequests(socket, () => socket.end(answer('ok', 'connection: close\r\n')));
    });
    const driver = drive(await listen(server));
    await driver.call('/');
    await driver.call('/');
    expect(names).toEqual(['localhost', 'localhost']);
    expect(resumed).toEqual([false, true]);
  });
});

describe('close()', () => {
  it('leaves no socket, over either way, and what is in flight fails', async () => {
    const plain = await serve((socket) =>
      onRequests(socket, (line) => line.includes('slow') || socket.write(answer('ok'))),
    );
    const { server: second } = await wired({
      request: (wire, stream) => stream === 1 && wire.answer(stream, 'ok'),
    });
    for (const server of [plain, second]) {
      const driver = drive(server.origin);
      await driver.call('/');
      const slow = await driver.start('/slow');
      await sleep(20);
      await driver.close();
      expect(driver.connections.open).toBe(0);
      expect((await slow.ended).end).not.toBe('answered');
      await expect.poll(() => server.sockets.size).toBe(0);
      expect(driver.connections.reserve(1, false)).toBeUndefined();
      await sleep(20);
      expect(server.sockets.size).toBe(0);
    }
  });

  it('gives up what is being opened', async () => {
    const server = await serve(() => {});
    const driver = drive(server.origin.replace('http:', 'https:'));
    driver.call('/').catch(() => {});
    await expect.poll(() => server.sockets.size).toBe(1);
    await driver.close();
    await expect.poll(() => server.sockets.size).toBe(0);
    expect(driver.unreachable).toEqual([]);
  });
});
