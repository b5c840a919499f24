import { createServer } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { undiciTransport } from '../../src/transport/undici.js';
import { Driver } from './support/driver.js';
import { startWire } from './support/http2-wire.js';
import { CERTIFICATE } from './support/raw-server.js';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Notes the paths of HTTP/1.1 requests in the order in which they are written, over all sockets of this process. */
function writtenPaths(): string[] {
  const paths: string[] = [];
  const write = Socket.prototype.write;
  vi.spyOn(Socket.prototype, 'write').mockImplementation(function (this: Socket, ...args: unknown[]) {
    const path = /^(?:GET|POST) (\S+) HTTP/.exec(String(args[0]))?.[1];
    if (path !== undefined) paths.push(path);
    return Reflect.apply(write, this, args) as boolean;
  });
  return paths;
}

describe('requests are written in the order in which they were sent', () => {
  it('over many HTTP/1.1 connections, new ones among them', async () => {
    const server = createServer((request, response) => {
      request.resume();
      request.on('end', () => setTimeout(() => response.end('ok'), Number(request.url?.slice(1)) % 7));
    });
    // Some connections end after an answer: new ones are opened all the time.
    server.maxRequestsPerSocket = 5;
    server.listen(0, 'localhost');
    await vi.waitFor(() => expect(server.listening).toBe(true));
    const driver = new Driver(undiciTransport(), `http://localhost:${(server.address() as AddressInfo).port}`, {
      width: 24,
    });
    const written = writtenPaths();
    let next = 0;
    const call = () => driver.call(`/${next++}`, next % 5 === 0 ? { body: 'x' } : {});
    // From the end of an exchange, from timers and from immediates.
    const chain = async (left: number): Promise<void> => {
      await call();
      if (left > 0) await chain(left - 1);
    };
    const timers = Array.from(
      { length: 60 },
      (_, at) => new Promise((resolve) => setTimeout(() => resolve(call()), at)),
    );
    const immediates = Array.from({ length: 20 }, () => new Promise((resolve) => setImmediate(() => resolve(call()))));
    await Promise.all([...Array.from({ length: 40 }, () => chain(10)), ...timers, ...immediates]);
    expect(driver.sends).toHaveLength(40 * 11 + 60 + 20);
    expect(written).toEqual(driver.sends);
    await driver.close();
    server.close();
  });

  it('each in the turn of the event loop after its send, however new its connection is', async () => {
    const server = createServer((_request, response) => response.end('ok')).listen(0, 'localhost');
    await vi.waitFor(() => expect(server.listening).toBe(true));
    const driver = new Driver(undiciTransport(), `http://localhost:${(server.address() as AddressInfo).port}`);
    // The first turn is on a new connection, the second on the same one.
    for (const expected of [true, false]) {
      const started = await driver.start('/a');
      expect(started.firstUse).toBe(expected);
      expect(started.sent).toBe(false);
      await new Promise((resolve) => setImmediate(resolve));
      expect(started.sent).toBe(true);
      await started.ended;
    }
    await driver.close();
    server.close();
  });

  it('over an HTTP/2 session', async () => {
    const { server, wires } = await startWire({ request: (wire, stream) => wire.answer(stream, String(stream)) });
    const driver = new Driver(undiciTransport({ tls: { ca: CERTIFICATE.cert } }), server.origin);
    const calls = Array.from({ length: 50 }, (_, at) => driver.call(`/${at}`));
    // Streams are numbered by the client in the order of its requests: the first is 1, the next 3.
    (await Promise.all(calls)).forEach((end, at) => {
      expect(end.body).toBe(String(2 * at + 1));
    });
    expect(wires).toHaveLength(1);
    await driver.close();
    await server.close();
  });
});
