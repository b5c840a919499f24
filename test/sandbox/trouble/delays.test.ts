import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { SandboxOptions } from '../../../src/sandbox/index.js';
import { directSandbox } from '../support/direct-partner.js';
import { openSandbox, PATIENCE, type Partner, type TestRequest, whitelisting } from '../support/partner.js';
import { Pipeline } from '../support/pipeline.js';

const HOUR = 3_600_000;
const list: TestRequest = { method: 'GET', path: '/v1/webhooks?page_size=1' };

const overHttp = (options: SandboxOptions): Promise<Partner> => openSandbox(options);

async function byFetch(options: SandboxOptions): Promise<Partner> {
  const partner = directSandbox(options);
  onTestFinished(() => partner.sandbox.close());
  return partner;
}

/** Over HTTP a lost connection rejects; the sandbox's own function gives a network error, which MSW makes a rejection of. */
const isLost = (answer: Promise<Response>): Promise<boolean> =>
  answer.then(
    ({ type }) => type === 'error',
    () => true,
  );

const keyed = (partner: Partner, key: string) => whitelisting(partner, { 'Idempotency-Key': key });

describe.each([
  ['over HTTP', overHttp],
  ['by fetch', byFetch],
])('%s', (_, open) => {
  test('every answer is held back so long, also refusals and faults', async () => {
    const partner = await open({ troubles: [{ does: { delayMs: 60 } }] });
    const { sandbox } = partner;
    sandbox.fail({ fault: 503, operation: 'users.get' });
    const user = { method: 'GET', path: `/v1/users/${sandbox.fixtures.userId}` };
    for (const [request, status] of [
      [list, 200],
      [{ ...list, path: '/v1/nowhere' }, 404],
      [user, 503],
    ] as const) {
      const begun = performance.now();
      expect((await partner.send(request)).status).toBe(status);
      // A timer may be up to a millisecond early.
      expect(performance.now() - begun).toBeGreaterThanOrEqual(59);
    }
  });

  test('the effect does not wait, and a repeat meanwhile is replayed', async () => {
    const partner = await open({ troubles: [{ does: { delayMs: HOUR } }] });
    const { sandbox } = partner;
    const key = randomUUID();
    const controller = new AbortController();
    const first = partner.send(keyed(partner, key), controller.signal);
    await expect.poll(() => sandbox.journal.length, PATIENCE).toBe(1);
    expect(sandbox.wallets.list()).toHaveLength(1);
    const second = partner.send(keyed(partner, key), controller.signal);
    await expect.poll(() => sandbox.journal.length, PATIENCE).toBe(2);
    expect(sandbox.wallets.list()).toHaveLength(1);
    expect(sandbox.journal.map(({ verdict }) => verdict)).toEqual(['accepted', 'replayed']);
    controller.abort();
    await expect(first).rejects.toThrow();
    await expect(second).rejects.toThrow();
  });

  test('who stops waiting takes nothing back', async () => {
    const partner = await open({ troubles: [{ does: { delayMs: HOUR } }] });
    const controller = new AbortController();
    const answer = partner.send(keyed(partner, randomUUID()), controller.signal);
    await expect.poll(() => partner.sandbox.journal.length, PATIENCE).toBe(1);
    controller.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
    expect(partner.sandbox.wallets.list()).toHaveLength(1);
  });

  test('closing ends what is held back', async () => {
    const partner = await open({ troubles: [{ does: { delayMs: HOUR } }] });
    const { sandbox } = partner;
    const answers = Promise.all([partner.send(list), partner.send(list)].map(isLost));
    await expect.poll(() => sandbox.journal.length, PATIENCE).toBe(2);
    await sandbox.close();
    expect(await answers).toEqual([true, true]);
  });
});

test('the journal knows the delay as soon as the request is judged', async () => {
  const partner = await byFetch({ troubles: [{ does: { delayMs: HOUR } }] });
  const { sandbox } = partner;
  const answer = partner.send(list);
  await expect.poll(() => sandbox.journal.length, PATIENCE).toBe(1);
  expect(sandbox.journal[0]?.ms).toBeGreaterThanOrEqual(HOUR);
  await sandbox.close();
  expect(await isLost(answer)).toBe(true);
});

test('on a pipelined connection the answers keep the order of the requests, whatever each one takes', async () => {
  const partner = await overHttp({ troubles: [{ does: { delayMs: [0, 50] } }] });
  const { sandbox } = partner;
  sandbox.fail({ operation: 'users.get', fault: 'slow', bytesPerSecond: 5_000 });
  const sizes = [7, 3, 1, 9, 2, 8, 4, 6, 5];
  const paths = sizes.map((size) => `${partner.account}/on-demand-conversions?page_size=${size}`);
  const slow = `/v1/users/${sandbox.fixtures.userId}`;
  const pipeline = new Pipeline(partner, [...paths, slow, ...paths, '/v1/webhooks?page_size=0']);
  await expect.poll(() => pipeline.statuses().length, PATIENCE).toBe(20);
  const bodies = pipeline.bodies();
  pipeline.leave();
  const counts = [...bodies.slice(0, 9), ...bodies.slice(10, 19)].map((body) => JSON.parse(body).data.length);
  expect(counts).toEqual([...sizes, ...sizes]);
  expect(JSON.parse(bodies[9] ?? '').data.id).toBe(sandbox.fixtures.userId);
});

test('a reset that is held back spares the answers before it, though they take longer', async () => {
  const partner = await overHttp({ troubles: [{ does: { delayMs: [0, 50] } }] });
  const { sandbox } = partner;
  sandbox.fail({ operation: 'users.get', fault: 'reset' });
  const before = Array.from({ length: 8 }, () => '/v1/webhooks?page_size=1');
  const pipeline = new Pipeline(partner, [...before, `/v1/users/${sandbox.fixtures.userId}`, ...before]);
  await pipeline.closed;
  expect(pipeline.statuses()).toEqual(before.map(() => '200'));
});

describe('which answers a delay holds back, and for how long', () => {
  /** How long the journal says that the answer to a request was held back. */
  async function delayOf(partner: Partner, path: string): Promise<number | undefined> {
    await partner.get(path);
    return partner.sandbox.journal.at(-1)?.latency;
  }

  test('those of an operation, of an account, of any match; several add up', async () => {
    const partner = directSandbox({ troubles: [{ does: { delayMs: 1 } }] });
    const { troubles, fixtures } = partner.sandbox;
    troubles.add({ match: { operation: 'users.get' }, does: { delayMs: 2 } });
    troubles.add({ match: { accountId: fixtures.accountId }, does: { delayMs: 4 } });
    troubles.add({ match: { path: `${partner.account}/portfolio/*` }, does: { delayMs: 8 } });
    expect(await delayOf(partner, '/v1/webhooks')).toBe(1);
    expect(await delayOf(partner, `/v1/users/${fixtures.userId}`)).toBe(3);
    expect(await delayOf(partner, `${partner.account}/quotes/q`)).toBe(5);
    expect(await delayOf(partner, `${partner.account}/portfolio/details`)).toBe(13);
    expect(troubles.list().map(({ applied, left }) => [applied, left])).toEqual([
      [4, 'always'],
      [1, 'always'],
      [2, 'always'],
      [1, 'always'],
    ]);
  });

  test('as many as it may', async () => {
    const partner = directSandbox();
    partner.sandbox.troubles.add({ does: { delayMs: 2 }, times: 2, match: { nth: 2 } });
    const delays: unknown[] = [];
    for (let turn = 0; turn < 4; turn += 1) delays.push(await delayOf(partner, '/v1/webhooks'));
    expect(delays).toEqual([0, 2, 2, 0]);
  });

  test('one between two numbers follows the seed', async () => {
    const pattern = async (seed: number) => {
      const fresh = directSandbox({ seed, troubles: [{ does: { delayMs: [2, 5] } }] });
      const delays: number[] = [];
      for (let turn = 0; turn < 20; turn += 1) delays.push((await delayOf(fresh, '/v1/webhooks')) ?? 0);
      return delays;
    };
    const delays = await pattern(7);
    expect(delays).toEqual(await pattern(7));
    expect(delays).not.toEqual(await pattern(8));
    expect(new Set(delays).size).toBeGreaterThan(15);
    for (const delay of delays) expect(delay >= 2 && delay <= 5).toBe(true);
  });
});
