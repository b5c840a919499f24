import { createSecureServer } from 'node:http2';
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../src/partner-error.js';
import type { Transport } from '../../src/transport/transport.js';
import { undiciTransport } from '../../src/transport/undici.js';
import { CERTIFICATE } from '../support/raw-server.js';
import { openings } from './support/openings.js';

const { drive, listen } = openings();
const trusted = { ca: CERTIFICATE.cert };

/** A server that speaks HTTP/2, and HTTP/1.1 if that is allowed. It keeps the protocol of each request. */
async function serve(allowHTTP1: boolean) {
  const seen: string[] = [];
  const server = createSecureServer({ ...CERTIFICATE, allowHTTP1 }, (request, response) => {
    seen.push(request.httpVersion);
    response.end('{"data":{}}');
  });
  return { origin: await listen(server), seen };
}

const fiveOf = (value: string): string[] => Array.from({ length: 5 }, () => value);
const callFiveTimes = <T>(call: () => PromiseLike<T>): Promise<T[]> => Promise.all(Array.from({ length: 5 }, call));

describe('a server that speaks HTTP/2 and HTTP/1.1 over TLS', () => {
  it.each<[string, Transport, string, string]>([
    ['HTTP/2 by default', undiciTransport({ tls: trusted }), '2.0', 'http2'],
    ['HTTP/2 with http2: true', undiciTransport({ tls: trusted, http2: true }), '2.0', 'http2'],
    ['HTTP/2 with http2: undefined', undiciTransport({ tls: trusted, http2: undefined }), '2.0', 'http2'],
    ['HTTP/1.1 with http2: false', undiciTransport({ tls: trusted, http2: false }), '1.1', 'http1'],
  ])('sees %s', async (_case, transport, version, way) => {
    const { origin, seen } = await serve(true);
    const driver = drive(origin, {}, transport);
    const ends = await callFiveTimes(() => driver.call('/'));
    expect(ends.map(({ end }) => end)).toEqual(fiveOf('answered'));
    expect(seen).toEqual(fiveOf(version));
    expect(driver.connections.way).toBe(way);
  });

  it('sees HTTP/1.1 still after HTTP/2 was to be avoided for a moment', async () => {
    const { origin, seen } = await serve(true);
    const driver = drive(origin, {}, undiciTransport({ tls: trusted, http2: false }));
    driver.connections.avoidHttp2?.(0);
    await driver.call('/1');
    await driver.call('/2');
    expect(seen).toEqual(['1.1', '1.1']);
  });
});

describe('a server that speaks HTTP/2 alone', () => {
  it('gets nothing from a transport with http2: false', async () => {
    const { origin, seen } = await serve(false);
    const driver = drive(origin, {}, undiciTransport({ tls: trusted, http2: false }));
    await expect(driver.call('/')).rejects.toThrow('no connection');
    expect(seen).toEqual([]);
  });
});

describe('the option http2', () => {
  it.each([0, 1, 'false', null, {}])('is refused if it is %j', (http2) => {
    expect(() => undiciTransport({ http2 } as never)).toThrow(ConfigurationError);
    expect(() => undiciTransport({ http2 } as never)).toThrow('undiciTransport: http2 must be true or false');
  });

  it.each([true, false])('is refused beside a dispatcher, which chooses its own protocol (%s)', (http2) => {
    const dispatcher = { dispatch: () => true };
    expect(() => undiciTransport({ dispatcher, http2 })).toThrow(
      'undiciTransport: give http2 or dispatcher: a dispatcher chooses its own protocol',
    );
  });
});
