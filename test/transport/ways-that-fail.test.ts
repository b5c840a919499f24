import { createSecureServer, type ServerHttp2Session } from 'node:http2';
import { describe, expect, it } from 'vitest';
import { CERTIFICATE } from '../support/raw-server.js';
import { openings } from './support/openings.js';

const { drive, listen } = openings();

async function open() {
  const sessions: ServerHttp2Session[] = [];
  const server = createSecureServer(CERTIFICATE);
  server.on('session', (session) => {
    sessions.push(session);
    session.on('error', () => {});
  });
  return { server, driver: drive(await listen(server)), sessions };
}

describe('where HTTP/2 is to be avoided', () => {
  it('requests go on over it if the edge speaks nothing else, and it is not tried again', async () => {
    const { server, driver, sessions } = await open();
    server.on('request', (_request, response) => response.end('ok'));
    await driver.call('/1');
    driver.connections.avoidHttp2?.(60_000);
    const ends = await Promise.all(Array.from({ length: 10 }, (_, index) => driver.call(`/${index}`)));
    expect(ends.map(({ end }) => end)).toEqual(Array.from({ length: 10 }, () => 'answered'));
    expect(driver.unreachable).toEqual([]);
    expect(driver.connections.way).toBe('http2');
    driver.connections.avoidHttp2?.(60_000);
    await driver.call('/3');
    expect(sessions).toHaveLength(2);
  });
});

describe('streams that are reset again and again', () => {
  it('never end a session with what others have in flight on it', async () => {
    const { server, driver, sessions } = await open();
    const goaways: number[] = [];
    server.on('session', (session) => session.on('goaway', (code) => goaways.push(code)));
    server.on('stream', (stream, headers) => {
      stream.on('error', () => {});
      if (headers[':path'] === '/slow')
        setTimeout(() => {
          if (stream.destroyed) return;
          stream.respond();
          stream.end('ok');
        }, 300);
    });
    const slow: Promise<{ end: string }>[] = [];
    for (let wave = 0; wave < 60; wave++) {
      slow.push(driver.call('/slow'));
      const given = await Promise.all(Array.from({ length: 30 }, (_, index) => driver.start(`/${wave}/${index}`)));
      await new Promise((resolve) => setTimeout(resolve, 2));
      for (const { exchange } of given) exchange?.abandon();
      await Promise.all(given.map(({ ended }) => ended));
    }
    const ends = await Promise.all(slow);
    expect(ends.map(({ end }) => end)).toEqual(ends.map(() => 'answered'));
    expect(goaways.filter((code) => code !== 0)).toEqual([]);
    expect(sessions.length).toBeGreaterThan(2);
  });
});
