import { randomBytes } from 'node:crypto';
import { PartnerClient, ProviderError, type RequestOptions } from 'partner-sdk';
import { redisKeyLeases } from 'partner-sdk/redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeRedis, RedisServer } from '../support/redis.js';
import { ACCOUNT, failure, saveBody, USER } from '../support/scene.js';
import { rightAnswer, Service } from '../support/service.js';
import { type FullSource, keyring, rejection } from './support/sources.js';

const LONG = 60_000;

describe('a client with shared API keys', () => {
  let server: RedisServer;
  let service: Service;
  let redis: Awaited<ReturnType<typeof nodeRedis>>;
  let take: (count: number) => string[];

  beforeAll(async () => {
    [server, service] = await Promise.all([RedisServer.start(), Service.start()]);
    redis = await nodeRedis(server);
    take = await keyring(redis, 20);
  });

  afterAll(async () => {
    redis.destroy();
    await Promise.all([server.stop(), service.close()]);
  });

  function credentials(count: number) {
    const all = take(count).map((apiKey) => ({ apiKey, apiSecret: randomBytes(64).toString('base64') }));
    for (const { apiKey, apiSecret } of all) service.secrets.set(apiKey, apiSecret);
    return all;
  }

  const options = { ttl: LONG, acquireTimeout: 15_000 };

  it('sends a write with an idempotencyKey of the caller’s with the API key that it belongs to, unless keys are the partner’s', async () => {
    const keys = credentials(2);
    const clientOf = (more = {}) => {
      const nonce = redisKeyLeases(redis, { ...options, ...more });
      return new PartnerClient({ baseUrl: service.url, credentials: keys, nonce });
    };
    await using one = clientOf();
    await using other = clientOf();
    await Promise.all([one.users.get(USER), other.users.get(USER)]);
    const sentWith = async (client: PartnerClient, idempotencyKey?: string) => {
      await client.funds.withdrawalAddresses.save(ACCOUNT, saveBody, { idempotencyKey });
      return service.requests.at(-1)?.apiKey;
    };
    for (const digit of '123456') {
      const own = `2f1d8f6e-6a57-4f4e-9d9e-0d3a4f4d1c1${digit}`;
      expect(await sentWith(one, own)).toBe(await sentWith(other, own));
    }
    await using knowing = clientOf({ keysArePartnerWide: true });
    await using third = clientOf({ keysArePartnerWide: true });
    await Promise.all([one.close(), other.close()]);
    const held = [await sentWith(knowing), await sentWith(third)];
    for (const digit of '123456') {
      const own = `2f1d8f6e-6a57-4f4e-9d9e-0d3a4f4d1c1${digit}`;
      expect([await sentWith(knowing, own), await sentWith(third, own)]).toEqual(held);
    }
  });

  describe('retries a write of unknown outcome with the API key of its first attempt, which leases give to single processes', () => {
    /** A service that remembers idempotency keys for each API key, and loses the response to each new one. */
    async function scene(run: (first: PartnerClient, other: PartnerClient, applied: Set<string>) => Promise<void>) {
      const keys = credentials(2);
      const applied = new Set<string>();
      service.script = (request) => {
        const id = `${request.apiKey} ${request.key}`;
        if (request.method === 'GET' || applied.has(id)) return rightAnswer(request);
        applied.add(id);
        return { fault: 'reset' };
      };
      const clientOf = (ttl: number) =>
        new PartnerClient({
          baseUrl: service.url,
          credentials: keys,
          nonce: redisKeyLeases(redis, { ttl, acquireTimeout: 1_500 }),
          maxRetries: 0,
        });
      await using first = clientOf(LONG);
      await using other = clientOf(LONG);
      try {
        await run(first, other, applied);
      } finally {
        service.script = rightAnswer;
      }
    }

    const save = (client: PartnerClient) => (more?: RequestOptions) =>
      client.funds.withdrawalAddresses.save(ACCOUNT, saveBody, more);

    it('by settle() in the process that holds it', () =>
      scene(async (first, other, applied) => {
        await Promise.all([first.users.get(USER), other.users.get(USER)]);
        for (const client of [first, other, first]) {
          const error = await failure(save(client)(), undefined, { outcome: 'unknown' });
          await client.settle(error, save(client));
        }
        expect(applied.size).toBe(3);
      }));

    it('elsewhere it waits for the API key, and ends still unknown while that is held', () =>
      scene(async (first, other, applied) => {
        await Promise.all([first.users.get(USER), other.users.get(USER)]);
        const { idempotencyKey = '' } = await failure(save(first)(), undefined, { outcome: 'unknown' });
        // The holder waits for an answer.
        service.script = () => ({ fault: 'silent' });
        const read = rejection(first.users.get(USER));
        await service.arrived(service.requests.length + 1);
        const error = await failure(save(other)({ idempotencyKey }), ProviderError);
        expect(error).toMatchObject({ outcome: 'unknown', idempotencyKey });
        expect((error.cause as Error).message).toMatch(/no API key was available for this call within 1500 ms/);
        expect(applied.size).toBe(1);
        await Promise.all([first.close(), read]);
      }));

    it('elsewhere it gets the API key from its holder, for this call alone', () =>
      scene(async (first, other, applied) => {
        await other.users.get(USER);
        const own = service.requests.at(-1)?.apiKey;
        await first.users.get(USER);
        const { idempotencyKey = '' } = await failure(save(first)(), undefined, { outcome: 'unknown' });
        const { response } = await save(other)({ idempotencyKey }).withResponse();
        expect(response.idempotencyKey).toBe(idempotencyKey);
        expect(applied.size).toBe(1);
        await other.users.get(USER);
        expect(service.requests.at(-1)?.apiKey).toBe(own);
      }));
  });

  it('gives its API key back when it is closed, and not before the last of those that share the source', async () => {
    const keys = credentials(1);
    const [{ apiKey } = { apiKey: '' }] = keys;
    const client = new PartnerClient({
      baseUrl: service.url,
      credentials: keys,
      nonce: redisKeyLeases(redis, options),
    });
    const derived = client.withOptions({ maxRetries: 0 });
    await Promise.all([client.users.get(USER), derived.users.get(USER)]);
    await client.close();
    const holders = async () =>
      [...(await server.records()).values()].filter((fields) => fields.get('holder') !== '').length;
    const before = await holders();
    await derived.users.get(USER);
    await derived.close();
    expect(await holders()).toBe(before - 1);
    const other = redisKeyLeases(redis, { ...options, acquireTimeout: 400 }) as FullSource;
    expect(await other.next(apiKey)).toBeTypeOf('bigint');
    await other.close([apiKey]);
  });

  it('fails with a ProviderError that says what to do when all API keys are held', async () => {
    const keys = credentials(1);
    const [{ apiKey } = { apiKey: '' }] = keys;
    const holder = redisKeyLeases(redis, options) as FullSource;
    holder.open([apiKey]);
    // It is not answered.
    await holder.next(apiKey);
    const nonce = redisKeyLeases(redis, { ...options, acquireTimeout: 300 });
    const client = new PartnerClient({ baseUrl: service.url, credentials: keys, nonce });
    const error = await rejection(client.users.get(USER));
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ outcome: 'not_applied' });
    expect(String(error.cause)).toMatch(/Give the clients more API keys/);
    await Promise.all([client.close(), holder.close([apiKey])]);
  });

  it('hands its API key on when its calls are answered, aborted, or too slow', async () => {
    const keys = credentials(1);
    const [{ apiKey } = { apiKey: '' }] = keys;
    const nonce = redisKeyLeases(redis, options);
    const client = new PartnerClient({
      baseUrl: service.url,
      credentials: keys,
      nonce,
      attemptTimeout: 300,
      maxRetries: 0,
    });
    // A turn waits 5 s for answers that do not come: that would be too late for this one.
    const other = redisKeyLeases(redis, { ...options, acquireTimeout: 4_500 }) as FullSource;
    const answers = service.script;
    await client.users.get(USER);
    expect(await other.next(apiKey)).toBeTypeOf('bigint');
    service.script = () => ({ fault: 'silent' });
    const controller = new AbortController();
    const aborted = rejection(client.users.get(USER, { signal: controller.signal }));
    const slow = rejection(client.users.get(USER));
    await service.arrived(service.requests.length + 1);
    controller.abort();
    await Promise.all([aborted, slow]);
    expect(await other.next(apiKey)).toBeTypeOf('bigint');
    service.script = answers;
    await Promise.all([client.close(), other.close([apiKey])]);
  });
});
