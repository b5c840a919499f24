import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { fetchTransport, type PartnerClient, TimeoutError } from '../../../src/index.js';
import {
  expectUniqueNonces,
  failure,
  GET,
  KEYED,
  laneOf,
  type Pending,
  type PerCall,
  scene,
  WAYS,
} from '../../support/scene.js';
import { rightAnswer, type Service } from '../../support/service.js';
import { gate, until } from '../../support/until.js';

const SLOW = '/v1/slow';
const slow = (client: PartnerClient, options: Pick<PerCall, 'attemptTimeout' | 'timeout'> = {}): Pending =>
  client.request({ method: 'GET', path: SLOW, ...options });

/** Answers to `SLOW` are held until the returned function is called; all others come at once. */
const holdSlow = (service: Service) => service.hold(({ path }) => path === SLOW);

/** The first request for `SLOW` is never answered. */
function neverAnswerFirst(service: Service): void {
  let first = true;
  service.script = (request) => {
    const silent = request.path === SLOW && first;
    if (silent) first = false;
    return silent ? { fault: 'silent' } : rightAnswer(request);
  };
}

/** How often each of the calls was taken by the service: a nonce that was overtaken is no attempt that it took. */
const taken = (service: Service, path: string) =>
  service.requests.filter((request) => request.path === path && !service.refused.includes(request)).length;

describe.concurrent.each(WAYS)('a slow answer (%s)', (over) => {
  it('holds up nobody: calls before, beside and after it are answered, each once', () =>
    scene({ over }, async ({ service, client }) => {
      await GET.invoke(client);
      const open = holdSlow(service);
      const head = slow(client).withResponse();
      await Promise.all(Array.from({ length: 10 }, (_, place) => (place % 2 ? KEYED : GET).invoke(client)));
      await Promise.all(Array.from({ length: 20 }, () => KEYED.invoke(client)));
      expect(laneOf(client)).toMatchObject({ inFlight: 1, waiting: 0 });
      open();
      expect((await head).response.attempts).toBe(1);
      expect(service.requests.length - service.refused.length).toBe(32);
      expectUniqueNonces(service.requests);
    }));

  it('has others wait when 64 of them take all places, until one of them is answered', () =>
    scene({ over, service: { nonces: 'any' } }, async ({ service, client }) => {
      await GET.invoke(client);
      const { opened, open } = gate();
      let held = 0;
      const first = gate();
      service.script = (request) => {
        if (request.path !== SLOW) return rightAnswer(request);
        held += 1;
        return { ...rightAnswer(request), hold: held === 1 ? first.opened : opened };
      };
      const heads = Array.from({ length: 64 }, () => slow(client));
      await until(() => taken(service, SLOW) === 64, 'all of them are at the service');
      const waiting = GET.invoke(client);
      expect(laneOf(client)).toMatchObject({ inFlight: 64, waiting: 1 });
      first.open();
      await waiting;
      open();
      await Promise.all(heads);
    }));

  it('keeps strict waiting: one at a time, over one connection', () =>
    scene({ over, client: { nonceOrder: 'strict' } }, async ({ service, client }) => {
      await GET.invoke(client);
      service.script = (request) => ({ ...rightAnswer(request), delay: request.path === SLOW ? 300 : 0 });
      await Promise.all([slow(client), GET.invoke(client), GET.invoke(client)]);
      expect(service.connections).toBe(1);
      expect(Math.max(...service.requests.map(({ open }) => open.length))).toBe(0);
      expect(service.refused).toEqual([]);
    }));
});

describe.concurrent.each(WAYS)('an answer that is too slow (%s)', (over) => {
  it('is asked for again; the others are sent once', () =>
    scene({ over, client: { attemptTimeout: 1_000 } }, async ({ service, client }) => {
      await GET.invoke(client);
      neverAnswerFirst(service);
      const head = slow(client).withResponse();
      await Promise.all(Array.from({ length: 20 }, () => KEYED.invoke(client)));
      expect((await head).response.attempts).toBe(2);
      expect(service.requests.length - service.refused.length).toBe(1 + 2 + 20);
      expectUniqueNonces(service.requests);
    }));

  it('without a repeat is a TimeoutError for its own call alone', () =>
    scene({ over, client: { maxRetries: 0 } }, async ({ service, client }) => {
      await GET.invoke(client);
      neverAnswerFirst(service);
      const head = failure(slow(client, { attemptTimeout: 800 }));
      const others = Array.from({ length: 10 }, (_, place) => (place % 2 ? KEYED : GET).invoke(client));
      expect(await head).toBeInstanceOf(TimeoutError);
      await Promise.all(others);
    }));

  it('to every call: each ends by its own time, and nothing is left in flight', () =>
    scene({ over, client: { attemptTimeout: 150, timeout: 4_000, maxRetries: 1 } }, async ({ service, client }) => {
      await GET.invoke(client);
      service.script = () => ({ fault: 'silent' });
      const ends = await Promise.all(Array.from({ length: 30 }, () => failure(KEYED.invoke(client))));
      for (const end of ends) expect(end).toBeInstanceOf(TimeoutError);
      await until(() => laneOf(client).inFlight === 0, 'nothing is in flight');
      expectUniqueNonces(service.requests);
    }));

  it('does not keep close() from ending: its call ends by its own time, and no connection is left', () =>
    scene({ over }, async ({ service, client }) => {
      await GET.invoke(client);
      holdSlow(service);
      const head = failure(slow(client, { timeout: 700 }));
      await GET.invoke(client);
      await client.close();
      expect(await head).toBeInstanceOf(TimeoutError);
      await until(() => service.openConnections === 0, 'no connection is left');
    }));
});

it('over fetch a slow answer holds up nobody either', () =>
  scene({ client: { transport: fetchTransport() } }, async ({ service, client }) => {
    await GET.invoke(client);
    const open = holdSlow(service);
    const head = slow(client);
    await Promise.all(Array.from({ length: 20 }, (_, place) => (place % 2 ? KEYED : GET).invoke(client)));
    expect(laneOf(client).inFlight).toBe(1);
    open();
    await head;
    await sleep(0);
    expect(laneOf(client)).toMatchObject({ inFlight: 0, way: 'fetch' });
  }));
