import { createServer } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { openings } from './support/openings.js';

const { drive, listen } = openings();

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
    const driver = drive(await listen(server), { width: 24 });
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
  });

  it('each in the turn of the event loop after its send, however new its connection is', async () => {
    const driver = drive(await listen(createServer((_request, response) => response.end('ok'))));
    // The first turn is on a new connection, the second on the same one.
    for (const expected of [true, false]) {
      const started = await driver.start('/a');
      expect(started.firstUse).toBe(expected);
      expect(started.sent).toBe(false);
      await new Promise((resolve) => setImmediate(resolve));
      expect(started.sent).toBe(true);
      await started.ended;
    }
  });
});
