/** One process of several that share API keys. */
import { createClient } from 'redis';
import type { Member, Order } from './fleet.js';
import { closedLoop } from './load.js';
import { API_SECRET, callOf, loadRedis, loadSdk } from './sdk.js';

const { address, apiKeys, callers, redis } = JSON.parse(process.argv[2] ?? '') as Member;
const connection = redis === undefined ? undefined : await createClient({ url: redis.url }).connect();

const { PartnerClient, undiciTransport } = await loadSdk();
const { url: baseUrl, ca } = address;
const transport = undiciTransport(ca === undefined ? {} : { tls: { ca } });
const credentials = apiKeys.map((apiKey) => ({ apiKey, apiSecret: API_SECRET }));
const client = new PartnerClient({ baseUrl, credentials, transport, nonce: await nonceSource() });
const call = callOf(client);
// The first call of all may wait until API keys that Redis does not know yet are free. Failures are for the load to show.
await call(0).then(undefined, () => {});
process.send?.('ready');

process.on('message', async (order: Order) => {
  if (order !== 'close') {
    process.send?.(await closedLoop(callers, order.load, call));
    return;
  }
  await client.close();
  await connection?.close();
  process.exit();
});

async function nonceSource() {
  if (redis === undefined || connection === undefined) return undefined;
  const { redisKeyLeases, redisNonces } = await loadRedis();
  const { source, keysPerProcess } = redis;
  return source === 'leases' ? redisKeyLeases(connection, { keysPerProcess }) : redisNonces(connection);
}
