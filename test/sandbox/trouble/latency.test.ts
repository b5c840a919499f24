import { beforeEach, describe, expect, test } from 'vitest';
import type { LatencyOptions } from '../../../src/sandbox/index.js';
import { directSandbox } from '../support/direct-partner.js';
import { askControl, openSandbox, type Partner } from '../support/partner.js';

let partner: Partner;
beforeEach(async () => {
  partner = await openSandbox({ latency: 1 });
});

const user = () => `/v1/users/${partner.sandbox.fixtures.userId}`;
const ask = (line: string, ...args: readonly unknown[]) =>
  askControl(partner, line, line.startsWith('POST') ? args : undefined);

/** How long the answer to a request was held back, as the journal says. */
async function delayOf(path: string, by: Partner = partner): Promise<number | undefined> {
  expect((await by.get(path)).status).toBeLessThan(500);
  return by.sandbox.journal.at(-1)?.latency;
}

describe('at run time', () => {
  test('delays are those of an operation, an account or all, and the newest that fits counts', async () => {
    const { accountId } = partner.sandbox.fixtures;
    partner.sandbox.latency.set({ ms: 2 });
    partner.sandbox.latency.set({ operation: 'users.get', ms: 3 });
    partner.sandbox.latency.set({ match: { account: accountId }, ms: 4 });
    expect(await delayOf('/v1/webhooks')).toBe(2);
    expect(await delayOf(user())).toBe(3);
    expect(await delayOf(`${partner.account}/portfolio/details`)).toBe(4);
    partner.sandbox.latency.set({ ms: 5 });
    expect([await delayOf(user()), await delayOf('/v1/webhooks')]).toEqual([5, 5]);
  });

  test('setting replaces the delay of the same operation and match', () => {
    const { latency } = partner.sandbox;
    latency.set({ operation: 'users.get', ms: 3 });
    latency.set({ operation: 'Get user', ms: [4, 5] });
    latency.set({ operation: 'users.get', match: { path: '/v1/users/*' }, ms: 6 });
    expect(latency.list()).toEqual([
      { id: 'base', ms: 1 },
      { id: 'latency_2', operation: 'Get user', ms: [4, 5] },
      { id: 'latency_3', operation: 'users.get', match: { path: '/v1/users/*' }, ms: 6 },
    ]);
  });

  test('clear leaves the option of createSandbox', async () => {
    partner.sandbox.latency.set({ ms: 3 });
    partner.sandbox.latency.clear();
    expect(await delayOf(user())).toBe(1);
    expect(partner.sandbox.latency.list()).toEqual([{ id: 'base', ms: 1 }]);
  });

  test('delays between two numbers follow the seed', async () => {
    const pattern = async () => {
      const fresh = directSandbox({ seed: 7 });
      fresh.sandbox.latency.set({ ms: [0, 3] });
      const delays: (number | undefined)[] = [];
      for (let turn = 0; turn < 10; turn += 1) delays.push(await delayOf('/v1/webhooks', fresh));
      return delays;
    };
    const delays = await pattern();
    expect(delays).toEqual(await pattern());
    expect(new Set(delays).size).toBeGreaterThan(5);
  });
});

test('over HTTP it is set, listed, read and taken back', async () => {
  const { data } = await ask('POST latency/set', { operation: 'users.get', ms: [2, 2] });
  expect(data).toEqual({ id: 'latency_1', operation: 'users.get', ms: [2, 2] });
  expect(await delayOf(user())).toBe(2);
  expect((await ask('GET latency')).data).toEqual([{ id: 'base', ms: 1 }, data]);
  expect((await ask('GET latency/latency_1')).data).toEqual(data);
  expect((await ask('DELETE latency/latency_1')).status).toBe(200);
  expect(await delayOf(user())).toBe(1);
  expect((await ask('DELETE latency/latency_1')).status).toBe(404);
  expect(await ask('DELETE latency/base')).toEqual({
    status: 400,
    error: { message: 'latency.remove: base is the option latency of createSandbox: it stays' },
  });
});

test.each<[object, string]>([
  [{}, 'ms must be milliseconds'],
  [{ ms: -1 }, 'ms must be milliseconds'],
  [{ ms: [3, 2] }, 'ms must be milliseconds'],
  [{ ms: 1, operation: 'users.fly' }, 'there is no operation "users.fly"'],
  [{ ms: 1, match: { nth: 2 } }, 'match.nth is not an option'],
  [{ ms: 1, opration: 'x' }, 'opration is not an option: did you mean operation?'],
])('%j is refused', (options, message) => {
  const { latency } = partner.sandbox;
  expect(() => latency.set(options as LatencyOptions)).toThrow(`latency.set: ${message}`);
  expect(latency.list()).toHaveLength(1);
  expect(() => latency.remove('latency_9')).toThrow('latency.remove: there is no delay latency_9');
});
