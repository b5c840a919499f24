import type { SecureServerOptions } from 'node:http2';
import { createSecureContext } from 'node:tls';
import { afterAll, describe, expect, it } from 'vitest';
import { ConnectionError, fetchTransport, PartnerClient } from '../../../src/index.js';
import { certificateFor } from '../../support/certificate.js';
import { callFrom, expectUnsent } from '../../support/processes/reports.js';
import { type ClientOptions, failure, KINDS } from '../../support/scene.js';
import { Service, type WireRequest } from '../../support/service.js';
import { certificateFile, TLS_PROTOCOLS } from '../../support/tls.js';

const wrong = certificateFor('wrong.example');
const right = certificateFor('localhost');
const trusted = certificateFile(wrong.cert, right.cert);
const services: Service[] = [];
afterAll(() => Promise.all(services.map((service) => service.close())));

/** A service whose first `wrongOnes` connections show the certificate of another host. */
async function startTls(
  protocol: (typeof TLS_PROTOCOLS)[number],
  wrongOnes: number,
): Promise<{ url: string; handshakes: () => number; requests: readonly WireRequest[] }> {
  const [wrongContext, rightContext] = [createSecureContext(wrong), createSecureContext(right)];
  let handshakes = 0;
  const tls: SecureServerOptions = {
    ...wrong,
    SNICallback: (_name, done) => done(null, ++handshakes > wrongOnes ? rightContext : wrongContext),
  };
  const service = await Service.start({ protocol, tls, nonces: 'any', signatures: false });
  services.push(service);
  return { url: service.url, handshakes: () => handshakes, requests: service.requests };
}

describe.concurrent.each(TLS_PROTOCOLS)('a certificate for another host name (%s)', (protocol) => {
  it.each(['adaptive', 'strict', 'unordered'])(
    '%s: every call is refused before a byte is sent, after its repeats',
    async (nonceOrder) => {
      const { url, requests } = await startTls(protocol, Number.POSITIVE_INFINITY);
      const report = await callFrom(url, nonceOrder, 1, trusted);
      expect(report.ends.map(({ kind }) => kind)).toEqual([...KINDS, ...KINDS].map(({ name }) => name));
      expectUnsent(report);
      expect(requests).toEqual([]);
    },
  );

  it('that the service replaces: the repeat is the call', async () => {
    const { url, handshakes, requests } = await startTls(protocol, 1);
    const { ends, uncaught } = await callFrom(url, 'adaptive', 2, trusted);
    expect(uncaught).toEqual([]);
    expect(ends.map(({ end }) => end)).toEqual([...KINDS, ...KINDS].map(() => 'ok'));
    expect(ends[0]?.count).toBe(2);
    expect(handshakes()).toBeGreaterThan(1);
    expect(requests).toHaveLength(ends.length);
    expect(new Set(requests.map(({ version }) => version))).toEqual(new Set([protocol === 'http2' ? '2.0' : '1.1']));
  });
});

describe.concurrent.each(TLS_PROTOCOLS)('a certificate that nobody vouches for (%s)', (protocol) => {
  it.each<[string, ClientOptions]>([
    ['the default', {}],
    ['unordered', { nonceOrder: 'unordered' }],
    ['fetch', { transport: fetchTransport() }],
  ])('through %s: no call is sent', async (_, options) => {
    const { url, requests } = await startTls(protocol, 0);
    const apiSecret = Buffer.from('secret').toString('base64');
    const client = new PartnerClient({ baseUrl: url, apiKey: 'key', apiSecret, maxRetries: 1, ...options });
    for (const kind of KINDS) {
      await failure(kind.invoke(client), ConnectionError, { outcome: 'not_applied', attempts: { count: 2 } });
    }
    expect(client.stats().lanes[0]).toMatchObject({ inFlight: 0, waiting: 0 });
    await client.close();
    expect(requests).toEqual([]);
  });
});
