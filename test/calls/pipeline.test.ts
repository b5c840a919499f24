import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { AbortedError, ConnectionError, type PartnerClient } from '../../src/index.js';
import {
  DELETE,
  eventually,
  expectUniqueNonces,
  failure,
  GET,
  gate,
  KEYED,
  scene,
  settled,
  UNKEYED,
} from '../support/scene.js';
import { rightAnswer, type Service, status, type WireRequest } from '../support/service.js';
import { settlesAtOnce } from './support/at-once.js';

/** Widens the lane: windows without a refusal. */
async function warm(client: PartnerClient, service: Service): Promise<void> {
  for (let round = 0; round < 4; round += 1) await Promise.all(Array.from({ length: 16 }, () => GET.invoke(client)));
  service.requests.splice(0);
}

/** No request was open while one of `alone` was, nor the other way round. */
function expectAlone(requests: readonly WireRequest[], alone: (request: WireRequest) => boolean): void {
  const indexes = new Set(requests.filter(alone).map(({ index }) => index));
  expect(indexes.size).toBeGreaterThan(0);
  for (const request of requests) {
    if (indexes.has(request.index)) expect(request.open, `open when ${request.index} came`).toEqual([]);
    else expect(request.open.filter((index) => indexes.has(index))).toEqual([]);
  }
}

describe.concurrent('one ordered connection', () => {
  it('carries many calls at once, in the order of their nonces', () =>
    scene({}, async ({ service, client }) => {
      service.script = (request) => ({ ...rightAnswer(request), delay: 20 });
      await Promise.all(Array.from({ length: 60 }, () => GET.invoke(client)));
      expect(service.connections).toBe(1);
      expect(service.refused).toEqual([]);
      expect(Math.max(...service.requests.map(({ open }) => open.length))).toBeGreaterThan(0);
      const nonces = service.requests.map(({ nonce }) => nonce);
      expect([...nonces].sort((a, b) => (a < b ? -1 : 1))).toEqual(nonces);
    }));

  it('an aborted call in the pipeline harms no other', () =>
    scene({}, async ({ service, client }) => {
      await warm(client, service);
      const { opened, open } = gate();
      service.script = async (request) => {
        await opened;
        return rightAnswer(request);
      };
      const controllers = Array.from({ length: 8 }, () => new AbortController());
      const calls = controllers.map(({ signal }, place) =>
        (place % 2 ? KEYED : GET).invoke(client, { signal }).withResponse(),
      );
      const ends = settled(calls);
      await eventually(() => service.requests.length >= 4, 'four requests in flight');
      const abandoned = Promise.all([failure(calls[1] ?? ends), failure(calls[2] ?? ends)]);
      controllers[1]?.abort();
      controllers[2]?.abort();
      expect(await settlesAtOnce(abandoned)).toBe(true);
      const aborted = await abandoned;
      expect(aborted.map((error) => error instanceof AbortedError)).toEqual([true, true]);
      expect(aborted.map(({ outcome }) => outcome)).toEqual(['unknown', 'not_applied']);
      open();
      const others = (await ends).filter((_, place) => place !== 1 && place !== 2);
      for (const end of others) expect(end).toMatchObject({ response: { status: 200, attempts: 1 } });
      expect(service.requests).toHaveLength(8);
      expect(service.connections).toBe(1);
      expectUniqueNonces(service.requests);
      await GET.invoke(client);
      expect(service.connections).toBe(1);
    }));

  it('a call whose answer is too large harms no other', () =>
    scene({ client: { maxResponseBytes: 20_000 } }, async ({ service, client }) => {
      await warm(client, service);
      service.script = (request) =>
        request.method === 'DELETE' ? { status: 400, body: 'x'.repeat(400_000) } : rightAnswer(request);
      const reads = Array.from({ length: 6 }, () => GET.invoke(client));
      const large = failure(DELETE.invoke(client));
      const writes = Array.from({ length: 6 }, () => KEYED.invoke(client));
      expect(await large).toMatchObject({ status: 400, outcome: 'not_applied' });
      await Promise.all([...reads, ...writes]);
      expectUniqueNonces(service.requests);
    }));
});

describe.concurrent('a broken pipeline that holds keyed writes', () => {
  it('sends no nonce twice, and every call is made again with its key', () =>
    scene({}, async ({ service, client }) => {
      await warm(client, service);
      let broken = false;
      service.script = async (request) => {
        if (broken) return rightAnswer(request);
        await eventually(() => service.requests.length >= 4, 'four writes in flight');
        broken = true;
        return { fault: 'reset' };
      };
      const calls = Array.from({ length: 12 }, () => KEYED.invoke(client).withResponse());
      const answers = await Promise.all(calls);
      expect(broken).toBe(true);
      expectUniqueNonces(service.requests);
      expect(service.requests.every(({ signed }) => signed === true)).toBe(true);
      const keys = new Map<string, number>();
      for (const { key } of service.requests) keys.set(key ?? '', (keys.get(key ?? '') ?? 0) + 1);
      expect(keys.size).toBe(12);
      // A request may be lost before the service has seen it, never the other way round.
      for (const { response } of answers) {
        expect(response.attempts).toBeGreaterThanOrEqual(keys.get(response.idempotencyKey ?? '') ?? 0);
        expect(response.attempts).toBeLessThanOrEqual(2);
      }
      expect(Math.max(...keys.values())).toBe(2);
      expect(service.refused).toEqual([]);
    }));

  it('each call ends with what is true of it when the service never answers', () =>
    scene({ client: { maxRetries: 1 } }, async ({ service, client }) => {
      await warm(client, service);
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
        expect(mine.length).toBeGreaterThan(0);
        expect(mine.length).toBeLessThanOrEqual(attempts.count);
        expect(attempts.failures).toHaveLength(attempts.count);
        expect(new Set(attempts.failures.map(({ reason }) => reason))).toEqual(new Set(['lost']));
      }
    }));

  for (const where of [
    'at the head of a request',
    'while an answer is read',
    'with the connection ended in order',
  ] as const) {
    it(`broken ${where}: every write and read ends well, no nonce twice`, () =>
      scene({}, async ({ service, client }) => {
        await warm(client, service);
        let left = 3;
        const due = () => {
          if (left === 0 || service.requests.length % 7 !== 5) return false;
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
        expect(service.refused).toEqual([]);
      }));
  }

  it('a stalled head that times out ends the others as lost or repeated, never as sent twice', () =>
    scene({ client: { attemptTimeout: 250 } }, async ({ service, client }) => {
      await warm(client, service);
      let stalled = false;
      service.script = (request) => {
        if (stalled) return rightAnswer(request);
        stalled = true;
        return { fault: 'silent' };
      };
      await Promise.all(Array.from({ length: 20 }, () => KEYED.invoke(client)));
      expectUniqueNonces(service.requests);
      expect(service.refused).toEqual([]);
    }));

  it('an answer that comes slowly is not closed, nor too slow for those behind it', () =>
    scene({}, async ({ service, client }) => {
      await warm(client, service);
      service.script = (request) => ({ ...rightAnswer(request), trickle: { pieces: 12, every: 30 } });
      const slow = KEYED.invoke(client, { attemptTimeout: 5_000 }).withResponse();
      await eventually(() => service.requests.length > 0, 'the slow one in flight');
      service.script = rightAnswer;
      const hasty = GET.invoke(client, { attemptTimeout: 100, maxRetries: 0 }).withResponse();
      const answers = await Promise.all([slow, hasty]);
      expect(answers.map(({ response }) => response.attempts)).toEqual([1, 1]);
      expect(service.connections).toBe(1);
    }));
});

describe.concurrent('a write that may not be repeated goes alone', () => {
  it('no other request overlaps it on the wire', () =>
    scene({}, async ({ service, client }) => {
      await warm(client, service);
      service.script = (request) => ({ ...rightAnswer(request), delay: 8 });
      const calls = Array.from({ length: 60 }, (_, place) => {
        if (place % 15 === 7) return UNKEYED.invoke(client);
        return (place % 3 === 0 ? KEYED : GET).invoke(client);
      });
      await Promise.all(calls);
      expectAlone(service.requests, ({ path }) => path === '/v1/things');
      expect(service.requests).toHaveLength(60);
    }));

  it('so does a keyed write that is told not to be repeated', () =>
    scene({}, async ({ service, client }) => {
      await warm(client, service);
      service.script = (request) => ({ ...rightAnswer(request), delay: 5 });
      const calls = Array.from({ length: 30 }, (_, place) =>
        place % 10 === 5 ? KEYED.invoke(client, { maxRetries: 0 }) : GET.invoke(client),
      );
      await Promise.all(calls);
      expectAlone(service.requests, ({ key }) => key !== undefined);
    }));

  it('a neighbour that breaks the connection cannot touch it', () =>
    scene({}, async ({ service, client }) => {
      await warm(client, service);
      let broken = 0;
      service.script = (request) => {
        if (request.path === '/v1/things' || broken > 2 || request.index % 5 !== 2)
          return { ...rightAnswer(request), delay: 4 };
        broken += 1;
        return { fault: 'reset' };
      };
      const calls = Array.from({ length: 40 }, (_, place) =>
        (place % 8 === 4 ? UNKEYED : KEYED).invoke(client, { maxRetries: 6 }),
      );
      const ends = await settled(calls);
      expect(ends.filter((end) => end instanceof Error)).toEqual([]);
      expect(service.requests.filter(({ path }) => path === '/v1/things')).toHaveLength(5);
    }));

  it('an idle connection that the service closes does not lose it', () =>
    scene({}, async ({ service, client }) => {
      for (let round = 0; round < 3; round += 1) {
        service.script = (request) => {
          const answer = rightAnswer(request);
          return { ...answer, headers: { ...answer.headers, connection: 'close' } };
        };
        await GET.invoke(client);
        service.script = rightAnswer;
        await UNKEYED.invoke(client);
      }
      expect(service.requests).toHaveLength(6);
    }));
});

describe.concurrent("nonceOrder 'strict'", () => {
  it('never has two requests in flight', () =>
    scene({ client: { nonceOrder: 'strict' } }, async ({ service, client }) => {
      service.script = (request) => ({ ...rightAnswer(request), delay: 2 });
      const kinds = [GET, KEYED, DELETE, UNKEYED];
      await Promise.all(Array.from({ length: 60 }, (_, place) => (kinds[place % 4] ?? GET).invoke(client)));
      expect(service.requests.filter(({ open }) => open.length > 0)).toEqual([]);
      expect(service.refused).toEqual([]);
    }));

  it('of one client holds for all that share its lane', () =>
    scene({ client: { nonceOrder: 'strict' } }, async ({ service, client, connect }) => {
      const adaptive = connect();
      service.script = (request) => ({ ...rightAnswer(request), delay: 2 });
      await Promise.all(Array.from({ length: 40 }, (_, place) => GET.invoke(place % 2 ? client : adaptive)));
      expect(service.requests.filter(({ open }) => open.length > 0)).toEqual([]);
    }));

  it('ends when the strict client is closed', () =>
    scene({}, async ({ service, client, connect }) => {
      const strict = connect({ nonceOrder: 'strict' });
      await GET.invoke(strict);
      await strict.close();
      service.script = (request) => ({ ...rightAnswer(request), delay: 10 });
      await Promise.all(Array.from({ length: 60 }, () => GET.invoke(client)));
      expect(Math.max(...service.requests.map(({ open }) => open.length))).toBeGreaterThan(0);
      expect(service.refused).toEqual([]);
    }));

  it('goes on after a lost answer', () =>
    scene({ client: { nonceOrder: 'strict' } }, async ({ service, client }) => {
      service.answers({ fault: 'reset' }, status(503, { 'retry-after': '0' }), { fault: 'cut', body: '{"data":1}' });
      await Promise.all(Array.from({ length: 10 }, () => KEYED.invoke(client)));
      expectUniqueNonces(service.requests);
    }));
});
