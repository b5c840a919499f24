import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { fetchTransport, type PartnerClient, TimeoutError } from '../../src/index.js';
import {
  eventually,
  expectUniqueNonces,
  failure,
  GET,
  gate,
  KEYED,
  type Pending,
  scene,
  UNKEYED,
} from '../support/scene.js';
import { rightAnswer, type Service } from '../support/service.js';

const laneOf = (client: PartnerClient) => {
  const [lane] = client.stats().lanes;
  if (lane === undefined) throw new Error('a client has a lane');
  return lane;
};

const slow = (client: PartnerClient, options = {}): Pending =>
  client.request({ method: 'GET', path: '/v1/slow', ...options });

/** Answers of `/v1/slow` are held until the gate opens; all others come at once. */
function holdSlow(service: Service): () => void {
  const { opened, open } = gate();
  service.script = (request) => ({ ...rightAnswer(request), ...(request.path === '/v1/slow' ? { hold: opened } : {}) });
  return open;
}

const attemptsOf = async (calls: readonly Pending[]) =>
  (await Promise.all(calls.map((call) => call.withResponse()))).map(({ response }) => response.attempts);

describe.concurrent('one slow answer at the head of a pipeline', () => {
  it('calls that come later go over another connection, and none is made twice', () =>
    scene({}, async ({ service, client }) => {
      await GET.invoke(client);
      const open = holdSlow(service);
      const head = slow(client);
      const behind = Array.from({ length: 10 }, (_, place) => (place % 2 ? KEYED : GET).invoke(client));
      await service.arrived(12);
      await eventually(() => laneOf(client).stalls === 1, 'the connection is set aside');
      // They do not wait for the slow one.
      await Promise.all(Array.from({ length: 20 }, () => KEYED.invoke(client)));
      expect(laneOf(client).inFlight).toBe(11);
      open();
      expect(await attemptsOf([head, ...behind])).toEqual(Array.from({ length: 11 }, () => 1));
      expect(service.requests).toHaveLength(32);
      expect(service.connections).toBe(2);
      expect(service.refused).toEqual([]);
      await eventually(() => service.openConnections === 1, 'the old connection is closed');
    }));

  it('calls that wait for a place go over another connection', () =>
    scene({}, async ({ service, client }) => {
      await GET.invoke(client);
      const open = holdSlow(service);
      const head = slow(client);
      const calls = Array.from({ length: 200 }, () => GET.invoke(client));
      await Promise.all(calls.slice(100));
      open();
      await head;
      await Promise.all(calls);
      expect(service.requests).toHaveLength(202);
      expect(laneOf(client)).toMatchObject({ stalls: 1, inFlight: 0, waiting: 0 });
    }));

  it('narrows the lane, once for all that were behind', () =>
    scene({}, async ({ service, client }) => {
      await GET.invoke(client);
      const open = holdSlow(service);
      const begun = performance.now();
      const calls = [slow(client), ...Array.from({ length: 10 }, () => GET.invoke(client))];
      await eventually(() => laneOf(client).stalls === 1, 'the connection is set aside');
      // Held up for less than as long again, it would not have been worth it.
      await sleep(2 * (performance.now() - begun));
      open();
      await Promise.all(calls);
      expect(laneOf(client).width).toBe(32);
    }));

  it('an answer as slow as all others is no stall', () =>
    scene({}, async ({ service, client }) => {
      service.script = (request) => ({ ...rightAnswer(request), delay: 150 });
      for (let round = 0; round < 3; round += 1) await GET.invoke(client);
      service.script = (request) => ({ ...rightAnswer(request), delay: 400 });
      await Promise.all(Array.from({ length: 5 }, () => GET.invoke(client)));
      expect(laneOf(client).stalls).toBe(0);
      expect(service.connections).toBe(1);
    }));

  it('a first answer that took long does not make the lane patient for long', () =>
    scene({}, async ({ service, client }) => {
      service.script = (request) => ({ ...rightAnswer(request), delay: 2_500 });
      const calls = [GET.invoke(client), GET.invoke(client)];
      await Promise.all(calls);
      const open = holdSlow(service);
      for (let round = 0; round < 100; round += 1) await GET.invoke(client);
      const head = slow(client);
      const behind = Array.from({ length: 63 }, () => GET.invoke(client));
      // They end before the slow one does, which would take as long as the lane is patient otherwise.
      await Promise.all(Array.from({ length: 20 }, () => GET.invoke(client)));
      open();
      await Promise.all([head, ...behind]);
    }));

  it('a service that takes long for all is not taken for one that is held up', () =>
    scene({}, async ({ service, client }) => {
      service.script = (request) => ({ ...rightAnswer(request), delay: 700 });
      await Promise.all(Array.from({ length: 64 }, () => GET.invoke(client)));
      await Promise.all(Array.from({ length: 64 }, () => GET.invoke(client)));
      expect(laneOf(client)).toMatchObject({ stalls: 0, width: 64 });
      expect(service.connections).toBe(1);
    }));

  it('a service that becomes slow for all does not narrow the lane', () =>
    scene({}, async ({ service, client }) => {
      for (let round = 0; round < 100; round += 1) await GET.invoke(client);
      service.script = (request) => ({ ...rightAnswer(request), delay: 600 });
      const calls: Pending[] = [];
      for (let round = 0; round < 120; round += 1) {
        calls.push(GET.invoke(client));
        await sleep(15);
      }
      await Promise.all(calls);
      expect(laneOf(client).stalls).toBeGreaterThan(0);
      expect(laneOf(client).width).toBe(64);
    }));

  it('a call that comes while one hangs does not wait for it', () =>
    scene({}, async ({ service, client }) => {
      for (let round = 0; round < 20; round += 1) await GET.invoke(client);
      const open = holdSlow(service);
      const head = slow(client);
      await sleep(1_000);
      expect(laneOf(client).stalls).toBe(0);
      await GET.invoke(client);
      expect(laneOf(client).stalls).toBe(1);
      open();
      await head;
    }));

  it('alone in flight it is left alone: nobody waits behind it', () =>
    scene({}, async ({ service, client }) => {
      service.script = (request) => ({ ...rightAnswer(request), delay: 500 });
      await GET.invoke(client);
      expect(laneOf(client)).toMatchObject({ stalls: 0, width: 64 });
    }));

  it('a write that may not be repeated still lets nothing begin beside it', () =>
    scene({}, async ({ service, client }) => {
      await GET.invoke(client);
      service.script = (request) => ({ ...rightAnswer(request), delay: request.path === '/v1/things' ? 600 : 0 });
      await Promise.all([UNKEYED.invoke(client), GET.invoke(client), GET.invoke(client)]);
      const write = service.requests.findIndex(({ path }) => path === '/v1/things');
      expect(service.requests.slice(write).map(({ open }) => open)).not.toContainEqual(expect.arrayContaining([write]));
      expect(laneOf(client).stalls).toBe(0);
    }));

  it('strict stays one at a time on one connection', () =>
    scene({ client: { nonceOrder: 'strict' } }, async ({ service, client }) => {
      await GET.invoke(client);
      service.script = (request) => ({ ...rightAnswer(request), delay: request.path === '/v1/slow' ? 600 : 0 });
      await Promise.all([slow(client), GET.invoke(client), GET.invoke(client)]);
      expect(service.connections).toBe(1);
      expect(Math.max(...service.requests.map(({ open }) => open.length))).toBe(0);
    }));

  it('no more than eight connections wait for slow answers', () =>
    scene({ client: { timeout: 60_000 } }, async ({ service, client }) => {
      await GET.invoke(client);
      const open = holdSlow(service);
      const calls: Pending[] = [];
      for (let round = 1; round <= 7; round += 1) {
        calls.push(slow(client), GET.invoke(client));
        await eventually(() => laneOf(client).stalls === round, `${round} set aside`);
      }
      calls.push(slow(client), GET.invoke(client));
      await sleep(600);
      expect(service.openConnections).toBe(8);
      expect(laneOf(client).stalls).toBe(7);
      open();
      await Promise.all(calls);
      await eventually(() => service.openConnections === 1, 'one is left');
    }));

  it('close() ends those that are set aside, too', () =>
    scene({}, async ({ service, client }) => {
      await GET.invoke(client);
      holdSlow(service);
      const head = failure(slow(client, { timeout: 700 }));
      const behind = failure(GET.invoke(client, { timeout: 700 }));
      await eventually(() => laneOf(client).stalls === 1, 'the connection is set aside');
      await GET.invoke(client);
      expect(service.openConnections).toBe(2);
      await client.close();
      expect([await head, await behind]).toEqual([expect.any(TimeoutError), expect.any(TimeoutError)]);
      await eventually(() => service.openConnections === 0, 'no connection is left');
    }));
});

describe.concurrent('an answer that is too slow at the head of a pipeline', () => {
  it('is asked for again; those behind it wait and are not sent twice', () =>
    scene({ client: { attemptTimeout: 400 } }, async ({ service, client }) => {
      await GET.invoke(client);
      let first = true;
      service.script = (request) => {
        const late = request.path === '/v1/slow' && first;
        if (late) first = false;
        return { ...rightAnswer(request), delay: late ? 900 : 0 };
      };
      const head = slow(client);
      const behind = Array.from({ length: 20 }, () => KEYED.invoke(client));
      expect(await attemptsOf([head])).toEqual([2]);
      expect(await attemptsOf(behind)).toEqual(Array.from({ length: 20 }, () => 1));
      expect(service.requests).toHaveLength(23);
      expectUniqueNonces(service.requests);
    }));

  it('the next one in turn has its own time', () =>
    scene({ client: { attemptTimeout: 1_000 } }, async ({ service, client }) => {
      await GET.invoke(client);
      let first = true;
      service.script = (request) => {
        if (request.path !== '/v1/slow') return { ...rightAnswer(request), delay: 300 };
        const silent = first;
        first = false;
        return silent ? { fault: 'silent' } : rightAnswer(request);
      };
      expect(await attemptsOf([GET.invoke(client), slow(client)])).toEqual([1, 2]);
    }));

  it('that never comes gives its connection up: those behind it are told apart from lost ones, and made again', () =>
    scene({ client: { attemptTimeout: 200 } }, async ({ service, client }) => {
      await GET.invoke(client);
      let first = true;
      service.script = (request) => {
        const silent = request.path === '/v1/slow' && first;
        if (silent) first = false;
        return silent ? { fault: 'silent' } : rightAnswer(request);
      };
      const head = slow(client);
      const behind = Array.from({ length: 5 }, () => KEYED.invoke(client).withResponse());
      expect(await attemptsOf([head])).toEqual([2]);
      for (const { response } of await Promise.all(behind)) expect(response.attempts).toBe(2);
      expectUniqueNonces(service.requests);
      expect(service.refused).toEqual([]);
    }));

  it('is not overtaken while a call that nothing repeats is behind it: that one would be refused', () =>
    scene({}, async ({ service, client }) => {
      await GET.invoke(client);
      service.script = (request) => ({ ...rightAnswer(request), delay: request.path === '/v1/slow' ? 800 : 0 });
      const calls = [slow(client), GET.invoke(client, { maxRetries: 0 }), GET.invoke(client)];
      await sleep(500);
      await Promise.all([...calls, GET.invoke(client)]);
      expect(laneOf(client).stalls).toBe(0);
      expect(service.connections).toBe(1);
      await Promise.all([slow(client), GET.invoke(client)]);
      expect(laneOf(client).stalls).toBe(1);
    }));

  it('without a repeat it is a TimeoutError for those behind it, too', () =>
    scene({ client: { attemptTimeout: 200, maxRetries: 0 } }, async ({ service, client }) => {
      await GET.invoke(client);
      service.script = () => ({ fault: 'silent' });
      const ends = await Promise.all([slow(client), GET.invoke(client), GET.invoke(client)].map(failure));
      for (const end of ends) expect(end).toBeInstanceOf(TimeoutError);
    }));

  it('a service that never answers: every call ends by its own time', () =>
    scene({ client: { attemptTimeout: 150, timeout: 4_000, maxRetries: 1 } }, async ({ service, client }) => {
      await GET.invoke(client);
      service.script = () => ({ fault: 'silent' });
      const ends = await Promise.all(Array.from({ length: 30 }, () => failure(KEYED.invoke(client))));
      for (const end of ends) expect(end).toBeInstanceOf(TimeoutError);
      await eventually(() => laneOf(client).inFlight === 0, 'nothing is in flight');
      expectUniqueNonces(service.requests);
    }));
});

/** Hands on the next request of a connection when the one before has been answered, as some proxies do. */
async function oneByOne(service: Service): Promise<Server> {
  const last = new WeakMap<Socket, Promise<void>>();
  const handOn = (message: IncomingMessage, response: ServerResponse) =>
    new Promise<void>((resolve) => {
      const { method, url: path, headers } = message;
      const onward = request({ port: service.port, method, path, headers, agent: false }, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
        answer.on('end', resolve);
      });
      message.pipe(onward);
    });
  const proxy = createServer((message, response) => {
    const before = last.get(message.socket) ?? Promise.resolve();
    last.set(
      message.socket,
      before.then(() => handOn(message, response)),
    );
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}

describe.concurrent('behind a proxy that reads on only after an answer', () => {
  it('those left behind are refused, sent again and succeed; the lane narrows until few are', () =>
    scene({}, async ({ service, connect }) => {
      const proxy = await oneByOne(service);
      const client = connect({ baseUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` });
      service.script = (request) => ({ ...rightAnswer(request), delay: request.path === '/v1/slow' ? 900 : 0 });
      for (let round = 0; round < 10; round += 1) await GET.invoke(client);
      const racesOfOneRound = async () => {
        const before = laneOf(client).races;
        const behind = [slow(client), ...Array.from({ length: 3 }, () => KEYED.invoke(client))];
        await sleep(600);
        await Promise.all([...behind, GET.invoke(client)]);
        return laneOf(client).races - before;
      };
      for (let round = 0; round < 15 && laneOf(client).width > 3; round += 1) await racesOfOneRound();
      expect(laneOf(client).races).toBeGreaterThan(0);
      expect(laneOf(client).width).toBeLessThan(4);
      expect(await racesOfOneRound()).toBeLessThan(3);
      expectUniqueNonces(service.requests);
      proxy.closeAllConnections();
      proxy.close();
    }));
});

it('fetch: no connection is ours to set aside', () =>
  scene({ client: { transport: fetchTransport() } }, async ({ service, client }) => {
    await GET.invoke(client);
    service.script = (request) => ({ ...rightAnswer(request), delay: request.path === '/v1/slow' ? 600 : 0 });
    await Promise.all([slow(client), GET.invoke(client), GET.invoke(client)]);
    expect(laneOf(client).stalls).toBe(0);
  }));
