import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { describe, expect, it } from 'vitest';
import { fetchTransport, type PartnerClient, type Transport, undiciTransport } from '../../src/index.js';
import { eventually, failure, GET, gate, KEYED, scene } from '../support/scene.js';
import { type Answer, rightAnswer, status } from '../support/service.js';

const laneOf = (client: PartnerClient) => {
  const [lane] = client.stats().lanes;
  if (lane === undefined) throw new Error('a client has a lane');
  return lane;
};

const path = (name: string) => ({ method: 'GET', path: `/v1/${name}` }) as const;

/** Transports whose connections are not ours to order. */
const spread: readonly (readonly [string, () => { transport: Transport; end: () => Promise<void> }])[] = [
  ['fetch', () => ({ transport: fetchTransport(), end: async () => {} })],
  [
    'a dispatcher of the caller',
    () => {
      const agent = new Agent();
      return { transport: undiciTransport({ dispatcher: agent }), end: () => agent.destroy() };
    },
  ],
];

describe.concurrent.each(spread)('the width of a lane through %s', (_, make) => {
  /** A client with one call in flight all the while; `run` makes others fail beside it. */
  const beside = async (
    odd: Answer,
    run: (client: PartnerClient, arrived: (count: number) => Promise<void>) => Promise<void>,
  ): Promise<void> => {
    const { transport, end } = make();
    await scene({ service: { nonces: 'any' }, client: { transport, maxRetries: 0 } }, async ({ service, client }) => {
      const { opened, open } = gate();
      service.script = async (request) => {
        if (request.path === '/v1/long') await opened;
        return request.path === '/v1/odd' ? odd : rightAnswer(request);
      };
      await GET.invoke(client);
      const { width } = laneOf(client);
      expect(width).toBeGreaterThan(1);
      const long = client.request(path('long'));
      await service.arrived(2);
      await run(client, (count) => service.arrived(count + 2));
      await eventually(() => laneOf(client).inFlight === 1, 'only the long call is in flight');
      expect(laneOf(client).width).toBeGreaterThanOrEqual(width);
      expect(laneOf(client)).toMatchObject({ breaks: 0, races: 0 });
      open();
      expect(await long).toEqual({ done: true });
      expect(laneOf(client).inFlight).toBe(0);
    });
    await end();
  };

  it('does not fall by aborts', () =>
    beside({ fault: 'silent' }, async (client, arrived) => {
      for (let round = 1; round <= 4; round += 1) {
        const controller = new AbortController();
        const call = failure(client.request({ ...path('odd'), signal: controller.signal }));
        await arrived(round);
        controller.abort();
        expect(await call).toMatchObject({ name: 'AbortedError' });
      }
    }));

  it('does not fall by aborts while the body is read', () =>
    beside({ body: 'x'.repeat(1_000), fault: 'stall' }, async (client, arrived) => {
      for (let round = 1; round <= 4; round += 1) {
        const controller = new AbortController();
        const call = failure(client.request({ ...path('odd'), signal: controller.signal }));
        await arrived(round);
        await sleep(30);
        controller.abort();
        await call;
      }
    }));

  it.each(['timeout', 'attemptTimeout'] as const)('does not fall by %s', (option) =>
    beside({ fault: 'silent' }, async (client) => {
      for (let round = 1; round <= 4; round += 1) {
        expect(await failure(client.request({ ...path('odd'), [option]: 40 }))).toMatchObject({ name: 'TimeoutError' });
      }
    }),
  );

  it('does not fall by resets and cut answers', async () => {
    for (const fault of ['reset', 'cut'] as const) {
      await beside({ body: 'x'.repeat(1_000), fault }, async (client) => {
        for (let round = 1; round <= 4; round += 1) await failure(client.request(path('odd')));
      });
    }
  });

  it('falls by a race', async () => {
    const { transport, end } = make();
    await scene({ service: { nonces: 'any' }, client: { transport } }, async ({ service, client }) => {
      const { opened, open } = gate();
      service.script = async (request) => {
        if (request.index === 1) await opened;
        return request.index === 1 ? status(401) : rightAnswer(request);
      };
      await GET.invoke(client);
      const { width } = laneOf(client);
      const overtaken = KEYED.invoke(client).withResponse();
      await service.arrived(2);
      await GET.invoke(client);
      open();
      expect((await overtaken).response.attempts).toBe(2);
      expect(laneOf(client).races).toBe(1);
      expect(laneOf(client).width).toBeLessThan(width);
    });
    await end();
  });
});

describe.concurrent('the width of the one ordered connection', () => {
  it('is 64 again when a strict client has left', () =>
    scene({}, async ({ client }) => {
      await GET.invoke(client);
      expect(laneOf(client).width).toBe(64);
      const strict = client.withOptions({ nonceOrder: 'strict' });
      await GET.invoke(strict);
      expect(laneOf(client)).toMatchObject({ width: 1, nonceOrder: 'strict' });
      await strict.close();
      expect(laneOf(client)).toMatchObject({ width: 64, nonceOrder: 'adaptive' });
    }));

  it('is 64 again when a strict client was there before it', () =>
    scene({ client: { nonceOrder: 'strict' } }, async ({ client }) => {
      for (let round = 0; round < 5; round += 1) await GET.invoke(client);
      const adaptive = client.withOptions({ nonceOrder: 'adaptive' });
      await GET.invoke(adaptive);
      await client.close();
      expect(laneOf(adaptive).width).toBe(64);
      await adaptive.close();
    }));

  it('still falls when its pipeline breaks', () =>
    scene({ client: { maxRetries: 6 } }, async ({ service, client }) => {
      const { opened, open } = gate();
      service.script = async (request) => {
        if (request.index === 0) await opened;
        return request.index === 0 ? { fault: 'reset' } : rightAnswer(request);
      };
      const calls = Array.from({ length: 10 }, () => GET.invoke(client));
      await service.arrived(1);
      await eventually(() => laneOf(client).inFlight === 10, 'all ten share the pipeline');
      open();
      await Promise.all(calls);
      expect(laneOf(client).breaks).toBe(1);
      expect(laneOf(client).width).toBeLessThan(64);
    }));
});
