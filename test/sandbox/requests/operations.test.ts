import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { operations } from '../../../src/resources/operations.js';
import { Decimal } from '../../../src/schema/decimal.js';
import { askSandbox } from '../../../tools/examples/examples.js';
import { ADDRESSES } from '../support/addresses.js';
import { bodies, sharedSandbox } from '../support/partner.js';

const partner = await sharedSandbox();

const { account } = partner;
const { fixtures } = partner.sandbox;
const addresses = `${account}/funds/withdrawals/addresses`;

const examples = await askSandbox(partner.sandbox);
const verdicts = new Map(partner.sandbox.journal.map(({ operation, verdict }) => [operation, verdict]));

test.each(operations)('$name is answered in the shape of its description', (operation) => {
  const answer = examples.get(operation.name)?.answer;
  if (operation.answer.kind === 'value') expect(z.safeParse(operation.answer.schema(), answer).error).toBeUndefined();
  const counts = /size|width|height|decimals|rank|seconds|expiration|current_uses/;
  expect(numbersIn(answer).filter((path) => !counts.test(path))).toEqual([]);
  expect(JSON.stringify(answer) ?? '').not.toMatch(/"-?[0-9.]+e[+-]?[0-9]+"/i);
  expect(verdicts.get(operation.name)).toBe('accepted');
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
