import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type PartnerClient, type PartnerError, UnauthenticatedError } from '../../../src/index.js';
import { DELETE, failure, GET, KEYED, type Kind, scene, UNKEYED, WAYS } from '../../support/scene.js';
import { type Answer, refuse, rightAnswer, type Service, type WireRequest } from '../../support/service.js';
import { gate } from '../../support/until.js';

/** Requests that the service may see of a revoked key, besides those that are in flight when it is first refused. */
const FURTHER = 5;

/** The most that are in flight at once. */
const WINDOW = 64;

const refusal = () => refuse(401, 'unauthenticated');

const KINDS: readonly Kind[] = [GET, KEYED, UNKEYED, DELETE];

const many = (client: PartnerClient, count: number, kinds = KINDS) =>
  Array.from({ length: count }, (_, place) => (kinds[place % kinds.length] ?? GET).invoke(client));

/** How long nothing must happen until all that is in flight has arrived, in ms. */
const QUIET_MS = 60;

/**
 * Answers everything that has arrived at once, again and again, as soon as nothing more arrives: how often it had to
 * tells how many answer times the calls took, however busy the machine is.
 */
class Rounds {
  count = 0;
  readonly #service: Service;
  #waiting: (() => void)[] = [];

  constructor(service: Service, answer: (request: WireRequest) => Answer) {
    this.#service = service;
    service.script = async (request) => {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
      return answer(request);
    };
  }

  async until<T>(calls: Promise<T>): Promise<T> {
    let over = false;
    const ended = calls.finally(() => {
      over = true;
    });
    while (!over) {
      await this.#quiet();
      if (this.#waiting.length === 0) continue;
      this.count++;
      for (const answer of this.#waiting.splice(0)) answer();
    }
    return ended;
  }

  async #quiet(): Promise<void> {
    for (let known = -1; known !== this.#service.requests.length; ) {
      known = this.#service.requests.length;
      await sleep(QUIET_MS);
    }
  }
}

function expectAllRefused(
  errors: readonly PartnerError[],
  outcomeOf: (error: PartnerError) => string = neverAccepted,
): void {
  for (const error of errors) {
    expect(error).toBeInstanceOf(UnauthenticatedError);
    expect(error).toMatchObject({ response: { status: 401 }, code: 'unauthenticated', outcome: outcomeOf(error) });
  }
}

const neverAccepted = (): string => 'not_applied';

/** On an API key that the service has accepted before, the 401 to a write that was sent proves nothing. */
const onceAccepted = ({ operation, attempts }: PartnerError): string =>
  operation === GET.operation || attempts.count === 0 ? 'not_applied' : 'unknown';

describe.each(WAYS)('a revoked key (%s)', (way) => {
  it('costs those in flight and five requests more, and 1,000 calls end within four answer times', () =>
    scene({ over: way }, async ({ service, client }) => {
      const rounds = new Rounds(service, refusal);
      expectAllRefused(await rounds.until(Promise.all(many(client, 1_000).map((call) => failure(call)))));
      expect(service.requests.length).toBeLessThanOrEqual(WINDOW + FURTHER);
      expect(rounds.count).toBeLessThanOrEqual(4);
      expect(client.stats().retryBudget.available).toBe(500);
    }));

  it('in the middle of a load fails what is not yet answered, and nothing else', () =>
    scene({ over: way }, async ({ service, client }) => {
      let atRevocation = 0;
      service.script = (request) => {
        if (request.index < 100) return { ...rightAnswer(request), delay: 5 };
        if (atRevocation === 0) atRevocation = service.requests.length;
        return { ...refusal(), delay: 20 };
      };
      const ends = await Promise.allSettled(many(client, 600));
      const errors = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as PartnerError] : []));
      expectAllRefused(errors, onceAccepted);
      const accepted = service.requests.filter(({ status }) => status !== 401);
      expect(accepted.length).toBeGreaterThan(0);
      expect(errors).toHaveLength(600 - accepted.length);
      expect(service.requests.length - atRevocation).toBeLessThanOrEqual(WINDOW + FURTHER);
    }));

  it('works at once when it is accepted again', () =>
    scene({ over: way }, async ({ service, client }) => {
      service.script = refusal;
      expectAllRefused(await Promise.all(many(client, 200).map((call) => failure(call))));
      service.script = (request) => ({ ...rightAnswer(request), delay: 20 });
      expect((await KEYED.invoke(client).withResponse()).response.attempts).toBe(1);
      service.requests.splice(0);
      await Promise.all(many(client, 200));
      expect(service.requests.length - service.refused.length).toBe(200);
      expect(Math.max(...service.requests.map(({ open }) => open.length))).toBeGreaterThan(0);
    }));

  it('is not what a valid key looks like whose first request arrives last', () =>
    scene({ over: way, service: { nonces: 'any' } }, async ({ service, client }) => {
      // Of all that start together only the one with the highest nonce is accepted, and its answer comes last.
      const { opened, open } = gate();
      let refused = 0;
      service.script = async (request) => {
        if (request.index >= 30) return rightAnswer(request);
        await service.arrived(30);
        if (request.index === 29) {
          await opened;
          return rightAnswer(request);
        }
        if (++refused === 29) setTimeout(open, 100);
        return refusal();
      };
      // A write without key would travel alone.
      await Promise.all(many(client, 30, [GET, KEYED, DELETE]));
      expect(service.requests).toHaveLength(30 + 29);
      expect(client.stats()).toMatchObject({ failed: 0, succeeded: 30 });
    }));
});

describe.each(WAYS)('a wrong one-time password (%s)', (way) => {
  const whitelist = (client: PartnerClient, otp: string) =>
    client.accounts.wallets.whitelist('ACCOUNT-0000-0001', { via: 'bitcoin', address: 'bc1' }, { otp });

  it.each([1, 12])('fails its own calls (%d of them) and none of those that wait behind them', (wrong) =>
    scene({ over: way, client: { nonceOrder: 'strict' } }, async ({ service, client }) => {
      const { opened, open } = gate();
      service.script = async (request) => {
        await opened;
        return request.headers['api-otp'] === '000000' ? refusal() : rightAnswer(request);
      };
      const refused = Array.from({ length: wrong }, () => failure(whitelist(client, '000000')));
      await service.arrived(1);
      const others = many(client, 40);
      open();
      await Promise.all(others);
      expectAllRefused(await Promise.all(refused));
      expect(service.requests.filter(({ headers }) => headers['api-otp'] === undefined)).toHaveLength(40);
    }),
  );

  it('fails none that come while it is asked alone', () =>
    scene({ over: way, client: { nonceOrder: 'strict' } }, async ({ service, client }) => {
      const { opened, open } = gate();
      let wrong = 0;
      service.script = async (request) => {
        if (request.headers['api-otp'] !== '000000') return rightAnswer(request);
        // Five were refused before it, and nothing was accepted: this one is asked alone.
        if (++wrong === 6) await opened;
        return refusal();
      };
      const refused = Array.from({ length: 12 }, () => failure(whitelist(client, '000000')));
      await service.arrived(6);
      const others = many(client, 40);
      open();
      await Promise.all(others);
      expectAllRefused(await Promise.all(refused));
    }));
});

it.each(WAYS)('one of two keys that is revoked fails its own calls, and none of the other’s (%s)', (way) =>
  scene({ over: way }, async ({ service, connect }) => {
    const { apiSecret } = service;
    service.secrets.set('good', apiSecret).set('bad', apiSecret);
    service.script = (request) => (request.apiKey === 'bad' ? refusal() : rightAnswer(request));
    const client = connect({ credentials: ['good', 'bad'].map((apiKey) => ({ apiKey, apiSecret })) });
    const ends = await Promise.allSettled(many(client, 100));
    const errors = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as PartnerError] : []));
    expectAllRefused(errors);
    const accepted = service.requests.filter(({ status }) => status !== 401);
    expect(errors).toHaveLength(100 - accepted.length);
    expect(accepted.length).toBeGreaterThan(0);
  }),
);

it('a key that is refused says nothing against HTTP/2', () =>
  scene({ over: 'http2' }, async ({ service, client }) => {
    service.script = refusal;
    expectAllRefused(await Promise.all(many(client, 300).map((call) => failure(call))));
    service.script = rightAnswer;
    await Promise.all(many(client, 50));
    expect(client.stats().lanes[0]?.way).toBe('http2');
    expect(service.connections).toBe(1);
  }));
