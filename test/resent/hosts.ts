// Runs in a runtime with the installed package: a connection is used only if the server's certificate names its host.
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { ConnectionError, PartnerClient, undiciTransport } from 'partner-sdk';
import { certificateFor } from '../support/certificate.js';

/** How a read ends at `localhost`, where the server has a trusted certificate for another host. */
async function endWith(host: string): Promise<unknown> {
  const { key, cert } = certificateFor(host);
  const server = createServer({ key, cert }, (_request, response) => response.end('{"data":{}}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `https://localhost:${(server.address() as AddressInfo).port}`;
  const transport = undiciTransport({ tls: { ca: cert } });
  const client = new PartnerClient({ baseUrl, apiKey: 'k', apiSecret: 'c2VjcmV0', transport, maxRetries: 0 });
  return client.request({ method: 'GET', path: '/v1/things' }).catch((error: unknown) => error);
}

const [right, wrong] = [await endWith('localhost'), await endWith('other.test')];
if (right instanceof Error) throw right;
if (!(wrong instanceof ConnectionError))
  throw new Error(`a server with a certificate of another host: ${String(wrong)}`);
process.exit(0);
