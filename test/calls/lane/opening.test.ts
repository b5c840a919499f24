import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Transport, undiciTransport } from '../../../src/index.js';
import { connectionsOf, createTransport } from '../../../src/transport/transport.js';
import { GET, KEYED, type Kind, scene } from '../../support/scene.js';

interface Counts {
  opened: number;
  closed: number;
}

/** The default transport, with what it opens for lanes and what of that is closed. */
function counting(counts: Counts): Transport {
  const inner = undiciTransport();
  return createTransport('counting', (origin, options) => {
    counts.opened += 1;
    const connections = connectionsOf(inner, origin, options);
    const close = connections.close.bind(connections);
    connections.close = () => {
      counts.closed += 1;
      return close();
    };
    return connections;
  });
}

/** The default transport, but its first connection cannot be opened. */
function failingOnce(): Transport {
  const inner = undiciTransport();
  return createTransport('failing once', (origin, options) => {
    const connections = connectionsOf(inner, origin, options);
    const reserve = connections.reserve.bind(connections);
    let failed = false;
    connections.reserve = (waiting, notRetryable) => {
      if (failed) return reserve(waiting, notRetryable);
      failed = true;
      queueMicrotask(() => options.onUnreachable(new Error('not now')));
      return undefined;
    };
    return connections;
  });
}

describe.concurrent('a lane opens its connection for a call, and for nothing else', () => {
  it.each(['adaptive', 'strict', 'unordered'] as const)('%s: stats() opens none, close() leaves none', (nonceOrder) => {
    const counts = { opened: 0, closed: 0 };
    return scene({ client: { transport: counting(counts), nonceOrder } }, async ({ service, client }) => {
      const { lanes } = client.stats();
      expect(lanes).toHaveLength(1);
      expect(lanes[0]).toMatchObject({ way: undefined, connections: 0, inFlight: 0, waiting: 0 });
      expect(counts.opened).toBe(0);
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
      expect(counts).toEqual({ opened: 1, closed: 0 });
      await client.close();
      client.stats();
      await sleep(20);
      expect(counts).toEqual({ opened: 1, closed: 1 });
      expect(service.connections).toBe(1);
    });
  });
});

describe.concurrent('a connection that could not be opened once', () => {
  const kinds: readonly Kind[] = [GET, KEYED];
  for (const kind of kinds) {
    it(`${kind.name}: the next call is sent`, () =>
      scene({ client: { transport: failingOnce(), maxRetries: 0 } }, async ({ service, client }) => {
        const [first] = await Promise.allSettled([kind.invoke(client)]);
        expect(first).toMatchObject({
          status: 'rejected',
          reason: { name: 'ConnectionError', outcome: 'not_applied' },
        });
        await kind.invoke(client);
        expect(service.requests).toHaveLength(1);
        expect(client.stats().lanes[0]).toMatchObject({ inFlight: 0, waiting: 0 });
      }));

    it(`${kind.name}: the repeat is sent`, () =>
      scene({ client: { transport: failingOnce(), maxRetries: 2 } }, async ({ service, client }) => {
        await kind.invoke(client);
        expect(service.requests).toHaveLength(1);
      }));
  }
});
