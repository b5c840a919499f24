import { once } from 'node:events';
import { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { afterEach, vi } from 'vitest';
import type { Transport } from '../../../src/transport/transport.js';
import { undiciTransport } from '../../../src/transport/undici.js';
import { CERTIFICATE, RawServer } from '../../support/raw-server.js';
import { Driver } from './driver.js';
import { startWire, type WireScript } from './http2-wire.js';

type DriverOptions = ConstructorParameters<typeof Driver>[2];

/** The default transport, which trusts the servers of these tests. */
export const trusting = (): Transport => undiciTransport({ tls: { ca: CERTIFICATE.cert } });

/** What one test file opens: after each test it is closed, the last first. Called once in a file. */
export function openings() {
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    for (const one of open.splice(0).reverse()) await one.close();
  });

  function closing<T extends { close(): unknown }>(one: T): T {
    open.push(one);
    return one;
  }

  function drive(origin: string, options?: DriverOptions, transport = trusting()): Driver {
    return closing(new Driver(transport, origin, options));
  }

  /** Has a server of Node's listen. Returns its origin. */
  async function listen(server: Server): Promise<string> {
    server.listen(0, 'localhost');
    await once(server, 'listening');
    open.push({
      close() {
        server.close();
        if (server instanceof HttpServer) server.closeAllConnections();
      },
    });
    const scheme = server instanceof TlsServer ? 'https' : 'http';
    return `${scheme}://localhost:${(server.address() as AddressInfo).port}`;
  }

  async function serve(...args: Parameters<typeof RawServer.start>): Promise<RawServer> {
    return closing(await RawServer.start(...args));
  }

  /** A server that speaks HTTP/2 by hand, and a driver of it. */
  async function wired(script: WireScript, options?: DriverOptions) {
    const { server, wires } = await startWire(script);
    closing(server);
    return { server, wires, driver: drive(server.origin, options) };
  }

  return { closing, drive, listen, serve, wired };
}
