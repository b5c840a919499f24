import { expect } from 'vitest';
import { ResponseValidationError } from '../../../src/index.js';
import type { Fact, SandboxStage } from '../fact.js';
import { IDS } from '../ids.js';

const USD = { symbol: 'USD', type: 'fiat' };
const BTC = { symbol: 'BTC', type: 'crypto' };

/** Pages of the small service: of each, the number of items and the next token. */
const page = (ids: readonly string[], token: string | null | undefined) => ({
  body: { data: ids.map((id) => ({ id, status: 'pending' })), next_page_token: token },
});

/** Walks a list of a sandbox by its tokens, and returns the ids. */
async function walk({ send }: SandboxStage, path: string, cursor: string, id: string): Promise<string[]> {
  const found: string[] = [];
  let token: string | null | undefined;
  do {
    const target = token ? `${path}&${cursor}=${encodeURIComponent(token)}` : path;
    const { json } = await send({ target });
    const body = json as { data: Readonly<Record<string, string>>[]; next_page_token?: string | null };
    found.push(...body.data.map((item) => String(item[id])));
    token = body.next_page_token;
  } while (token !== undefined && token !== null);
  return found;
}

/** Lists with a limit of `page_size`, by their paths. */
const LIMITS: readonly (readonly [maximum: number, path: string])[] = [
  [25, '/v1/accounts/{account}/on-demand-conversions'],
  [25, '/v1/accounts/{account}/funds/deposits/limits/BTC'],
  [25, '/v1/webhooks'],
  [25, '/v1/accounts/{account}/portfolio/transactions'],
  [100, '/v1/users/{user}/assets'],
  [100, '/v1/assets'],
  [100, '/v1/assets/crypto/BTC/rates'],
  [100, '/v1/accounts/{account}/price-trigger-swaps'],
  [200, '/v1/accounts/{account}/earn/auto/assets'],
  [200, '/v1/ramp/countries'],
  [500, '/v1/funds/transactions?type=deposit'],
];

export const paging: readonly Fact[] = [
  {
    fact: 'A list ends when next_page_token is absent or null. A page may be empty and still have one.',
    source: 'current',
    document: [/ends\]\([^)]*\) when this token is missing, .*An empty page doesn't end a/],
    client: async ({ client, service }) => {
      for (const end of [undefined, null]) {
        service.answers(page(['a'], 'one'), page([], 'two +/='), page(['b'], 'three'), page([], end));
        const found = await client.accounts.conversions.list(IDS.accountId).toArray({ limit: 10 });
        expect(found.map(({ id }) => id)).toEqual(['a', 'b']);
      }
      const tokens = service.received.map(({ query }) => query['page_token']);
      expect(tokens).toEqual([undefined, 'one', 'two +/=', 'three', undefined, 'one', 'two +/=', 'three']);
    },
    sandbox: async (stage) => {
      const path = `/v1/accounts/${stage.ids.accountId}/on-demand-conversions?page_size=25`;
      const ids = await walk(stage, path, 'page_token', 'id');
      expect(ids.length).toBeGreaterThan(300);
      expect(new Set(ids).size).toBe(ids.length);
    },
  },
  {
    fact: 'The ledger takes the token of its next page as cursor, and answers it as next_page_token like every list.',
    source: 'current',
    document: [/`funds\.transactions\.list`, takes it as `cursor`/],
    client: async ({ client, service }) => {
      const entry = (ref_id: string) => ({ type: 'deposit', ref_id, status: 'success', amount: '1' });
      service.answers({ body: { data: [entry('a')], next_page_token: 'tok_2' } });
      service.answers({ body: { data: [entry('b')], next_page_token: null } });
      const found = await client.funds.transactions.list({ type: 'deposit' }).toArray({ limit: 10 });
      expect(found.map(({ ref_id }) => ref_id)).toEqual(['a', 'b']);
      expect(service.received.map(({ query }) => query)).toEqual([
        { type: 'deposit' },
        { type: 'deposit', cursor: 'tok_2' },
      ]);
    },
    sandbox: async (stage) => {
      const path = '/v1/funds/transactions?type=withdrawal&page_size=1';
      const target = `/v1/accounts/${stage.ids.accountId}/funds/withdrawals`;
      for (const amount of ['0.01', '0.02', '0.03']) {
        const body = { asset_symbol: 'BTC', key: 'btc', amount };
        const save = {
          asset_symbol: 'BTC',
          method_id: stage.ids.methodId,
          key: 'btc',
          address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
        };
        await stage.send({ target: `${target}/addresses`, method: 'POST', body: save });
        expect((await stage.send({ target, method: 'POST', body })).status).toBe(200);
      }
      expect((await walk(stage, path, 'cursor', 'ref_id')).length).toBeGreaterThanOrEqual(3);
    },
  },
  {
    fact: 'page_size has a limit of 25, 100, 200 or 500 where one is shown, and begins at 1.',
    source: 'current',
    client: async ({ client, service }) => {
      const { accountId: account, userId } = IDS;
      for (const list of [
        client.accounts.onDemandConversions.list(account, { page_size: 26 }),
        client.funds.depositLimits.list(account, 'BTC', { page_size: 26 }),
        client.webhooks.list({ page_size: 26 }),
        client.accounts.portfolio.transactions.list(account, { page_size: 26 }),
        client.users.assets.list(userId, { page_size: 101 }),
        client.assets.list({ page_size: 101 }),
        client.assets.rates.list('crypto', 'BTC', { page_size: 101 }),
        client.accounts.priceTriggerSwaps.list(account, { page_size: 101 }),
        client.accounts.earn.auto.assets.list(account, { page_size: 201 }),
        client.ramp.countries.list({ page_size: 201 }),
        client.funds.transactions.list({ type: 'deposit', page_size: 501 }),
      ]) {
        await expect(list).rejects.toThrow(/page_size/);
      }
      expect(service.received).toEqual([]);
    },
    sandbox: async ({ send, ids }) => {
      for (const [maximum, path] of LIMITS) {
        const filled = path.replace('{account}', ids.accountId).replace('{user}', ids.userId);
        for (const size of [0, 1, maximum, maximum + 1]) {
          const { status } = await send({ target: `${filled}${path.includes('?') ? '&' : '?'}page_size=${size}` });
          expect([path, size, status]).toEqual([path, size, size === 0 || size > maximum ? 400 : 200]);
        }
      }
    },
  },
  {
    fact: 'Deposit limits ignore page_size beside a page_token: the size in the token counts.',
    source: 'specified',
    document: [/`funds\.depositLimits\.list` ignores it/],
    client: async ({ client, service }) => {
      const params = { page_size: 99, page_token: 'tok_2' };
      service.answers({ body: { data: [] } });
      await client.funds.depositLimits.list(IDS.accountId, 'BTC', params).catch(() => {});
      expect(service.received[0]?.query).toMatchObject({ page_token: 'tok_2' });
      service.problems.length = 0;
    },
    sandbox: async ({ send, ids }) => {
      const target = `/v1/accounts/${ids.accountId}/funds/deposits/limits/BTC`;
      const { json } = await send({ target: `${target}?page_size=2` });
      const token = encodeURIComponent(String((json as { next_page_token: string }).next_page_token));
      const next = await send({ target: `${target}?page_size=25&page_token=${token}` });
      expect((next.json as { data: unknown[] }).data).toHaveLength(2);
    },
  },
  {
    fact: 'A page_token has up to 256 characters, of the ramp up to 512, of earn up to 64.',
    source: 'current',
    client: async ({ client, service }) => {
      const token = (length: number) => ({ page_token: 'a'.repeat(length) });
      await client.webhooks.list(token(256));
      await client.ramp.countries.list(token(512));
      await client.accounts.earn.auto.assets.list(IDS.accountId, token(64));
      for (const list of [
        client.webhooks.list(token(257)),
        client.ramp.countries.list(token(513)),
        client.accounts.earn.auto.assets.list(IDS.accountId, token(65)),
      ]) {
        await expect(list).rejects.toThrow(/page_token/);
      }
      expect(service.received).toHaveLength(3);
    },
  },
  {
    fact: 'An array in a query is a repeated name; the assets of the portfolio are numbered: assets[0][symbol].',
    source: 'current',
    document: [/list in a query repeats its parameter/],
    client: async ({ client, service }) => {
      await client.accounts.priceTriggerSwaps.list(IDS.accountId, { statuses: ['active', 'completed'] });
      await client.accounts.portfolio.history(IDS.accountId, { assets: [BTC, USD] as never });
      expect(service.received.map(({ target }) => decodeURIComponent(target.split('?')[1] ?? ''))).toEqual([
        'statuses=active&statuses=completed',
        'assets[0][symbol]=BTC&assets[0][type]=crypto&assets[1][symbol]=USD&assets[1][type]=fiat',
      ]);
    },
    sandbox: async ({ send, ids }) => {
      const assets = 'assets[0][symbol]=BTC&assets[0][type]=crypto';
      const { status } = await send({ target: `/v1/accounts/${ids.accountId}/portfolio/history?${assets}` });
      expect(status).toBe(200);
    },
  },
  {
    fact: 'Amounts are decimal strings, never JSON numbers.',
    source: 'specified',
    document: [/Amounts are decimal (texts|strings)/],
    client: async ({ client, service }) => {
      const answer = { ref_id: 'wd_8f1', amount: 0.01, fee: '0.0001', total: '0.0101', fee_token: null };
      service.answers({ body: { data: answer } });
      const body = { asset_symbol: 'BTC', key: 'cold', amount: '0.0100000000000000001' };
      await expect(client.funds.withdrawals.create(IDS.accountId, body)).rejects.toThrow(ResponseValidationError);
      expect(service.received).toMatchObject([{ body: { amount: '0.0100000000000000001' } }]);
    },
    sandbox: async ({ send, ids }) => {
      const target = `/v1/accounts/${ids.accountId}/quotes`;
      const body = { from: { ...USD, amount: 250 }, to: BTC };
      expect((await send({ target, method: 'POST', body })).status).toBe(400);
    },
  },
  {
    fact: 'Everything in a response is open: unknown members are kept, and unknown values pass.',
    source: 'current',
    document: [/Accept unknown members and values/],
    client: async ({ client, service }) => {
      const data = {
        id: IDS.transferId,
        status: 'awaiting_review',
        review: { by: 'desk' },
        from: { asset: { symbol: 'USD', type: 'metal', amount: '5' } },
      };
      service.answers({ body: { data, server: 'b' } });
      expect(JSON.parse(JSON.stringify(await client.transfers.get(IDS.transferId)))).toEqual(data);
    },
  },
  {
    fact: 'Ids are opaque: beyond the lengths of the description, none has a form. An account id has 14 to 42 characters; earn also takes 5 and more.',
    source: 'specified',
    client: async ({ client, service }) => {
      for (const length of [14, 42]) await client.accounts.portfolio.summary('~'.repeat(length));
      for (const length of [5, 42]) await client.accounts.earn.auto.get('~'.repeat(length));
      expect(service.received).toHaveLength(4);
      for (const length of [13, 43]) {
        await expect(client.accounts.portfolio.summary('~'.repeat(length))).rejects.toThrow(/account/i);
      }
      for (const length of [4, 43]) {
        await expect(client.accounts.earn.auto.get('~'.repeat(length))).rejects.toThrow(/account/i);
      }
    },
    sandbox: async ({ send }) => {
      const status = async (length: number, path: string) =>
        (await send({ target: `/v1/accounts/${'a'.repeat(length)}/${path}` })).status;
      for (const length of [13, 43]) expect(await status(length, 'portfolio/summary')).toBe(400);
      for (const length of [4, 43]) expect(await status(length, 'earn/auto')).toBe(400);
      for (const length of [14, 42]) expect(await status(length, 'portfolio/summary')).not.toBe(400);
      for (const length of [5, 42]) expect(await status(length, 'earn/auto')).not.toBe(400);
    },
  },
  {
    fact: 'A user id may contain spaces, which are encoded in the path.',
    source: 'specified',
    client: async ({ client, service }) => {
      service.answers({
        body: {
          data: [],
          quote_symbol: 'USD',
          quote_type: 'fiat',
          page_size: 20,
          sort: 'price',
          sort_direction: 'asc',
          type: [],
        },
      });
      await client.users.assets.list('AA21 N84G UXZ7');
      expect(service.received[0]?.target).toBe('/v1/users/AA21%20N84G%20UXZ7/assets');
    },
    sandbox: async ({ send, sandbox }) => {
      const target = `/v1/users/${encodeURIComponent(sandbox.fixtures.spacedUserId)}/assets?page_size=1`;
      expect((await send({ target })).status).toBe(200);
    },
  },
];
