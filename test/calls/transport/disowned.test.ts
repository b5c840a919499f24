import { describe, expect, it, onTestFinished } from 'vitest';
import { ConnectionError, PartnerClient, undiciTransport } from '../../../src/index.js';
import { CERTIFICATE } from '../../support/raw-server.js';
import { type ClientOptions, failure } from '../../support/scene.js';
import { type Http2Wire, REFUSED_STREAM, startWire } from '../../transport/support/http2-wire.js';

const READ = { method: 'GET', path: '/v1/things/1' } as const;
const DELETE = { method: 'DELETE', path: '/v1/things/1' } as const;
const KEYED = { method: 'POST', path: '/v1/things', body: { a: 1 }, idempotent: true } as const;
const UNKEYED = { method: 'POST', path: '/v1/things', body: { a: 1 } } as const;

const disown = (wire: Http2Wire): void => wire.goaway(0);
const OK = '{"data":{}}';
const refuseFirst = (wire: Http2Wire, stream: number): void =>
  stream === 1 ? wire.reset(stream, REFUSED_STREAM) : wire.answer(stream, OK);

/** A client of a service whose sessions do in turn what `sessions` say; those after them answer with 200. */
async function open(sessions: readonly ((wire: Http2Wire, stream: number) => void)[], options: ClientOptions = {}) {
  const { server, wires } = await startWire({
    request: (wire, stream) => {
      const act = sessions[wire.number];
      if (act === undefined) wire.answer(stream, OK);
      else act(wire, stream);
    },
  });
  const client = new PartnerClient({
    baseUrl: server.origin,
    apiKey: server.origin,
    apiSecret: 'c2VjcmV0',
    transport: undiciTransport({ tls: { ca: CERTIFICATE.cert } }),
    ...options,
  });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return { client, requests: () => wires.flatMap(({ streams }) => streams).length };
}

describe.each([{}, { maxRetries: 0 }])('a request that a GOAWAY alone disowns, with %o', (options) => {
  it('is not repeated if it is a write without key, and its outcome is unknown', async () => {
    const { client, requests } = await open([disown], options);
    const error = await failure(client.request(UNKEYED), ConnectionError);
    expect(error).toMatchObject({ outcome: 'unknown', attempts: { count: 1, failures: [{ reason: 'lost' }] } });
    expect(error.message).toContain('ERR_HTTP2_GOAWAY_SESSION');
    await client.request(READ);
    expect(requests()).toBe(2);
  });

  it.each([
    ['a read', READ],
    ['a DELETE', DELETE],
    ['a write with key', KEYED],
  ])('is repeated at once if it is %s', async (_kind, call) => {
    const { client, requests } = await open([disown, disown], options);
    const { response } = await client.request(call).withResponse();
    expect(response.attempts).toBe(3);
    expect(requests()).toBe(3);
    expect(client.stats().retryBudget).toEqual({ available: 500, capacity: 500 });
  });

  it.each([
    ['unknown', 'a write with key', KEYED],
    ['unknown', 'a DELETE', DELETE],
    ['not_applied', 'a read', READ],
  ])('is %s when the repeat of %s is refused', async (outcome, _kind, call) => {
    const { client } = await open([disown, (wire, stream) => wire.notFound(stream)], options);
    expect(await failure(client.request(call))).toMatchObject({
      response: { status: 404 },
      outcome,
      attempts: { count: 2 },
    });
  });
});

describe('a request that the service refuses by its stream (REFUSED_STREAM)', () => {
  it.each([
    ['a read', READ],
    ['a DELETE', DELETE],
    ['a write with key', KEYED],
    ['a write without key', UNKEYED],
  ])('is repeated at once if it is %s', async (_kind, call) => {
    const { client, requests } = await open([refuseFirst], { maxRetries: 0 });
    const { response } = await client.request(call).withResponse();
    expect(response.attempts).toBe(2);
    expect(requests()).toBe(2);
  });
});

describe('a request that the service has begun with when it ends the session (GOAWAY)', () => {
  const codes = Array.from({ length: 16 }, (_, code) => code);

  it.each(codes)('is sent once if it is a write without key, and its outcome is unknown: code %i', async (code) => {
    const { client, requests } = await open([
      (wire, stream) => {
        wire.goaway(stream, code);
        wire.socket.end();
      },
    ]);
    const error = await failure(client.request(UNKEYED), ConnectionError, { outcome: 'unknown' });
    expect(error.attempts.failures).toMatchObject([{ reason: 'lost' }]);
    expect(requests()).toBe(1);
  });

  it('is sent once also if the service resets its stream with REFUSED_STREAM afterwards', async () => {
    const { client, requests } = await open([
      (wire, stream) => {
        wire.goaway(stream);
        wire.reset(stream, REFUSED_STREAM);
      },
    ]);
    await failure(client.request(UNKEYED), ConnectionError, { outcome: 'unknown' });
    expect(requests()).toBe(1);
  });
});
