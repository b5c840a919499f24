import { inspect } from 'node:util';
import { Redis } from 'ioredis';
import { type RedisKeyLeasesOptions, redisKeyLeases } from 'partner-sdk/redis';
import { describe, expect, it, type TestContext } from 'vitest';
import { RedisServer, type RedisServerOptions } from '../support/redis.js';
import { until } from '../support/until.js';
import { apiKeys, type Client, clockNonce, type FullSource, keyring, LIBRARIES, rejection } from './support/sources.js';

/** Long enough for a Redis that is killed to come back within it, also on a busy machine. */
const TTL = 5_000;

const [nodeLibrary, ioLibrary] = LIBRARIES;

/** A server of this test alone. */
async function serverOf(test: TestContext, options: RedisServerOptions = {}): Promise<RedisServer> {
  const server = await RedisServer.start(options);
  test.onTestFinished(() => server.stop());
  return server;
}

async function clientOf(
  test: TestContext,
  server: RedisServer,
  library: (typeof LIBRARIES)[number] = nodeLibrary,
): Promise<Client> {
  const client = await library.connect(server);
  test.onTestFinished(() => void library.disconnect(client));
  return client;
}

function leasesOf(client: Client, options: RedisKeyLeasesOptions = {}): FullSource {
  return redisKeyLeases(client, { ttl: TTL, acquireTimeout: 18_000, ...options }) as FullSource;
}

/** A Redis with a holder of one API key. */
async function held(test: TestContext, ttl = TTL) {
  const server = await serverOf(test);
  const client = await clientOf(test, server);
  const [key = ''] = (await keyring(client, 1))(1);
  const holder = leasesOf(client, { ttl });
  await holder.next(key);
  return { server, client, key, holder };
}

/** Whether a nonce is there at once. */
function draws(source: FullSource, key: string): boolean {
  const nonce = source.next(key);
  if (typeof nonce === 'bigint') return true;
  nonce.catch(() => {});
  return false;
}

/** Draws all the time; tells whether it ever had to wait, and whether the nonces rose. */
function drawAllTheTime(test: TestContext, source: FullSource, key: string) {
  const facts = { waited: false, rose: true, last: 0n };
  const timer = setInterval(() => {
    const nonce = source.next(key);
    if (typeof nonce !== 'bigint') {
      facts.waited = true;
      nonce.catch(() => {});
      return;
    }
    facts.rose &&= nonce > facts.last;
    facts.last = nonce;
  }, 5);
  const stop = () => clearInterval(timer);
  test.onTestFinished(stop);
  return { facts, stop };
}

describe.concurrent('a Redis', () => {
  it('that dies together with a holder and returns empty gives the API key only after ttl, from above the clock', async (test) => {
    const server = await serverOf(test);
    const client = await clientOf(test, server);
    const [key = ''] = (await keyring(client, 1))(1);
    const doomed = await clientOf(test, server, ioLibrary);
    const holder = leasesOf(doomed);
    await holder.next(key);
    const granted = performance.now();
    ioLibrary.disconnect(doomed);
    const { facts } = drawAllTheTime(test, holder, key);
    await server.kill();
    await server.revive({ data: false });
    const heir = leasesOf(client);
    await heir.next(key);
    expect(performance.now() - granted).toBeGreaterThan(TTL);
    const clock = clockNonce();
    const nonce = await heir.next(key);
    expect(nonce > facts.last && nonce > clock - BigInt(TTL) * 1_000_000n).toBe(true);
    await heir.close([key]);
  });

  it('that comes back with an old copy of its data gives an API key to others only once its holder hands it on', async (test) => {
    const { server, client, key, holder: former } = await held(test);
    await server.save();
    await former.close([key]);
    const holder = leasesOf(client);
    await holder.next(key);
    const { facts } = drawAllTheTime(test, holder, key);
    await server.kill();
    await server.revive({ data: true });
    const others = [former, leasesOf(client)].map(async (source) => {
      const nonce = await source.next(key);
      expect(draws(holder, key)).toBe(false);
      expect(nonce > facts.last).toBe(true);
      await source.close([key]);
    });
    await Promise.all(others);
    expect(facts.rose).toBe(true);
  });

  it('that is down refuses with a clear error, and is used again as soon as it is back', async (test) => {
    const server = await serverOf(test, { durable: true });
    const client = await clientOf(test, server);
    const [held = '', never = ''] = (await keyring(client, 2))(2);
    const others = apiKeys(2);
    const leases = leasesOf(client, { ttl: 600 });
    await leases.next(held);
    await server.kill();
    const errors = await Promise.all([
      rejection(leases.next(never)),
      until(() => !draws(leases, held)).then(() => rejection(leases.next(held))),
    ]);
    for (const error of errors)
      expect(error.message).toMatch(/^(Redis did not reply within 400 ms|the command to Redis failed)/);
    // Those that come later do not wait.
    const asked = performance.now();
    await Promise.all([rejection(leases.next(never)), rejection(leases.usable(others))]);
    expect(performance.now() - asked).toBeLessThan(900);
    await server.revive({ data: true });
    await until(async () => typeof (await Promise.resolve(leases.next(held)).catch(() => '')) === 'bigint');
    await Promise.all([leases.close([held]), leases.close([never]), leases.close(others)]);
  });

  it('that stands still stops nobody who holds an API key, and what it does late is taken back', async (test) => {
    const server = await serverOf(test);
    const client = await clientOf(test, server);
    const [held = '', wanted = ''] = (await keyring(client, 2))(2);
    // Longer than the 2 s for which Redis stands still here, whenever the lease was renewed last.
    const holder = leasesOf(client, { ttl: 20_000 });
    await holder.next(held);
    const { facts } = drawAllTheTime(test, holder, held);
    // What it leases would not run out by itself within this test.
    const late = leasesOf(client, { ttl: 60_000 });
    server.pause();
    test.onTestFinished(() => server.resume());
    expect((await rejection(late.next(wanted))).message).toMatch(/did not reply within 2000 ms/);
    await late.close([wanted]);
    expect(facts).toMatchObject({ waited: false, rose: true });
    server.resume();
    const other = leasesOf(client);
    expect(typeof (await other.next(wanted))).toBe('bigint');
    await Promise.all([other.close([wanted]), holder.close([held])]);
  });

  it('that stands still for longer than ttl ends every lease, before another process can have it', async (test) => {
    const { server, key, holder } = await held(test, 600);
    server.pause();
    test.onTestFinished(() => server.resume());
    await until(() => !draws(holder, key));
    server.resume();
    // Nobody else wanted it: it goes on.
    await until(() => draws(holder, key));
    await holder.close([key]);
  });

  it('that has a record of another type under the name is told of with the name', async (test) => {
    const server = await serverOf(test);
    const client = await clientOf(test, server);
    const [key = ''] = apiKeys(1);
    const holder = leasesOf(client);
    await holder.next(key);
    const [name = ''] = String(await server.ask('KEYS', 'partner-sdk:*'))
      .trim()
      .split('\n');
    await server.ask('DEL', name);
    await server.ask('RPUSH', name, 'of another program');
    const error = await rejection(leasesOf(client, { acquireTimeout: 3_000 }).next(key));
    expect(String(error.cause)).toContain(`the record ${name} in Redis is of another type`);
  });

  it('whose password is wrong is told of without the password', async (test) => {
    const server = await serverOf(test);
    await server.ask('CONFIG', 'SET', 'requirepass', 'hunter2-right');
    const client = new Redis(`redis://:hunter2-wrong@127.0.0.1:${server.port}`, { maxRetriesPerRequest: 1 });
    client.on('error', () => {});
    test.onTestFinished(() => client.disconnect());
    const [key = ''] = apiKeys(1);
    const error = await rejection(leasesOf(client).next(key));
    expect(error.message).toMatch(/^the command to Redis failed; see cause/);
    expect(String(error.cause)).toMatch(/WRONGPASS|NOAUTH/);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('hunter2');
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(key);
  });
});
