import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { describe, expect, it } from 'vitest';
import { fetchTransport, type PartnerClient, undiciTransport } from '../../../src/index.js';
import { type ClientOptions, failure, GET, KEYED, laneOf, scene, WAYS } from '../../support/scene.js';
import { type Answer, type Protocol, rightAnswer, status } from '../../support/service.js';
import { gate, until } from '../../support/until.js';

const path = (name: string) => ({ method: 'GET', path: `/v1/${name}` }) as const;

interface Made {
  readonly over: Protocol;
  readonly client: ClientOptions;
  readonly end: () => Promise<void>;
}

/** All ways that a lane's requests can take. */
const ways: readonly (readonly [string, () => Made])[] = [
  ...WAYS.map((over) => [over, () => ({ over, client: {}, end: async () => {} })] as const),
  ['fetch', () => ({ over: 'http', client: { transport: fetchTransport() }, end: async () => {} })],
  [
    'a dispatcher of the caller',
    () => {
      const agent = new Agent();
      const transport = undiciTransport({ dispatcher: agent });
      return { over: 'http', client: { transport }, end: () => agent.destroy() };
    },
  ],
];

describe.concurrent.each(ways)('the pace of a lane through %s', (_, make) => {
  /** A client with one call in flight all the while; `run` makes others fail beside it. */
  const beside = async (
    odd: Answer,
    run: (client: PartnerClient, arrived: (count: number) => Promise<void>) => Promise<void>,
  ): Promise<void> => {
    const { over, client: options, end } = make();
    const setup = { over, service: { nonces: 'any' }, client: { ...options, maxRetries: 0 } } as const;
    await scene(setup, async ({ service, client }) => {
      const { opened, open } = gate();
      service.script = async (request) => {
        if (request.path === '/v1/long') await opened;
        return request.path === '/v1/odd' ? odd : rightAnswer(request);
      };
      await GET.invoke(client);
      const { gap } = laneOf(client);
      const long = client.request(path('long'));
      await service.arrived(2);
      await run(client, (count) => service.arrived(count + 2));
      await until(() => laneOf(client).inFlight === 1, 'only the long call is in flight');
      expect(laneOf(client).gap).toBeLessThanOrEqual(gap);
      expect(laneOf(client)).toMatchObject({ races: 0, refusedShare: 0 });
      open();
      expect(await long).toEqual({ done: true });
      expect(laneOf(client).inFlight).toBe(0);
    });
    await end();
  };

  it.each<[string, Answer, number]>([
    ['aborts', { fault: 'silent' }, 0],
    ['aborts while the body is read', { body: 'x'.repeat(1_000), fault: 'stall' }, 30],
  ])('does not slow down by %s', (_, odd, later) =>
    beside(odd, async (client, arrived) => {
      for (let round = 1; round <= 4; round += 1) {
        const controller = new AbortController();
        const call = failure(client.request({ ...path('odd'), signal: controller.signal }));
        await arrived(round);
        if (later > 0) await sleep(later);
        controller.abort();
        expect(await call).toMatchObject({ name: 'AbortedError' });
      }
    }),
  );

  it.each(['timeout', 'attemptTimeout'] as const)('does not slow down by %s', (option) =>
    beside({ fault: 'silent' }, async (client) => {
      for (let round = 1; round <= 4; round += 1) {
        expect(await failure(client.request({ ...path('odd'), [option]: 40 }))).toMatchObject({ name: 'TimeoutError' });
      }
    }),
  );

  it('does not slow down by cut answers', () =>
    beside({ body: 'x'.repeat(1_000), fault: 'cut' }, async (client) => {
      for (let round = 1; round <= 4; round += 1) await failure(client.request(path('odd')));
    }));

  it('counts a race, and shows the share of requests that were refused', async () => {
    const { over, client: options, end } = make();
    await scene({ over, service: { nonces: 'any' }, client: options }, async ({ service, client }) => {
      const { opened, open } = gate();
      let overtaken = 0;
      service.script = async (request) => {
        if (request.method !== 'POST' || overtaken > 0) return rightAnswer(request);
        overtaken += 1;
        await opened;
        return status(401);
      };
      // Two connections that have been used: a first request over a connection is often late, and does not count.
      await Promise.all(Array.from({ length: 4 }, () => GET.invoke(client)));
      const late = KEYED.invoke(client).withResponse();
      await until(() => overtaken === 1, 'it is at the service');
      await GET.invoke(client);
      open();
      expect((await late).response.attempts).toBe(2);
      expect(laneOf(client).races).toBe(1);
      expect(laneOf(client).refusedShare).toBeGreaterThan(0);
    });
    await end();
  });
});

describe.concurrent.each(WAYS)('the clients of a lane (%s)', (over) => {
  /** The most requests that the service had at once. */
  const mostAtOnce = async (client: PartnerClient, requests: readonly { readonly open: readonly number[] }[]) => {
    const from = requests.length;
    await Promise.all(Array.from({ length: 20 }, () => GET.invoke(client)));
    return 1 + Math.max(...requests.slice(from).map(({ open }) => open.length));
  };

  it('send one request at a time while one of them is strict, and many at once when it has left', () =>
    scene({ over }, async ({ service, client }) => {
      service.script = (request) => ({ ...rightAnswer(request), delay: 30 });
      expect(await mostAtOnce(client, service.requests)).toBeGreaterThan(1);
      const strict = client.withOptions({ nonceOrder: 'strict' });
      expect(laneOf(client).nonceOrder).toBe('strict');
      expect(await mostAtOnce(client, service.requests)).toBe(1);
      await strict.close();
      expect(laneOf(client).nonceOrder).toBe('adaptive');
      expect(await mostAtOnce(client, service.requests)).toBeGreaterThan(1);
    }));

  it('also when the strict one was there before', () =>
    scene({ over, client: { nonceOrder: 'strict' } }, async ({ service, client }) => {
      service.script = (request) => ({ ...rightAnswer(request), delay: 30 });
      await using adaptive = client.withOptions({ nonceOrder: 'adaptive' });
      expect(await mostAtOnce(adaptive, service.requests)).toBe(1);
      await client.close();
      expect(await mostAtOnce(adaptive, service.requests)).toBeGreaterThan(1);
    }));

  it('send one request at a time when one of them allows no refusal', () =>
    scene({ over, client: { nonceRefusals: 0 } }, async ({ service, client }) => {
      service.script = (request) => ({ ...rightAnswer(request), delay: 10 });
      expect(await mostAtOnce(client, service.requests)).toBe(1);
      expect(service.refused).toEqual([]);
    }));
});
