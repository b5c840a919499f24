import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RedisClient, type RedisKeyLeasesOptions, redisKeyLeases } from 'partner-sdk/redis';
import { afterAll, beforeAll } from 'vitest';
import type { CoordinatedNonceSource } from '../../../src/signing/nonce.js';
import { ioredis, nodeRedis, RedisServer } from '../../support/redis.js';

/** A source with all members that a client uses. */
export type FullSource = Required<CoordinatedNonceSource>;

/** Both client libraries, by name: each with what connects to a server, and ends the connection. */
export const LIBRARIES = [
  { library: 'redis', connect: nodeRedis, disconnect: (client: Client) => 'destroy' in client && client.destroy() },
  {
    library: 'ioredis',
    connect: async (server: RedisServer) => ioredis(server),
    disconnect: (client: Client) => 'disconnect' in client && void client.disconnect(),
  },
] as const;

export type Client = Awaited<ReturnType<typeof nodeRedis>> | ReturnType<typeof ioredis>;

export function apiKeys(count: number): string[] {
  return Array.from({ length: count }, () => `key-${randomUUID()}`);
}

/** Gives API keys that this Redis has seen before: nobody waits to hear of an earlier holder. */
export async function keyring(client: RedisClient, size: number): Promise<(count: number) => string[]> {
  const keys = apiKeys(size);
  const leases = redisKeyLeases(client, { ttl: 1_500, keysPerProcess: size }) as FullSource;
  await Promise.all(keys.map((key) => leases.next(key)));
  await leases.close(keys);
  return (count) => {
    if (keys.length < count) throw new Error('the keyring is too small');
    return keys.splice(0, count);
  };
}

/** A Redis for the tests of a block, a client of it, and API keys that it knows. */
export interface Place<C> {
  readonly server: RedisServer;
  readonly client: C;
  readonly take: (count: number) => string[];
}

/** Opens a place before the tests of a block and closes it after them: its members are there within the tests. */
export function placeOf<C extends Client>(
  library: { connect: (server: RedisServer) => Promise<C>; disconnect: (client: C) => unknown },
  keys: number,
): Place<C> {
  const place = {} as { -readonly [Name in keyof Place<C>]: Place<C>[Name] };
  beforeAll(async () => {
    place.server = await RedisServer.start();
    place.client = await library.connect(place.server);
    place.take = await keyring(place.client, keys);
  });
  afterAll(async () => {
    library.disconnect(place.client);
    await place.server.stop();
  });
  return place;
}

/** Longer than any test: nothing is handed over because it has run out. */
export const LONG = 60_000;

/** Makes sources over the client of the place, or another one. */
export const sourcesOf =
  (place: Place<Client>) =>
  (options?: RedisKeyLeasesOptions, client = place.client): FullSource =>
    redisKeyLeases(client, { ttl: LONG, acquireTimeout: 15_000, ...options }) as FullSource;

/** One API key of a place, alone and as a list. */
export function oneKey({ take }: Place<Client>): { keys: string[]; key: string } {
  const keys = take(1);
  return { keys, key: keys[0] ?? '' };
}

/** The library of `nodeRedis` alone, for tests that say the same of both. */
export const NODE_REDIS = { connect: nodeRedis, disconnect: (client: NodeClient) => client.destroy() };
type NodeClient = Awaited<ReturnType<typeof nodeRedis>>;

/** What the promise is rejected with. */
export async function rejection(promise: unknown): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('it was not rejected');
}

/** The machine's clock as a nonce. */
export function clockNonce(): bigint {
  return BigInt(Date.now()) * 1_000_000n;
}

export { sleep };
