import { expect } from 'vitest';
import { z } from 'zod';
import { RequestValidationError } from '../../../src/index.js';
import type { Fact } from '../fact.js';
import { IDS } from '../ids.js';

const USD = { symbol: 'USD', type: 'fiat' };
const BTC = { symbol: 'BTC', type: 'crypto' };

/** What the reference shows only in part, so that more must pass, both ways. */
export const openness: readonly Fact[] = [
  {
    fact: 'A price-trigger swap may have a name.',
    source: 'current',
    client: async ({ client, service }) => {
      const name = 'buy the dip';
      const body = {
        trade: { from: { symbol: 'USD', type: 'fiat', amount: '10' }, to: { symbol: 'BTC', type: 'crypto' } },
        when: { base: { symbol: 'BTC', type: 'crypto' }, quote: { symbol: 'USD', type: 'fiat' }, rises_to: '1000000' },
        name,
      } as const;
      await client.accounts.priceTriggerSwaps.create(IDS.accountId, body);
      expect(service.received).toMatchObject([{ body: { name } }]);
    },
    sandbox: async ({ send, ids }) => {
      const body = {
        trade: { from: { symbol: 'USD', type: 'fiat', amount: '10' }, to: { symbol: 'BTC', type: 'crypto' } },
        when: { base: { symbol: 'BTC', type: 'crypto' }, quote: { symbol: 'USD', type: 'fiat' }, rises_to: '1000000' },
        name: 'buy the dip',
      };
      const target = `/v1/accounts/${ids.accountId}/price-trigger-swaps`;
      expect((await send({ target, method: 'POST', body })).status).toBe(200);
    },
  },
  {
    fact: 'A withdrawal in the ledger is pending, held, success, settled, failure, failed or completed: no page has all of these.',
    source: 'current',
    client: async ({ client, service }) => {
      const entry = (status: string) => ({ body: { data: [{ type: 'withdrawal', ref_id: 'wd_8f1', status }] } });
      const terminal = ['success', 'settled', 'failure', 'failed', 'completed'];
      service.answers(entry('pending'), entry('held'));
      for (const status of terminal) {
        service.answers(entry(status));
        expect((await client.funds.withdrawals.waitFor(IDS.accountId, 'wd_8f1')).status).toBe(status);
      }
      expect(service.received).toHaveLength(terminal.length + 2);
    },
    sandbox: ({ sandbox }) => {
      const states = sandbox.resources.kinds().find(({ kind }) => kind === 'withdrawals')?.states ?? [];
      expect([...states].sort()).toEqual(['failure', 'held', 'pending', 'success']);
    },
  },
  {
    fact: 'Portfolio transactions are in_progress, successful, failed, no_status or uncategorized.',
    source: 'current',
    sandbox: async ({ send, ids, sandbox }) => {
      await send({ target: `/v1/accounts/${ids.accountId}/quotes/${ids.quoteId}/execute`, method: 'POST' });
      await sandbox.clock.advance(60_000);
      const { json } = await send({ target: `/v1/accounts/${ids.accountId}/portfolio/transactions` });
      const { data } = json as { data: { status: string }[] };
      expect(data.length).toBeGreaterThan(0);
      const known = ['in_progress', 'successful', 'failed', 'no_status', 'uncategorized'];
      expect(data.map(({ status }) => status).filter((status) => !known.includes(status))).toEqual([]);
    },
  },
  {
    fact: 'Portfolio transactions are also filtered by statuses and ids, sorted, and valued in another asset; the names of these parameters are cut.',
    source: 'current',
    client: async ({ client, service }) => {
      const query = { sort: 'asc', quote_symbol: 'EUR', statuses: ['successful', 'failed'] };
      await client.accounts.portfolio.transactions.list(IDS.accountId, query);
      expect(service.received[0]?.query).toEqual(query);
    },
    sandbox: async ({ send, ids }) => {
      const target = `/v1/accounts/${ids.accountId}/portfolio/transactions?sort=asc&quote_symbol=EUR`;
      expect((await send({ target })).status).toBe(200);
    },
  },
  {
    fact: 'Conversions and transfers have further kinds of source, such as a bank, whose members are not shown: bodies are open.',
    source: 'guide',
    client: async ({ client, service }) => {
      const source = { type: 'bank', account_link_id: 'al_1', method_id: IDS.methodId };
      const conversion = { from: { asset: { ...USD, amount: '20' }, source }, to: { asset: BTC }, note: 'a' };
      const transfer = { from: { asset: { ...USD, amount: '5' }, source }, to: { tag: 'a friend' } };
      const echo = ({ from }: { readonly from: unknown }) => ({ body: { data: { id: IDS.conversionId, from } } });
      service.answers(echo(conversion), echo(transfer));
      await client.accounts.conversions.create(IDS.accountId, conversion);
      await client.accounts.transfers.create(IDS.accountId, transfer);
      expect(service.received.map(({ body }) => body)).toEqual([conversion, transfer]);
    },
  },
  {
    fact: 'Fiat currencies of the ramp depend on country and subdivision, and their token is opaque: the list has pages.',
    source: 'current',
    client: async ({ client, service }) => {
      const query = { country: 'US', subdivision: 'CA' };
      service.answers({ body: { data: [{ symbol: 'USD' }], next_page_token: 'tok_2' } });
      service.answers({ body: { data: [{ symbol: 'EUR' }], next_page_token: null } });
      const found = await client.ramp.fiatCurrencies.list(query).toArray({ limit: 10 });
      expect(found).toEqual([{ symbol: 'USD' }, { symbol: 'EUR' }]);
      expect(service.received.map((one) => one.query)).toEqual([query, { ...query, page_token: 'tok_2' }]);
    },
    sandbox: async ({ send }) => {
      const { json } = await send({ target: '/v1/ramp/fiat-currencies?page_size=1' });
      const { data, next_page_token: token } = json as { data: unknown[]; next_page_token: string };
      expect(data).toHaveLength(1);
      const target = `/v1/ramp/fiat-currencies?page_size=1&page_token=${encodeURIComponent(token)}`;
      const next = (await send({ target })).json as { data: unknown[] };
      expect(next.data).not.toEqual(data);
    },
  },
  {
    fact: 'Conversions take from a balance or an external wallet.',
    source: 'current',
    client: async ({ client, service }) => {
      for (const type of ['balance', 'external_wallet']) {
        const body = { from: { asset: { ...BTC, amount: '1' }, source: { type } }, to: { asset: USD } };
        service.answers({ body: { data: { id: IDS.conversionId, ...body } } });
        expect(await client.accounts.conversions.create(IDS.accountId, body)).toMatchObject({
          from: { source: { type } },
        });
      }
    },
  },
  {
    fact: 'One page shows a number where another shows a string, so a known member of a readable type never costs the answer; only an amount as a JSON number does.',
    source: 'inferred',
    client: async ({ client, service }) => {
      const limit = {
        method_id: IDS.methodId,
        maximum_amount: { ...BTC, name: 'Bitcoin', amount: '5' },
        period_limits: [
          { type: 'amount', period: 'daily', period_seconds: '86400', asset: BTC, remaining: '4', maximum: '5' },
        ],
      };
      service.answers({ body: { data: [limit] } });
      const [found] = (await client.funds.depositLimits.list(IDS.accountId, 'BTC')).items;
      expect(found?.period_limits[0]?.period_seconds).toBe(86_400);
      service.answers({ body: { data: { address: 'r1', tag: 90210, is_new: 'true', name: 'XRP Ledger' } } });
      const body = { method_id: IDS.depositMethodId, asset_symbol: 'XRP' };
      const address = await client.funds.depositAddresses.create(IDS.accountId, body);
      expect([address.tag, address.is_new]).toEqual(['90210', true]);
    },
  },
  {
    fact: 'Lengths of a path are checked: a quote id has up to 64 characters, a bank link 4 to 128, the symbol of deposit limits 1 to 16, a funding address exactly 20, and its account 1 to 64.',
    source: 'specified',
    client: async ({ client, service }) => {
      const { accountId: account } = IDS;
      for (const call of [
        () => client.accounts.quotes.get(account, 'a'.repeat(65)),
        () => client.funds.bankLinks.get(account, 'abc'),
        () => client.funds.bankLinks.get(account, 'a'.repeat(129)),
        () => client.funds.depositLimits.list(account, 'A'.repeat(17)),
        () => client.funds.addresses.delete(account, `${IDS.addressId}a`),
        () => client.funds.addresses.delete('a'.repeat(65), IDS.addressId),
      ]) {
        await expect(call()).rejects.toThrow(RequestValidationError);
      }
      expect(service.received).toEqual([]);
      await client.funds.addresses.delete('a', IDS.addressId);
      await client.funds.addresses.delete('a'.repeat(64), IDS.addressId);
    },
    sandbox: async ({ send, ids }) => {
      const account = `/v1/accounts/${ids.accountId}`;
      for (const [method, target] of [
        ['GET', `${account}/quotes/${'a'.repeat(65)}`],
        ['GET', `${account}/funds/bank-links/abc`],
        ['GET', `${account}/funds/deposits/limits/${'A'.repeat(17)}`],
        ['DELETE', `${account}/funds/addresses/AB-x`],
      ] as const) {
        expect([target, (await send({ target, method })).status]).toEqual([target, 400]);
      }
    },
  },
  {
    fact: 'Retail quotes, hosted and travel-rule verifications, bank links, rules and the like are named, but nothing else is known: a call of your own reaches them, with your own schema.',
    source: 'specified',
    client: async ({ client, service }) => {
      service.answers({ body: { data: { bank_link_id: 'bl_new' } } });
      const made = await client.request({
        method: 'POST',
        path: '/v1/accounts/{account_id}/somewhere/{else}',
        params: { account_id: IDS.accountId, else: 'a b' },
        body: { consent: true },
        schema: z.object({ bank_link_id: z.string() }),
      });
      expect(made).toEqual({ bank_link_id: 'bl_new' });
      const target = `/v1/accounts/${IDS.accountId}/somewhere/a%20b`;
      expect(service.received).toMatchObject([{ method: 'POST', target, body: { consent: true } }]);
    },
  },
  {
    fact: 'A fee_token of a withdrawal method holds its fee for 10 minutes.',
    source: 'old',
    sandbox: async ({ send, ids, sandbox }) => {
      const funds = `/v1/accounts/${ids.accountId}/funds/withdrawals`;
      const address = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
      const save = { asset_symbol: 'BTC', method_id: ids.methodId, key: 'mine', address };
      await send({ target: `${funds}/addresses`, method: 'POST', body: save });
      const { json } = await send({ target: `${funds}/methods/BTC` });
      const [method] = (json as { data: { fee: { amount: string }; fee_token: string }[] }).data;
      const feeNow = async () => {
        const body = { asset_symbol: 'BTC', key: 'mine', amount: '0.01', fee_token: method?.fee_token };
        const made = await send({ target: funds, method: 'POST', body });
        return Number((made.json as { data: { fee: string } }).data.fee);
      };
      sandbox.prices.set('BTC', '6000');
      sandbox.advance(9 * 60_000);
      expect(await feeNow()).toBe(Number(method?.fee.amount));
      sandbox.advance(2 * 60_000);
      expect(await feeNow()).not.toBe(Number(method?.fee.amount));
    },
  },
  {
    fact: 'Rate limits, the lifetime of an idempotency key, the form of one-time passwords and a version header of /v1 are not known.',
    source: 'specified',
    document: [/how long (a|an idempotency) key is remembered/, /the form of a one-time password/],
    unchecked: 'what nobody states cannot be checked',
  },
];
