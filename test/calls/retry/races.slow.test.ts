import { describe, expect, it } from 'vitest';
import { fetchTransport, type PartnerClient, UnauthenticatedError } from '../../../src/index.js';
import { expectUniqueNonces, failure, GET, KEYED, KINDS, scene, settled, WAYS } from '../../support/scene.js';
import { refuse, rightAnswer, type WireRequest } from '../../support/service.js';
import { gate } from '../../support/until.js';

/** Which requests are refused is the script's business alone. */
const UNCHECKED = { nonces: 'any' } as const;

const refusal = () => refuse(401, 'unauthenticated');

/** Whether a request belongs to the calls that the load is made of. */
const isLoad = ({ path }: WireRequest): boolean => path.startsWith('/v1/load');

const load = (client: PartnerClient) => client.request({ method: 'GET', path: '/v1/load' });

describe.each(WAYS)('a refused call whose nonce was overtaken (%s)', (way) => {
  it('is repeated at once while another call takes its time', () =>
    scene({ over: way, service: UNCHECKED }, async ({ service, client }) => {
      const { opened, open } = gate();
      let overtaken: WireRequest | undefined;
      service.script = async (request) => {
        if (request.path === '/v1/slow') await opened;
        else if (overtaken === undefined && !isLoad(request)) {
          overtaken = request;
          await service.arrived(request.index + 2);
          return refusal();
        }
        return rightAnswer(request);
      };
      let over = false;
      const slow = client.request({ method: 'GET', path: '/v1/slow' }).then(() => {
        over = true;
      });
      await service.arrived(1);
      const raced = KEYED.invoke(client).withResponse();
      await load(client);
      expect((await raced).response.attempts).toBe(2);
      expect(over).toBe(false);
      open();
      await slow;
    }));

  it('is sent five times at most, the last time with nothing after it, and then it is refused', () =>
    scene({ over: way, service: UNCHECKED }, async ({ service, client }) => {
      const sends: WireRequest[] = [];
      /** Requests that arrived while the last send had no answer. */
      let behindLast = 0;
      service.script = async (request) => {
        if (isLoad(request)) return rightAnswer(request);
        sends.push(request);
        if (sends.length < 5) await service.arrived(request.index + 2);
        else {
          await new Promise((resolve) => setTimeout(resolve, 100));
          behindLast = service.requests.length - request.index - 1;
        }
        return refusal();
      };
      let over = false;
      const raced = failure(KEYED.invoke(client, { maxRetries: 0 })).finally(() => {
        over = true;
      });
      const ongoing = Array.from({ length: 4 }, async () => {
        while (!over) await load(client);
      });
      const error = await raced;
      await Promise.all(ongoing);
      expect(error).toBeInstanceOf(UnauthenticatedError);
      // The load shows that the service accepts the API key.
      expect(error).toMatchObject({ outcome: 'unknown', attempts: { count: 5 } });
      expect(error.attempts.failures.map(({ reason }) => reason)).toEqual(['race', 'race', 'race', 'race', 'status']);
      expect(sends).toHaveLength(5);
      expect(behindLast).toBe(0);
      expect(client.stats().retryBudget.available).toBe(500);
    }));
});

describe.each([...WAYS, 'fetch'] as const)('nonces (%s)', (way) => {
  it.each(['adaptive', 'strict', 'unordered'] as const)('are never sent twice, whatever breaks (%s)', (nonceOrder) => {
    const by = way === 'fetch' ? 'http' : way;
    const options = { nonceOrder, attemptTimeout: 1_000, ...(way === 'fetch' ? { transport: fetchTransport() } : {}) };
    return scene({ over: by, client: options }, async ({ service, client }) => {
      service.script = (request) => {
        const faults = [{ fault: 'reset' }, { fault: 'cut' }, { fault: 'silent' }, refuse(503, 'unavailable')] as const;
        return (request.index % 7 === 3 && faults[Math.floor(request.index / 7) % 4]) || rightAnswer(request);
      };
      const ends = await settled(
        Array.from({ length: 200 }, (_, place) => (KINDS[place % KINDS.length] ?? GET).invoke(client)),
      );
      expect(ends).toHaveLength(200);
      // Each of the faults has struck.
      expect(service.requests.length).toBeGreaterThan(28);
      expect(service.requests.some(({ key }) => key !== undefined)).toBe(true);
      expectUniqueNonces(service.requests);
    });
  });
});
