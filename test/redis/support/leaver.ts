/**
 * A process that uses a source and does nothing more: it ends by itself if nothing of it keeps it. Arguments: the port of Redis, and
 * whether its clients are closed. Says what keeps it alive.
 */
import { redisKeyLeases } from 'partner-sdk/redis';
import { createClient } from 'redis';
import type { FullSource } from './sources.js';

const [port = '', ending = ''] = process.argv.slice(2);
const redis = createClient({ url: `redis://127.0.0.1:${port}` });
redis.on('error', () => {});
await redis.connect();
const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
const keys = [`${process.pid}-a`, `${process.pid}-b`];
const leases = redisKeyLeases(redis, { ttl: 600, keysPerProcess: 3 }) as FullSource;
leases.open(keys);
const [held = ''] = await leases.usable(keys);
// One that is answered, one that never is.
const nonce = await leases.next(held);
await leases.next(held);
leases.done(held, nonce);
if (ending === 'closed') await leases.close(keys);
redis.destroy();
// What was on its way is rejected now.
await new Promise((resolve) => setTimeout(resolve, 20));
const left = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length - before;
process.stdout.write(JSON.stringify({ left, nonces: [held !== '', nonce > 0n] }));
