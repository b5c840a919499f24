import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { nodeRedis, RedisServer } from '../support/redis.js';
import { type Protocol, rightAnswer, Service } from '../support/service.js';
import { until } from '../support/until.js';
import { type ApplicationProcess, endAll, processes } from './support/application.js';
import type { Setup } from './support/messages.js';
import { keyring, sleep } from './support/sources.js';

/** A Redis and a service that takes only rising nonces, with API keys that both know. */
interface Place {
  readonly redis: RedisServer;
  readonly service: Service;
  readonly credentials: { apiKey: string; apiSecret: string }[];
}

const places: Place[] = [];

/** Over HTTP/2 a process keeps its own order: what is refused there was overtaken by another process. */
async function place(keys: number, protocol: Protocol = 'http2'): Promise<Place> {
  const redis = await RedisServer.start();
  const service = await Service.start({ protocol });
  const client = await nodeRedis(redis);
  const known = (await keyring(client, keys))(keys);
  client.destroy();
  const credentials = known.map((apiKey) => ({ apiKey, apiSecret: randomBytes(64).toString('base64') }));
  for (const { apiKey, apiSecret } of credentials) service.secrets.set(apiKey, apiSecret);
  places.push({ redis, service, credentials });
  return { redis, service, credentials };
}

/** Sets processes up, each with a client of all API keys. */
async function application(
  count: number,
  { redis, service, credentials }: Place,
  setup: Pick<Setup, 'options'> & Partial<Setup>,
): Promise<ApplicationProcess[]> {
  const all = await processes(count);
  await Promise.all(
    all.map((one, number) =>
      one.setUp({
        name: `process-${number}`,
        baseUrl: service.url,
        redisPort: redis.port,
        library: number % 2 === 0 ? 'redis' : 'ioredis',
        credentials,
        ...setup,
      }),
    ),
  );
  return all;
}

async function close(all: readonly ApplicationProcess[]): Promise<void> {
  await Promise.all(all.map((one) => one.close()));
  expect(all.flatMap(({ incidents }) => incidents)).toEqual([]);
}

/** The API keys that each process sent with. */
function keysOfProcesses({ service }: Place): Map<string, Set<string>> {
  const keys = new Map<string, Set<string>>();
  for (const { apiKey, headers } of service.requests) {
    const name = headers['x-process'] ?? '';
    keys.set(name, (keys.get(name) ?? new Set()).add(apiKey));
  }
  return keys;
}

/** Nothing was refused, and no nonce came twice. */
function expectOrder({ service }: Place): void {
  expect(service.refused.map(({ apiKey, nonce }) => `${apiKey} ${nonce}`)).toEqual([]);
  expectNoNonceTwice({ service });
}

function expectNoNonceTwice({ service }: Pick<Place, 'service'>): void {
  const seen = service.requests.map(({ apiKey, nonce }) => `${apiKey} ${nonce}`);
  expect(new Set(seen).size).toBe(seen.length);
}

/** How often each name was written, as the service saw it. */
function writes({ service }: Place): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { method, status, body } of service.requests) {
    if (method !== 'POST' || status !== 200) continue;
    const { key } = JSON.parse(body.toString()) as { key: string };
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

afterAll(async () => {
  await endAll();
  await Promise.all(places.flatMap(({ redis, service }) => [redis.stop(), service.close()]));
});

describe('several processes', { timeout: 180_000 }, () => {
  it('four with eight API keys: each has two of its own, none is refused, and calls ask Redis for nothing', async () => {
    const here = await place(8);
    const ttl = 3_000;
    const all = await application(4, here, { options: { keysPerProcess: 2, ttl } });
    await until(async () => {
      await Promise.all(all.map((one) => one.calls(8, 8)));
      return [...keysOfProcesses(here).values()].every(({ size }) => size === 2);
    });
    // Nobody waits for long enough that Redis is asked about it only when the leases are renewed.
    await sleep(ttl * 4);
    const [scripts, begun] = [await here.redis.scripts(), performance.now()];
    const reports = await Promise.all(all.map((one) => one.calls(500, 32)));
    const renewals = 8 * (Math.ceil((performance.now() - begun) / (ttl / 3)) + 1);
    expect((await here.redis.scripts()) - scripts).toBeLessThanOrEqual(renewals);
    expect(reports.flatMap(({ failures }) => failures)).toEqual([]);
    expectOrder(here);
    const keys = [...keysOfProcesses(here).values()].flatMap((own) => [...own]);
    expect(keys.sort()).toEqual(here.credentials.map(({ apiKey }) => apiKey).sort());
    await close(all);
  });

  it.each([
    ['HTTP/2: none is refused', 'http2', 0],
    ['HTTP/1.1: each call is taken once', 'http', Number.POSITIVE_INFINITY],
  ] as const)('eight with four API keys in turn over %s', async (_, protocol, refusals) => {
    const here = await place(4, protocol);
    const all = await application(8, here, { options: {} });
    const reports = await Promise.all(all.map((one) => one.calls(100, 16)));
    expect(reports.flatMap(({ failures }) => failures)).toEqual([]);
    expect(here.service.refused.length).toBeLessThanOrEqual(refusals);
    expect(here.service.requests.length - here.service.refused.length).toBe(800);
    expectNoNonceTwice(here);
    await close(all);
  });

  it('three with one API key: each sends in its turn, and none is refused when one is killed or stands still', async () => {
    const here = await place(1);
    here.service.script = (request) => ({ ...rightAnswer(request), delay: 20 });
    const all = await application(3, here, { options: { ttl: 1_500 } });
    const [doomed, paused, other] = all;
    if (doomed === undefined || paused === undefined || other === undefined) throw new Error('three were started');
    const sent = () =>
      all.map((_, name) => here.service.requests.filter((r) => r.headers['x-process'] === `process-${name}`));
    const running = [paused, other].map((one) => one.calls(400, 4));
    void doomed.calls(100_000, 4);
    await until(() => sent().every(({ length }) => length > 50));
    await until(() => here.service.requests.at(-1)?.headers['x-process'] === 'process-0');
    await doomed.kill();
    const before = here.service.requests.length;
    await until(() => here.service.requests.length > before + 50);
    paused.pause();
    await until(() => here.service.requests.at(-1)?.headers['x-process'] === 'process-2');
    await sleep(2_000);
    paused.resume();
    const reports = await Promise.all(running);
    expect(reports.flatMap(({ failures }) => failures)).toEqual([]);
    expectNoNonceTwice(here);
    // At most what was already signed when it was stopped came late, and was sent again.
    expect(here.service.refused.length).toBeLessThanOrEqual(4);
    expect(here.service.refused.every(({ headers }) => headers['x-process'] === 'process-1')).toBe(true);
    const counts = writes(here);
    for (const name of reports.flatMap(({ written }) => written)) expect(counts.get(name)).toBe(1);
    await close([paused, other]);
  });

  it('hand an API key on only when the last slow answer of the turn is there', async () => {
    const here = await place(1);
    const { requests } = here.service;
    const senderOf = ({ headers }: { headers: Readonly<Record<string, string>> }) => headers['x-process'];
    // The turn is 50 ms: so each ends while an answer is on its way, and usually others have come since.
    here.service.script = (request) => ({ ...rightAnswer(request), delay: request.index % 5 === 0 ? 400 : 5 });
    const all = await application(2, here, { options: { ttl: 1_500 } });
    const reports = await Promise.all(all.map((one) => one.calls(60, 4)));
    expect(reports.flatMap(({ failures }) => failures)).toEqual([]);
    const handedOn = requests.filter(
      (request, index) => index > 0 && senderOf(request) !== senderOf(requests[index - 1] ?? request),
    );
    expect(handedOn.length).toBeGreaterThan(3);
    const early = requests.filter((request) =>
      request.open.some((index) => senderOf(requests[index] ?? request) !== senderOf(request)),
    );
    expect(early.map(({ index, open }) => `request ${index} came before the answers to ${open.join(', ')}`)).toEqual(
      [],
    );
    expectOrder(here);
    await close(all);
  });

  it('a killed one’s API key goes to another after ttl, above all that it may have issued', async () => {
    const here = await place(1);
    const [doomed, heir] = await application(2, here, { options: { ttl: 1_500 } });
    if (doomed === undefined || heir === undefined) throw new Error('two were started');
    void doomed.calls(100_000, 8);
    await until(() => here.service.requests.length > 200);
    await doomed.kill();
    const [ceiling = 0n] = [...(await here.redis.records()).values()].map((fields) =>
      BigInt(fields.get('ceiling') ?? 0),
    );
    expect((await heir.calls(20, 4)).failures).toEqual([]);
    const sent = here.service.requests.filter(({ headers }) => headers['x-process'] === 'process-1');
    expect(sent).toHaveLength(20);
    expect(sent.every(({ nonce }) => nonce > ceiling)).toBe(true);
    expectOrder(here);
    await close([heir]);
  });

  it('with an API key each notice nothing of a Redis that dies and returns without its data within ttl', async () => {
    const here = await place(4);
    const all = await application(4, here, { options: { ttl: 6_000 } });
    await Promise.all(all.map((one) => one.calls(4, 2)));
    const running = all.map((one) => one.calls(600, 4));
    await until(() => here.service.requests.length > 100);
    await here.redis.kill();
    await here.redis.revive({ data: false });
    const reports = await Promise.all(running);
    // The records are there again.
    await until(async () => (await here.redis.records()).size === 4);
    reports.push(...(await Promise.all(all.map((one) => one.calls(20, 4)))));
    expect(reports.flatMap(({ failures }) => failures)).toEqual([]);
    expectOrder(here);
    await close(all);
  });

  it('with fewer API keys fail honestly while Redis is away, lose and double nothing, and go on when it is back', async () => {
    const here = await place(2);
    const options = { ttl: 1_500 };
    const all = await application(3, here, { options });
    await Promise.all(all.map((one) => one.calls(10, 4)));
    const running = all.map((one) => one.calls(300, 4));
    await until(() => here.service.requests.length > 100);
    await here.redis.kill();
    const during = await Promise.all(running);
    const failures = during.flatMap((report) => report.failures);
    expect(failures.length).toBeGreaterThan(0);
    for (const { name, outcome, message } of failures) {
      expect({ name, outcome }).toEqual({ name: 'ProviderError', outcome: 'not_applied' });
      expect(message).toMatch(/Redis/);
    }
    await here.redis.revive({ data: false });
    const after = await retried(all);
    expect(after.flatMap((report) => report.failures)).toEqual([]);
    expectOrder(here);
    const counts = writes(here);
    for (const name of [...during, ...after].flatMap(({ written }) => written)) expect(counts.get(name)).toBe(1);
    await close(all);
  });

  it('of which one is stopped between drawing and sending: the service refuses, and the call is repeated', async () => {
    const here = await place(1);
    const [stopped] = await application(1, here, { options: { ttl: 900 }, asksBeforeSigning: true });
    const [other] = await application(1, here, { options: { ttl: 900 }, name: 'other' });
    if (stopped === undefined || other === undefined) throw new Error('two were started');
    const report = stopped.calls(1, 1);
    await stopped.heard('signing');
    stopped.pause();
    expect((await other.calls(10, 2)).failures).toEqual([]);
    stopped.resume();
    stopped.sign();
    await stopped.heard('signing');
    stopped.sign();
    expect((await report).failures).toEqual([]);
    expect(here.service.refused).toHaveLength(1);
    expect(here.service.refused[0]?.headers['x-process']).toBe('process-0');
    await close([stopped, other]);
  });
});

/** Calls when the clients have had the time to connect again, and what they knew of the outage is old. */
async function retried(all: readonly ApplicationProcess[]) {
  await sleep(1_500);
  return Promise.all(all.map((one) => one.calls(50, 4)));
}
