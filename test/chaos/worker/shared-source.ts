import { type NonceSource, redisKeyLeases } from 'partner-sdk/redis';
import { ioredis, nodeRedis } from '../../support/redis.js';
import type { Task } from './messages.js';

/** A nonce source that processes share, over a Redis client of this process's own. */
export interface SharedSource {
  readonly nonce: NonceSource;
  /** Closes the Redis client; the source belongs to the SDK's clients. */
  close(): Promise<void>;
}

/** In ms: what a killed process held is free again within a test, and a busy machine loses no lease. */
const TTL = 3_000;

/**
 * Undefined where every process has API keys of its own. The packages of Redis take turns. Ended while it waits to connect again, each
 * leaves a timer of its own; Redis always returns, so it is ended when it is connected.
 */
export async function openSharedSource({ nonces, redisPort, process }: Task): Promise<SharedSource | undefined> {
  if (nonces === 'own' || redisPort === undefined) return undefined;
  const redis = { port: redisPort, url: `redis://127.0.0.1:${redisPort}` };
  const [client, end] = process % 2 === 0 ? await openNodeRedis(redis) : openIoredis(redis);
  // The sandbox remembers idempotency keys for the partner where each process has API keys of its own.
  const options = nonces === 'leases' ? { keysPerProcess: 2, keysArePartnerWide: true } : {};
  const nonce = redisKeyLeases(client, { ttl: TTL, ...options });
  return { nonce, close: end };
}

interface Address {
  readonly port: number;
  readonly url: string;
}

async function openNodeRedis(redis: Address) {
  const client = await nodeRedis(redis);
  const end = async () => {
    if (!client.isReady) await new Promise((resolve) => client.once('ready', resolve));
    client.destroy();
  };
  return [client, end] as const;
}

function openIoredis(redis: Address) {
  const client = ioredis(redis);
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  const end = async () => {
    if (client.status !== 'ready') await new Promise((resolve) => client.once('ready', resolve));
    client.disconnect();
    await ended;
  };
  return [client, end] as const;
}
