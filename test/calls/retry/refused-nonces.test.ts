import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { NotFoundError, PartnerClient, UnauthenticatedError } from '../../../src/index.js';
import {
  ACCOUNT,
  DELETE,
  expectSameCall,
  failure,
  GET,
  KEYED,
  KINDS,
  type Kind,
  SAFE,
  type Scene,
  scene,
  UNKEYED,
} from '../../support/scene.js';
import { type Answer, rightAnswer, Service, status } from '../../support/service.js';
import { gate, until } from '../../support/until.js';
import { expectPredicted } from '../support/retry-model.js';

const now = { 'retry-after': '0' };

describe.concurrent('a 401 that no later nonce explains, which a copy of the request may have got', () => {
  const denied = status(401);

  it.each(SAFE)('$name is sent once more with a new nonce, also when maxRetries is 0', (kind) =>
    expectPredicted('http', kind, [401], { maxRetries: 0 }),
  );

  it.each(KINDS)('on an API key that was never accepted, $name ends not_applied', (kind) =>
    scene({ answers: [denied, denied] }, async ({ service, client }) => {
      const count = kind === UNKEYED ? 1 : 2;
      await failure(kind.invoke(client), UnauthenticatedError, { outcome: 'not_applied', attempts: { count } });
      expect(service.requests).toHaveLength(count);
      expect(client.stats()).toMatchObject({ lanes: [{ races: 0 }], retryBudget: { available: 500 } });
    }),
  );

  it.each(KINDS)('on an API key that was accepted before, $name ends unknown unless it is a read', (kind) =>
    scene({}, async ({ service, client }) => {
      await GET.invoke(client);
      service.script = () => denied;
      const count = kind === UNKEYED ? 1 : 2;
      const outcome = kind.read ? 'not_applied' : 'unknown';
      const error = await failure(kind.invoke(client), UnauthenticatedError, { outcome, attempts: { count } });
      expect(service.requests).toHaveLength(1 + count);
      if (!kind.read) expect(error.message).toMatch(/may have sent the request twice/);
    }),
  );

  it('a DELETE that finds nothing any more is a NotFoundError, and unknown', () =>
    scene({}, async ({ service, client }) => {
      await GET.invoke(client);
      service.answers(denied, status(404));
      await failure(DELETE.invoke(client), NotFoundError, { outcome: 'unknown', attempts: { count: 2 } });
    }));

  it('so it is if the API key was never accepted before: the 404 shows that the 401 was not about it', () =>
    scene({ answers: [denied, status(404)] }, async ({ client }) => {
      await failure(DELETE.invoke(client), NotFoundError, { outcome: 'unknown', attempts: { count: 2 } });
    }));

  it.each([404, 409])('on a new API key that a later %i shows to be good, a write is unknown', (number) =>
    scene({ answers: [denied, status(number)] }, async ({ client }) => {
      await failure(KEYED.invoke(client), undefined, { response: { status: number }, outcome: 'unknown' });
    }),
  );

  it('a wrong one-time password ends not_applied after one more attempt', () =>
    scene({}, async ({ service, client }) => {
      await GET.invoke(client);
      service.script = () => denied;
      const body = { via: 'bitcoin', address: 'bc1qexample' };
      const call = client.accounts.wallets.whitelist(ACCOUNT, body, { otp: '000000' });
      await failure(call, UnauthenticatedError, { outcome: 'not_applied', attempts: { count: 2 } });
      expect(service.requests).toHaveLength(3);
    }));
});

describe.concurrent('a write without key travels alone in its lane, so no later nonce can overtake it', () => {
  /** A write without key, whose response is held, and reads behind it. */
  const held = async (client: PartnerClient, service: Service) => {
    await GET.invoke(client);
    const open = service.hold(({ path }) => path === '/v1/things');
    const write = UNKEYED.invoke(client);
    await service.arrived(2);
    const reads = Array.from({ length: 20 }, () => GET.invoke(client));
    return {
      beside: () => service.requests.length - 2,
      end: async () => {
        open();
        await Promise.all([write, ...reads]);
      },
    };
  };

  it.each(['adaptive', 'strict'] as const)('%s: nothing starts until its response is there', (nonceOrder) =>
    scene({ client: { nonceOrder } }, async ({ service, client }) => {
      const { beside, end } = await held(client, service);
      await sleep(50);
      expect(beside()).toBe(0);
      await end();
      expect(service.refused.filter(({ method }) => method === 'POST')).toEqual([]);
    }),
  );

  it('unordered: others start beside it, since the service takes late nonces', () =>
    scene({ client: { nonceOrder: 'unordered' }, service: { nonces: 'any' } }, async ({ service, client }) => {
      const { beside, end } = await held(client, service);
      await until(() => beside() === 20);
      await end();
    }));

  it('many of them among reads are each sent once, and none gets a 401', () =>
    scene({}, async ({ service, client }) => {
      await Promise.all(Array.from({ length: 60 }, (_, place) => (place % 3 ? GET : UNKEYED).invoke(client)));
      const writes = service.requests.filter(({ method }) => method === 'POST');
      expect(writes).toHaveLength(20);
      expect(writes.filter((request) => service.refused.includes(request))).toEqual([]);
    }));
});

/** Two services and two clients with one API key: a call at the second issues a later nonce while the first one's is open. */
async function race(
  kind: Kind,
  options: { maxRetries?: number },
  then: Answer[],
  check: (scene: Scene) => Promise<void>,
) {
  const other = await Service.start();
  await scene({}, async (main) => {
    const { apiKey, apiSecret } = main.service;
    other.secrets.set(apiKey, apiSecret);
    const later = new PartnerClient({ baseUrl: other.url, apiKey, apiSecret });
    const answers = [...then];
    main.service.script = async (request) => {
      if (request.index === 0) {
        await GET.invoke(later);
        return status(401);
      }
      return answers.shift() ?? rightAnswer(request);
    };
    try {
      await check({ ...main, client: main.connect(options) });
      expectSameCall(main.service.requests, kind);
    } finally {
      await later.close();
      await other.close();
    }
  });
}

describe.concurrent('401 while a later nonce of the same API key was already issued', () => {
  it('a write without key stops: it may be the 401 of a copy', () =>
    race(UNKEYED, {}, [], async ({ service, client }) => {
      await failure(UNKEYED.invoke(client), UnauthenticatedError, { attempts: { count: 1 } });
      expect(service.requests).toHaveLength(1);
    }));

  for (const kind of SAFE) {
    it(`${kind.name} is made again`, () =>
      race(kind, {}, [], async ({ service, client }) => {
        const { response } = await kind.invoke(client).withResponse();
        expect(response.attempts).toBe(2);
        expect(service.requests).toHaveLength(2);
      }));

    it(`${kind.name} is refused when nothing had overtaken its repeats`, () =>
      race(kind, {}, [status(401), status(401)], async ({ service, client }) => {
        const error = await failure(kind.invoke(client), UnauthenticatedError);
        expect(error).toMatchObject({
          outcome: 'not_applied',
          attempts: { count: 3, failures: [{ reason: 'race' }, { reason: 'status' }, { reason: 'status' }] },
        });
        expect(service.requests).toHaveLength(3);
      }));

    it(`${kind.name} is made again when maxRetries is 0, too`, () =>
      race(kind, { maxRetries: 0 }, [], async ({ service, client }) => {
        const { response } = await kind.invoke(client).withResponse();
        expect(response.attempts).toBe(2);
        expect(service.requests).toHaveLength(2);
        expect(client.stats()).toMatchObject({ retryBudget: { available: 500 } });
      }));
  }

  it('does not count against maxRetries', () =>
    race(KEYED, { maxRetries: 2 }, [status(503, now), status(503, now)], async ({ service, client }) => {
      const { response } = await KEYED.invoke(client).withResponse();
      expect(response.attempts).toBe(4);
      expect(service.requests).toHaveLength(4);
    }));

  it('is made again before those that wait, while others are in flight', () =>
    scene({ service: { nonces: 'any' } }, async ({ service, client }) => {
      const raced: number[] = [];
      const { opened, open: answerOthers } = gate();
      service.script = async (request) => {
        if (!request.path.endsWith('/raced')) {
          await opened;
          return rightAnswer(request);
        }
        raced.push(request.index);
        if (raced.length > 1) {
          answerOthers();
          return rightAnswer(request);
        }
        // Answered while later ones are on their way, whose answers come after its repeat.
        await service.arrived(request.index + 2);
        return status(401);
      };
      const write = client.request({ method: 'PUT', path: '/v1/raced', body: {}, idempotent: true });
      const reads = Array.from({ length: 150 }, () => GET.invoke(client));
      await Promise.all([write, ...reads]);
      const [first = -1, again = -1] = raced;
      expect(
        service.requests.some(({ open }) => open.includes(first)),
        'it shared the lane before',
      ).toBe(true);
      expect(service.requests[again]?.open, 'open when the repeat came').not.toEqual([]);
      // It does not wait for those that came after it.
      expect(again).toBeLessThan(140);
    }));
});
