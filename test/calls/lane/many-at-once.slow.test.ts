import { describe, expect, it } from 'vitest';
import { ResponseValidationError } from '../../../src/index.js';
import { expectUniqueNonces, GET, KEYED, scene, UNKEYED, WAYS } from '../../support/scene.js';
import { json, rightAnswer, type Service } from '../../support/service.js';

const THINGS = '/v1/things';

/** The requests that the service took: their nonces were above all that it had seen. */
const taken = (service: Service) => service.requests.filter((request) => !service.refused.includes(request));

describe.concurrent.each(WAYS)('a connection that breaks under keyed writes (%s)', (over) => {
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
});
