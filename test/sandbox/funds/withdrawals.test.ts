import { beforeEach, describe, expect, test } from 'vitest';
import { Decimal } from '../../../src/schema/decimal.js';
import { ADDRESSES } from '../support/addresses.js';
import { balancesOf, everything, of, units } from '../support/balances.js';
import { directSandbox } from '../support/direct-partner.js';
import { fieldsOf } from '../support/partner.js';
import { Events } from './support/events.js';

const BTC = 'crypto:BTC';
const KEY = 'cold-storage';

const partner = directSandbox();
const { accountId } = partner.sandbox.fixtures;
beforeEach(() => partner.sandbox.reset());

const withdraw = (body: object = {}, headers: Record<string, string> = {}) =>
  partner.post(
    `${partner.account}/funds/withdrawals`,
    { asset_symbol: 'BTC', key: KEY, amount: '0.01', ...body },
    headers,
  );
const withdrawn = async (body: object = {}) => {
  const answer = await withdraw(body);
  expect(answer.status).toBe(200);
  return answer.body.data;
};
const btc = async () => of(await balancesOf(partner, accountId), BTC);
const ledger = async (at = partner) => (await at.get('/v1/funds/transactions?type=withdrawal')).body.data;
const refused = async (body: object) => {
  const answer = await withdraw(body);
  return [answer.status, answer.body.error.code, ...fieldsOf(answer)];
};

const methods = async (symbol: string, query = '') =>
  (await partner.get(`${partner.account}/funds/withdrawals/methods/${symbol}${query}`)).body;

describe('a withdrawal method', () => {
  test('has the id that an address is saved and validated with, and the fee and limits of a withdrawal', async () => {
    const { data } = await methods('BTC');
    expect(data.map((method: { method_id: string }) => method.method_id)).toContain(partner.sandbox.fixtures.methodId);
    for (const { method_id, network, fee, minimum, maximum } of data) {
      const body = { asset_symbol: 'BTC', method_id, key: method_id, address: ADDRESSES.bitcoin };
      expect((await partner.post(`${partner.account}/funds/withdrawals/addresses`, body)).status).toBe(200);
      expect([network, (await withdrawn({ key: method_id, amount: minimum.amount })).fee]).toEqual([
        'Bitcoin',
        fee.amount,
      ]);
      const less = new Decimal(minimum.amount).minus('0.00000001').toFixed();
      expect(await refused({ amount: less })).toEqual([400, 'bad_request', 'amount']);
      expect(units(maximum.amount) > units(minimum.amount)).toBe(true);
    }
  });

  test('has a token that holds its fee for ten minutes', async () => {
    const { fee, fee_token } = (await methods('BTC')).data[0];
    partner.sandbox.prices.set('BTC', '1000');
    const present = (await methods('BTC')).data[0].fee.amount;
    expect(units(present) > units(fee.amount)).toBe(true);
    const feeOf = async (token?: string) => (await withdrawn({ amount: '0.5', preview: true, fee_token: token })).fee;
    expect([await feeOf(), await feeOf('another'), await feeOf(fee_token)]).toEqual([present, present, fee.amount]);
    partner.sandbox.advance(599_999);
    expect(await feeOf(fee_token)).toBe(fee.amount);
    partner.sandbox.advance(1);
    expect(await feeOf(fee_token)).toBe(present);
  });
});

test('a deleted withdrawal address is gone: no list has it, and neither a withdrawal nor a second deletion finds it', async () => {
  const path = `${partner.account}/funds/withdrawals/addresses`;
  const keys = async () => (await partner.get(path)).body.data.map(({ key }: { key: string }) => key);
  expect(await keys()).toContain(KEY);
  const remove = () => partner.call({ method: 'DELETE', path: `${path}/${KEY}` });
  expect((await remove()).status).toBe(200);
  expect(await keys()).not.toContain(KEY);
  expect(await refused({})).toEqual([404, 'not_found', 'key']);
  const again = await remove();
  expect([again.status, again.body.error.code, ...fieldsOf(again)]).toEqual([404, 'not_found', 'key']);
});

describe('a withdrawal', () => {
  test('is pending, held on demand, then success: amount and fee leave the account, to the last digit', async () => {
    const kinds = ['withdrawal.status_updated', 'withdrawal.completed', 'withdrawal.failed'];
    const events = new Events(partner.sandbox, ...kinds);
    const [all, before] = [await everything(partner), await btc()];
    const amount = `0.01${'7'.repeat(60)}`;
    const { ref_id, fee, total } = await withdrawn({ amount });
    expect(units(total)).toBe(units(amount) + units(fee));
    expect(units(fee) > 0n).toBe(true);
    const held = { total: before.total, available: before.available - units(total), held: units(total) };
    const seen = async () => [await btc(), (await ledger())[0].status];
    expect(await btc()).toEqual(held);
    expect(await ledger()).toMatchObject([
      { type: 'withdrawal', ref_id, amount, status: 'pending', asset: { symbol: 'BTC', type: 'crypto' } },
    ]);

    partner.sandbox.advance(5_000);
    expect(await seen()).toEqual([held, 'pending']);
    expect(partner.sandbox.withdrawals.hold(ref_id)).toMatchObject({ ref_id, status: 'held' });
    partner.sandbox.advance(59_999);
    expect(await seen()).toEqual([held, 'held']);
    expect(() => partner.sandbox.withdrawals.hold(ref_id)).toThrow('is held; it allows');
    partner.sandbox.advance(1);
    const left = before.total - units(total);
    expect(await seen()).toEqual([{ total: left, available: left, held: 0n }, 'success']);
    expect(units(partner.sandbox.accounts.books.outside[BTC] ?? '0')).toBe(units(amount));
    expect(units(partner.sandbox.accounts.books.fees[BTC] ?? '0')).toBe(units(fee));
    expect(await everything(partner)).toEqual(all);
    const data = { ref_id, account: accountId, key: KEY, asset: { symbol: 'BTC', amount }, fee, total };
    expect(await events.seen()).toMatchObject([
      { type: 'withdrawal.status_updated', data: { ...data, status: 'pending' } },
      { type: 'withdrawal.status_updated', data: { ...data, status: 'held' } },
      { type: 'withdrawal.status_updated', data: { ...data, status: 'success' } },
      { type: 'withdrawal.completed', data: { ...data, status: 'success' } },
    ]);
  });

  test.each([0, 5_000])('that is made to fail %i ms later frees what it held', async (ms) => {
    const events = new Events(partner.sandbox, 'withdrawal.completed', 'withdrawal.failed');
    const before = await btc();
    const { ref_id } = await withdrawn();
    partner.sandbox.advance(ms);
    partner.sandbox.withdrawals.fail(ref_id);
    partner.sandbox.advance(64_999 - ms);
    expect((await ledger())[0].status).toBe('pending');
    partner.sandbox.advance(1);
    expect([await btc(), (await ledger())[0].status]).toEqual([before, 'failure']);
    expect(partner.sandbox.accounts.books.outside).toEqual({});
    expect(await events.seen()).toMatchObject([{ type: 'withdrawal.failed', data: { ref_id, status: 'failure' } }]);
    expect(() => partner.sandbox.withdrawals.fail(ref_id)).toThrow('is failure already');
  });

  test('that nobody knows, or a deposit, cannot be made to fail', () => {
    partner.sandbox.accounts.deposit(accountId, { symbol: 'USD', amount: '5' });
    expect(() => partner.sandbox.withdrawals.fail('nobody')).toThrow('there is no withdrawal nobody');
    expect(() => partner.sandbox.withdrawals.fail(5 as unknown as string)).toThrow(TypeError);
  });

  test('of money goes to a bank account', async () => {
    const saved = { asset_symbol: 'EUR', asset_type: 'fiat', method_id: partner.sandbox.fixtures.methodId };
    await partner.post(`${partner.account}/funds/withdrawals/addresses`, { ...saved, key: 'bank', address: 'DE89' });
    const body = { asset_symbol: 'EUR', asset_type: 'fiat', key: 'bank', amount: '100.00' };
    expect(await withdrawn(body)).toMatchObject({ amount: '100.00', fee_token: null });
  });
});

describe('a preview', () => {
  test('tells amount, fee and total, and moves nothing', async () => {
    const before = partner.sandbox.snapshot();
    const preview = await withdrawn({ preview: true, fee_token: 'KFEE' });
    expect(preview).toMatchObject({ amount: '0.01', fee_token: 'KFEE' });
    const { idempotency: _, keys: __, ...state } = partner.sandbox.snapshot();
    const { idempotency: ___, keys: ____, ...unchanged } = before;
    expect(state).toEqual(unchanged);
    const { fee, total } = await withdrawn({ preview: false });
    expect([preview.fee, preview.total]).toEqual([fee, total]);
  });

  test('is refused as the withdrawal would be', async () => {
    expect(await refused({ preview: true, key: 'nobody' })).toEqual([404, 'not_found', 'key']);
    expect(await refused({ preview: true, amount: '14' })).toEqual([400, 'bad_request', 'amount']);
  });
});

describe('a withdrawal is refused', () => {
  test('to an unknown name: 404, for the asset of another address: 400', async () => {
    expect(await refused({ key: 'nobody' })).toEqual([404, 'not_found', 'key']);
    expect(await refused({ key: 'treasury xrp' })).toEqual([400, 'bad_request', 'key']);
    expect(await refused({ asset_symbol: 'ETH' })).toEqual([400, 'bad_request', 'key']);
  });

  test('of more than is available, fee included, and holds nothing then', async () => {
    const before = await btc();
    const { fee } = await withdrawn({ preview: true });
    const most = before.available - units(fee);
    const text = (amount: bigint) => `0.${amount.toString().padStart(400, '0')}`.replace(/0+$/, '');
    expect(before.available < units('1')).toBe(true);
    expect(await refused({ amount: text(most + units('0.00000001')) })).toEqual([400, 'bad_request', 'amount']);
    expect(await btc()).toEqual(before);
    expect((await withdraw({ amount: text(most) })).status).toBe(200);
    expect((await btc()).available).toBe(0n);
    expect(await refused({})).toEqual([400, 'bad_request', 'amount']);
  });

  test.each(['0', '-1', '-0', '0.0000001', '100000'])('of %s', async (amount) => {
    expect(await refused({ amount })).toEqual([400, 'bad_request', 'amount']);
  });

  test('of a disabled or unknown asset, and with an unknown member', async () => {
    expect(await refused({ asset_symbol: 'SHIB' })).toEqual([400, 'bad_request', 'asset_symbol']);
    expect(await refused({ asset_symbol: 'NOPE' })).toEqual([400, 'bad_request', 'asset_symbol']);
    expect(await refused({ asset_type: 'fiat' })).toEqual([400, 'bad_request', 'asset_symbol']);
    expect(await refused({ tokn: 'x' })).toEqual([400, 'bad_request', 'tokn']);
    expect(await refused({ amount: undefined })).toEqual([400, 'bad_request', 'amount']);
  });
});

describe('the saved withdrawal addresses', () => {
  const list = async (query = '') =>
    (await partner.get(`${partner.account}/funds/withdrawals/addresses${query}`)).body.data;

  test('are listed with their destination, newest first, under their present name', async () => {
    const body = { asset_symbol: 'XRP', method_id: partner.sandbox.fixtures.methodId, key: 'new', tag: '7' };
    const path = `${partner.account}/funds/withdrawals/addresses`;
    await partner.post(path, { ...body, address: ADDRESSES.xrp });
    await partner.call({ method: 'PATCH', path: `${path}/${KEY}`, body: { new_key: 'vault' } });
    const [newest, ...older] = await list();
    expect(newest).toEqual({
      key: 'new',
      asset: { symbol: 'XRP', type: 'crypto', name: 'XRP' },
      address: ADDRESSES.xrp,
      method: { id: partner.sandbox.fixtures.methodId, name: 'Standard' },
      memo: null,
      tag: '7',
      created_at: '2026-01-15T12:00:00.000Z',
    });
    expect(older.map(({ key }: { key: string }) => key)).toEqual(['treasury xrp', 'vault']);
    const keys = (await list('?asset_symbol=XRP')).map(({ key }: { key: string }) => key);
    expect(keys).toEqual(['new', 'treasury xrp']);
    expect(await list('?asset_symbol=ETH')).toEqual([]);
  });
});
