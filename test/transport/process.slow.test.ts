import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { program, run } from '../support/processes/program.js';
import { CERTIFICATE } from '../support/raw-server.js';

const caller = program('test/transport/support/caller.ts');

/**
 * Time in ms after which a process that does not end by itself is ended. An idle connection would be closed much later.
 */
const PATIENCE_MS = 19_000;

const listener: RequestListener = (request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => response.end(`${request.httpVersion} ${request.method} ${request.url} ${body}`));
};

const ways: readonly [string, string, () => Server | Http2SecureServer][] = [
  ['http', '1.1', () => createServer({ keepAliveTimeout: 60_000 }, listener)],
  ['https', '2.0', () => createSecureServer({ ...CERTIFICATE }, listener as never)],
  ['https', '1.1', () => createTlsServer(CERTIFICATE, listener)],
];

describe.each(ways)('over %s and HTTP/%s', (scheme, version, makeServer) => {
  it('a process that has nothing to do makes its calls, and ends while its connections are idle', async () => {
    // By address: a name is looked up by threads that other tests of this process may hold.
    const server = makeServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const args = [`${scheme}://localhost:${port}`, CERTIFICATE.cert];
    try {
      const { stdout } = await run(caller, args, { patience: PATIENCE_MS });
      expect(JSON.parse(stdout)).toEqual([`answered ${version} GET /a `, `answered ${version} POST /b body`, 0]);
    } finally {
      server.close();
    }
  });
});
