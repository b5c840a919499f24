import { beforeEach, expect, test } from 'vitest';
import { directSandbox } from '../support/direct-partner.js';

const partner = directSandbox();
beforeEach(() => partner.sandbox.reset());

const entryOf = async (symbol: string) => {
  const { data } = (await partner.get(`${partner.account}/portfolio/details`)).body;
  return data.find((entry: { symbol: string }) => entry.symbol === symbol);
};

async function swap(from: [string, string, string], to: [string, string]) {
  const body = { from: { symbol: from[0], type: from[1], amount: from[2] }, to: { symbol: to[0], type: to[1] } };
  const { data: quote } = (await partner.post(`${partner.account}/quotes`, body)).body;
  await partner.post(`${partner.account}/quotes/${quote.id}/execute`);
  partner.sandbox.advance(2_000);
  const { body: after } = await partner.get(`${partner.account}/quotes/${quote.id}`);
  expect(after.data.status).toBe('executed');
  return quote;
}

async function boughtLitecoin(): Promise<{ total: string }> {
  await swap(['USD', 'fiat', '1000.00'], ['LTC', 'crypto']);
  return entryOf('LTC');
}

const close = (text: string, value: number, tolerance = 0.02) =>
  expect(Math.abs(Number(text) - value)).toBeLessThan(tolerance);

test('what is bought costs what was paid, the fee included', async () => {
  const quote = await swap(['USD', 'fiat', '1000.00'], ['LTC', 'crypto']);
  expect(quote.fees.trade.amount).toBe('2.50');
  const entry = await entryOf('LTC');
  close(entry.cost_basis_in_quote, 1000, 0.0005);
  // The fee alone is lost: prices stand still.
  close(entry.pnl.unrealized, -2.5);
  close(entry.pnl.realized, 0);
});

test('what is sold brings in what is left after the fee', async () => {
  const half = (Number((await boughtLitecoin()).total) / 2).toFixed(8);
  const sold = await swap(['LTC', 'crypto', half], ['USD', 'fiat']);
  const entry = await entryOf('LTC');
  close(entry.pnl.realized, Number(sold.to.amount) - 500);
  close(entry.cost_basis_in_quote, 500);
});

test('between two assets the fee lessens what was made with the one, and is not counted again for the other', async () => {
  const { total } = await boughtLitecoin();
  const swapped = await swap(['LTC', 'crypto', total], ['DOT', 'crypto']);
  const dot = await entryOf('DOT');
  const value = Number(dot.total_in_quote);
  close(dot.cost_basis_in_quote, value);
  close(dot.pnl.unrealized, 0);
  expect(swapped.to.amount).toBe(dot.total);
  // Of LTC nothing is left, so its profit is in no portfolio; it is kept for when there is some again.
  expect(await entryOf('LTC')).toBeUndefined();
  await swap(['USD', 'fiat', '10.00'], ['LTC', 'crypto']);
  close((await entryOf('LTC')).pnl.realized, value - 1000);
});

test('what a bank pays for costs all that the bank paid', async () => {
  partner.sandbox.accounts.convert(partner.sandbox.fixtures.accountId, {
    from: { type: 'bank', symbol: 'USD', amount: '1000.00' },
    to: { type: 'balance', symbol: 'LTC' },
  });
  partner.sandbox.advance(4 * 86_400_000);
  close((await entryOf('LTC')).cost_basis_in_quote, 1000, 0.0005);
});

test('what is converted to a bank brings in what arrives there', async () => {
  const half = (Number((await boughtLitecoin()).total) / 2).toFixed(8);
  const { sandbox } = partner;
  const usd = async () => Number(sandbox.accounts.books.outside['fiat:USD'] ?? 0);
  const before = await usd();
  sandbox.accounts.convert(sandbox.fixtures.accountId, {
    from: { type: 'balance', symbol: 'LTC', amount: half },
    to: { type: 'bank', symbol: 'USD' },
  });
  sandbox.advance(86_400_000);
  close((await entryOf('LTC')).pnl.realized, (await usd()) - before - 500);
});

test('a portfolio lists what is owned: an asset that was sold to the last unit is gone, one that is bought comes', async () => {
  const { total } = await entryOf('SOL');
  expect(await entryOf('LTC')).toBeUndefined();
  await swap(['SOL', 'crypto', total], ['LTC', 'crypto']);
  expect(await entryOf('SOL')).toBeUndefined();
  expect(Number((await entryOf('LTC')).total)).toBeGreaterThan(0);
});

test('nothing of a fresh portfolio is in orders that do not exist', async () => {
  for (const id of [partner.sandbox.fixtures.accountId, partner.sandbox.fixtures.secondaryAccountId]) {
    const { data } = (await partner.get(`/v1/accounts/${id}/portfolio/details`)).body;
    expect(data.length).toBeGreaterThan(3);
    for (const { total, available, open_orders } of data) {
      expect([available, Number(open_orders)]).toEqual([total, 0]);
    }
  }
});
