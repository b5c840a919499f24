import type { EventEmitter } from 'node:events';
import { Redis } from 'ioredis';
import { type NonceSource, type RedisClient, redisKeyLeases, redisNonces } from 'partner-sdk/redis';
import { createClient } from 'redis';
import type { Task } from './messages.js';

/** A nonce source that processes share, over a Redis client of this process's own. */
export interface SharedSource {
  readonly nonce: NonceSource;
  /** Closes the Redis client; the source belongs to the SDK's clients. */
  close(): Promise<void>;
}

/** In ms: what a killed process held is free again within a test, and a busy machine loses no lease. */
const TTL = 3_000;

/** Undefined where every process has API keys of its own. */
export async function openSharedSource({ nonces, redisPort, ...task }: Task): Promise<SharedSource | undefined> {
  if (nonces === 'own' || redisPort === undefined) return undefined;
  const { client, close } = await openRedis(redisPort, task.process);
  const nonce =
    nonces === 'leases'
      ? // The sandbox remembers idempotency keys for the partner.
        redisKeyLeases(client, { ttl: TTL, keysPerProcess: 2, keysArePartnerWide: true })
      : redisNonces(client, { ttl: TTL });
  return { nonce, close };
}

/** Errors of attempts to connect do not end the wait. */
const ready = (client: Pick<EventEmitter, 'once'>) => new Promise((resolve) => client.once('ready', resolve));

/**
 * Either package does: they take turns. Ended while it waits to connect again, each leaves a timer of its own;
 * Redis always returns, so it is ended when it is connected.
 */
async function openRedis(
  port: number,
  process: number,
): Promise<Pick<SharedSource, 'close'> & { readonly client: RedisClient }> {
  if (process % 2 === 0) {
    const client = createClient({ socket: { host: '127.0.0.1', port, reconnectStrategy: 100 } });
    client.on('error', () => {});
    await client.connect();
    return {
      client,
      async close() {
        if (!client.isReady) await ready(client);
        client.destroy();
      },
    };
  }
  const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 100, maxRetriesPerRequest: null });
  client.on('error', () => {});
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  return {
    client,
    async close() {
      if (client.status !== 'ready') await ready(client);
      client.disconnect();
      await ended;
    },
  };
}
