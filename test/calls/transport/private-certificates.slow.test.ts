import type { SecureServerOptions } from 'node:http2';
import { inspect } from 'node:util';
import { Agent, MockAgent } from 'undici';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { ConfigurationError, ConnectionError, PartnerClient, undiciTransport } from '../../../src/index.js';
import { certificateFor } from '../../support/certificate.js';
import { callFrom } from '../../support/processes/reports.js';
import { type ClientOptions, failure, GET, KINDS } from '../../support/scene.js';
import { Service } from '../../support/service.js';
import { TLS_PROTOCOLS } from '../../support/tls.js';

const service = certificateFor('localhost');
const partner = certificateFor('partner.example');
const stranger = certificateFor('localhost');
const TWO_WAYS = /NODE_EXTRA_CA_CERTS.*undiciTransport\(\{ tls: \{ ca, cert, key \} \}\)/;
const ORDERS: readonly ClientOptions[] = [{}, { nonceOrder: 'unordered' }];

const open: { close(): Promise<void> }[] = [];
afterEach(() => void vi.unstubAllEnvs());
afterAll(() => Promise.all(open.map((one) => one.close())));

async function startTls(protocol: (typeof TLS_PROTOCOLS)[number], options: SecureServerOptions = {}) {
  const started = await Service.start({ protocol, tls: { ...service, ...options }, nonces: 'any', signatures: false });
  open.push(started);
  return started;
}

const MUTUAL: SecureServerOptions = { ca: partner.cert, requestCert: true, rejectUnauthorized: true };

function clientOf(url: string, options: ClientOptions): PartnerClient {
  const apiSecret = Buffer.from('secret').toString('base64');
  const client = new PartnerClient({ baseUrl: url, apiKey: 'key', apiSecret, maxRetries: 0, ...options });
  open.push(client);
  return client;
}

describe.each(TLS_PROTOCOLS)('a private certificate authority (%s)', (protocol) => {
  const bytes = (pem: string) => new Uint8Array(Buffer.from(pem));
  it.each([
    ['text', service.cert],
    ['a Buffer', Buffer.from(service.cert)],
    ['bytes', bytes(service.cert)],
    ['one of several', [partner.cert, Buffer.from(service.cert)]],
    ['one of several in one text', partner.cert + service.cert],
  ])('given as %s is trusted', async (_, ca) => {
    const { url, requests } = await startTls(protocol);
    for (const options of ORDERS) {
      const client = clientOf(url, { ...options, transport: undiciTransport({ tls: { ca } }) });
      for (const kind of KINDS) await kind.invoke(client);
    }
    expect(requests).toHaveLength(KINDS.length * ORDERS.length);
  });

  it('that signed another certificate is refused: the error names the two ways', async () => {
    const { url, requests } = await startTls(protocol);
    for (const options of ORDERS) {
      const client = clientOf(url, { ...options, transport: undiciTransport({ tls: { ca: stranger.cert } }) });
      const error = await failure(GET.invoke(client), ConnectionError);
      expect(error).toMatchObject({ outcome: 'not_applied', message: expect.stringMatching(TWO_WAYS) });
    }
    expect(requests).toEqual([]);
  });

  it('that was not given: the error names the two ways', async () => {
    const { url, requests } = await startTls(protocol);
    const client = clientOf(url, {});
    expect(await failure(GET.invoke(client))).toMatchObject({
      name: 'ConnectionError',
      message: expect.stringMatching(TWO_WAYS),
    });
    expect(requests).toEqual([]);
  });

  it('is kept as it was given: bytes that the caller overwrites later change nothing', async () => {
    const { url } = await startTls(protocol);
    const ca = Buffer.from(service.cert);
    const client = clientOf(url, { transport: undiciTransport({ tls: { ca } }) });
    ca.fill(0);
    await GET.invoke(client);
  });
});

describe.each(TLS_PROTOCOLS)('a service that asks for the certificate of the client (%s)', (protocol) => {
  const tls = { ca: service.cert, cert: partner.cert, key: partner.key };

  it('is shown it', async () => {
    const { url, requests } = await startTls(protocol, MUTUAL);
    for (const options of ORDERS) {
      const client = clientOf(url, { ...options, transport: undiciTransport({ tls }) });
      for (const kind of KINDS) await kind.invoke(client);
    }
    expect(requests).toHaveLength(KINDS.length * ORDERS.length);
  });

  it.each(ORDERS)(
    'and is shown none: no request is answered, and the error names the two ways (%j)',
    async (options) => {
      const { url, requests } = await startTls(protocol, MUTUAL);
      const client = clientOf(url, { ...options, transport: undiciTransport({ tls: { ca: service.cert } }) });
      const error = await failure(GET.invoke(client), ConnectionError);
      expect(error.message).toMatch(TWO_WAYS);
      expect(requests).toEqual([]);
    },
  );

  it('and is shown another one: no request is answered', async () => {
    const { url, requests } = await startTls(protocol, MUTUAL);
    const tlsOfStranger = { ca: service.cert, cert: stranger.cert, key: stranger.key };
    const client = clientOf(url, { transport: undiciTransport({ tls: tlsOfStranger }) });
    expect(await failure(GET.invoke(client))).toBeInstanceOf(ConnectionError);
    expect(requests).toEqual([]);
  });
});

describe.each(TLS_PROTOCOLS)('NODE_TLS_REJECT_UNAUTHORIZED=0 (%s)', (protocol) => {
  it('changes nothing: the certificate is verified all the same', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const { url, requests } = await startTls(protocol);
    for (const nonceOrder of ['adaptive', 'strict', 'unordered']) {
      const { ends, uncaught } = await callFrom(url, nonceOrder, 0);
      expect(uncaught).toEqual([]);
      expect(new Set(ends.map(({ end }) => end))).toEqual(new Set(['ConnectionError']));
    }
    expect(requests).toEqual([]);
  });
});

describe('the option tls', () => {
  const { key, cert } = partner;
  it.each<[string, unknown, RegExp]>([
    ['no object', 'ca', /tls must be an object/],
    ['a list', [cert], /tls must be an object/],
    [
      'an unknown member',
      { rejectUnauthorized: false },
      /tls\.rejectUnauthorized is not an option; known are ca, cert, key/,
    ],
    ['no certificate', { ca: 'x' }, /tls\.ca must be a certificate/],
    ['an empty text', { ca: '' }, /tls\.ca must/],
    ['no certificates', { ca: [] }, /tls\.ca must/],
    ['a key in the place of a certificate', { cert: key, key }, /tls\.cert must/],
    ['a certificate in the place of a key', { cert, key: cert }, /tls\.key must/],
    ['a certificate without key', { cert }, /cert and key together/],
    ['a key without certificate', { key }, /cert and key together/],
    ['the key of another certificate', { cert, key: stranger.key }, /OpenSSL rejects it \(ERR_OSSL/],
    ['a broken certificate', { ca: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n' }, /OpenSSL/],
  ])('%s is a ConfigurationError', (_, tls, message) => {
    let error: unknown;
    try {
      undiciTransport({ tls: tls as object });
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as Error).message).toMatch(message);
    expect(inspect(error)).not.toContain('PRIVATE KEY');
  });

  it('is not for a dispatcher, which has its own certificates', () => {
    for (const dispatcher of [new Agent(), new MockAgent()]) {
      expect(() => undiciTransport({ dispatcher, tls: { ca: cert } })).toThrow(ConfigurationError);
    }
  });

  it('shows in no output: neither the transport nor its client has the key', () => {
    const transport = undiciTransport({ tls: { ca: cert, cert, key } });
    const client = clientOf('https://localhost:1', { transport });
    const secret = key.split('\n')[1] ?? '';
    expect(secret.length).toBeGreaterThan(40);
    for (const shown of [transport, client]) {
      expect(inspect(shown, { depth: 20, showHidden: true }) + JSON.stringify(shown)).not.toContain(secret);
    }
  });
});
