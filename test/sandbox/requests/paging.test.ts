import { describe, expect, test } from 'vitest';
import { operations } from '../../../src/resources/operations.js';
import { askSandbox, type ExampleInput, targetOf } from '../../../tools/examples/examples.js';
import { directSandbox } from '../support/direct-partner.js';
import { bodies } from '../support/partner.js';

const partner = directSandbox();
const { account, sandbox } = partner;
const examples = await askSandbox(sandbox);

/** Input that a list needs to have several items, beside that of its example. */
const MORE: Readonly<Record<string, ExampleInput>> = {
  'assets.rates.list': { query: { start_timestamp: '2025-12-20T00:00:00Z' } },
  'accounts.priceTriggerSwaps.list': { query: { statuses: ['active', 'cancelled'] } },
  'accounts.portfolio.transactions.list': { query: { types: ['deposit'] } },
  'reports.settlement.list': { query: { report_type: ['swaps', 'funding', 'earn_rewards'] } },
  'funds.depositAddresses.list': { query: { asset_symbol: 'ETH' } },
  'funds.depositLimits.list': { params: { account_id: sandbox.fixtures.accountId, asset_symbol: 'BTC' } },
  'funds.depositMethods.list': { params: { account_id: sandbox.fixtures.accountId, asset_symbol: 'BTC' } },
};

/** The target of each list, without a size, and the ids that were made for it last, newest first. */
const lists: { name: string; path: string; cursor: string; made: string[] }[] = [];
for (const { name, path, cursor } of operations) {
  if (cursor === undefined) continue;
  const { params = {}, query: { page_size: _, ...query } = {} } = examples.get(name) ?? {};
  const more = MORE[name] ?? {};
  const list = {
    name,
    cursor,
    path: targetOf({ path }, { params: more.params ?? params, query: { ...query, ...more.query } }),
  };
  lists.push({ ...list, made: await madeFor(name) });
}

/** Makes three items of a list, if the API can. */
async function madeFor(name: string): Promise<string[]> {
  const create = operations.find((one) => one.name === name.replace(/list$/, 'create'));
  const input = examples.get(create?.name ?? '');
  const ids: string[] = [];
  for (let item = 0; item < 3 && create !== undefined && input !== undefined; item += 1) {
    const { body } = await partner.post(targetOf(create, input), input.body, { 'API-Otp': '1' });
    ids.unshift(body.data.id);
  }
  return ids;
}

for (const key of ['a', 'b', 'c']) {
  sandbox.accounts.deposit(sandbox.fixtures.accountId, { symbol: 'USD', amount: '1' });
  await partner.post(
    `${account}/funds/withdrawals/addresses`,
    bodies.address(sandbox.fixtures.methodId, key.repeat(500)),
  );
  await partner.post(`${account}/funds/withdrawals`, { asset_symbol: 'BTC', key: 'cold-storage', amount: '0.01' });
}
for (const { id } of (await partner.get(`${account}/funds/deposits/methods/ETH`)).body.data) {
  await partner.post(`${account}/funds/deposits/addresses`, { asset_symbol: 'ETH', method_id: id });
}
await partner.call({ method: 'PATCH', path: `${account}/earn/auto`, body: { staking: 'enabled' } });
sandbox.advance(60_000);

const with_ = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`;

/** The largest page of each list of which the service documents one. */
const LARGEST: Readonly<Record<string, number>> = {
  'accounts.earn.auto.allocations.list': 200,
  'accounts.earn.auto.assets.list': 200,
  'accounts.earn.auto.rewards.list': 200,
  'accounts.onDemandConversions.list': 25,
  'accounts.portfolio.transactions.list': 25,
  'accounts.priceTriggerSwaps.list': 100,
  'assets.list': 100,
  'assets.rates.list': 100,
  'earn.auto.assets.list': 200,
  'funds.depositLimits.list': 25,
  'funds.transactions.list': 500,
  'ramp.countries.list': 200,
  'users.assets.list': 100,
  'webhooks.list': 25,
};

/** All items, by pages of this size, or of the usual one. */
async function walk({ path, cursor }: (typeof lists)[number], size?: number): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let token: string | undefined;
  do {
    const query = [
      ...(size === undefined ? [] : [`page_size=${size}`]),
      ...(token === undefined ? [] : [`${cursor}=${encodeURIComponent(token)}`]),
    ];
    const { status, body } = await partner.get(query.length === 0 ? path : with_(path, query.join('&')));
    expect(status).toBe(200);
    items.push(...body.data);
    token = body.next_page_token;
    expect((token ?? '').length).toBeLessThanOrEqual(256);
    if (token !== undefined && size !== undefined) expect(body.data).toHaveLength(size);
  } while (token !== undefined);
  return items;
}

describe.each(lists)('$name', (list) => {
  const { path, cursor, made } = list;

  test('has the same items whatever the size of its pages, each once, newest first', async () => {
    const all = await walk(list, 2);
    expect(all.length).toBeGreaterThan(1);
    const texts = all.map((item) => JSON.stringify(item));
    expect(new Set(texts).size).toBe(texts.length);
    expect(await walk(list)).toEqual(all);
    if (all.length <= 25) expect(await walk(list, all.length)).toEqual(all);
    const ids = all.map(({ id }) => id);
    if (ids[0] !== undefined) expect(ids.slice(0, made.length)).toEqual(made);
  });

  test('takes every size up to the largest one, and refuses what is no size and no token', async () => {
    const max = LARGEST[list.name];
    const causes = async (query: string) => {
      const { status, body } = await partner.get(with_(path, query));
      return [query, status, body.error?.causes.map(({ field }: { field: string }) => field)];
    };
    for (const size of [1, ...(max === undefined ? [100, 101, 500, 2_147_483_647] : [max])]) {
      expect(await causes(`page_size=${size}`)).toEqual([`page_size=${size}`, 200, undefined]);
    }
    const sizes = ['0', '-1', '5.5', '5e0', '', '%ff', '5&page_size=5', ...(max === undefined ? [] : [max + 1])];
    for (const size of sizes) {
      expect(await causes(`page_size=${size}`)).toEqual([`page_size=${size}`, 400, ['page_size']]);
    }
    for (const token of ['', 'made-up', 'x'.repeat(256), 'x'.repeat(257)]) {
      expect(await causes(`${cursor}=${token}`)).toEqual([`${cursor}=${token}`, 400, [cursor]]);
    }
  });

  test('refuses a token that was changed, and that of another list', async () => {
    const token: string = (await partner.get(with_(path, 'page_size=1'))).body.next_page_token;
    const other = lists.find((one) => one.name !== list.name && one.cursor === cursor) ?? list;
    const foreign =
      other === list ? 'nobody' : (await partner.get(with_(other.path, 'page_size=1'))).body.next_page_token;
    for (const wrong of [
      `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`,
      `${token}=`,
      token.slice(0, -2),
      foreign,
    ]) {
      const answer = await partner.get(with_(path, `${cursor}=${encodeURIComponent(wrong)}`));
      expect([answer.status, answer.body.error.causes]).toMatchObject([400, [{ field: cursor }]]);
    }
  });
});

const conversions = `${account}/on-demand-conversions`;
const depositLimits = `${account}/funds/deposits/limits/BTC`;
const assets = `/v1/users/${sandbox.fixtures.userId}/assets`;

test.each([conversions, '/v1/webhooks', depositLimits, assets])(
  '%s has twenty items on a page by default',
  async (path) => {
    expect((await partner.get(path)).body.data).toHaveLength(20);
  },
);

test('a token is refused by the same list of another account, and by a list with other filters', async () => {
  const { body } = await partner.get(conversions);
  const elsewhere = `/v1/accounts/${sandbox.fixtures.secondaryAccountId}/on-demand-conversions`;
  expect((await partner.get(`${elsewhere}?page_token=${body.next_page_token}`)).status).toBe(400);
  const token = (await partner.get(`${assets}?sort=price`)).body.next_page_token;
  expect((await partner.get(`${assets}?sort=price&page_token=${token}`)).status).toBe(200);
  expect((await partner.get(`${assets}?sort=name&page_token=${token}`)).status).toBe(400);
});

test('deposit limits ignore page_size beside a token, whatever it is, and refuse a wrong one on the first page', async () => {
  const { next_page_token: token } = (await partner.get(`${depositLimits}?page_size=5`)).body;
  for (const size of ['26', '0', '-3', '9999999999', 'abc', '', '1.5', '%2B5', '9']) {
    const { body } = await partner.get(`${depositLimits}?page_size=${size}`);
    const causes = [{ field: 'page_size', message: 'must be a whole number from 1 to 25' }];
    expect(body.error?.causes).toEqual(size === '9' ? undefined : causes);
    const page = await partner.get(`${depositLimits}?page_size=${size}&page_token=${token}`);
    expect([page.status, page.body.data?.length]).toEqual([200, 5]);
  }
  // Of the other lists the size is that of each page.
  const { next_page_token: other } = (await partner.get(`${conversions}?page_size=5`)).body;
  expect((await partner.get(`${conversions}?page_size=26&page_token=${other}`)).status).toBe(400);
  expect((await partner.get(`${conversions}?page_size=9&page_token=${other}`)).body.data).toHaveLength(9);
});
