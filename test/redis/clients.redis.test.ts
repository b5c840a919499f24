import { Cluster, Redis } from 'ioredis';
import { ConfigurationError } from 'partner-sdk';
import { type RedisClient, redisKeyLeases } from 'partner-sdk/redis';
import { createClient, createClientPool, createCluster, RESP_TYPES } from 'redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeRedis, RedisServer } from '../support/redis.js';
import { apiKeys, type FullSource } from './support/sources.js';

/** What is to be done with any client: get API keys, use them, give them back; and so another process. */
async function useAll(client: RedisClient): Promise<void> {
  const keys = apiKeys(5);
  const leases = redisKeyLeases(client, { ttl: 1_500, keysPerProcess: 5 }) as FullSource;
  const [key = ''] = await leases.usable(keys);
  expect(typeof leases.next(key)).toBe('bigint');
  const last = await leases.next(key);
  await leases.close(keys);
  const others = redisKeyLeases(client, { ttl: 1_500 }) as FullSource;
  const nonce = await others.next(key);
  expect(nonce > last).toBe(true);
  expect(await others.overtaken(key, last)).toBe(true);
  expect(await others.overtaken(key, nonce)).toBe(false);
  await others.close(keys);
}

describe('any client of both packages fits:', () => {
  let server: RedisServer;
  let cluster: RedisServer;

  beforeAll(async () => {
    [server, cluster] = await Promise.all([RedisServer.start(), RedisServer.start({ cluster: true })]);
  });

  afterAll(() => Promise.all([server.stop(), cluster.stop()]));

  it.each<[string, () => Promise<{ client: RedisClient; close: () => unknown }>]>([
    ['createClient', async () => closing(await nodeRedis(server))],
    [
      'createClientPool',
      async () => {
        const pool = createClientPool({ url: server.url });
        await pool.connect();
        return closing(pool);
      },
    ],
    ['createCluster', async () => closing(await createCluster({ rootNodes: [{ url: cluster.url }] }).connect())],
    ['ioredis', async () => disconnecting(new Redis(server.url))],
    ['a cluster of ioredis', async () => disconnecting(new Cluster([{ host: '127.0.0.1', port: cluster.port }]))],
  ])('%s', async (_, connect) => {
    const { client, close } = await connect();
    await useAll(client);
    close();
  });

  const closing = <C extends RedisClient & { destroy(): unknown }>(client: C) => ({
    client,
    close: () => client.destroy(),
  });
  const disconnecting = (client: Redis | Cluster) => ({ client, close: () => client.disconnect() });

  it('createClient that answers with RESP 2, and with bytes in place of text', async () => {
    const client = await createClient({ url: server.url, RESP: 2 }).connect();
    await useAll(client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer }));
    client.destroy();
  });

  it('ioredis with a prefix and numbers as text', async () => {
    const client = new Redis(server.url, { keyPrefix: 'app:', stringNumbers: true });
    await useAll(client);
    client.disconnect();
    expect([...(await server.records()).keys()].some((name) => name.startsWith('app:partner-sdk:{'))).toBe(true);
  });
});

describe('a wrong use is a ConfigurationError:', () => {
  const client = { eval: async () => [] } as RedisClient;

  it.each([
    ['no client', undefined],
    ['an address', 'redis://localhost'],
    ['an object that cannot run scripts', { get() {} }],
    ['the options', { ttl: 1_000 }],
  ])('%s', (_, wrong) => {
    const make = () => redisKeyLeases(wrong as unknown as RedisClient);
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(/client of the package 'redis' or 'ioredis'/);
  });

  it.each([
    [{ ttl: 499 }, /^redisKeyLeases: ttl must be whole milliseconds from 500/],
    [{ ttl: '10s' }, /^redisKeyLeases: ttl must/],
    [{ ttl: 2 ** 31 }, /^redisKeyLeases: ttl must/],
    [{ prefix: '' }, /^redisKeyLeases: prefix must be a non-empty string/],
    [{ acquireTimeout: 0 }, /^redisKeyLeases: acquireTimeout must be milliseconds, from 1 to/],
    [{ acquireTimeout: Number.NaN }, /^redisKeyLeases: acquireTimeout must be milliseconds, from 1 to/],
    [{ commandTimeout: 500 }, /^redisKeyLeases: commandTimeout is not an option/],
    [{ tll: 1_000 }, /^redisKeyLeases: tll is not an option: did you mean ttl\? Known are/],
    [{ keysPerProcess: 0 }, /^redisKeyLeases: keysPerProcess must be a whole number of 1 or more/],
    [{ keysPerProcess: 1.5 }, /^redisKeyLeases: keysPerProcess must/],
    [{ keysArePartnerWide: 'yes' }, /^redisKeyLeases: keysArePartnerWide must be true or false/],
    [{ turn: 0 }, /^redisKeyLeases: turn must be milliseconds, from 1 to/],
    [{ ttl: 3_000, turn: 1_001 }, /^redisKeyLeases: turn must be at most a third of ttl/],
  ])('%o', (options, message) => {
    expect(() => redisKeyLeases(client, options as object)).toThrow(message);
  });
});
