import { afterEach, describe, expect, it } from 'vitest';
import { AbortedError, PartnerClient, TimeoutError, undiciTransport } from '../../../src/index.js';
import { ACCOUNT, failure, METHOD_ID, scene, USER } from '../../support/scene.js';
import { gate, until } from '../../support/until.js';
import { type Deed, Http2Service, type StreamRequest } from '../support/http2-service.js';

type ClientOptions = NonNullable<ConstructorParameters<typeof PartnerClient>[0]>;

const closing: (() => Promise<unknown>)[] = [];
let keys = 0;

/** The code of HTTP/2 for a stream that its client gives up. */
const CANCEL = 8;

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function open(options: ClientOptions = {}): Promise<{ service: Http2Service; client: PartnerClient }> {
  const service = await Http2Service.start();
  const client = new PartnerClient({
    ...{ baseUrl: service.url, apiKey: `goaway-${++keys}`, apiSecret: 'c2VjcmV0' },
    ...{ transport: undiciTransport({ tls: { ca: service.ca } }), ...options },
  });
  closing.push(
    () => service.close(),
    () => client.close(),
  );
  return { service, client };
}

/** Reads, keyed writes and writes without key, each with a body of its own. */
function calls(client: PartnerClient, count: number): Promise<unknown>[] {
  return Array.from({ length: count }, (_, place) => {
    if (place % 3 === 0) return client.users.get(USER);
    const key = `number ${place}`;
    if (place % 3 === 1) return client.request({ method: 'POST', path: '/v1/things', body: { key } });
    const body = { asset_symbol: 'BTC', method_id: METHOD_ID, key, address: 'bc1' };
    return client.funds.withdrawalAddresses.save(ACCOUNT, body);
  });
}

const uniqueNonces = (requests: readonly StreamRequest[]): number => new Set(requests.map(({ nonce }) => nonce)).size;

describe.each([{}, { maxRetries: 0 }])('500 calls with %o', (options) => {
  it.each([
    ['a GOAWAY after every 10 streams', 10, 0],
    ['every 5th stream refused', Number.POSITIVE_INFINITY, 5],
    ['both', 10, 5],
  ])(
    '%s: none is lost, each write is applied once, and the retry budget is whole',
    async (_what, perSession, every) => {
      const { service, client } = await open(options);
      service.streamsPerSession = perSession;
      let streams = 0;
      service.deed = () => (every > 0 && ++streams % every === 0 ? 'refuse' : 'answer');
      const ends = await Promise.allSettled(calls(client, 500));
      const failed = ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []));
      expect(failed).toEqual([]);
      const times = [...service.applied.values()];
      expect(times).toHaveLength(333);
      expect(Math.max(...times)).toBe(1);
      const { retryBudget, lanes } = client.stats();
      expect(retryBudget).toEqual({ available: 500, capacity: 500 });
      expect(lanes[0]?.way).toBe('http2');
      expect(uniqueNonces(service.requests)).toBe(service.requests.length);
      if (perSession === 10) expect(service.sessions).toBeGreaterThanOrEqual(50);
      if (every > 0) expect(service.requests.length).toBeGreaterThan(600);
    },
  );
});

describe('a session that neither reads nor answers any more', () => {
  it('costs its calls their attempt, and the next ones go over a new session', async () => {
    const { service, client } = await open({ attemptTimeout: 3_000, maxRetries: 0 });
    service.deed = ({ session, place }) => (session === 1 && place === 5 ? 'stall' : 'answer');
    for (let place = 1; place < 5; place++) await client.users.get(USER);
    const stalled = await Promise.all(Array.from({ length: 8 }, () => failure(client.users.get(USER))));
    for (const error of stalled) expect(error).toBeInstanceOf(TimeoutError);
    await Promise.all(calls(client, 30));
    expect(service.sessions).toBe(2);
    // One whose body made it late is refused, and made again.
    const { races } = client.stats().lanes[0] ?? { races: 0 };
    expect(service.requests.filter(({ session }) => session === 2)).toHaveLength(30 + races);
  });

  it('costs calls that may be repeated nothing but time', async () => {
    const { service, client } = await open({ attemptTimeout: 1_200 });
    service.deed = ({ session, place }) => (session === 1 && place === 5 ? 'stall' : 'answer');
    const ends = await Promise.allSettled(calls(client, 40));
    // Every third is a write without key: what was in flight of those is lost.
    const repeatable = ends.filter((_end, place) => place % 3 !== 1);
    expect(repeatable.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(service.sessions).toBeGreaterThan(1);
    expect(uniqueNonces(service.requests)).toBe(service.requests.length);
  });
});

describe('an abort in flight', () => {
  it('resets its own stream, and harms no other on the session', async () => {
    const { service, client } = await open();
    const { opened, open: answer } = gate();
    service.deed = async (): Promise<Deed> => {
      await opened;
      return 'answer';
    };
    const controller = new AbortController();
    const aborted = failure(client.users.get(USER, { signal: controller.signal }));
    const others = calls(client, 20);
    await until(() => service.requests.length === 21, 'all are in flight');
    controller.abort();
    expect(await aborted).toBeInstanceOf(AbortedError);
    await until(() => service.requests.some(({ code }) => code !== undefined), 'a stream ends');
    answer();
    await Promise.all(others);
    await client.users.get(USER);
    expect(service.requests.filter(({ code }) => code === CANCEL)).toHaveLength(1);
    expect(service.requests.length - service.refused).toBe(22);
    expect(service.sessions).toBe(1);
  });

  it('closes its own connection, and harms no other of the pool', () =>
    scene({ service: { nonces: 'any' } }, async ({ service, client }) => {
      await client.users.get(USER);
      const answer = service.hold();
      const controller = new AbortController();
      const aborted = failure(client.users.get(USER, { signal: controller.signal }));
      const others = calls(client, 20);
      await service.arrived(22);
      const before = service.openConnections;
      controller.abort();
      expect(await aborted).toBeInstanceOf(AbortedError);
      await until(() => service.openConnections < before, 'one connection is closed');
      answer();
      await Promise.all(others);
      expect(service.requests).toHaveLength(22);
    }));
});
