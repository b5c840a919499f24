import { beforeEach, describe, expect, test } from 'vitest';
import { Decimal } from '../../../src/index.js';
import { directSandbox } from '../support/direct-partner.js';
import { fieldsOf } from '../support/partner.js';

const DAY_MS = 86_400_000;
const USD = { symbol: 'USD', type: 'fiat' };
const BTC = { symbol: 'BTC', type: 'crypto' };

const partner = directSandbox();
const { accountId } = partner.sandbox.fixtures;
beforeEach(() => partner.sandbox.reset());

// biome-ignore lint/suspicious/noExplicitAny: answers of the service
type Data = any;

const portfolio = async (path: string): Promise<Data> => {
  const { status, body } = await partner.get(`${partner.account}/portfolio/${path}`);
  expect([status, body.error]).toEqual([200, undefined]);
  return body;
};
const transactions = async (query = ''): Promise<Data[]> => (await portfolio(`transactions${query}`)).data;

/** Converts an amount, and waits for the end. Returns the quote. */
async function convert(from: object, to: object, before = () => {}): Promise<Data> {
  const { data } = (await partner.post(`${partner.account}/quotes`, { from, to })).body;
  await partner.post(`${partner.account}/quotes/${data.id}/execute`);
  before();
  partner.sandbox.advance(2_000);
  return (await partner.get(`${partner.account}/quotes/${data.id}`)).body.data;
}
const fail = () => {
  const id = partner.sandbox.journal.at(-1)?.path.split('/').at(-2) ?? '';
  partner.sandbox.quotes.fail(id);
};
const deposit = (symbol: string, amount: string) => partner.sandbox.accounts.deposit(accountId, { symbol, amount });

const holdingOf = async ({ symbol, type }: typeof USD): Promise<Data> => {
  const { data } = await portfolio('details');
  return data.find((entry: Data) => entry.symbol === symbol && entry.type === type);
};
const sum = (values: string[]): string => values.reduce((all, one) => all.plus(one), new Decimal(0)).toFixed(4);

describe('a transaction', () => {
  test('of an executed quote shows what left and what came, the fee, and the balances afterwards', async () => {
    const before = { usd: await holdingOf(USD), btc: await holdingOf(BTC) };
    const quote = await convert({ ...USD, amount: '250.129' }, BTC);
    const [entry, ...others] = await transactions();
    expect(others).toEqual([]);
    const { spend, receive } = entry;
    expect(entry).toMatchObject({ type: 'simple_order', status: 'successful', timestamp: '2026-01-15T12:00:02.000Z' });
    expect(spend.total).toMatchObject({ ...USD, amount: '250.129', amount_in_quote: '250.1290' });
    expect(spend.fee).toMatchObject(quote.fees.trade);
    expect(new Decimal(spend.sub_total.amount).plus(spend.fee.amount).toFixed()).toBe('250.129');
    expect(new Decimal(before.usd.total).minus('250.129').toFixed()).toBe(spend.balance.amount);
    expect(receive.total).toMatchObject({ ...BTC, amount: quote.to.amount });
    expect(receive.fee.amount).toMatch(/^0\.0+$/);
    expect(new Decimal(before.btc.total).plus(quote.to.amount).toFixed(8)).toBe(receive.balance.amount);
    expect((await holdingOf(BTC)).total).toBe(receive.balance.amount);
  });

  test('of an order that failed is there, and has moved nothing', async () => {
    const before = await holdingOf(USD);
    expect((await convert({ ...USD, amount: '100' }, BTC, fail)).status).toBe('failed');
    const [entry] = await transactions();
    expect(entry).toMatchObject({ type: 'simple_order_failed', status: 'failed' });
    expect([entry.spend.total.amount, entry.receive.total.amount].map(Number)).toEqual([0, 0]);
    expect(entry.spend.balance.amount).toBe(before.total);
  });

  test('of a deposit has no side that was spent', async () => {
    deposit('USD', '12.34567');
    const [entry] = await transactions();
    expect(entry).toMatchObject({ type: 'deposit', receive: { total: { ...USD, amount: '12.34567' } } });
    expect(entry).not.toHaveProperty('spend');
  });

  test('of a conversion from a balance to a bank has no side that was received, and the other way round', async () => {
    const { sandbox } = partner;
    const [balance, bank] = ['balance', 'bank'] as const;
    const from = { type: balance, symbol: 'BTC', amount: '0.01' };
    const out = sandbox.accounts.convert(accountId, { from, to: { type: bank, symbol: 'USD' } });
    sandbox.advance(120_000);
    const income = { from: { type: bank, symbol: 'USD', amount: '100' }, to: { type: balance, symbol: 'BTC' } };
    const into = sandbox.accounts.convert(accountId, income);
    sandbox.advance(4 * DAY_MS);
    const [second, first] = await transactions();
    expect(first).toMatchObject({ type: 'simple_order', spend: { total: { ...BTC, amount: '0.01000000' } } });
    expect(second.receive.total.amount).toBe(into.to.type === 'balance' && into.to.amount);
    expect([first.receive, second.spend]).toEqual([undefined, undefined]);
    expect(out.from.type).toBe('balance');
  });

  test('has an id of its own among all accounts', async () => {
    deposit('USD', '1');
    partner.sandbox.accounts.deposit(partner.sandbox.fixtures.secondaryAccountId, { symbol: 'USD', amount: '1' });
    const other = `/v1/accounts/${partner.sandbox.fixtures.secondaryAccountId}/portfolio/transactions`;
    const ids = [...(await transactions()), ...(await partner.get(other)).body.data].map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
  });
});

describe('the list of transactions', () => {
  beforeEach(async () => {
    deposit('USD', '1'); // at 0 s
    await convert({ ...USD, amount: '100' }, BTC); // at 2 s
    await convert({ ...USD, amount: '100' }, { symbol: 'ETH', type: 'crypto' }); // at 4 s
    await convert({ ...BTC, amount: '0.001' }, USD, fail); // at 6 s
  });
  const types = async (query: string) => (await transactions(query)).map(({ type }) => type);

  test.each([
    ['', ['simple_order_failed', 'simple_order', 'simple_order', 'deposit']],
    ['?types=deposit', ['deposit']],
    ['?types=deposit&types=simple_order_failed', ['simple_order_failed', 'deposit']],
    ['?types=earn_reward', []],
    ['?assets[0][symbol]=BTC&assets[0][type]=crypto', ['simple_order_failed', 'simple_order']],
    ['?assets[1][symbol]=ETH&assets[0][symbol]=BTC', ['simple_order_failed', 'simple_order', 'simple_order']],
    ['?assets%5B0%5D%5Bsymbol%5D=BTC&assets%5B0%5D%5Btype%5D=fiat', []],
    ['?assets[0][type]=crypto', ['simple_order_failed', 'simple_order', 'simple_order']],
    ['?start_timestamp=2026-01-15T12:00:04Z', ['simple_order_failed', 'simple_order']],
    ['?end_timestamp=2026-01-15T12:00:02.000Z', ['simple_order', 'deposit']],
    ['?start_timestamp=2026-01-15T14:00:02%2B02:00&end_timestamp=2026-01-15T12:00:02Z', ['simple_order']],
    ['?types=simple_order&assets[0][symbol]=USD&end_timestamp=2026-01-15T12:00:03Z', ['simple_order']],
  ])('is, of %j, newest first, %j', async (query, expected) => {
    expect(await types(query)).toEqual(expected);
  });

  test('goes on page by page, also while new ones come', async () => {
    const seen: string[] = [];
    let query = '?page_size=1';
    for (let page = 0; page < 4; page += 1) {
      const { data, next_page_token: token } = await portfolio(`transactions${query}`);
      seen.push(...data.map(({ type }: Data) => type));
      query = `?page_size=1&page_token=${token}`;
      deposit('USD', '1');
      if (page === 3) expect(token).toBeUndefined();
    }
    expect(seen).toEqual(['simple_order_failed', 'simple_order', 'simple_order', 'deposit']);
  });
});

describe('a summary', () => {
  test.each(['USD', 'EUR'])('is, in %s, the sum of the details as they are shown', async (symbol) => {
    await convert({ ...USD, amount: '1000.01' }, BTC);
    const quote = await partner.post(`${partner.account}/quotes`, { from: { ...BTC, amount: '0.1' }, to: USD });
    await partner.post(`${partner.account}/quotes/${quote.body.data.id}/execute`);
    const { data } = await portfolio(`summary?quote_symbol=${symbol}`);
    const entries: Data[] = (await portfolio(`details?quote_symbol=${symbol}`)).data;
    const total = (name: string) => sum(entries.map((entry) => entry[name] ?? '0'));
    expect(data).toMatchObject({ quote_symbol: symbol, quote_type: 'fiat', value: total('total_in_quote') });
    expect([data.available, data.cost_basis]).toEqual([total('available_in_quote'), total('cost_basis_in_quote')]);
    expect(sum([data.available, data.withheld, data.open_orders])).toBe(data.value);
    expect(Number(data.open_orders)).toBeGreaterThan(0);
    expect(data.pnl.unrealized).toBe(sum(entries.map(({ pnl }) => pnl?.unrealized ?? '0')));
  });

  test('in an asset that does not exist is refused', async () => {
    const answer = await partner.get(`${partner.account}/portfolio/summary?quote_symbol=XXX`);
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ['quote_symbol']]);
  });
});

describe('a history', () => {
  const history = async (query = '') => portfolio(`history${query}`);
  const amountsOf = (point: Data) =>
    Object.fromEntries(point.assets.map(({ symbol, amount }: Data) => [symbol, amount]));

  test('ends, by default, with the present: the balances, the value, the profit of the details', async () => {
    await convert({ ...USD, amount: '1000' }, BTC);
    await convert({ ...BTC, amount: '0.01' }, USD);
    const body = await history();
    const last = body.data.at(-1);
    const entries: Data[] = (await portfolio('details')).data;
    expect(last.timestamp).toBe('2026-01-15T12:00:04.000Z');
    expect(amountsOf(last)).toEqual(Object.fromEntries(entries.map(({ symbol, total }) => [symbol, total])));
    expect(last.value).toBe(sum(entries.map((entry) => entry.total_in_quote)));
    const profits = entries.flatMap(({ pnl }) => (pnl === undefined ? [] : [pnl.unrealized, pnl.realized]));
    expect(last.total_pnl).toBe(sum(profits));
    expect(body).toMatchObject({ quote_symbol: 'USD', quote_type: 'fiat', end_timestamp: '2026-01-15T12:00:04.001Z' });
  });

  test('shows the balances of each moment, and what a fee has cost', async () => {
    const [before] = (await history()).data.slice(-1);
    partner.sandbox.advance(DAY_MS);
    const quote = await convert({ ...USD, amount: '1000' }, BTC); // at one day and 2 s
    partner.sandbox.advance(DAY_MS);
    const { data } = await history('?start_timestamp=2026-01-14T12:00:00Z&end_timestamp=2026-01-17T12:00:02Z');
    const at = (timestamp: string) => data.find((point: Data) => point.timestamp === timestamp);
    for (const moment of ['2026-01-14T12:00:00.000Z', '2026-01-16T12:00:00.000Z']) {
      expect(amountsOf(at(moment))).toEqual(amountsOf(before));
    }
    const end = data.at(-1);
    expect(end.timestamp).toBe('2026-01-17T12:00:01.999Z');
    const gained = new Decimal(amountsOf(end)['BTC']).minus(amountsOf(before)['BTC']);
    expect(gained.toFixed(8)).toBe(quote.to.amount);
    expect(new Decimal(amountsOf(before)['USD']).minus(amountsOf(end)['USD']).toFixed()).toBe('1000');
    const value = new Decimal(end.value).minus(before.value);
    expect(value.minus(new Decimal(end.total_pnl).minus(before.total_pnl)).abs().lte('0.0002')).toBe(true);
    expect(value.lt(0)).toBe(true);
  });

  test('excludes its end, includes its start, and shows nothing of the future', async () => {
    deposit('USD', '5');
    const moments = async (query: string) => (await history(query)).data.map(({ timestamp }: Data) => timestamp);
    const noon = '2026-01-15T12:00:00Z';
    expect(await moments(`?start_timestamp=${noon}`)).toEqual(['2026-01-15T12:00:00.000Z']);
    expect(await moments(`?start_timestamp=2026-01-15T11:59:00Z&end_timestamp=${noon}`)).toEqual([
      ...['2026-01-15T11:59:00.000Z', '2026-01-15T11:59:59.999Z'],
    ]);
    expect(await moments(`?start_timestamp=${noon}&end_timestamp=${noon}`)).toEqual([]);
    expect(await moments('?start_timestamp=2027-01-01T00:00:00Z')).toEqual([]);
    expect((await moments('?start_timestamp=0001-01-01T00:00:00Z')).length).toBeLessThan(110);
  });

  test('is of the chosen assets alone', async () => {
    const { data } = await history('?assets[0][symbol]=USDC&assets[1][type]=fiat&start_timestamp=2026-01-15T12:00:00Z');
    const chosen = (await portfolio('details')).data.filter(
      ({ symbol, type }: Data) => symbol === 'USDC' || type === 'fiat',
    );
    expect(Object.keys(amountsOf(data[0]))).toEqual(chosen.map(({ symbol }: Data) => symbol));
    expect(data[0].value).toBe(sum(chosen.map((entry: Data) => entry.total_in_quote)));
  });
});

test.each(['transactions', 'history'])('the moments of the %s have a form and an order', async (name) => {
  const causes = async (query: string) => {
    const answer = await partner.get(`${partner.account}/portfolio/${name}?${query}`);
    return [answer.status, ...fieldsOf(answer)];
  };
  for (const moment of ['', 'yesterday', '2026-01-15', '2026-02-30T00:00:00Z', '1768478400000']) {
    expect(await causes(`start_timestamp=${moment}`), moment).toEqual([400, 'start_timestamp']);
    expect(await causes(`end_timestamp=${moment}`), moment).toEqual([400, 'end_timestamp']);
  }
  const period = 'start_timestamp=2026-01-15T12:00:00Z&end_timestamp=2026-01-15T11:59:59Z';
  expect(await causes(period)).toEqual([400, 'end_timestamp']);
});
