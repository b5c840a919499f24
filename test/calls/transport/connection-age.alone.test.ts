import { afterEach, describe, expect, it, vi } from 'vitest';
import { GET, KEYED, scene, settled, WAYS } from '../../support/scene.js';
import { rightAnswer } from '../../support/service.js';
import { gate, until } from '../../support/until.js';

/** Longer than any connection is used: five minutes and a fifth. */
const LIFETIME_MS = 361_000;

afterEach(() => void vi.restoreAllMocks());

/** The clock of this process that only goes forward jumps ahead. */
function pass(milliseconds: number): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + milliseconds);
}

const connectionsOf = (requests: readonly { readonly connection: number }[]): number[] =>
  requests.map(({ connection }) => connection);

describe.each(WAYS)('a connection that has been in use for more than five minutes (%s)', (over) => {
  it('is replaced, so that a change of DNS is followed, and one that is younger is not', () =>
    scene({ over }, async ({ service, client }) => {
      for (let call = 0; call < 3; call++) await GET.invoke(client);
      expect(new Set(connectionsOf(service.requests))).toEqual(new Set([1]));
      pass(LIFETIME_MS);
      // Over HTTP/2, calls go on over the old one until the new one is open.
      await until(async () => {
        await GET.invoke(client);
        return service.requests.at(-1)?.connection === 2;
      });
      const before = service.requests.length;
      for (let call = 0; call < 3; call++) await GET.invoke(client);
      expect(connectionsOf(service.requests.slice(before))).toEqual([2, 2, 2]);
      await until(() => service.openConnections === 1);
    }));

  it('does no harm to the order of nonces, however many calls are under way', () =>
    scene({ over, client: { timeout: 3 * LIFETIME_MS } }, async ({ service, client }) => {
      const calls = (count: number) =>
        Array.from({ length: count }, (_, index) => (index % 2 === 0 ? GET : KEYED).invoke(client));
      await Promise.all(calls(64));
      const running = calls(200);
      await until(() => service.requests.length > 100);
      pass(LIFETIME_MS);
      await Promise.all([...running, ...calls(200)]);
      expect(Math.max(...connectionsOf(service.requests))).toBeGreaterThan(1);
      expect(client.stats().lanes[0]?.races).toBeLessThan(10);
    }));
});

describe('an HTTP/2 session that follows another one', () => {
  it('waits for the heads of its requests, but not for a slow one', () =>
    scene({ over: 'http2', client: { timeout: 3 * LIFETIME_MS, attemptTimeout: 2 * LIFETIME_MS } }, async (set) => {
      const { service, client } = set;
      await GET.invoke(client);
      const slow = gate();
      service.script = async (request) => {
        if (request.connection === 1) await slow.opened;
        return rightAnswer(request);
      };
      const held = GET.invoke(client);
      await until(() => service.requests.length === 2);
      pass(LIFETIME_MS);
      const calls = [held, GET.invoke(client)];
      await until(() => service.openConnections === 2);
      const begun = Date.now();
      // Several: the service may know the new connection earlier than the client.
      await until(() => {
        calls.push(GET.invoke(client));
        return service.requests.some(({ connection }) => connection === 2);
      });
      expect(Date.now() - begun).toBeGreaterThan(500);
      slow.open();
      expect(await settled(calls)).toHaveLength(calls.length);
      expect(service.refused).toEqual([]);
    }));
});
