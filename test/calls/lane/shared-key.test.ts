import { createClient } from 'redis';
import { describe, expect, it } from 'vitest';
import { ConfigurationError, type PartnerClient, UnauthenticatedError } from '../../../src/index.js';
import { redisKeyLeases } from '../../../src/redis/index.js';
import {
  ACCOUNT,
  type ClientOptions,
  DELETE,
  expectSameCall,
  failure,
  GET,
  KEYED,
  type PerCall,
  SAFE,
  scene,
  settled,
  UNKEYED,
  WAYS,
} from '../../support/scene.js';
import { refuse, rightAnswer, type Service, type WireRequest } from '../../support/service.js';

/** Which requests are refused is the script's business alone. */
const UNCHECKED = { nonces: 'any' } as const;
const SHARED = { keyIsShared: true } as const satisfies ClientOptions;
const IN_TURN = { ...SHARED, nonceOrder: 'strict' } as const satisfies ClientOptions;
const setup = { service: UNCHECKED, client: SHARED } as const;

/** The key is right, and another process comes first each time that it is told. */
const refusal = () => refuse(401, 'unauthenticated');

/** Refuses the requests at these places, and answers the rest. */
function refuseAt(service: Service, isRefused: (request: WireRequest) => boolean): void {
  service.script = (request) => (isRefused(request) ? refusal() : rightAnswer(request));
}

const whitelist = (client: PartnerClient, options?: PerCall) =>
  client.accounts.wallets.whitelist(ACCOUNT, { via: 'bitcoin', address: 'bc1qexample' }, options);

const counts = (errors: readonly unknown[]) =>
  errors.map((error) => (error instanceof UnauthenticatedError ? error.attempts.count : 'no 401'));

describe.each(WAYS)('a 401 with keyIsShared (%s)', (over) => {
  it.each(SAFE)('is retried with a new nonce, also with `maxRetries: 0`: $name', (kind) =>
    scene({ ...setup, over }, async ({ service, client }) => {
      refuseAt(service, ({ index }) => index === 0 || index === 2);
      // Before the first success of the process, and after it.
      for (const attempts of [2, 2]) {
        const { response } = await kind.invoke(client, { maxRetries: 0 }).withResponse();
        expect(response.attempts).toBe(attempts);
      }
      expectSameCall(service.requests.slice(0, 2), kind);
      const { retryBudget, lanes, retries } = client.stats();
      expect(retryBudget.available).toBe(500);
      expect([retries, lanes[0]?.races]).toEqual([2, 2]);
    }),
  );
});

describe('a 401 to a write without key, with keyIsShared', () => {
  it.each([false, true])('ends it: the 401 may be that of a copy (after a success: %s)', (isProven) =>
    scene(setup, async ({ service, client }) => {
      if (isProven) await GET.invoke(client);
      const before = service.requests.length;
      refuseAt(service, ({ index }) => index === before);
      await failure(UNKEYED.invoke(client), UnauthenticatedError, { outcome: 'unknown', attempts: { count: 1 } });
      expect(service.requests).toHaveLength(before + 1);
      await UNKEYED.invoke(client);
    }),
  );
});

describe.concurrent('before the first success of the process', () => {
  it('five probes are sent after a refusal, with growing waits, and never more', () =>
    scene(setup, async ({ service, client, connect }) => {
      refuseAt(service, () => true);
      const error = await failure(GET.invoke(client), UnauthenticatedError);
      expect(error).toMatchObject({ outcome: 'not_applied', attempts: { count: 6 } });
      const waits = service.requests.slice(1).map(({ at }, place) => at - (service.requests[place]?.at ?? 0));
      // Half of 50 ms, and 2.5 times as much each time, less the rounding of two clocks.
      for (const [place, wait] of waits.entries()) expect(wait).toBeGreaterThanOrEqual(25 * 2.5 ** place - 3);
      // They are used up: also for another client, and after the lane was closed.
      await failure(UNKEYED.invoke(client), UnauthenticatedError, { attempts: { count: 1 } });
      await client.close();
      await failure(GET.invoke(connect(SHARED)), UnauthenticatedError, { attempts: { count: 1 } });
      expect(service.requests).toHaveLength(8);
    }));

  it('one call is sent at a time, and those that wait get the 401 of the last probe', () =>
    scene({ ...setup, client: IN_TURN }, async ({ service, client }) => {
      refuseAt(service, () => true);
      const errors = await settled(Array.from({ length: 20 }, () => GET.invoke(client)));
      expect(service.requests).toHaveLength(6);
      expect(service.requests.flatMap(({ open }) => open)).toEqual([]);
      expect(errors.filter((error) => error instanceof UnauthenticatedError)).toHaveLength(20);
      expect(counts(errors)).toContain(0);
      expect(client.stats()).toMatchObject({ running: 0, lanes: [{ waiting: 0, inFlight: 0 }] });
    }));

  it('the requests in flight at the first refusal and five more are all that a wrong secret costs', () =>
    scene(setup, async ({ service, client }) => {
      service.script = async ({ index }) => {
        // All that may be in flight at once are.
        if (index < 20) await service.arrived(20);
        return refusal();
      };
      const errors = await settled(
        Array.from({ length: 50 }, (_, call) => SAFE[call % 4]?.invoke(client) ?? GET.invoke(client)),
      );
      expect(errors.every((error) => error instanceof UnauthenticatedError)).toBe(true);
      const inFlight = service.requests.findIndex(({ open: others }, index) => index > 0 && others.length === 0);
      expect(service.requests.length - inFlight).toBe(5);
    }));

  it('a probe that succeeds lets all that wait go on', () =>
    scene({ ...setup, client: IN_TURN }, async ({ service, client }) => {
      refuseAt(service, ({ index }) => index < 4);
      const values = await settled(Array.from({ length: 20 }, (_, call) => (call % 2 ? UNKEYED : GET).invoke(client)));
      expect(values.filter((value) => value instanceof Error)).toEqual([]);
      expect(service.requests).toHaveLength(24);
    }));

  it('a refused call ends with its 401 when its time is over while others are probed', () =>
    scene(setup, async ({ service, client }) => {
      const held = new Promise<void>((resolve) => setTimeout(resolve, 2_000).unref());
      service.script = async ({ index }) => {
        // The first two are in flight together; the probe is not answered for a while.
        if (index < 2) await service.arrived(2);
        else await held;
        return refusal();
      };
      const calls = [GET.invoke(client, { timeout: 1_000 }), UNKEYED.invoke(client, { timeout: 1_000 })];
      const [read, write] = await Promise.allSettled(calls);
      // The read is the probe, without an answer; the write has waited for it.
      expect(read).toMatchObject({ reason: { name: 'TimeoutError' } });
      expect(write).toMatchObject({
        reason: { name: 'UnauthenticatedError', outcome: 'unknown', attempts: { count: 1 } },
      });
      expect(service.requests).toHaveLength(3);
    }));
});

describe.concurrent('after a success of the process', () => {
  it.each([GET, KEYED, DELETE])('each call is sent again up to five times: $name', (kind) =>
    scene(setup, async ({ service, client }) => {
      await GET.invoke(client);
      refuseAt(service, () => true);
      await failure(kind.invoke(client, { maxRetries: 0 }), UnauthenticatedError, { attempts: { count: 6 } });
      expect(service.requests).toHaveLength(7);
      expect(client.stats().retryBudget.available).toBe(500);
    }),
  );

  it('a revoked key costs a few requests beside those in flight, however many calls wait', () =>
    scene({ ...setup, client: IN_TURN }, async ({ service, client }) => {
      await GET.invoke(client);
      refuseAt(service, () => true);
      const errors = await settled(Array.from({ length: 100 }, () => GET.invoke(client)));
      expect(errors.every((error) => error instanceof UnauthenticatedError)).toBe(true);
      expect(service.requests.length - 1).toBeLessThanOrEqual(12);
    }));

  it('races and the refusals of others are counted together', () =>
    scene(setup, async ({ service, client }) => {
      await GET.invoke(client);
      let sends = 0;
      service.script = async (request) => {
        if (request.key === undefined) return rightAnswer(request);
        // Every other time, a later request of this process is answered before the refusal.
        if (sends++ % 2 === 0) {
          const later = request.index + 2;
          await service.arrived(later);
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        return refusal();
      };
      let over = false;
      const refused = failure(KEYED.invoke(client, { maxRetries: 0 })).finally(() => {
        over = true;
      });
      while (!over) await GET.invoke(client);
      const error = await refused;
      expect(error).toBeInstanceOf(UnauthenticatedError);
      expect(sends).toBe(6);
      expect(error.attempts.failures.map(({ reason }) => reason)).toContain('race');
    }));

  it('the refusals of others do not widen the gap', () =>
    scene(setup, async ({ service, client }) => {
      await GET.invoke(client);
      const gap = client.stats().lanes[0]?.gap ?? 0;
      // All requests of a burst were overtaken by another process, and each by the next of its own.
      service.script = async (request) => {
        if (request.index > 20) return rightAnswer(request);
        await service.arrived(21);
        return refusal();
      };
      await Promise.all(Array.from({ length: 20 }, () => GET.invoke(client)));
      const lane = client.stats().lanes[0];
      expect(lane?.gap).toBeLessThanOrEqual(gap);
      expect(lane).toMatchObject({ refusedShare: 0, races: 20 });
    }));
});

describe.concurrent('a one-time password', () => {
  it('that is a text is never sent twice', () =>
    scene(setup, async ({ service, client }) => {
      await GET.invoke(client);
      refuseAt(service, () => true);
      await failure(whitelist(client, { otp: '271828' }), UnauthenticatedError, { attempts: { count: 1 } });
      expect(service.requests).toHaveLength(2);
    }));

  it.each([false, true])('of a function is asked for three times at most (after a success: %s)', (isProven) =>
    scene(setup, async ({ service, client }) => {
      if (isProven) await GET.invoke(client);
      refuseAt(service, () => true);
      let asked = 0;
      const otp = () => String(++asked);
      const call = client.accounts.wallets.whitelist(ACCOUNT, { via: 'bitcoin', address: 'bc1qexample' }, { otp });
      await failure(call, UnauthenticatedError, { attempts: { count: 3 } });
      expect(asked).toBe(3);
      expect(service.requests.slice(-3).map(({ headers }) => headers['api-otp'])).toEqual(['1', '2', '3']);
    }),
  );
});

describe.concurrent('clients of one process that share a key', () => {
  it('a call of one without keyIsShared is retried once, and speaks for no call of the other', () =>
    scene({ ...setup, client: IN_TURN }, async ({ service, client, connect }) => {
      const plain = connect();
      refuseAt(service, ({ index }) => index < 4);
      const ends = await settled([GET.invoke(plain), GET.invoke(plain), GET.invoke(client), UNKEYED.invoke(client)]);
      expect(counts(ends)).toEqual([2, 2, 'no 401', 'no 401']);
      expect(ends.filter((end) => end instanceof Error)).toHaveLength(2);
    }));

  it('a success of one counts for the other', () =>
    scene({ ...setup, client: {} }, async ({ service, client, connect }) => {
      await GET.invoke(client);
      await client.close();
      refuseAt(service, () => true);
      const sharing = connect(SHARED);
      for (let call = 0; call < 2; call++) {
        await failure(GET.invoke(sharing), UnauthenticatedError, { attempts: { count: 6 } });
      }
    }));
});

describe('keyIsShared with a nonce source', () => {
  const redis = createClient();
  it.each([
    ['of the application', () => ({ next: () => 1n })],
    ['redisKeyLeases', () => redisKeyLeases(redis)],
  ])('is a ConfigurationError that says why: %s', (_name, source) =>
    scene({}, async ({ client, connect }) => {
      const nonce = source();
      expect(() => connect({ keyIsShared: true, nonce })).toThrow(ConfigurationError);
      expect(() => connect({ keyIsShared: true, nonce })).toThrow(/keyIsShared.*leave out nonce or keyIsShared/);
      expect(() => client.withOptions({ nonce }).withOptions(SHARED)).toThrow(ConfigurationError);
    }),
  );
});
