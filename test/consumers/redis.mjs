// Several processes on one set of API keys, with the installed package: each call is taken once, also when a process is killed.
import assert from 'node:assert/strict';
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { PartnerClient } from 'partner-sdk';
import { redisKeyLeases, redisNonces } from 'partner-sdk/redis';
import { createSandbox } from 'partner-sdk/sandbox';
import { createClient } from 'redis';

const CALLS = 150;
/** In ms: a busy machine may let a process stand still for a second or two. */
const TTL = 5_000;
/** In ms: what a busy machine makes slow is no failure here. */
const PATIENCE = { timeout: 240_000, attemptTimeout: 60_000 };

if (process.argv[2] === 'worker') await work(...process.argv.slice(3));
else await main();

async function main() {
  const cjs = createRequire(import.meta.url)('partner-sdk/redis');
  assert.deepEqual(Object.keys(cjs).sort(), [
    'ConfigurationError',
    'PartnerError',
    'isPartnerError',
    'redisKeyLeases',
    'redisNonces',
    'redisReplayGuard',
  ]);
  assert.throws(() => redisKeyLeases({}), { name: 'ConfigurationError' });

  const redis = await startRedis();
  try {
    await everybodyIsServed({ redis, source: 'leases', keys: 8, processes: 4 });
    await everybodyIsServed({ redis, source: 'nonces', keys: 4, processes: 8 });
    await aKilledOneIsReplaced(redis);
  } finally {
    redis.process.kill('SIGKILL');
  }
}

async function everybodyIsServed({ redis, source, keys, processes }) {
  await withSandbox(keys, async (sandbox, setting) => {
    const workers = Array.from({ length: processes }, (_, index) => startWorker(redis, source, setting, index));
    const saved = await Promise.all(workers.map(end));
    assert.deepEqual(
      saved,
      workers.map(() => CALLS),
    );
    expectClean(sandbox, processes * CALLS);
  });
}

/** Its one API key is free again soon after. */
async function aKilledOneIsReplaced(redis) {
  await withSandbox(1, async (sandbox, setting) => {
    const victim = startWorker(redis, 'leases', setting, 0);
    while (sandbox.journal.length === 0) await sleep(5);
    victim.kill('SIGKILL');
    assert.equal(await end(startWorker(redis, 'leases', setting, 1)), CALLS);
    expectClean(sandbox);
  });
}

/** Over HTTP/1.1 a request may be overtaken by a later one of its own process: it is refused, and made again. Nothing else is. */
function expectClean(sandbox, accepted) {
  const verdicts = sandbox.journal.map(({ verdict }) => verdict);
  const taken = verdicts.filter((verdict) => verdict !== 'nonce_not_rising');
  assert.deepEqual(new Set(taken), new Set(['accepted']));
  if (accepted !== undefined) assert.equal(taken.length, accepted);
  const nonces = sandbox.journal.map(({ apiKey, nonce }) => `${apiKey} ${nonce}`);
  assert.equal(new Set(nonces).size, nonces.length);
}

async function withSandbox(keys, run) {
  const sandbox = createSandbox({ seed: 1 });
  const credentials = [sandbox.credentials, ...Array.from({ length: keys - 1 }, () => sandbox.keys.issue())];
  const { url } = await sandbox.listen({ port: 0 });
  const { accountId, methodId } = sandbox.fixtures;
  await run(sandbox, { baseUrl: url, credentials, accountId, methodId });
  await sandbox.close();
}

function startWorker(redis, source, setting, index) {
  const args = ['worker', redis.path, source, JSON.stringify(setting), index].map(String);
  return fork(import.meta.filename, args, { stdio: 'inherit' });
}

async function end(worker) {
  let saved;
  worker.once('message', (count) => {
    saved = count;
  });
  const [code] = await once(worker, 'exit');
  assert.equal(code, 0);
  return saved;
}

async function work(path, source, setting, index) {
  const { baseUrl, credentials, accountId, methodId } = JSON.parse(setting);
  const redis = Number(index) % 2 ? new Redis(path) : await createClient({ socket: { path } }).connect();
  const nonce =
    source === 'leases' ? redisKeyLeases(redis, { keysPerProcess: 2, ttl: TTL }) : redisNonces(redis, { ttl: TTL });
  const client = new PartnerClient({ baseUrl, credentials, nonce, ...PATIENCE });
  const save = (place) =>
    client.funds.withdrawalAddresses.save(accountId, {
      asset_symbol: 'BTC',
      method_id: methodId,
      key: `${process.pid}-${place}`,
      address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    });
  const saved = await Promise.all(Array.from({ length: CALLS }, (_, place) => save(place)));
  await client.close();
  process.send(saved.length);
  process.disconnect();
  // The package leaves the application's Redis client open.
  await redis.quit();
}

async function startRedis() {
  const folder = mkdtempSync(join(tmpdir(), 'redis-'));
  const path = join(folder, 'redis.sock');
  const args = ['--port', '0', '--unixsocket', path, '--dir', folder, '--save', ''];
  const server = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of server.stdout) if (/ready to accept/i.test(line)) break;
  return { process: server, path };
}
