import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { AbortedError, fetchTransport, ResponseValidationError, undiciTransport } from '../../../src/index.js';
import {
  ACCOUNT,
  type ClientOptions,
  expectUniqueNonces,
  failure,
  GET,
  KEYED,
  KINDS,
  saveBody,
  scene,
  UNKEYED,
  USER,
  WAYS,
} from '../../support/scene.js';
import { json, type Protocol, rightAnswer, status } from '../../support/service.js';
import { until } from '../../support/until.js';
import { settlesAtOnce } from '../support/at-once.js';

const now = { 'retry-after': '0' };
const big = json(200, { data: { more: 'x'.repeat(1_000_000) } });

const ways: readonly (readonly [string, Protocol, () => ClientOptions])[] = [
  ['a pool', 'http', () => ({ transport: undiciTransport() })],
  ['a pool over TLS', 'https', () => ({})],
  ['HTTP/2', 'http2', () => ({})],
  ['fetch', 'http', () => ({ transport: fetchTransport() })],
  ['unordered', 'http', () => ({ nonceOrder: 'unordered' })],
];

describe.concurrent.each(ways)('through %s', (_, over, options) => {
  it.each(KINDS)('$name: the answer arrives, the signature is right', (kind) =>
    scene({ over, client: options() }, async ({ service, client }) => {
      const { response } = await kind.invoke(client).withResponse();
      expect(response.attempts).toBe(1);
      expect(service.requests).toHaveLength(1);
      expect(service.requests[0]?.signed).toBe(true);
      expect(service.requests[0]?.headers['transfer-encoding']).toBeUndefined();
    }),
  );

  it('a redirect is not followed', () =>
    scene({ over, client: options() }, async ({ service, client }) => {
      service.answers({ status: 307, headers: { location: `${service.url}/v1/users/USER-0000-0000-0002` } });
      expect(await failure(KEYED.invoke(client))).toMatchObject({
        name: 'ApiError',
        response: { status: 307 },
        outcome: 'unknown',
      });
      expect(service.requests).toHaveLength(1);
    }));

  it('Early Hints are not the answer', () =>
    scene({ over, client: options() }, async ({ service, client }) => {
      service.script = (request) => ({ ...rightAnswer(request), hints: true });
      expect(await GET.invoke(client)).toMatchObject({ type: 'individual' });
    }));

  it('a body that is too large is refused while it is read', () =>
    scene({ over, client: { ...options(), maxResponseBytes: 50_000 } }, async ({ service, client }) => {
      // Of the second half comes, and never the rest.
      for (const answer of [big, { ...big, fault: 'stall' }] as const) {
        service.answers({ ...answer, chunked: true });
        await failure(KEYED.invoke(client), ResponseValidationError, { outcome: 'applied' });
      }
    }));

  it('abort in flight ends the call at once', () =>
    scene({ over, client: options(), answers: [{ fault: 'silent' }] }, async ({ service, client }) => {
      const controller = new AbortController();
      const call = failure(KEYED.invoke(client, { signal: controller.signal }));
      await service.arrived(1);
      controller.abort();
      expect(await settlesAtOnce(call)).toBe(true);
      expect(await call).toBeInstanceOf(AbortedError);
      expect((await call).outcome).toBe('unknown');
    }));

  it('close() leaves no connection', () =>
    scene({ over, client: options(), service: { nonces: 'any' } }, async ({ service, client }) => {
      await Promise.all(Array.from({ length: 20 }, () => GET.invoke(client)));
      await client.close();
      if (options().transport?.name !== 'fetch') {
        await until(() => service.openConnections === 0, 'no connection is open');
      }
    }));
});

describe.concurrent("nonceOrder 'unordered'", () => {
  it('spreads calls over connections, for a service that allows late nonces', () =>
    scene({ client: { nonceOrder: 'unordered' }, service: { nonces: 'any' } }, async ({ service, client }) => {
      service.script = (request) => ({ ...rightAnswer(request), delay: 20 });
      await Promise.all(Array.from({ length: 60 }, (_, place) => (KINDS[place % 5] ?? GET).invoke(client)));
      expect(service.requests).toHaveLength(60);
      expect(service.connections).toBeGreaterThan(1);
      expectUniqueNonces(service.requests);
    }));
});

describe.concurrent('the lane under odd circumstances', () => {
  it.each(WAYS)('large bodies all arrive, and keep the order over HTTP/2 (%s)', (over) =>
    scene({ over }, async ({ service, client }) => {
      const address = 'x'.repeat(400_000);
      const calls = Array.from({ length: 30 }, (_, place) =>
        place % 3 === 0 ? client.funds.withdrawalAddresses.save(ACCOUNT, { ...saveBody, address }) : GET.invoke(client),
      );
      await Promise.all(calls);
      if (over === 'http2') expect(service.refused).toEqual([]);
      expect(service.requests.length - service.refused.length).toBe(30);
    }),
  );

  it('a connection that the service ended while it was idle is not used again', () =>
    scene({}, async ({ service, client }) => {
      for (let round = 1; round <= 4; round += 1) {
        await GET.invoke(client);
        service.resetAll();
        await until(() => service.openConnections === 0, 'the connection is gone');
        await sleep(20);
        const { response } = await UNKEYED.invoke(client).withResponse();
        expect(response.attempts).toBe(1);
        expect(service.requests).toHaveLength(2 * round);
      }
    }));

  it('an answer of HTTP/1.0 is read', () =>
    scene({}, async ({ service, client }) => {
      const body = String(rightAnswer({ method: 'GET', path: `/v1/users/${USER}`, body: Buffer.alloc(0) }).body);
      const raw = `HTTP/1.0 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
      service.answers({ raw }, { raw });
      const answers = await Promise.all([GET.invoke(client), GET.invoke(client), KEYED.invoke(client)]);
      expect(answers[0]).toMatchObject({ id: USER });
      expectUniqueNonces(service.requests);
    }));

  it('a head that comes byte by byte is too slow', () =>
    scene({ client: { attemptTimeout: 800 } }, async ({ service, client }) => {
      service.answers({ raw: 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n', rawEvery: 40 });
      const { response } = await KEYED.invoke(client).withResponse();
      expect(response.attempts).toBe(2);
    }));

  it('an outage is not multiplied: the retry budget ends', () =>
    scene({}, async ({ service, client }) => {
      service.script = () => status(503, now);
      const ends = await Promise.all(Array.from({ length: 600 }, () => failure(GET.invoke(client))));
      for (const end of ends) expect(end).toMatchObject({ name: 'UnavailableError', response: { status: 503 } });
      // Without a budget these were 2,400.
      expect(service.requests.length).toBeLessThan(1_500);
      service.script = rightAnswer;
      expect(await GET.invoke(client)).toMatchObject({ type: 'individual' });
    }));
});

it('a network error as a value, which a function in the place of fetch may give, is a lost connection', () =>
  scene({}, async ({ service, connect }) => {
    let lost = 2;
    const flaky: typeof fetch = (...request) => (lost-- > 0 ? Promise.resolve(Response.error()) : fetch(...request));
    const client = connect({ transport: fetchTransport({ fetch: flaky }) });
    const { response } = await KEYED.invoke(client).withResponse();
    expect(response.attempts).toBe(3);
    lost = 1;
    const error = await failure(KEYED.invoke(client, { maxRetries: 0 }));
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown' });
    expect(service.requests).toHaveLength(1);
  }));
