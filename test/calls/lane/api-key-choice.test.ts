import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PartnerClient, RequestOptions } from '../../../src/index.js';
import type { Lane } from '../../../src/lane/lane.js';
import { chooseApiKey, isDrawnForHeldKey, type LaneAssignment } from '../../../src/lane/lanes.js';
import type { CoordinatedNonceSource } from '../../../src/signing/nonce.js';
import { ACCOUNT, failure, newKey, saveBody, scene } from '../../support/scene.js';
import { json, rightAnswer, type Service, status, type WireRequest } from '../../support/service.js';

/** The effects of a service that remembers idempotency keys apart for each API key, by the name of the address. */
class Ledger {
  readonly #known = new Set<string>();
  readonly effects = new Map<string, number>();

  /** True if the write is new to this API key, so that it has its effect. */
  apply({ apiKey, key, body }: WireRequest): boolean {
    const id = `${apiKey} ${key}`;
    if (this.#known.has(id)) return false;
    this.#known.add(id);
    const { key: name } = JSON.parse(body.toString()) as typeof saveBody;
    this.effects.set(name, (this.effects.get(name) ?? 0) + 1);
    return true;
  }
}

function credentialsOf(service: Service, count: number) {
  return Array.from({ length: count }, (_, place) => {
    const apiKey = `${service.apiKey}-${place}`;
    service.secrets.set(apiKey, service.apiSecret);
    return { apiKey, apiSecret: service.apiSecret };
  });
}

const save = (client: PartnerClient, name: number) => (options?: RequestOptions) =>
  client.funds.withdrawalAddresses.save(ACCOUNT, { ...saveBody, key: `address-${name}` }, options);

const once = (count: number) => Array.from({ length: count }, () => 1);
const WRITES = 40;

describe.concurrent('with several API keys, a write whose idempotency key the client has made is applied once', () => {
  /** Each write is applied, and its response is lost. */
  const losing = (service: Service) => {
    const ledger = new Ledger();
    service.script = (request) => (ledger.apply(request) ? { fault: 'reset' } : rightAnswer(request));
    return ledger;
  };

  it('by settle(), while other calls make the API keys unequally busy', () =>
    scene({}, async ({ service, connect }) => {
      const ledger = losing(service);
      const client = connect({ credentials: credentialsOf(service, 3), maxRetries: 0 });
      for (let name = 0; name < WRITES; name++) {
        const write = save(client, name);
        const error = await failure(write(), undefined, { outcome: 'unknown' });
        await client.settle(error, write);
      }
      expect([...ledger.effects.values()]).toEqual(once(WRITES));
    }));

  it('by the same idempotency key, in another client, with the API keys in another order and other options', () =>
    scene({}, async ({ service, connect }) => {
      const ledger = losing(service);
      const credentials = credentialsOf(service, 4);
      const first = connect({ credentials, maxRetries: 0 });
      const second = connect({ credentials: credentials.toReversed() });
      const others = [first.withOptions({ timeout: 20_000 }), second, second.withOptions({ maxRetries: 1 })];
      for (let name = 0; name < WRITES; name++) {
        const { idempotencyKey = '' } = await failure(save(first, name)(), undefined, { outcome: 'unknown' });
        for (const other of others) await save(other, name)({ idempotencyKey });
      }
      expect([...ledger.effects.values()]).toEqual(once(WRITES));
      expect(new Set(service.requests.map(({ apiKey }) => apiKey)).size).toBe(4);
    }));

  it('after a 429 to its first attempt', () =>
    scene({}, async ({ service, connect }) => {
      const ledger = losing(service);
      const { script } = service;
      const seen = new Set<string | undefined>();
      service.script = (request) => {
        if (seen.has(request.key)) return script(request);
        seen.add(request.key);
        return status(429, { 'retry-after': '0' });
      };
      const client = connect({ credentials: credentialsOf(service, 3) });
      await Promise.all(Array.from({ length: WRITES }, (_, name) => save(client, name)()));
      expect([...ledger.effects.values()]).toEqual(once(WRITES));
    }));

  it('by trade(), called again after its execution was lost', () =>
    scene({}, async ({ service, connect }) => {
      const executed = new Set<string>();
      const path = `/v1/accounts/${ACCOUNT}/swap/quotes`;
      const body = { from: { symbol: 'USD', type: 'fiat', amount: '10.50' }, to: { symbol: 'BTC', type: 'crypto' } };
      const quoteOf = (request: WireRequest, state: string) => {
        const { data } = JSON.parse(rightAnswer({ ...request, method: 'GET', path: `${path}/Q` }).body as string);
        return json(200, {
          data: {
            ...data,
            id: 'Q',
            status: state,
            from: { ...data.from, ...body.from },
            to: { ...data.to, ...body.to },
          },
        });
      };
      service.script = (request) => {
        if (!request.path.endsWith('/execute')) return quoteOf(request, executed.size > 0 ? 'executed' : 'offered');
        executed.add(`${request.apiKey} ${request.key}`);
        return { fault: 'reset' };
      };
      const credentials = credentialsOf(service, 3);
      for (let run = 0; run < 6; run++) {
        executed.clear();
        const trade = (client: PartnerClient) =>
          client.accounts.quotes.trade(ACCOUNT, body, { reference: `order-${run}`, accept: () => true });
        await trade(connect({ credentials, maxRetries: 0 }));
        await trade(connect({ credentials: credentials.toReversed() }));
        expect(executed.size).toBe(1);
      }
    }));
});

describe('the choice of API key and idempotency key', () => {
  const lane = { calls: 0 } as Lane;
  const apiKeys = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 8 });
  const listOf = (names: readonly string[]): LaneAssignment[] =>
    names.map((apiKey) => ({ lane, credentials: { apiKey, apiSecret: '' } }));
  const ownKeys = { next: () => 1n };
  const chosen = (names: readonly string[], nonces: CoordinatedNonceSource, callersKey?: string) => {
    const choice = chooseApiKey(listOf(names), nonces, true, callersKey);
    if ('then' in choice) throw new Error('the choice should not wait');
    return { apiKey: choice.assignment.credentials.apiKey, key: choice.idempotencyKey ?? '' };
  };

  it('is one that the process holds, and the one that every other process chooses for the key', () => {
    fc.assert(
      fc.property(apiKeys, fc.nat(), (names, place) => {
        const held = [names[place % names.length] as string];
        const leases = { ...ownKeys, usable: () => held };
        const made = chosen(names, leases);
        expect(held).toContain(made.apiKey);
        expect(isDrawnForHeldKey(made.key.toUpperCase())).toBe(true);
        const elsewhere = { ...leases, usable: () => names };
        expect(chosen(names.toReversed(), elsewhere, made.key).apiKey).toBe(made.apiKey);
        expect(chosen(names, ownKeys, made.key).apiKey).toBe(made.apiKey);
      }),
    );
  });

  it('takes few idempotency keys of others for its own', () => {
    const mistaken = Array.from({ length: 20_000 }, newKey).filter(isDrawnForHeldKey);
    expect(mistaken.length).toBeLessThan(10);
  });
});
