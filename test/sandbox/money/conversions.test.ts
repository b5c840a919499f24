import { beforeEach, describe, expect, test } from 'vitest';
import type { ConversionInput } from '../../../src/sandbox/index.js';
import { ADDRESSES } from '../support/addresses.js';
import { balancesOf, everything, of, units } from '../support/balances.js';
import { directSandbox } from '../support/direct-partner.js';
import { whitelisting } from '../support/partner.js';

const DAY = 86_400_000;

const partner = directSandbox();
const { accountId } = partner.sandbox.fixtures;
beforeEach(() => partner.sandbox.reset());

const balances = () => balancesOf(partner, accountId);
const newest = async () => (await partner.get(`${partner.account}/on-demand-conversions?page_size=1`)).body.data[0];
const convert = (input: ConversionInput) => partner.sandbox.accounts.convert(accountId, input);

/** A wallet that screening is done with: approved, unless its address is the one that is always rejected. */
async function screened(body: object = { via: 'bitcoin', address: ADDRESSES.bitcoin }): Promise<string> {
  const answer = await partner.call({ ...whitelisting(partner), body });
  partner.sandbox.advance(5_000);
  return answer.body.data.id;
}

const sold = { type: 'balance', symbol: 'BTC', amount: '0.01000000' } as const;
const bought = { type: 'balance', symbol: 'ETH' } as const;

describe('a conversion from a balance to a bank', () => {
  test('lays claim to the balance, pays when it settles, and ends completed', async () => {
    const [before, all] = [of(await balances(), 'crypto:BTC'), await everything(partner)];
    const started = convert({ from: sold, to: { type: 'bank', symbol: 'USD' } });
    expect(started).toMatchObject({ status: 'converting', from: { type: 'balance', status: 'pending' } });
    expect(started.to).toEqual({ type: 'bank' });
    expect(await newest()).toEqual(started);
    const given = units('0.01');
    const claimed = { total: before.total, available: before.available - given, held: before.held + given };
    expect(of(await balances(), 'crypto:BTC')).toEqual(claimed);

    partner.sandbox.advance(29_999);
    expect((await newest()).status).toBe('converting');
    partner.sandbox.advance(1);
    expect(await newest()).toMatchObject({ status: 'settling', from: { status: 'settled' } });
    const after = { total: before.total - given, available: before.available - given, held: before.held };
    expect(of(await balances(), 'crypto:BTC')).toEqual(after);

    partner.sandbox.advance(90_000);
    const ended = await newest();
    expect(ended).toMatchObject({ id: started.id, status: 'completed', created_at: started.created_at });
    expect(Date.parse(ended.updated_at) - Date.parse(ended.created_at)).toBe(120_000);
    expect(of(await balances(), 'crypto:BTC')).toEqual(after);
    expect(await everything(partner)).toEqual(all);
  });

  test('may fail: then the claim is given up, and nothing has moved', async () => {
    const [before, books] = [await balances(), partner.sandbox.accounts.books];
    convert({ from: sold, to: { type: 'bank', symbol: 'USD' }, fails: true });
    partner.sandbox.advance(30_000);
    expect(await newest()).toMatchObject({ status: 'failed', from: { status: 'pending' } });
    expect(await balances()).toEqual(before);
    partner.sandbox.advance(DAY);
    expect((await newest()).status).toBe('failed');
    expect(partner.sandbox.accounts.books).toEqual(books);
  });
});

describe('a conversion from a bank to a balance', () => {
  const order: ConversionInput = { from: { type: 'bank', symbol: 'USD', amount: '1000.00' }, to: bought };

  test('stays pending for days, then brings exactly what it says', async () => {
    const [before, all] = [await balances(), await everything(partner)];
    const started = convert(order);
    expect(started.from).toEqual({ type: 'bank' });
    partner.sandbox.advance(3 * DAY - 1);
    expect(await newest()).toMatchObject({ status: 'converting', to: { status: 'pending' } });
    partner.sandbox.advance(1);
    expect((await newest()).status).toBe('settling');
    expect(await balances()).toEqual(before);

    partner.sandbox.advance(90_000);
    const ended = await newest();
    expect(ended).toMatchObject({ status: 'completed', to: { type: 'balance', symbol: 'ETH', status: 'settled' } });
    const eth = of(before, 'crypto:ETH');
    const received = units(ended.to.amount);
    const credited = { total: eth.total + received, available: eth.available + received };
    expect(of(await balances(), 'crypto:ETH')).toMatchObject(credited);
    expect(of(await balances(), 'fiat:USD')).toEqual(of(before, 'fiat:USD'));
    expect(await everything(partner)).toEqual(all);
  });

  test('needs a linked bank account that is eligible, at the moment in which it is ordered', async () => {
    const { sandbox } = partner;
    const linked = () => sandbox.bankLinks.list().filter(({ account }) => account === accountId);
    const before = await balances();
    // All but the one whose only account is not eligible.
    const mixed = linked().filter((link) => JSON.stringify(link).includes('"eligible_rails"'));
    expect(mixed).toHaveLength(2);
    for (const { bank_link_id } of mixed) sandbox.bankLinks.remove(bank_link_id);
    expect(linked()).toHaveLength(1);
    expect(() => convert(order)).toThrow(
      'convert: the account has no linked bank account that is eligible: bankLinks.add links one',
    );
    expect(await balances()).toEqual(before);
    sandbox.bankLinks.add(accountId);
    expect(convert(order)).toMatchObject({ status: 'converting' });
  });

  test('is in US dollars, which the linked banks are in', async () => {
    for (const symbol of ['EUR', 'GBP', 'JPY']) {
      expect(() => convert({ ...order, from: { ...order.from, symbol } })).toThrow(
        `convert: linked banks are US banks, whose accounts hold USD, not ${symbol}`,
      );
    }
  });
});

describe('a conversion to a wallet', () => {
  test('is delivered to an approved wallet, with its memo, and has references at the end', async () => {
    const memo = { via: 'xrp', address: ADDRESSES.xrp, memo: '104729' };
    const wallet_id = await screened(memo);
    const started = convert({ from: sold, to: { type: 'wallet', symbol: 'XRP', wallet_id } });
    expect(started.to).toMatchObject({ type: 'wallet', symbol: 'XRP', status: 'pending', wallet: memo });
    expect(started).not.toHaveProperty('transaction_references');
    partner.sandbox.advance(120_000);
    const ended = await newest();
    expect(ended).toMatchObject({ status: 'completed', to: { status: 'settled', wallet: memo } });
    const ids = { transaction_id: expect.any(String), blockchain_transaction_id: expect.any(String) };
    expect(ended.transaction_references.to).toEqual(ids);
    expect(units(ended.fees.to.amount) > 0n).toBe(true);
  });

  test('needs one that is approved, of the same account', async () => {
    const to = { type: 'wallet', symbol: 'ETH' } as const;
    const { rejectedWalletAddress: address, secondaryAccountId } = partner.sandbox.fixtures;
    const rejected = await screened({ via: 'ethereum', address });
    const approved = await screened();
    const { body } = await partner.call(whitelisting(partner));
    expect(() => convert({ from: sold, to })).toThrow('to.wallet_id must be the id of a wallet of the account');
    expect(() => convert({ from: sold, to: { ...to, wallet_id: 'nobody' } })).toThrow(TypeError);
    expect(() => convert({ from: sold, to: { ...to, wallet_id: rejected } })).toThrow('the wallet is rejected');
    expect(() => convert({ from: sold, to: { ...to, wallet_id: body.data.id } })).toThrow('the wallet is pending');
    const elsewhere = () =>
      partner.sandbox.accounts.convert(secondaryAccountId, { from: sold, to: { ...to, wallet_id: approved } });
    expect(elsewhere).toThrow('of the account');
    const fresh = await balancesOf(directSandbox(), accountId);
    expect(of(await balances(), 'crypto:BTC').held).toBe(of(fresh, 'crypto:BTC').held);
  });
});

describe('what cannot be converted is refused, and nothing changes', () => {
  const usd = { symbol: 'USD', amount: '10' };
  const dollars = { type: 'bank', ...usd };
  const toBank = { type: 'bank', symbol: 'USD' };
  test.each<[string, unknown, RegExp]>([
    ['from a bank to a bank', { from: dollars, to: { ...toBank, symbol: 'EUR' } }, /from a bank to/],
    ['from a bank to a wallet', { from: dollars, to: { type: 'wallet', symbol: 'BTC' } }, /from a bank/],
    ['from a balance to a balance', { from: { type: 'balance', ...usd }, to: bought }, /from a bank to a balance/],
    ['from a wallet', { from: { type: 'wallet', ...usd }, to: bought }, /from\.type/],
    ['crypto from a bank', { from: { ...sold, type: 'bank' }, to: { type: 'balance', symbol: 'USD' } }, /not BTC/],
    ['crypto to a bank', { from: { type: 'balance', ...usd }, to: { type: 'bank', symbol: 'ETH' } }, /not ETH/],
    ['an asset to itself', { from: dollars, to: { type: 'balance', symbol: 'USD' } }, /same asset/],
    ['an unknown asset', { from: { ...dollars, symbol: 'USDX' }, to: bought }, /no asset USDX/],
    ['another class', { from: { ...dollars, asset_type: 'crypto' }, to: bought }, /no crypto asset USD/],
    ['nothing', { from: { ...dollars, amount: '0' }, to: bought }, /from.amount must be above 0/],
    ['dust', { from: { ...dollars, amount: '0.01' }, to: bought }, /too small/],
    ['less than nothing', { from: { ...dollars, amount: '-1' }, to: bought }, /decimal number as a string/],
    ['a number', { from: { ...dollars, amount: 5 }, to: bought }, /from\.amount/],
    ['to a wallet that is not for wallets', { from: sold, to: { ...toBank, wallet_id: 'x' } }, /for a wallet/],
    ['with a misspelt member', { from: sold, to: toBank, fail: true }, /fail/],
  ])('%s', (_, order, message) => {
    const before = partner.sandbox.snapshot();
    expect(() => convert(order as ConversionInput)).toThrow(TypeError);
    expect(() => convert(order as ConversionInput)).toThrow(message);
    expect(partner.sandbox.snapshot()).toEqual(before);
  });

  test('more than is available', async () => {
    const before = await balances();
    const convertAll = () => convert({ from: { ...sold, amount: '99999' }, to: { type: 'bank', symbol: 'USD' } });
    expect(convertAll).toThrow('less than 99999 BTC is available');
    expect(await balances()).toEqual(before);
  });
});

test('what convert gives is a copy: changing it changes nothing', async () => {
  const started = convert({ from: sold, to: { type: 'bank', symbol: 'USD' } });
  started.status = 'completed';
  expect((await newest()).status).toBe('converting');
});
