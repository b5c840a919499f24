import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConnectionError, fetchTransport, PartnerClient } from '../../src/index.js';
import { certificateFor } from '../support/certificate.js';
import { callFrom } from '../support/reports.js';
import { type ClientOptions, failure, KINDS } from '../support/scene.js';
import { rightAnswer } from '../support/service.js';

const wrong = certificateFor('wrong.example');
const right = certificateFor('localhost');
const folder = mkdtempSync(join(tmpdir(), 'partner-sdk-tls-'));
const trusted = join(folder, 'trusted.pem');
const servers: Server[] = [];

beforeAll(() => writeFileSync(trusted, wrong.cert + right.cert));
afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  rmSync(folder, { recursive: true });
});

/** A service by TLS whose first `wrongOnes` connections show the certificate of another host. */
async function startTls(wrongOnes: number): Promise<{ url: string; handshakes: () => number; requests: string[] }> {
  const [wrongContext, rightContext] = [createSecureContext(wrong), createSecureContext(right)];
  const requests: string[] = [];
  let handshakes = 0;
  const server = createServer({
    ...wrong,
    SNICallback: (_name, done) => done(null, ++handshakes > wrongOnes ? rightContext : wrongContext),
  });
  server.on('request', (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '' } = request;
      requests.push(`${method} ${path}`);
      const { status = 200, headers, body } = rightAnswer({ method, path, body: Buffer.concat(chunks) });
      response.writeHead(status, headers).end(body);
    });
  });
  server.on('tlsClientError', () => undefined);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return { url: `https://localhost:${(server.address() as AddressInfo).port}`, handshakes: () => handshakes, requests };
}

describe.concurrent('a certificate for another host name', () => {
  for (const nonceOrder of ['adaptive', 'strict', 'unordered']) {
    it(`${nonceOrder}: every call is refused before a byte is sent, after its repeats`, async () => {
      const { url, requests } = await startTls(Number.POSITIVE_INFINITY);
      const { ends, inFlight, waiting, uncaught, code } = await callFrom(url, nonceOrder, 1, trusted);
      expect(uncaught).toEqual([]);
      expect(code).toBe(0);
      expect(ends.map(({ kind }) => kind)).toEqual([...KINDS, ...KINDS].map(({ name }) => name));
      for (const end of ends) {
        expect(end).toMatchObject({ end: 'ConnectionError', outcome: 'not_applied', count: 2 });
        expect(end.reasons).toEqual(['not_sent', 'not_sent']);
      }
      expect({ inFlight, waiting }).toEqual({ inFlight: 0, waiting: 0 });
      expect(requests).toEqual([]);
    });
  }

  it('that the service replaces: the repeat is the call', async () => {
    const { url, handshakes, requests } = await startTls(1);
    const { ends, uncaught } = await callFrom(url, 'adaptive', 2, trusted);
    expect(uncaught).toEqual([]);
    expect(ends.map(({ end }) => end)).toEqual([...KINDS, ...KINDS].map(() => 'ok'));
    expect(ends[0]?.count).toBe(2);
    expect(handshakes()).toBeGreaterThan(1);
    expect(requests).toHaveLength(ends.length);
  });
});

describe.concurrent('a certificate that nobody vouches for', () => {
  const ways: readonly (readonly [string, ClientOptions])[] = [
    ['one connection', {}],
    ['a pool', { nonceOrder: 'unordered' }],
    ['fetch', { transport: fetchTransport() }],
  ];
  it.each(ways)('through %s: no call is sent', async (_, options) => {
    const { url, requests } = await startTls(0);
    const apiSecret = Buffer.from('secret').toString('base64');
    const client = new PartnerClient({ baseUrl: url, apiKey: 'key', apiSecret, maxRetries: 1, ...options });
    for (const kind of KINDS) {
      const error = await failure(kind.invoke(client));
      expect(error).toBeInstanceOf(ConnectionError);
      expect(error).toMatchObject({ outcome: 'not_applied', attempts: { count: 2 } });
    }
    expect(client.stats().lanes[0]).toMatchObject({ inFlight: 0, waiting: 0 });
    await client.close();
    expect(requests).toEqual([]);
  });
});
