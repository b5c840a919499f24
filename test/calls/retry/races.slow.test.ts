import { describe, expect, it } from 'vitest';
import { ConfigurationError, fetchTransport, PartnerClient, UnauthenticatedError } from '../../../src/index.js';
import {
  expectSameCall,
  expectUniqueNonces,
  failure,
  GET,
  KEYED,
  KINDS,
  SAFE,
  scene,
  settled,
  WAYS,
} from '../../support/scene.js';
import { refuse, rightAnswer, type Service, type WireRequest } from '../../support/service.js';
import { gate } from '../../support/until.js';

/** Which requests are refused is the script's business alone. */
const UNCHECKED = { nonces: 'any' } as const;

const refusal = () => refuse(401, 'unauthenticated');

/** Whether a request belongs to the calls that the load is made of. */
const isLoad = ({ path }: WireRequest): boolean => path.startsWith('/v1/load');

const load = (client: PartnerClient) => client.request({ method: 'GET', path: '/v1/load' });

/** Refuses the first request that is none of the load, once a later one has arrived: it was overtaken. */
function overtakeOnce(service: Service): void {
  let overtaken: WireRequest | undefined;
  service.script = async (request) => {
    if (overtaken !== undefined || isLoad(request)) return rightAnswer(request);
    overtaken = request;
    await service.arrived(request.index + 2);
    return refusal();
  };
}

describe.each(WAYS)('a refused call whose nonce was overtaken (%s)', (way) => {
  it.each(SAFE)('is repeated with `maxRetries: 0`, and takes nothing from the retry budget: $name', (kind) =>
    scene({ over: way, service: UNCHECKED }, async ({ service, client }) => {
      overtakeOnce(service);
      const raced = kind.invoke(client, { maxRetries: 0 }).withResponse();
      await load(client);
      expect((await raced).response.attempts).toBe(2);
      const requests = service.requests.filter((request) => !isLoad(request));
      expect(requests).toHaveLength(2);
      expectSameCall(requests, kind);
      const { retryBudget, lanes } = client.stats();
      expect(retryBudget).toEqual({ available: 500, capacity: 500 });
      expect(lanes[0]?.races).toBe(1);
    }),
  );

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

  it('goes before those that wait', () =>
    scene({ over: way, service: UNCHECKED }, async ({ service, client }) => {
      const { opened, open } = gate();
      service.script = async (request) => {
        if (request.index > 0) await opened;
        else await service.arrived(64);
        return request.index === 0 ? refusal() : rightAnswer(request);
      };
      const raced = KEYED.invoke(client);
      await service.arrived(1);
      const others = Array.from({ length: 100 }, () => load(client));
      // All that may be in flight are, and the rest waits. The one that left makes room for the first that waits.
      await service.arrived(65);
      open();
      await Promise.all([raced, ...others]);
      expect(service.requests.map(isLoad).indexOf(false, 1)).toBeLessThanOrEqual(65);
      expect(service.requests.length).toBeGreaterThan(100);
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

it.each(WAYS)('a call that is refused with nothing after it is sent once more, and then it is refused (%s)', (way) =>
  scene({ over: way, answers: [refusal(), refusal()] }, async ({ service, client }) => {
    const error = await failure(KEYED.invoke(client), UnauthenticatedError);
    expect(error).toMatchObject({ outcome: 'not_applied', attempts: { count: 2 } });
    expect(error.attempts.failures.map(({ reason }) => reason)).toEqual(['status', 'status']);
    expect(service.requests).toHaveLength(2);
  }),
);

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

/** The most requests that were open at once. */
const mostOpen = (requests: readonly WireRequest[]): number => Math.max(...requests.map(({ open }) => open.length + 1));

describe.each(WAYS)('one request in flight (%s)', (way) => {
  const calls = (client: PartnerClient) =>
    Promise.all(Array.from({ length: 60 }, (_, place) => (KINDS[place % KINDS.length] ?? GET).invoke(client)));

  it.each([
    ['nonceRefusals: 0', { nonceRefusals: 0 }, 1],
    ["nonceOrder: 'strict'", { nonceOrder: 'strict' }, 1],
    ["nonceOrder: 'strict' with nonceRefusals", { nonceOrder: 'strict', nonceRefusals: 0.5 }, 1],
  ] as const)('%s', (_what, options, most) =>
    scene({ over: way, client: options }, async ({ service, client }) => {
      service.script = (request) => ({ ...rightAnswer(request), delay: 3 });
      await calls(client);
      expect(mostOpen(service.requests)).toBe(most);
    }),
  );

  it('is what all clients of a lane get while one of them wants it, and no longer', () =>
    scene({ over: way }, async ({ service, client, connect }) => {
      service.script = (request) => ({ ...rightAnswer(request), delay: 20 });
      const careful = connect({ nonceRefusals: 0 });
      const bold = connect({ nonceRefusals: 1 });
      await Promise.all([calls(client), calls(bold)]);
      expect(mostOpen(service.requests)).toBe(1);
      await careful.close();
      service.requests.splice(0);
      await Promise.all([calls(client), calls(bold)]);
      expect(mostOpen(service.requests)).toBeGreaterThan(1);
    }));
});

it.each([-0.01, 1.01, Number.NaN, Number.POSITIVE_INFINITY, '0.01', null, true, {}])(
  'nonceRefusals: %o is a ConfigurationError',
  (nonceRefusals) => {
    const make = () =>
      new PartnerClient({ apiKey: 'key', apiSecret: 'c2VjcmV0', nonceRefusals: nonceRefusals as number });
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(/nonceRefusals/);
  },
);

it.each([0, 0.01, 1, undefined])('nonceRefusals: %o is allowed', async (nonceRefusals) => {
  const baseUrl = 'http://localhost';
  await new PartnerClient({ baseUrl, apiKey: 'key', apiSecret: 'c2VjcmV0', nonceRefusals }).close();
});
