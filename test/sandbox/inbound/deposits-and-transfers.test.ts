import { beforeEach, describe, expect, test } from 'vitest';
import { balancesOf, everything, of, units } from '../support/balances.js';
import { type DirectPartner, directSandbox } from '../support/direct-partner.js';
import { fieldsOf } from '../support/partner.js';

const DAY = 86_400_000;

let partner: DirectPartner;
let accountId: string;
let other: string;
beforeEach(() => {
  partner = directSandbox();
  ({ accountId, secondaryAccountId: other } = partner.sandbox.fixtures);
  partner.sandbox.webhooks.register({ url: 'https://partner.example/hook' });
});

const balances = (account = accountId) => balancesOf(partner, account);
const usd = async (account = accountId) => of(await balances(account), 'fiat:USD');

/** The events about one thing, with the status that each tells. */
const eventsOf = (id: string): unknown[] =>
  partner.sandbox.webhooks
    .listDeliveries()
    .filter(({ body }) => body.includes(id))
    .map(({ type, body }) => [type, JSON.parse(body).data.status]);

describe('an expected deposit', () => {
  const expected = async (body: object = {}) => {
    const asset = { symbol: 'USD', type: 'fiat', amount: '250.00' };
    const answer = await partner.post(`${partner.account}/deposits`, { asset, via: 'ach', ...body });
    expect(answer.status).toBe(200);
    return answer.body.data;
  };
  const listed = (id: string) => partner.sandbox.deposits.list().find((deposit) => deposit.id === id);

  test('says where to send the money, and is credited half a minute after it has arrived', async () => {
    const [before, all, deposit] = [await usd(), await everything(partner), await expected()];
    expect(deposit).toMatchObject({
      status: 'pending',
      account: accountId,
      asset: { symbol: 'USD', name: 'US Dollar', amount: '250.00' },
      reference: expect.any(String),
      inbound: { via: 'ach', routing: { account_number: expect.any(String) } },
    });
    expect(partner.sandbox.deposits.arrive(deposit.inbound.id).deposit).toMatchObject({
      id: deposit.id,
      status: 'received',
    });
    expect(await usd()).toEqual(before);
    expect(() => partner.sandbox.deposits.arrive(deposit.inbound.id)).toThrow('the deposit is received');
    partner.sandbox.advance(29_999);
    expect([listed(deposit.id)?.status, await usd()]).toEqual(['received', before]);
    partner.sandbox.advance(1);
    expect(listed(deposit.id)?.status).toBe('credited');
    expect(await usd()).toMatchObject({
      total: before.total + units('250'),
      available: before.available + units('250'),
    });
    expect(await everything(partner)).toEqual(all);
    expect(eventsOf(deposit.id)).toEqual([
      ['deposit.status_updated', 'received'],
      ['deposit.status_updated', 'credited'],
      ['deposit.completed', undefined],
    ]);
  });

  test('credits what arrives, to the last digit, also if it is another amount', async () => {
    const [before, deposit] = [await usd(), await expected()];
    const amount = `249.9${'9'.repeat(60)}`;
    partner.sandbox.deposits.arrive(deposit.inbound.id, amount);
    partner.sandbox.advance(30_000);
    expect((await usd()).total).toBe(before.total + units(amount));
    expect(listed(deposit.id)?.asset?.amount).toBe(amount);
  });

  test('that has not arrived after seven days is expired for good', async () => {
    const [before, deposit] = [await usd(), await expected()];
    partner.sandbox.advance(7 * DAY - 1);
    expect(listed(deposit.id)?.status).toBe('pending');
    partner.sandbox.advance(1);
    expect(listed(deposit.id)?.status).toBe('expired');
    expect(() => partner.sandbox.deposits.arrive(deposit.inbound.id)).toThrow('the deposit is expired');
    expect([await usd(), eventsOf(deposit.id)]).toEqual([before, [['deposit.status_updated', 'expired']]]);
  });

  test('that has arrived does not expire', async () => {
    const deposit = await expected();
    partner.sandbox.advance(7 * DAY - 1);
    partner.sandbox.deposits.arrive(deposit.inbound.id);
    partner.sandbox.advance(30_000);
    expect(listed(deposit.id)?.status).toBe('credited');
  });

  test.each<[string, object, string]>([
    ['an unknown asset', { asset: { symbol: 'USDX', type: 'fiat', amount: '1' } }, 'asset.symbol'],
    ['nothing', { asset: { symbol: 'USD', type: 'fiat', amount: '0' } }, 'asset.amount'],
    ['no amount', { asset: { symbol: 'USD', type: 'fiat' } }, 'asset.amount'],
    ['a network for fiat money', { via: 'bitcoin' }, 'via'],
    ['no rail', { via: undefined }, 'via'],
  ])('of %s is refused', async (_, body, field) => {
    const asset = { symbol: 'USD', type: 'fiat', amount: '1' };
    const answer = await partner.post(`${partner.account}/deposits`, { asset, via: 'ach', ...body });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, [field]]);
  });
});

describe('a transfer', () => {
  const asset = { symbol: 'USD', type: 'fiat', amount: '12.50' };
  const create = (to: object, more: object = {}, account = partner.account) =>
    partner.post(`${account}/transfers`, { from: { asset: { ...asset, ...more } }, to });
  const sent = async (to: object) => (await create(to)).body.data;
  const read = async (id: string) => (await partner.get(`/v1/transfers/${id}`)).body.data;
  const cancel = (id: string) => partner.post(`/v1/transfers/${id}/cancel`);

  test('to another account holds the amount, and moves it when it is completed', async () => {
    const [before, there, all] = [await usd(), await usd(other), await everything(partner)];
    const started = await sent({ account: other });
    expect(started).toMatchObject({ status: 'pending', from: { account: accountId, asset }, to: { account: other } });
    const amount = units('12.50');
    expect(await usd()).toEqual({ ...before, available: before.available - amount, held: before.held + amount });
    partner.sandbox.advance(5_000);
    expect((await read(started.id)).status).toBe('processing');
    partner.sandbox.advance(9_999);
    expect([(await read(started.id)).status, await usd(other)]).toEqual(['processing', there]);
    partner.sandbox.advance(1);
    expect((await read(started.id)).status).toBe('completed');
    expect(await usd()).toEqual({ ...before, total: before.total - amount, available: before.available - amount });
    expect(await usd(other)).toEqual({ ...there, total: there.total + amount, available: there.available + amount });
    expect(await everything(partner)).toEqual(all);
    expect(eventsOf(started.id)).toEqual([['transfer.completed', 'completed']]);
  });

  test.each([{ tag: '@friend' }, { email: 'friend@example.org', note: 'kept' }])(
    'to %j leaves the accounts',
    async (to) => {
      const [before, all] = [await usd(), await everything(partner)];
      const { id } = await sent(to);
      partner.sandbox.advance(15_000);
      expect(await read(id)).toMatchObject({ status: 'completed', to });
      expect((await usd()).total).toBe(before.total - units('12.50'));
      expect(await everything(partner)).toEqual(all);
    },
  );

  test('that is pending can be cancelled, and only then', async () => {
    const before = await usd();
    const { id } = await sent({ tag: 'x' });
    expect((await cancel(id)).body.data).toMatchObject({ id, status: 'cancelled' });
    expect(await usd()).toEqual(before);
    expect((await cancel(id)).status).toBe(409);
    partner.sandbox.advance(DAY);
    expect([(await read(id)).status, await usd(), eventsOf(id)]).toEqual(['cancelled', before, []]);

    const late = await sent({ tag: 'x' });
    partner.sandbox.advance(5_000);
    expect((await cancel(late.id)).status).toBe(409);
    expect((await cancel('nothing')).status).toBe(404);
  });

  test.each([
    ['pending', 0, undefined, 'rejected'],
    ['processing', 5_000, 'recipient_unknown', 'recipient_unknown'],
  ])('that is %s can be made to fail, and gives the amount back', async (_, ms, reason, failure_reason) => {
    const before = await usd();
    const { id } = await sent({ email: 'x@example.org' });
    partner.sandbox.advance(ms);
    partner.sandbox.transfers.fail(id, reason);
    partner.sandbox.advance(15_000);
    expect(await read(id)).toMatchObject({ status: 'failed', failure_reason });
    expect([await usd(), eventsOf(id)]).toEqual([before, [['transfer.failed', 'failed']]]);
    expect(() => partner.sandbox.transfers.fail(id)).toThrow('is failed already');
    expect(() => partner.sandbox.transfers.fail('nothing')).toThrow('there is no transfer nothing');
  });

  test('without a type is of the first asset with the symbol', async () => {
    const { status, body } = await create({ tag: 'x' }, { type: undefined });
    expect([status, body.data.from.asset.type]).toEqual([200, 'fiat']);
  });

  test.each<[string, object, object, string]>([
    ['to nobody', {}, {}, 'to'],
    ['to two', { tag: 'x', email: 'y' }, {}, 'to'],
    ['to itself', { account: 'SELF' }, {}, 'to.account'],
    ['to an account of another partner', { account: 'FOREIGN' }, {}, 'to.account'],
    ['of nothing', { tag: 'x' }, { amount: '0' }, 'from.asset.amount'],
    ['of less than nothing', { tag: 'x' }, { amount: '-1' }, 'from.asset.amount'],
    ['without an amount', { tag: 'x' }, { amount: undefined }, 'from.asset.amount'],
    ['without a symbol', { tag: 'x' }, { symbol: undefined }, 'from.asset.symbol'],
    ['of an unknown asset', { tag: 'x' }, { symbol: 'USDX' }, 'from.asset.symbol'],
    ['of more than is available', { tag: 'x' }, { amount: '99999999' }, 'from.asset.amount'],
  ])('%s is refused, and nothing changes', async (_, to, more, field) => {
    const named: Record<string, string> = { SELF: accountId, FOREIGN: partner.sandbox.fixtures.foreignAccountId };
    const before = partner.sandbox.snapshot()['accounts'];
    const recipient = 'account' in to ? { account: named[String(to.account)] } : to;
    const answer = await create(recipient, more);
    expect([answer.status, fieldsOf(answer)]).toEqual([400, [field]]);
    expect(partner.sandbox.snapshot()['accounts']).toEqual(before);
  });
});

describe('the ledger of an account', () => {
  test('has each movement once, and its balances are those of the account', async () => {
    const deposit = { asset: { symbol: 'USD', type: 'fiat', amount: '7' }, via: 'ach' };
    const { inbound } = (await partner.post(`${partner.account}/deposits`, deposit)).body.data;
    partner.sandbox.deposits.arrive(inbound.id);
    const from = { asset: { symbol: 'USD', type: 'fiat', amount: '10' } };
    await partner.post(`${partner.account}/transfers`, { from, to: { account: other } });
    const to = { asset: { symbol: 'BTC', type: 'crypto' } };
    await partner.post(`${partner.account}/conversions`, { from, to });
    partner.sandbox.advance(DAY);
    const accounts = partner.sandbox.snapshot()['accounts'] as {
      id: string;
      records: { entries?: [string, Record<string, { asset: string; balance: string }> & { type: string }][] };
    }[];
    const entries = (account: string) =>
      (accounts.find(({ id }) => id === account)?.records.entries ?? []).map(([, entry]) => entry);
    const shown = entries(accountId).map(({ type, spend, receive }) => [type, spend?.asset, receive?.asset]);
    expect(shown).toEqual([
      ['transfer', 'fiat:USD', undefined],
      ['deposit', undefined, 'fiat:USD'],
      ['simple_order', 'fiat:USD', undefined],
      ['simple_order', undefined, 'crypto:BTC'],
    ]);
    expect(entries(other).map(({ type, receive }) => [type, receive?.asset])).toEqual([['transfer', 'fiat:USD']]);
    expect(units(entries(accountId)[2]?.['spend']?.balance ?? '')).toBe((await usd()).total);
  });
});
