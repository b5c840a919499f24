import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { operations } from '../../../src/resources/operations.js';
import { Decimal } from '../../../src/schema/decimal.js';
import { ADDRESSES } from '../support/addresses.js';
import { bodies, requestOf, sharedSandbox, type TestRequest, whitelisting } from '../support/partner.js';

const partner = await sharedSandbox();

const { account } = partner;
const { fixtures } = partner.sandbox;
const user = `/v1/users/${fixtures.userId}`;
const addresses = `${account}/funds/withdrawals/addresses`;

const earn = `${account}/earn/auto`;
const triggers = `${account}/price-trigger-swaps`;
const onchain = `${account}/onchain-quotes`;
const made = async (path: string, body: object): Promise<string> => (await partner.post(path, body)).body.data.id;
const triggerId = await made(triggers, bodies.priceTriggerSwap);
const onchainId = await made(onchain, bodies.onchainQuote);
const methodOf = async (symbol: string): Promise<string> =>
  (await partner.get(`${account}/funds/deposits/methods/${symbol}`)).body.data[0].id;

const { data: reports } = (await partner.get('/v1/reports/settlement?report_type=swaps')).body;
const swapsReport = reports[0].id;
const webhookIds = (await partner.get('/v1/webhooks')).body.data.map(({ id }: { id: string }) => id);
const conversionId = await made(`${account}/conversions`, bodies.conversion);
const transferId = await made(`${account}/transfers`, bodies.transfer);

/** One good request of every operation. */
const requests: Record<string, TestRequest> = {
  'users.get': requestOf(`GET ${user}`),
  'users.create': requestOf('POST /v1/users', bodies.user),
  'users.createHeadless': requestOf('POST /v1/users/headless', { external_reference: 'headless' }),
  'users.update': requestOf(`PATCH ${user}`, { phone: null, nickname: 'Countess' }),
  'users.verifications.submitUrl': requestOf(`POST ${user}/verifications/url`, bodies.document),
  'users.verifications.list': requestOf(`GET ${user}/verifications`),
  'users.assets.list': requestOf(`GET ${user}/assets?page_size=100`),
  'assets.list': requestOf('GET /v1/assets?page_size=100'),
  'assets.get': requestOf('GET /v1/assets/crypto/BTC?quote_symbol=EUR&quote_type=fiat'),
  'assets.rates.list': requestOf('GET /v1/assets/crypto/BTC/rates?interval=P1D&page_size=100'),
  'swap.assets.list': requestOf('GET /v1/swap/assets?page_size=100&anything=1'),
  'accounts.onDemandConversions.list': requestOf(`GET ${account}/on-demand-conversions?page_size=25`),
  'accounts.conversionRules.create': requestOf(`POST ${account}/conversion-rules`, {
    ...{ from: { asset: { symbol: 'USD', type: 'fiat' }, via: 'sepa' }, name: 'salaries' },
    to: { asset: { symbol: 'BTC', type: 'crypto' }, destination: { type: 'balance' } },
  }),
  'accounts.conversions.create': requestOf(`POST ${account}/conversions`, bodies.conversion),
  'accounts.conversions.list': requestOf(`GET ${account}/conversions?page_size=100`),
  'conversions.get': requestOf(`GET /v1/conversions/${conversionId}`),
  'accounts.deposits.create': requestOf(`POST ${account}/deposits`, {
    ...{ asset: { symbol: 'BTC', type: 'crypto', amount: '0.5' }, via: 'bitcoin' },
  }),
  'accounts.transfers.create': requestOf(`POST ${account}/transfers`, bodies.transfer),
  'accounts.transfers.list': requestOf(`GET ${account}/transfers?page_size=100`),
  'transfers.get': requestOf(`GET /v1/transfers/${transferId}`),
  'transfers.cancel': requestOf(`POST /v1/transfers/${transferId}/cancel`),
  'accounts.quotes.get': requestOf(`GET ${account}/quotes/${fixtures.quoteId}`),
  'accounts.quotes.create': requestOf(`POST ${account}/quotes`, bodies.quote),
  'accounts.quotes.execute': requestOf(`POST ${account}/quotes/${fixtures.quoteId}/execute`),
  'accounts.onchainQuotes.create': requestOf(`POST ${account}/onchain-quotes`, bodies.onchainQuote),
  'accounts.onchainQuotes.get': requestOf(`GET ${onchain}/${onchainId}`),
  'accounts.onchainQuotes.list': requestOf(`GET ${onchain}?page_size=100`),
  'accounts.priceTriggerSwaps.create': requestOf(`POST ${triggers}`, bodies.priceTriggerSwap),
  'accounts.priceTriggerSwaps.get': requestOf(`GET ${triggers}/${triggerId}`),
  'accounts.priceTriggerSwaps.list': requestOf(`GET ${triggers}?statuses=active&statuses=completed`),
  'accounts.priceTriggerSwaps.cancel': requestOf(`POST ${triggers}/${triggerId}/cancel`),
  'accounts.portfolio.details': requestOf(`GET ${account}/portfolio/details`),
  'accounts.portfolio.summary': requestOf(`GET ${account}/portfolio/summary`),
  'accounts.portfolio.transactions.list': requestOf(
    `GET ${account}/portfolio/transactions?types=deposit&types=simple_order&assets[0][symbol]=BTC&assets[0][type]=crypto`,
  ),
  'accounts.portfolio.history': requestOf(`GET ${account}/portfolio/history?assets%5B0%5D%5Bsymbol%5D=BTC`),
  'accounts.wallets.whitelist': whitelisting(partner, { 'API-Otp': fixtures.otp }),
  'funds.withdrawalAddresses.save': requestOf(
    `POST ${addresses}`,
    bodies.address(fixtures.methodId, 'every operation'),
  ),
  'funds.withdrawalAddresses.validate': requestOf('POST /v1/funds/withdrawals/addresses/validate', {
    ...{ asset_symbol: 'BTC', method_id: fixtures.methodId, address: ADDRESSES.bitcoin },
  }),
  'funds.withdrawalAddresses.update': requestOf(`PATCH ${addresses}/${fixtures.withdrawalAddressKey}`, {
    new_key: 'new',
  }),
  'funds.withdrawalAddresses.delete': requestOf(`DELETE ${addresses}/treasury%20xrp`),
  'funds.withdrawalMethods.list': requestOf(`GET ${account}/funds/withdrawals/methods/BTC?anything=1`),
  'funds.addresses.delete': requestOf(`DELETE ${account}/funds/addresses/${fixtures.addressId}`),
  'funds.bankLinks.get': requestOf(`GET ${account}/funds/bank-links/${fixtures.bankLinkId}`),
  'funds.withdrawalAddresses.list': requestOf(`GET ${addresses}`),
  'funds.depositMethods.list': requestOf(`GET ${account}/funds/deposits/methods/XRP`),
  'funds.depositAddresses.create': requestOf(`POST ${account}/funds/deposits/addresses`, {
    ...{ asset_symbol: 'XRP', method_id: await methodOf('XRP') },
  }),
  'funds.depositAddresses.list': requestOf(`GET ${account}/funds/deposits/addresses?asset_symbol=XRP`),
  'funds.withdrawals.create': requestOf(`POST ${account}/funds/withdrawals`, {
    ...{ asset_symbol: 'BTC', key: 'every operation', amount: '0.01' },
  }),
  'funds.transactions.list': requestOf('GET /v1/funds/transactions?type=withdrawal'),
  'funds.depositLimits.list': requestOf(`GET ${account}/funds/deposits/limits/BTC`),
  'accounts.earn.auto.get': requestOf(`GET ${earn}`),
  'accounts.earn.auto.update': requestOf(`PATCH ${earn}`, { staking: 'enabled' }),
  'accounts.earn.auto.assets.list': requestOf(`GET ${earn}/assets?page_size=200`),
  'accounts.earn.auto.allocations.list': requestOf(`GET ${earn}/allocations`),
  'accounts.earn.auto.rewards.list': requestOf(`GET ${earn}/rewards`),
  'earn.auto.assets.list': requestOf('GET /v1/earn/auto/assets?country=DE'),
  'ramp.countries.list': requestOf('GET /v1/ramp/countries'),
  'ramp.fiatCurrencies.list': requestOf('GET /v1/ramp/fiat-currencies'),
  'ramp.paymentMethods.list': requestOf('GET /v1/ramp/payment-methods?anything=1'),
  'ramp.assets.list': requestOf('GET /v1/ramp/buy/crypto?country=US&subdivision=CA'),
  'ramp.limits.get': requestOf('GET /v1/ramp/limits?in_asset_symbol=EUR&anything=1'),
  'ramp.checkout.get': requestOf('GET /v1/ramp/checkout?in_amount=100&anything=1'),
  'rampQuotes.prospective': requestOf(
    'GET /v1/ramp/quotes/prospective?from_symbol=USD&to_symbol=BTC&from_amount=250.5&affiliate_fee_bps=100',
  ),
  'reports.settlement.list': requestOf('GET /v1/reports/settlement?report_type=swaps&page_size=100'),
  'reports.settlement.get': requestOf(`GET /v1/reports/settlement/${swapsReport}`),
  'webhooks.list': requestOf('GET /v1/webhooks?page_size=25'),
  'webhooks.create': requestOf('POST /v1/webhooks', { url: 'https://partner.example/hooks' }),
  'webhooks.update': requestOf(`PATCH /v1/webhooks/${fixtures.webhookId}`, { description: '' }),
  'webhooks.delete': requestOf(`DELETE /v1/webhooks/${webhookIds[1]}`),
  'webhooks.test': requestOf(`POST /v1/webhooks/${fixtures.webhookId}/test`),
};

test('every operation that is answered has a good request here', () => {
  expect(operations.map(({ name }) => name).sort()).toEqual(Object.keys(requests).sort());
});

test.each(operations)('$name is answered in the shape of its description', async (operation) => {
  const answer = await partner.call(requests[operation.name] ?? requestOf(''));
  expect(answer.status).toBe(200);
  if (operation.answer.kind === 'value')
    expect(z.safeParse(operation.answer.schema(), answer.body).error).toBeUndefined();
  expect(
    numbersIn(answer.body).filter(
      (path) => !/size|width|height|decimals|rank|seconds|expiration|current_uses/.test(path),
    ),
  ).toEqual([]);
  expect(JSON.stringify(answer.body) ?? '').not.toMatch(/"-?[0-9.]+e[+-]?[0-9]+"/i);
  expect(partner.sandbox.journal.at(-1)).toMatchObject({ operation: operation.name, verdict: 'accepted', status: 200 });
});

/** Where JSON numbers are: money must not be among them. */
function numbersIn(value: unknown, path = ''): string[] {
  if (typeof value === 'number') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => numbersIn(member, `${path}.${name}`));
}

const decimal = (value: string) => new Decimal(value);

describe('a quote', () => {
  const create = async (from: object, to: object, fee?: object) =>
    (await partner.post(`${partner.account}/quotes`, { from, to, ...(fee ? { fee } : {}) })).body.data;
  const usd = { symbol: 'USD', type: 'fiat' };
  const btc = { symbol: 'BTC', type: 'crypto' };

  test('keeps the side that carries the amount, and computes the other at the rate after the fee', async () => {
    const bought = await create({ ...usd, amount: '100.50' }, btc);
    expect(bought.from.amount).toBe('100.50');
    expect(bought.rate).toMatchObject({ base: btc, quote: usd });
    expect(bought.fees.trade).toMatchObject(usd);
    const net = decimal('100.50').minus(bought.fees.trade.amount);
    expect(bought.to.amount).toBe(net.div(bought.rate.price).toDecimalPlaces(8, Decimal.ROUND_DOWN).toFixed(8));

    const sold = await create(btc, { ...usd, amount: '1000' });
    expect(sold.to.amount).toBe('1000');
    const given = decimal(sold.from.amount).minus(sold.fees.trade.amount).times(sold.rate.price);
    expect(given.gte(1000) && given.lt('1000.01')).toBe(true);
  });

  test('charges the fee of the partner on top', async () => {
    const fee = async (bps: number) => (await create({ ...usd, amount: '1000' }, btc, { bps })).fees.trade.amount;
    const [charged, free] = [await fee(100), await fee(0)];
    expect(decimal(charged).minus(free).toFixed()).toBe('10');
  });

  test('is asked for again under the same id', async () => {
    const made = await create({ ...usd, amount: '5' }, btc);
    expect((await partner.get(`${partner.account}/quotes/${made.id}`)).body.data).toEqual(made);
  });
});

test('an on-chain quote tells what to execute, in base units, to the wallet that pays', async () => {
  const { data } = (await partner.post(`${partner.account}/onchain-quotes`, bodies.onchainQuote)).body;
  const { chain_id, proxy_address: proxy, proxy_swap_message: message } = data.execution_details;
  const { atomic_message: atomic } = message;
  expect([chain_id, message.client_address, atomic.quote_id]).toEqual(['1', ADDRESSES.ethereum, data.id]);
  expect(atomic.incoming_transfer).toMatchObject({ from: ADDRESSES.ethereum, to: proxy, amount: '100000000' });
  expect(atomic.outgoing_transfer).toMatchObject({ from: proxy, to: ADDRESSES.ethereum });
  expect(decimal(data.to.amount).times(1e8).toFixed()).toBe(atomic.outgoing_transfer.amount);
  expect(atomic.expiration * 1000).toBe(Date.parse(data.expires_at));
});

describe('a ramp quote', () => {
  const preview = async (query: string) =>
    (await partner.get(`/v1/ramp/quotes/prospective?from_symbol=USD&to_symbol=ETH&${query}`)).body.data;

  test('adds up on both sides', async () => {
    const { from, to, unit_price } = await preview('from_amount=250.50&affiliate_fee_bps=150&from_method=card');
    const paid = decimal(from.subtotal).plus(from.fee).plus(from.deposit_fee);
    expect(paid.eq(from.total)).toBe(true);
    expect(decimal(from.fee).gt(from.affiliate_fee)).toBe(true);
    const bought = decimal(from.subtotal).div(unit_price.unit_price).toDecimalPlaces(10, Decimal.ROUND_DOWN);
    expect(bought.eq(to.subtotal)).toBe(true);
    expect(decimal(to.subtotal).minus(to.withdrawal_fee).eq(to.total)).toBe(true);
    expect([from.withdrawal_fee, to.fee, to.deposit_fee, to.affiliate_fee]).toEqual([null, null, null, null]);
  });

  test("raises the fee by the partner's portion, which is null when none was asked for", async () => {
    const [without, none, some] = await Promise.all([
      preview('from_amount=100'),
      preview('from_amount=100&affiliate_fee_bps=0'),
      preview('from_amount=100&affiliate_fee_bps=200'),
    ]);
    expect([without.from.affiliate_fee, none.from.affiliate_fee]).toEqual([null, '0.00']);
    expect(decimal(some.from.fee).minus(none.from.fee).eq(some.from.affiliate_fee)).toBe(true);
    expect(without.from.fee).toBe(none.from.fee);
  });

  test('gives nothing, and not less than nothing, when fees eat all', async () => {
    const { from, to } = await preview('from_amount=0.01&affiliate_fee_bps=10000');
    expect([from.subtotal, to.total, to.withdrawal_fee].map(Number)).toEqual([0, 0, 0]);
  });
});

describe('a portfolio', () => {
  const details = async (query = '') => (await partner.get(`${partner.account}/portfolio/details${query}`)).body;

  test('is valued in the asset asked for', async () => {
    const [usd, eur, usdc] = await Promise.all([
      details(),
      details('?quote_symbol=EUR'),
      details('?quote_symbol=USDC&quote_type=stablecoin'),
    ]);
    expect([usd, eur, usdc].map(({ quote_symbol, quote_type }) => [quote_symbol, quote_type])).toEqual([
      ['USD', 'fiat'],
      ['EUR', 'fiat'],
      ['USDC', 'stablecoin'],
    ]);
    const btc = (body: typeof usd) => body.data.find(({ symbol }: { symbol: string }) => symbol === 'BTC');
    expect(btc(usd).total).toBe(btc(eur).total);
    expect(decimal(btc(usd).total_in_quote).div(btc(eur).total_in_quote).toFixed(4)).toBe('1.0865');
    expect(btc(eur).pnl.reference_currency).toEqual({ symbol: 'EUR', type: 'fiat' });
  });

  test('adds up, and has no cost of fiat', async () => {
    for (const entry of (await details()).data) {
      expect(decimal(entry.available).plus(entry.open_orders).eq(entry.total)).toBe(true);
      const isFiat = entry.type === 'fiat';
      expect(entry.avg_entry_price_in_quote === null).toBe(isFiat);
      expect(entry.cost_basis_in_quote === null).toBe(isFiat);
      expect('pnl' in entry).toBe(!isFiat);
      if (isFiat) continue;
      const gain = decimal(entry.total_in_quote).minus(entry.cost_basis_in_quote).minus(entry.pnl.unrealized);
      expect(gain.abs().lte('0.0002')).toBe(true);
    }
  });
});

test('a user whose id contains spaces is found by its encoded path', async () => {
  const id = fixtures.spacedUserId;
  expect(id).toContain(' ');
  expect((await partner.get(`/v1/users/${encodeURIComponent(id)}`)).body.data.id).toBe(id);
});

test('a saved address answers its tag, or null', async () => {
  const xrp = {
    ...bodies.address(fixtures.methodId, 'with tag'),
    asset_symbol: 'XRP',
    address: ADDRESSES.xrp,
    tag: '7',
  };
  expect((await partner.post(addresses, xrp)).body).toEqual({ data: { key: 'with tag', tag: '7' } });
  const btc = bodies.address(fixtures.methodId, 'without tag');
  expect((await partner.post(addresses, btc)).body).toEqual({ data: { key: 'without tag', tag: null } });
});

test('a renamed key is free again, and the new one is taken', async () => {
  const save = (key: string) => partner.post(addresses, bodies.address(fixtures.methodId, key));
  await save('first name');
  await partner.call({ method: 'PATCH', path: `${addresses}/first%20name`, body: { new_key: 'second name' } });
  expect((await save('second name')).status).toBe(409);
  expect((await save('first name')).status).toBe(200);
});
