import { describe, expect, it, vi } from 'vitest';
import { fetchTransport, type PartnerClient } from '../../../src/index.js';
import { seeded } from '../../support/random.js';
import {
  ACCOUNT,
  expectUniqueNonces,
  GET,
  KEYED,
  newKey,
  saveBody,
  scene,
  UNKEYED,
  WAYS,
} from '../../support/scene.js';
import { rightAnswer, type Service } from '../../support/service.js';

/** Answers after 1 to 15 milliseconds. */
function slowly(service: Service, seed: number): void {
  const random = seeded(seed);
  service.script = (request) => ({ ...rightAnswer(request), delay: 1 + random() * 14 });
}

/** Each call was taken once: what was refused, since a later nonce had overtaken it, was made again. */
function expectTaken(service: Service, calls: number): void {
  expect(service.requests.length - service.refused.length).toBe(calls);
  expectUniqueNonces(service.requests);
}

/** 300 reads and keyed writes at once; each answer is the answer of its own call. */
async function threeHundred(client: PartnerClient): Promise<void> {
  const calls = Array.from({ length: 300 }, async (_, place) => {
    if (place % 2 === 0) {
      const id = `USER-0000-0000-${String(place).padStart(4, '0')}`;
      expect((await client.users.get(id)).id).toBe(id);
      return;
    }
    const key = `address ${place}`;
    expect((await client.funds.withdrawalAddresses.save(ACCOUNT, { ...saveBody, key })).key).toBe(key);
  });
  await Promise.all(calls);
}

describe.each(WAYS)('300 parallel reads and keyed writes to a service that refuses late nonces (%s)', (over) => {
  it('all succeed, with default options; none is refused over HTTP/2', () =>
    scene({ over }, async ({ service, client }) => {
      slowly(service, 7);
      await threeHundred(client);
      expectTaken(service, 300);
      if (over === 'http2') expect(service.refused).toEqual([]);
    }));

  it('all succeed with two clients that share the key', () =>
    scene({ over }, async ({ service, client, connect }) => {
      slowly(service, 9);
      const other = connect();
      await Promise.all([threeHundred(client), threeHundred(other)]);
      expectTaken(service, 600);
      // One lane: neither has connections of its own. (On a slow machine some were idle, and are closed.)
      expect(client.stats().lanes).toEqual(other.stats().lanes);
      await expect.poll(() => service.openConnections - (client.stats().lanes[0]?.connections ?? 0)).toBe(0);
      if (over === 'http2') expect(service.connections).toBe(1);
    }));
});

it('300 parallel calls all succeed with the fetch transport', () =>
  scene({}, async ({ service, connect }) => {
    slowly(service, 11);
    await threeHundred(connect({ transport: fetchTransport() }));
    // It has no say in connections: some are refused, and made again.
    expectTaken(service, 300);
  }));

describe('the nonce counter', () => {
  it('rises when the clock steps back', () =>
    scene({}, async ({ service, client }) => {
      await GET.invoke(client);
      const real = Date.now;
      const clock = vi.spyOn(Date, 'now');
      try {
        for (const step of [-3_600_000, -86_400_000, 0, -1]) {
          clock.mockImplementation(() => real() + step);
          await GET.invoke(client);
          await KEYED.invoke(client);
        }
      } finally {
        clock.mockRestore();
      }
      const nonces = service.requests.map(({ nonce }) => nonce);
      expect(nonces).toHaveLength(9);
      for (const [place, nonce] of nonces.entries()) {
        if (place > 0) expect(nonce).toBeGreaterThan(nonces[place - 1] ?? nonce);
      }
      expect(service.refused).toEqual([]);
    }));

  it('rises when the clock stands still', () =>
    scene({}, async ({ service, client }) => {
      const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now());
      try {
        await Promise.all(Array.from({ length: 40 }, () => GET.invoke(client)));
      } finally {
        clock.mockRestore();
      }
      expectTaken(service, 40);
    }));

  it('is shared by clients with the same API key, whatever their transport', () =>
    scene({}, async ({ service, client, connect }) => {
      const other = connect({ transport: fetchTransport() });
      for (let round = 0; round < 10; round += 1) {
        await GET.invoke(client);
        await KEYED.invoke(other);
      }
      expect(service.refused).toEqual([]);
    }));

  it('is shared by two copies of the module', () =>
    scene({}, async ({ service, client }) => {
      vi.resetModules();
      const copy = await import('../../../src/index.js');
      const { url: baseUrl, apiKey, apiSecret } = service;
      const other = new copy.PartnerClient({ baseUrl, apiKey, apiSecret });
      expect(other.constructor).not.toBe(client.constructor);
      const frozen = vi.spyOn(Date, 'now').mockReturnValue(Date.now());
      try {
        for (let round = 0; round < 5; round += 1) {
          await GET.invoke(client);
          await GET.invoke(other);
        }
      } finally {
        frozen.mockRestore();
        await other.close();
      }
      expect(service.refused).toEqual([]);
      expectUniqueNonces(service.requests);
    }));
});

describe.concurrent('a nonce source of the caller', () => {
  it('that is slow and asynchronous is asked once per attempt, in order', () => {
    let last = 5n;
    let asked = 0;
    const nonce = {
      next: async () => {
        asked += 1;
        last += 1n;
        const drawn = last;
        // The earlier of two may take longer: the lane has to wait for it.
        await new Promise((resolve) => setTimeout(resolve, asked % 3 === 0 ? 12 : 2));
        return drawn;
      },
    };
    return scene({ over: 'http2', client: { nonce } }, async ({ service, client }) => {
      await Promise.all(Array.from({ length: 30 }, (_, place) => (place % 5 === 4 ? UNKEYED : KEYED).invoke(client)));
      expect(service.refused).toEqual([]);
      expect(asked).toBe(30);
      const nonces = service.requests.map(({ nonce: text }) => text);
      expect([...nonces].sort((a, b) => (a < b ? -1 : 1))).toEqual(nonces);
    });
  });

  it('gets the API key, and numbers up to 2^64 - 1 go out as they are', () => {
    const keys: string[] = [];
    const numbers = [1n, 2n ** 53n + 1n, 2n ** 64n - 1n];
    const nonce = {
      next: (apiKey: string) => {
        keys.push(apiKey);
        return numbers[keys.length - 1] ?? 0n;
      },
    };
    return scene({ client: { nonce } }, async ({ service, client }) => {
      for (let round = 0; round < 3; round += 1) await GET.invoke(client);
      expect(service.requests.map(({ headers }) => headers['api-nonce'])).toEqual(numbers.map(String));
      expect(service.requests.every(({ signed }) => signed === true)).toBe(true);
      expect(new Set(keys)).toEqual(new Set([service.apiKey]));
    });
  });
});

describe.concurrent('several API keys', () => {
  const withKeys = (service: Service, count: number) =>
    Array.from({ length: count }, (_, place) => {
      const apiKey = `${service.apiKey}-${place}`;
      service.secrets.set(apiKey, service.apiSecret);
      return { apiKey, apiSecret: service.apiSecret };
    });

  it('share the work', () =>
    scene({}, async ({ service, connect }) => {
      const client = connect({ credentials: withKeys(service, 3) });
      service.script = (request) => ({ ...rightAnswer(request), delay: 5 });
      await Promise.all(Array.from({ length: 30 }, () => GET.invoke(client)));
      expect(new Set(service.requests.map(({ apiKey }) => apiKey)).size).toBe(3);
      expect(service.requests.length - service.refused.length).toBe(30);
    }));

  it('a given idempotency key picks the same one in whatever order they are given, and few move when one is added', () =>
    scene({}, async ({ service, connect }) => {
      const credentials = withKeys(service, 5);
      const lists = [credentials.slice(0, 4), credentials.slice(0, 4).reverse(), credentials];
      const clients = lists.map((list) => connect({ credentials: list }));
      const keys = Array.from({ length: 200 }, newKey);
      for (const client of clients)
        await Promise.all(keys.map((idempotencyKey) => KEYED.invoke(client, { idempotencyKey })));
      const picked = keys.map((key) =>
        service.requests.filter((request) => request.key === key).map(({ apiKey }) => apiKey),
      );
      expect(picked.every(([first, second]) => first === second)).toBe(true);
      const moved = picked.filter(([first, , third]) => first !== third);
      expect(moved.every(([, , third]) => third === credentials[4]?.apiKey)).toBe(true);
      expect(moved.length).toBeGreaterThan(15);
      expect(moved.length).toBeLessThan(80);
      for (const { apiKey } of credentials.slice(0, 4)) {
        expect(picked.filter(([first]) => first === apiKey).length).toBeGreaterThan(25);
      }
    }));
});
