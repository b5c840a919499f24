// Clients that share a set of API keys over a real Redis, with the installed package and either Redis client.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { PartnerClient } from 'partner-sdk';
import { redisKeyLeases } from 'partner-sdk/redis';
import { createSandbox } from 'partner-sdk/sandbox';
import { createClient } from 'redis';

const CALLS = 150;
/** In ms: a busy machine may stand still for a second or two. */
const TTL = 5_000;
/** In ms: what a busy machine makes slow is no failure here. */
const PATIENCE = { timeout: 240_000, attemptTimeout: 60_000 };

const cjs = createRequire(import.meta.url)('partner-sdk/redis');
assert.deepEqual(Object.keys(cjs).sort(), [
  'ConfigurationError',
  'PartnerError',
  'isPartnerError',
  'redisKeyLeases',
  'redisReplayGuard',
]);
assert.throws(() => redisKeyLeases({}), { name: 'ConfigurationError' });

const server = await startRedis();
const [redis, ioredis] = [await createClient({ socket: { path: server.path } }).connect(), new Redis(server.path)];
try {
  await everyCallIsTakenOnce((client) => redisKeyLeases(client, { ttl: TTL }));
  await everyCallIsTakenOnce((client) => cjs.redisKeyLeases(client, { ttl: TTL, keysPerProcess: 2 }));
  // The package leaves the application's Redis clients open.
  await Promise.all([redis.quit(), ioredis.quit()]);
} finally {
  server.process.kill('SIGKILL');
}

/** A client over each Redis client, with the same two API keys. */
async function everyCallIsTakenOnce(sourceOf) {
  const sandbox = createSandbox({ seed: 1 });
  const credentials = [sandbox.credentials, sandbox.keys.issue()];
  const { url: baseUrl } = await sandbox.listen({ port: 0 });
  const clients = [redis, ioredis].map(
    (client) => new PartnerClient({ baseUrl, credentials, nonce: sourceOf(client), ...PATIENCE }),
  );
  const { accountId, methodId: method_id } = sandbox.fixtures;
  const address = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
  const save = (place) =>
    clients[place % 2].funds.withdrawalAddresses.save(accountId, {
      asset_symbol: 'BTC',
      method_id,
      key: `address ${place}`,
      address,
    });
  await Promise.all(Array.from({ length: CALLS }, (_, place) => save(place)));
  await Promise.all(clients.map((client) => client.close()));
  // Over HTTP/1.1 a request may be overtaken by a later one: it is refused, and made again. Nothing else is.
  const verdicts = sandbox.journal.map(({ verdict }) => verdict).filter((verdict) => verdict !== 'nonce_not_rising');
  assert.deepEqual(verdicts, Array(CALLS).fill('accepted'));
  await sandbox.close();
}

async function startRedis() {
  const folder = mkdtempSync(join(tmpdir(), 'redis-'));
  const path = join(folder, 'redis.sock');
  const args = ['--port', '0', '--unixsocket', path, '--dir', folder, '--save', ''];
  const process = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of process.stdout) if (/ready to accept/i.test(line)) break;
  return { process, path };
}
