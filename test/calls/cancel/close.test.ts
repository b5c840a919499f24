import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request as undiciRequest } from 'undici';
import { describe, expect, it } from 'vitest';
import { undiciTransport } from '../../../src/index.js';
import { failure, GET, KEYED, scene, UNKEYED, WAYS } from '../../support/scene.js';
import { rightAnswer, type Service, status } from '../../support/service.js';
import { gate, until, watch } from '../../support/until.js';

/** What comes to one path is to be sent again a second later, all else is not answered before it is told to. */
function hold(service: Service): () => void {
  const { opened, open } = gate();
  let refused = false;
  service.script = async (request) => {
    if (request.path === '/v1/later' && !refused) {
      refused = true;
      return status(429, { 'retry-after': '1' });
    }
    await opened;
    return rightAnswer(request);
  };
  return open;
}

describe.concurrent.each(WAYS)('close() (%s)', (over) => {
  it('lets the calls on the wire, in the queue and between two attempts end well, and only then closes', () =>
    scene({ over, service: { nonces: 'any' } }, async ({ service, client }) => {
      const open = hold(service);
      const later = client.request({ method: 'GET', path: '/v1/later' }).withResponse();
      await service.arrived(1);
      const calls = [GET, KEYED, UNKEYED, ...Array.from({ length: 100 }, (_, place) => (place % 2 ? KEYED : GET))].map(
        (kind) => kind.invoke(client),
      );
      await service.arrived(2);
      const closing = client.close();
      const closed = watch(closing);
      expect(await failure(GET.invoke(client))).toMatchObject({ name: 'ConfigurationError', outcome: 'not_applied' });
      await sleep(50);
      expect(closed.settled).toBe(false);
      expect(service.openConnections).toBeGreaterThan(0);
      open();
      await Promise.all(calls);
      expect((await later).response.attempts).toBe(2);
      await closing;
      expect(service.requests).toHaveLength(105);
      await until(() => service.openConnections === 0, 'no connection is open');
    }));

  it('leaves the lane of another API key alone', () =>
    scene({ over, service: { nonces: 'any' } }, async ({ service, client, connect }) => {
      service.secrets.set('another-key', service.apiSecret);
      const other = connect({ apiKey: 'another-key' });
      await GET.invoke(client);
      const open = hold(service);
      const calls = Array.from({ length: 10 }, () => KEYED.invoke(other, { maxRetries: 0 }));
      await service.arrived(11);
      await client.close();
      open();
      await Promise.all(calls);
      expect(service.openConnections).toBeGreaterThan(0);
      await other.close();
      await until(() => service.openConnections === 0, 'no connection is open');
    }));

  it('leaves a client alone that was made of it', () =>
    scene({ over, service: { nonces: 'any' } }, async ({ service, client }) => {
      const derived = client.withOptions({ timeout: 20_000 });
      const open = hold(service);
      const calls = Array.from({ length: 10 }, () => KEYED.invoke(derived, { maxRetries: 0 }));
      await service.arrived(10);
      await client.close();
      open();
      await Promise.all(calls);
      await derived.close();
      await until(() => service.openConnections === 0, 'no connection is open');
    }));

  it("leaves a dispatcher of the caller's open, with its connections and what goes on over them", async () => {
    const agent = new Agent({ connections: 2, keepAliveTimeout: 60_000 });
    const transport = undiciTransport({ dispatcher: agent });
    await scene({ client: { transport }, service: { nonces: 'any' } }, async ({ service, client, connect }) => {
      const other = connect({ transport: undiciTransport({ dispatcher: agent }) });
      await GET.invoke(client);
      const open = hold(service);
      const call = KEYED.invoke(other).withResponse();
      await service.arrived(2);
      await client.close();
      expect([agent.closed, agent.destroyed]).toEqual([false, false]);
      open();
      expect((await call).response.attempts).toBe(1);
      await other.close();
      expect([agent.closed, agent.destroyed]).toEqual([false, false]);
      const { connections } = service;
      const answer = await undiciRequest(service.url, { dispatcher: agent });
      expect(answer.statusCode).toBe(401);
      await answer.body.dump();
      expect(service.connections).toBe(connections);
    });
    await agent.close();
  });
});
