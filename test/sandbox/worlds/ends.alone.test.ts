import { getActiveResourcesInfo } from 'node:process';
import { PartnerClient } from 'partner-sdk';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.js';
import { collectGarbage } from '../../support/collect-garbage.js';
import { until, watch } from '../../support/until.js';
import { openSandbox, type Partner } from '../support/partner.js';
import { addWorld, twoWorlds } from './support/world.js';

const HOUR_MS = 3_600_000;

afterEach(() => {
  vi.useRealTimers();
});

describe('an hour without use ends a world', () => {
  /** The ids of the worlds after a time of the machine's clock. */
  async function worldsAfter(ms: number, { sandbox }: { sandbox: ReturnType<typeof createSandbox> }) {
    await vi.advanceTimersByTimeAsync(ms);
    return sandbox.worlds.list().map(({ id }) => id);
  }
  const fakeTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });

  test('and no time before it', async () => {
    fakeTimers();
    const sandbox = createSandbox();
    onTestFinished(() => sandbox.close());
    sandbox.worlds.add();
    expect(await worldsAfter(HOUR_MS - 1, { sandbox })).toEqual(['world_1']);
    expect(await worldsAfter(1, { sandbox })).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('counted from its last request or control call, which are its own', async () => {
    fakeTimers();
    const { root, one, other } = await twoWorlds();
    expect(await worldsAfter(HOUR_MS - 1_000, root)).toEqual(['world_1', 'world_2']);
    await one.get(`/v1/users/${one.world.fixtures.userId}`);
    // The list is of the sandbox, and no use of a world.
    expect(await worldsAfter(1_000, root)).toEqual(['world_1']);
    expect((await other.get(`/v1/users/${other.world.fixtures.userId}`)).status).toBe(401);
    expect(await worldsAfter(HOUR_MS - 2_000, root)).toEqual(['world_1']);
    await one.ask('GET health');
    expect(await worldsAfter(HOUR_MS - 1, root)).toEqual(['world_1']);
    expect(await worldsAfter(1, root)).toEqual([]);
  });

  test('but not while a stream of events is open', async () => {
    fakeTimers();
    const { root, one } = await twoWorlds();
    const gone = new AbortController();
    const stream = await fetch(`${one.world.url}/events`, { signal: gone.signal });
    const reader = stream.body?.getReader();
    await reader?.read();
    expect(await worldsAfter(3 * HOUR_MS, root)).toEqual(['world_1']);
    gone.abort();
    await vi.waitFor(async () => expect(await worldsAfter(HOUR_MS, root)).toEqual([]));
  });
});

describe('the end of a world', () => {
  test('breaks off what waits in it, and nothing else', async () => {
    const { root, one, other } = await twoWorlds({ seed: 7, inspect: true });
    const path = `/v1/users/${one.world.fixtures.userId}`;
    const events = await fetch(`${one.world.url}/events`);
    const eventsEnd = events.text();
    const waiting = one.ask('POST requests/waitFor', [{ path: '/v1/never' }, { timeout: 60_000 }]);
    await one.ask('POST latency/set', [{ ms: 2_000_000 }]);
    const late = watch(one.get(path));
    await one.ask('POST faults/add', [{ fault: 'no_answer' }]);
    const silent = watch(one.get(path));
    const inProcess = one.signed({ method: 'GET', path });
    const fetched = watch(
      root.sandbox.fetch(new Request(`https://sandbox.test${path}`, { headers: inProcess.headers })),
    );
    await other.ask('POST latency/set', [{ ms: 300 }]);
    await until(async () => (await one.ask('GET journal')).data.length === 3);
    await using client = new PartnerClient({
      ...{
        ...one.world.credentials,
        baseUrl: 'https://sandbox.test',
        maxRetries: 0,
        timeout: 300_000,
        attemptTimeout: 300_000,
      },
      transport: root.sandbox.transport(),
    });
    const called = watch(client.users.get(one.world.fixtures.userId));
    await until(async () => (await one.ask('GET journal')).data.length === 4);
    const ofOther = other.get(path);
    expect([late, silent, fetched, called].map(({ settled }) => settled)).toEqual([false, false, false, false]);
    await fetch(one.world.url, { method: 'DELETE' });
    await until(() => late.settled && silent.settled && fetched.settled && called.settled);
    expect(await eventsEnd).toMatch(/^: entries follow/);
    expect((await waiting).error?.message).toMatch(/the sandbox was closed|the world has ended/);
    expect((await ofOther).status).toBe(200);
  });

  /** Makes a world in which much waits, and ends it. Returns what lives as long as its service. */
  async function usedUp(root: Partner, seed: number): Promise<WeakRef<object>> {
    const world = await addWorld(root, { seed, realTime: true, inspect: true });
    await world.ask('POST webhooks/register', [{ url: (await world.ask('GET inbox/url')).data }]);
    await world.ask('POST inbox/answer', [{ delay: 60_000 }]);
    const trigger = world.ask('POST webhooks/trigger', ['conversion.withdrawal_completed']);
    await until(async () => (await world.ask('GET inbox')).data.length === 1);
    await world.ask('POST faults/add', [{ fault: 'no_answer' }]);
    await world.ask('POST latency/set', [{ ms: 60_000 }]);
    const request = world.get(`/v1/users/${world.world.fixtures.userId}`);
    await until(async () => (await world.ask('GET journal')).data.length === 1);
    const [listed] = root.sandbox.worlds.list();
    root.sandbox.worlds.remove(world.world.id);
    expect(await trigger).toEqual({ status: 404, error: { message: 'the world has ended' } });
    await expect(request).rejects.toThrow();
    return new WeakRef(listed?.fixtures ?? {});
  }

  test('leaves no timer and no service behind', async () => {
    const root = await openSandbox();
    const timers = () => getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const fixtures: WeakRef<object>[] = [];
    for (let seed = 0; seed < 3; seed += 1) fixtures.push(await usedUp(root, seed));
    await until(() => timers() <= before, 'no timer is left');
    await until(() => {
      collectGarbage();
      return fixtures.every((held) => held.deref() === undefined);
    }, 'no service is left');
  });
});
