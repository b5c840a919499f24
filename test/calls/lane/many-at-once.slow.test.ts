import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { AbortedError, ConnectionError, ResponseValidationError } from '../../../src/index.js';
import { DELETE, expectUniqueNonces, failure, GET, KEYED, scene, settled, UNKEYED, WAYS } from '../../support/scene.js';
import { json, rightAnswer, type Service, status } from '../../support/service.js';
import { until } from '../../support/until.js';
import { settlesAtOnce } from '../support/at-once.js';

const THINGS = '/v1/things';

/** The requests that the service took: their nonces were above all that it had seen. */
const taken = (service: Service) => service.requests.filter((request) => !service.refused.includes(request));

describe.concurrent.each(WAYS)('many calls at once (%s)', (over) => {
  it('are under way together, and each is taken once', () =>
    scene({ over }, async ({ service, client }) => {
      service.script = (request) => ({ ...rightAnswer(request), delay: 20 });
      await Promise.all(Array.from({ length: 60 }, () => GET.invoke(client)));
      expect(Math.max(...service.requests.map(({ open }) => open.length))).toBeGreaterThan(0);
      expect(taken(service)).toHaveLength(60);
      expectUniqueNonces(service.requests);
      // One TCP connection keeps the order.
      if (over === 'http2') expect([service.connections, service.refused]).toEqual([1, []]);
    }));

  it('are all answered when the loop is so busy that their answers arrive together', () =>
    Promise.all(
      Array.from({ length: 20 }, () =>
        scene({ over, service: { nonces: 'any' }, client: { maxRetries: 0 } }, async ({ client }) => {
          await Promise.all(Array.from({ length: 20 }, () => GET.invoke(client)));
        }),
      ),
    ));

  it('an aborted one harms no other', () =>
    scene({ over, service: { nonces: 'any' } }, async ({ service, client }) => {
      await GET.invoke(client);
      const open = service.hold();
      const controllers = Array.from({ length: 8 }, () => new AbortController());
      const calls = controllers.map(({ signal }, place) =>
        (place % 2 ? KEYED : GET).invoke(client, { signal }).withResponse(),
      );
      const ends = settled(calls);
      await until(() => taken(service).length === 9, 'eight requests in flight');
      const abandoned = Promise.all([failure(calls[1] ?? ends), failure(calls[2] ?? ends)]);
      controllers[1]?.abort();
      controllers[2]?.abort();
      expect(await settlesAtOnce(abandoned)).toBe(true);
      const aborted = await abandoned;
      expect(aborted.map((error) => error instanceof AbortedError)).toEqual([true, true]);
      expect(aborted.map(({ outcome }) => outcome)).toEqual(['unknown', 'not_applied']);
      open();
      const others = (await ends).filter((_, place) => place !== 1 && place !== 2);
      for (const end of others) expect(end).toMatchObject({ response: { status: 200 } });
      expect(taken(service)).toHaveLength(9);
      expectUniqueNonces(service.requests);
    }));

  it('one whose answer is too large harms no other', () =>
    // A DELETE that got a 401 before its 400 would be in doubt.
    scene(
      { over, service: { nonces: 'any' }, client: { maxResponseBytes: 20_000, maxRetries: 0 } },
      async ({ service, client }) => {
        service.script = (request) =>
          request.method === 'DELETE' ? { status: 400, body: 'x'.repeat(400_000) } : rightAnswer(request);
        const reads = Array.from({ length: 6 }, () => GET.invoke(client));
        const large = failure(DELETE.invoke(client));
        const writes = Array.from({ length: 6 }, () => KEYED.invoke(client));
        expect(await large).toMatchObject({ response: { status: 400 }, outcome: 'not_applied' });
        await Promise.all([...reads, ...writes]);
        expectUniqueNonces(service.requests);
      },
    ));

  it('one whose answer is cut harms no other', () =>
    scene({ over, client: { maxRetries: 0 } }, async ({ service, client }) => {
      service.script = (request) => ({
        ...rightAnswer(request),
        ...(request.path === THINGS ? { fault: 'cut' } : { delay: 60 }),
      });
      const others = Array.from({ length: 12 }, (_, place) => (place % 2 ? KEYED : GET).invoke(client));
      const cut = failure(UNKEYED.invoke(client));
      expect(await cut).toMatchObject({ name: 'ConnectionError', outcome: 'applied', attempts: { count: 1 } });
      await Promise.all(others);
    }));
});

describe.concurrent.each(WAYS)('a connection that breaks under keyed writes (%s)', (over) => {
  it('sends no nonce twice, and each lost call is made again with its key', () =>
    scene({ over, service: { nonces: 'any' } }, async ({ service, client }) => {
      await GET.invoke(client);
      let broken = false;
      service.script = async (request) => {
        if (broken) return rightAnswer(request);
        await until(() => service.requests.length >= 5, 'four writes in flight');
        broken = true;
        return { fault: 'reset' };
      };
      const answers = await Promise.all(Array.from({ length: 12 }, () => KEYED.invoke(client).withResponse()));
      expect(broken).toBe(true);
      expectUniqueNonces(service.requests);
      expect(service.requests.every(({ signed }) => signed !== false)).toBe(true);
      const keys = new Map<string, number>();
      for (const { key } of service.requests.slice(1)) keys.set(key ?? '', (keys.get(key ?? '') ?? 0) + 1);
      expect(keys.size).toBe(12);
      // A request may be lost before the service has seen it, never the other way round.
      for (const { response } of answers) {
        expect(response.attempts).toBeGreaterThanOrEqual(keys.get(response.idempotencyKey ?? '') ?? 0);
      }
      expect(Math.max(...keys.values())).toBeGreaterThan(1);
    }));

  it('each call ends with what is true of it when the service never answers', () =>
    scene({ over, client: { maxRetries: 1 } }, async ({ service, client }) => {
      await GET.invoke(client);
      service.script = () => ({ fault: 'reset', delay: 5 });
      const calls = Array.from({ length: 16 }, () => KEYED.invoke(client));
      const ends = await settled(calls);
      await sleep(50);
      expectUniqueNonces(service.requests);
      for (const end of ends) {
        expect(end).toBeInstanceOf(ConnectionError);
        expect(end).toMatchObject({ outcome: 'unknown' });
        const { attempts, idempotencyKey } = end as ConnectionError;
        const mine = service.requests.filter(({ key }) => key === idempotencyKey);
        expect(mine.length).toBeLessThanOrEqual(attempts.count);
        expect(attempts.failures).toHaveLength(attempts.count);
      }
    }));

  it.each(['at the head of a request', 'while an answer is read', 'in order'] as const)(
    'ended %s: every write and read ends well, no nonce twice',
    (where) =>
      scene({ over }, async ({ service, client }) => {
        await GET.invoke(client);
        let left = 3;
        let asked = 0;
        const due = () => {
          asked += 1;
          if (left === 0 || asked % 7 !== 5) return false;
          left -= 1;
          return true;
        };
        if (where === 'at the head of a request') service.resetAtHead = due;
        else {
          service.script = (request) => {
            const answer = rightAnswer(request);
            if (!due()) return { ...answer, delay: 3 };
            if (where === 'while an answer is read') return { ...answer, fault: 'cut' };
            return { ...answer, headers: { ...answer.headers, connection: 'close' } };
          };
        }
        const calls = Array.from({ length: 40 }, (_, place) =>
          (place % 2 ? KEYED : GET).invoke(client, { maxRetries: 6 }),
        );
        await Promise.all(calls);
        expect(left).toBe(0);
        expectUniqueNonces(service.requests);
        // A connection that the service ends in order takes no request with it that the service has begun with.
        if (where === 'in order') expect(taken(service)).toHaveLength(41);
      }),
  );
});

describe.concurrent.each(WAYS)('a write that may not be repeated (%s)', (over) => {
  const other = json(200, { data: { id: 'somebody else' } });

  it('is not touched by calls that are aborted, too slow, cut or answered wrongly beside it', () =>
    scene({ over, client: { maxResponseBytes: 50_000 } }, async ({ service, client }) => {
      await GET.invoke(client);
      let bad = 0;
      service.script = (request) => {
        if (request.path === THINGS) return { ...rightAnswer(request), delay: 30 };
        bad += 1;
        if (bad % 5 === 0) return { ...rightAnswer(request), fault: 'cut' };
        if (bad % 5 === 1) return other;
        if (bad % 5 === 2) return { body: 'x'.repeat(400_000) };
        if (bad % 5 === 3) return { fault: 'silent' };
        return rightAnswer(request);
      };
      const writes: Promise<{ response: { attempts: number } }>[] = [];
      const others: Promise<unknown>[] = [];
      for (let place = 0; place < 80; place += 1) {
        if (place % 8 === 4) writes.push(UNKEYED.invoke(client).withResponse());
        else {
          const options = place % 3 === 0 ? { signal: AbortSignal.timeout(place) } : { attemptTimeout: 100 };
          others.push(GET.invoke(client, { ...options, maxRetries: 1, timeout: 3_000 }).catch((error) => error));
        }
      }
      await Promise.all(writes);
      const ends = await Promise.all(others);
      expect(ends.filter((end) => end instanceof ResponseValidationError).length).toBeGreaterThan(0);
      const arrived = taken(service).filter(({ path }) => path === THINGS);
      expect(arrived).toHaveLength(writes.length);
      expectUniqueNonces(service.requests);
    }));

  it('is unknown, and sent once, when its own connection is lost', () =>
    scene({ over }, async ({ service, client }) => {
      await GET.invoke(client);
      service.answers({ fault: 'reset' });
      await failure(UNKEYED.invoke(client), ConnectionError, { outcome: 'unknown', attempts: { count: 1 } });
      expect(service.requests.filter(({ path }) => path === THINGS)).toHaveLength(1);
    }));

  it('is not lost with an idle connection that the service closes', () =>
    scene({ over }, async ({ service, client }) => {
      for (let round = 0; round < 3; round += 1) {
        service.script = (request) => {
          const answer = rightAnswer(request);
          return { ...answer, headers: { ...answer.headers, connection: 'close' } };
        };
        await GET.invoke(client);
        service.script = rightAnswer;
        expect((await UNKEYED.invoke(client).withResponse()).response.attempts).toBe(1);
      }
      expect(service.requests).toHaveLength(6);
    }));
});

describe.concurrent.each(WAYS)("nonceOrder 'strict' (%s)", (over) => {
  it('never has two requests in flight', () =>
    scene({ over, client: { nonceOrder: 'strict' } }, async ({ service, client }) => {
      service.script = (request) => ({ ...rightAnswer(request), delay: 2 });
      const kinds = [GET, KEYED, DELETE, UNKEYED];
      await Promise.all(Array.from({ length: 60 }, (_, place) => (kinds[place % 4] ?? GET).invoke(client)));
      expect(service.requests.filter(({ open }) => open.length > 0)).toEqual([]);
      expect(service.refused).toEqual([]);
    }));

  it('of one client holds for all that share its lane', () =>
    scene({ over, client: { nonceOrder: 'strict' } }, async ({ service, client, connect }) => {
      const adaptive = connect();
      service.script = (request) => ({ ...rightAnswer(request), delay: 2 });
      await Promise.all(Array.from({ length: 40 }, (_, place) => GET.invoke(place % 2 ? client : adaptive)));
      expect(service.requests.filter(({ open }) => open.length > 0)).toEqual([]);
    }));

  it('goes on after a lost answer', () =>
    scene({ over, client: { nonceOrder: 'strict' } }, async ({ service, client }) => {
      service.answers({ fault: 'reset' }, status(503, { 'retry-after': '0' }), { fault: 'cut', body: '{"data":1}' });
      await Promise.all(Array.from({ length: 10 }, () => KEYED.invoke(client)));
      expectUniqueNonces(service.requests);
    }));
});
