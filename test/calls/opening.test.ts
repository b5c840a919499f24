import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Transport, undiciTransport } from '../../src/index.js';
import { GET, KEYED, type Kind, scene } from '../support/scene.js';

/** A transport that counts what it opens and what of it is closed; the first `broken` times it cannot. */
function counting(broken = 0): Transport & { opened: number; closed: number } {
  const inner = undiciTransport();
  return {
    name: 'counting',
    opened: 0,
    closed: 0,
    connect(origin, options) {
      this.opened += 1;
      if (this.opened <= broken) throw new Error('not now');
      const connection = inner.connect(origin, options);
      const close = connection.close.bind(connection);
      connection.close = () => {
        this.closed += 1;
        return close();
      };
      return connection;
    },
  };
}

describe.concurrent('a lane opens its connection for a call, and for nothing else', () => {
  it.each(['adaptive', 'strict', 'unordered'] as const)('%s: stats() opens none, close() leaves none', (nonceOrder) => {
    const transport = counting();
    return scene({ client: { transport, nonceOrder } }, async ({ service, client }) => {
      const { lanes } = client.stats();
      expect(lanes).toHaveLength(1);
      expect(lanes[0]).toMatchObject({ way: undefined, connections: 0, inFlight: 0, waiting: 0 });
      expect(transport.opened).toBe(0);
      await GET.invoke(client);
      expect(client.stats().lanes[0]).toEqual({
        origin: service.url,
        transport: 'counting',
        nonceOrder,
        way: 'http1',
        gap: nonceOrder === 'unordered' ? 0 : expect.any(Number),
        connections: 1,
        inFlight: 0,
        waiting: 0,
        refusedShare: 0,
        races: 0,
        unsolicited: 0,
      });
      expect(transport).toMatchObject({ opened: 1, closed: 0 });
      await client.close();
      client.stats();
      await sleep(20);
      expect(transport).toMatchObject({ opened: 1, closed: 1 });
      expect(service.connections).toBe(1);
    });
  });

  it('stats() of a client that was closed without a call opens none', () => {
    const transport = counting();
    return scene({ client: { transport } }, async ({ service, client }) => {
      client.stats();
      await client.close();
      client.stats();
      await sleep(20);
      expect(transport.opened).toBe(0);
      expect(service.connections).toBe(0);
    });
  });
});

describe.concurrent('a transport that could not open once', () => {
  const kinds: readonly Kind[] = [GET, KEYED];
  for (const kind of kinds) {
    it(`${kind.name}: the next call is sent`, () =>
      scene({ client: { transport: counting(1), maxRetries: 0 } }, async ({ service, client }) => {
        const [first] = await Promise.allSettled([kind.invoke(client)]);
        if (first?.status === 'rejected')
          expect(first.reason).toMatchObject({ name: 'ConnectionError', outcome: 'not_applied' });
        await kind.invoke(client);
        expect(service.requests.length).toBeGreaterThanOrEqual(1);
        expect(client.stats().lanes[0]).toMatchObject({ inFlight: 0, waiting: 0 });
      }));

    it(`${kind.name}: the repeat is sent`, () =>
      scene({ client: { transport: counting(1), maxRetries: 2 } }, async ({ service, client }) => {
        await kind.invoke(client);
        expect(service.requests).toHaveLength(1);
      }));
  }
});
