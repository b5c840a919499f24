/**
 * A process that uses both sources and does nothing more: it ends by itself if nothing of them keeps it. Arguments: the port of Redis,
 * and whether its clients are closed. Says what keeps it alive.
 */
import { redisKeyLeases, redisNonces } from 'partner-sdk/redis';
import { createClient } from 'redis';
import type { FullSource } from './sources.js';

const [port = '', ending = ''] = process.argv.slice(2);
const redis = createClient({ url: `redis://127.0.0.1:${port}` });
redis.on('error', () => {});
await redis.connect();
const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
const keys = [`${process.pid}-a`, `${process.pid}-b`];
const leases = redisKeyLeases(redis, { ttl: 600, keysPerProcess: 3 }) as FullSource;
const nonces = redisNonces(redis, { ttl: 600 }) as FullSource;
leases.open(keys);
const [held = ''] = await leases.usable(keys);
await leases.next(held);
const apiKey = `${process.pid}-c`;
nonces.open([apiKey]);
const nonce = await nonces.next(apiKey);
// One that is answered, one that never is.
await nonces.next(apiKey);
nonces.done(apiKey, nonce);
if (ending === 'closed') await Promise.all([leases.close(keys), nonces.close([apiKey])]);
redis.destroy();
const left = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length - before;
process.stdout.write(JSON.stringify({ left, nonces: [held !== '', nonce > 0n] }));
