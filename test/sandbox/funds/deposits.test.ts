import { beforeEach, describe, expect, test } from 'vitest';
import type { AddressDepositInput } from '../../../src/sandbox/index.js';
import { balancesOf, everything, of, units } from '../support/balances.js';
import { directSandbox } from '../support/direct-partner.js';
import { fieldsOf } from '../support/partner.js';
import { Events } from './support/events.js';

const DAY_MS = 86_400_000;

const partner = directSandbox();
const { accountId } = partner.sandbox.fixtures;
beforeEach(() => partner.sandbox.reset());

interface Method {
  readonly id: string;
  readonly network: string;
  readonly fee: { readonly amount: string };
  readonly fee_percentage: string;
  readonly minimum: { readonly amount: string };
  readonly maximum: unknown;
}
const methods = async (symbol: string, query = '?page_size=100'): Promise<Method[]> =>
  (await partner.get(`${partner.account}/funds/deposits/methods/${symbol}${query}`)).body.data;
const limits = async (symbol: string) =>
  (await partner.get(`${partner.account}/funds/deposits/limits/${symbol}?page_size=25`)).body.data;

const addresses = () => `${partner.account}/funds/deposits/addresses`;
const made = (body: object) => partner.post(addresses(), body);
const addressOn = async (symbol: string, network: string, asset_type = 'crypto') => {
  const method = (await methods(symbol)).find((one) => one.network === network);
  const answer = await made({ method_id: method?.id, asset_symbol: symbol, asset_type });
  expect(answer.status).toBe(200);
  return { ...answer.body.data, method: method as Method };
};
const deposit = (input: AddressDepositInput) => partner.sandbox.accounts.deposit(accountId, input);
const ledger = async () => (await partner.get('/v1/funds/transactions?type=deposit')).body.data;

describe('the deposit methods', () => {
  test.each(['ETH', 'USDC', 'USD', 'XRP', 'S', 'DOGE'])('of %s are those of its deposit limits', async (symbol) => {
    const [shown, limited] = [await methods(symbol), await limits(symbol)];
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.map(({ id, maximum }) => [id, maximum])).toEqual(
      limited.map((limit: { method_id: string; maximum_amount: unknown }) => [limit.method_id, limit.maximum_amount]),
    );
  });

  test('are none where deposits are disabled, and a 400 for an unknown symbol', async () => {
    expect(await methods('EOS')).toEqual([]);
    const { status, body } = await partner.get(`${partner.account}/funds/deposits/methods/NOPE`);
    expect([status, body.error.type, body.error.causes[0].field]).toEqual([400, 'funding_error', 'asset_symbol']);
  });
});

describe('a deposit address', () => {
  test('is made once for a method, and comes again until it expires', async () => {
    const first = await addressOn('BTC', 'Bitcoin');
    expect(first).toMatchObject({ name: 'Bitcoin', tag: null, memo: null, is_new: true });
    const again = await addressOn('BTC', 'Bitcoin');
    expect(again).toEqual({ ...first, is_new: false });
    partner.sandbox.advance(30 * DAY_MS - 1);
    expect((await addressOn('BTC', 'Bitcoin')).is_new).toBe(false);
    partner.sandbox.advance(1);
    const next = await addressOn('BTC', 'Bitcoin');
    expect([next.is_new, next.address === first.address]).toEqual([true, false]);
    expect(() => deposit({ address: first.address, amount: '1' })).toThrow('no deposit address');
  });

  test.each([
    ['XRP', 'XRP Ledger', 'crypto', 'tag'],
    ['XLM', 'Stellar', 'crypto', 'memo'],
    ['ATOM', 'Cosmos Hub', 'crypto', 'memo'],
    ['RLUSD', 'XRP Ledger', 'stablecoin', 'tag'],
  ] as const)('of %s on %s (%s) has a %s, without which nothing is credited', async (symbol, network, type, mark) => {
    const other = mark === 'tag' ? 'memo' : 'tag';
    const made = await addressOn(symbol, network, type);
    expect([made[mark], made[other]]).toEqual([expect.stringMatching(/^\d+$/), null]);
    const input = { address: made.address, amount: '100' };
    expect(() => deposit(input)).toThrow(`the ${mark} must be ${made[mark]}`);
    expect(() => deposit({ ...input, [mark]: '0' })).toThrow(`the ${mark} must be ${made[mark]}`);
    expect(() => deposit({ ...input, [mark]: made[mark], [other]: '1' })).toThrow(`the ${other} must be left out`);
    expect(deposit({ ...input, [mark]: made[mark] }).status).toBe('pending');
  });

  test.each(['ETH', 'SOL', 'TRX', 'XRP', 'XLM', 'ADA', 'DOT', 'BCH', 'ALGO', 'NEAR', 'LTC', 'DOGE'])(
    'of %s can be saved as a withdrawal address',
    async (symbol) => {
      const [method] = await methods(symbol);
      const { address, tag, memo } = (await made({ method_id: method?.id, asset_symbol: symbol })).body.data;
      const body = { asset_symbol: symbol, method_id: partner.sandbox.fixtures.methodId, key: 'own', address };
      const marks = { ...(tag === null ? {} : { tag }), ...(memo === null ? {} : { memo }) };
      const saved = await partner.post(`${partner.account}/funds/withdrawals/addresses`, { ...body, ...marks });
      expect([address, saved.status]).toEqual([address, 200]);
    },
  );

  test('is listed by its asset, newest first, while it takes deposits', async () => {
    const list = async (query: string) => (await partner.get(`${addresses()}?${query}`)).body.data;
    const [arbitrum, ethereum] = [await addressOn('ETH', 'Arbitrum One'), await addressOn('ETH', 'Ethereum')];
    const bitcoin = await addressOn('BTC', 'Bitcoin');
    expect(await list('asset_symbol=ETH')).toMatchObject([
      { address: ethereum.address, asset: { symbol: 'ETH', type: 'crypto', name: 'Ethereum' }, tag: null, memo: null },
      { address: arbitrum.address, method: { id: arbitrum.method.id, name: 'Arbitrum One' }, expire_time: null },
    ]);
    expect(await list('asset_symbol=BTC')).toMatchObject([{ address: bitcoin.address }]);
    expect(await list('asset_symbol=USDC&asset_type=stablecoin')).toEqual([]);
    partner.sandbox.advance(31 * DAY_MS);
    expect(await list('asset_symbol=BTC')).toEqual([]);
  });

  test('is refused for another asset, a bank transfer, a disabled asset, an unknown method', async () => {
    const [eth] = await methods('ETH');
    const [usd] = await methods('USD');
    const refused = async (body: object) => {
      const answer = await made(body);
      return [answer.status, ...fieldsOf(answer)];
    };
    expect(await refused({ method_id: eth?.id, asset_symbol: 'BTC' })).toEqual([400, 'method_id']);
    expect(await refused({ method_id: 'nobody', asset_symbol: 'ETH' })).toEqual([400, 'method_id']);
    expect(await refused({ method_id: usd?.id, asset_symbol: 'USD', asset_type: 'fiat' })).toEqual([400, 'method_id']);
    expect(await refused({ method_id: eth?.id, asset_symbol: 'USD' })).toEqual([400, 'asset_symbol']);
    expect(await refused({ method_id: eth?.id, asset_symbol: 'EOS' })).toEqual([400, 'asset_symbol']);
    expect(await refused({ asset_symbol: 'ETH' })).toEqual([400, 'method_id']);
    expect(await refused({ method_id: eth?.id, asset_symbol: 'ETH', label: 'x' })).toEqual([400, 'label']);
  });
});

describe('money that arrives at an address', () => {
  test('is pending, received, credited: the account receives it without the fee, to the last digit', async () => {
    const events = new Events(partner.sandbox, 'deposit.status_updated', 'deposit.completed');
    const all = await everything(partner);
    const { address, method } = await addressOn('ETH', 'Ethereum');
    const before = of(await balancesOf(partner, accountId), 'crypto:ETH');
    const amount = `1.5${'3'.repeat(40)}`;
    const fee = units(method.fee.amount);
    expect(fee > 0n).toBe(true);

    const { ref_id, ...shown } = deposit({ address, amount });
    expect(shown).toMatchObject({ account: accountId, status: 'pending', method_id: method.id, address });
    const entry = { type: 'deposit', ref_id, amount, asset: { symbol: 'ETH', type: 'crypto', name: 'Ethereum' } };
    expect(await ledger()).toEqual([{ ...entry, status: 'pending', timestamp: shown.created_at }]);
    partner.sandbox.advance(30_000);
    expect(await ledger()).toMatchObject([{ status: 'received' }]);
    partner.sandbox.advance(29_999);
    expect(of(await balancesOf(partner, accountId), 'crypto:ETH')).toEqual(before);
    partner.sandbox.advance(1);
    expect(await ledger()).toMatchObject([{ status: 'credited', timestamp: shown.created_at }]);
    const { total } = of(await balancesOf(partner, accountId), 'crypto:ETH');
    expect(total - before.total).toBe(units(amount) - fee);
    expect(units(partner.sandbox.accounts.books.fees['crypto:ETH'] ?? '0')).toBe(fee);
    expect(await everything(partner)).toEqual(all);
    expect(await events.seen()).toMatchObject([
      { type: 'deposit.status_updated', data: { ref_id, status: 'pending', fee: method.fee.amount } },
      { type: 'deposit.status_updated', data: { ref_id, status: 'received' } },
      { type: 'deposit.status_updated', data: { ref_id, status: 'credited', asset: { amount } } },
      { type: 'deposit.completed', data: { ref_id, status: 'credited', account: accountId } },
    ]);
  });

  test('costs the percentage of the method, too', async () => {
    const { address, method } = await addressOn('USDT', 'TRON', 'stablecoin');
    expect(method.fee_percentage).toBe('0.1');
    expect(deposit({ address, amount: '12.345678' }).fee).toBe('0.012346');
  });

  test('counts against the limits of the method at once, for a day', async () => {
    const { address, method } = await addressOn('ETH', 'Ethereum');
    const remaining = async () => {
      const limit = (await limits('ETH')).find(({ method_id }: { method_id: string }) => method_id === method.id);
      return units(limit.period_limits[0].remaining);
    };
    const before = await remaining();
    deposit({ address, amount: '0.25' });
    expect(before - (await remaining())).toBe(units('0.25'));
    partner.sandbox.advance(DAY_MS);
    expect(await remaining()).toBe(before);
  });

  test('is refused below the minimum, above the limits, for another account, and changes nothing', async () => {
    const { address, method } = await addressOn('ETH', 'Ethereum');
    const before = partner.sandbox.snapshot();
    const { secondaryAccountId } = partner.sandbox.fixtures;
    expect(() => deposit({ address, amount: '0.0001' })).toThrow(`the minimum of the deposit method is`);
    expect(() => deposit({ address, amount: '1000000' })).toThrow('above the limits');
    expect(() => partner.sandbox.accounts.deposit(secondaryAccountId, { address, amount: '1' })).toThrow(
      'no deposit address',
    );
    expect(() => deposit({ address: 'elsewhere', amount: '1' })).toThrow('no deposit address');
    expect(() => deposit({ address, amount: '-1' })).toThrow(TypeError);
    for (const more of [{ method_id: method.id }, { address: undefined }])
      expect(() => deposit({ address, amount: '1', ...more } as AddressDepositInput)).toThrow('not both');
    expect(() => deposit({ address, amount: '1', label: 'x' } as AddressDepositInput)).toThrow(/label/);
    expect(partner.sandbox.snapshot()).toEqual(before);
    expect(deposit({ address, amount: method.minimum.amount }).status).toBe('pending');
  });
});

test('a deposit without an address is in the ledger, credited', async () => {
  partner.sandbox.accounts.deposit(accountId, { symbol: 'USD', amount: '12.50' });
  expect(await ledger()).toMatchObject([{ status: 'credited', amount: '12.50', asset: { symbol: 'USD' } }]);
});
