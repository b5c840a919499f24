import { beforeEach, describe, expect, test } from 'vitest';
import { balancesOf, everything, of, units } from '../support/balances.js';
import { directSandbox } from '../support/direct-partner.js';
import { fieldsOf, whitelisting } from '../support/partner.js';

const DAY = 86_400_000;

const partner = directSandbox();
const { accountId } = partner.sandbox.fixtures;
beforeEach(() => partner.sandbox.reset());

const usd = (amount?: string) => ({ symbol: 'USD', type: 'fiat', ...(amount === undefined ? {} : { amount }) });
const btc = (amount?: string) => ({ symbol: 'BTC', type: 'crypto', ...(amount === undefined ? {} : { amount }) });
const toBalance = { asset: { symbol: 'BTC', type: 'crypto' }, destination: { type: 'balance' } };
const balances = () => balancesOf(partner, accountId);
const create = (body: object) => partner.post(`${partner.account}/conversions`, body);
const read = async (id: string) => (await partner.get(`/v1/conversions/${id}`)).body.data;
const made = async (body: object) => {
  const { status, body: answer } = await create(body);
  expect(answer.error).toBeUndefined();
  expect(status).toBe(200);
  return answer.data;
};
const rule = async (body: object = {}) => {
  const from = { asset: usd(), via: 'sepa' };
  const answer = await partner.post(`${partner.account}/conversion-rules`, { from, to: toBalance, ...body });
  expect(answer.status).toBe(200);
  return answer.body.data;
};

/** The kinds of the events about one thing, in their order. */
function eventsOf(id: string): string[] {
  return partner.sandbox.webhooks
    .listDeliveries()
    .filter(({ body }) => body.includes(id))
    .map(({ type }) => type);
}
const listen = () => partner.sandbox.webhooks.register({ url: 'https://partner.example/hook' });

async function approvedWallet(): Promise<string> {
  const answer = await partner.call(whitelisting(partner));
  partner.sandbox.advance(5_000);
  return answer.body.data.id;
}

describe('a conversion whose source and destination say no type', () => {
  const oneBitcoin = { asset: btc() };

  test('is of the balance, to the balance, if they say nothing else either', async () => {
    const from = { asset: usd('100.00'), source: {} };
    const started = await made({ from, to: { ...oneBitcoin, destination: {} } });
    expect(started).toMatchObject({ status: 'converting', from: { source: { type: 'balance' } } });
    expect(started.to.destination).toEqual({ type: 'balance' });
  });

  test('waits for a deposit if the source says by which rail', async () => {
    const started = await made({ from: { asset: usd('100.00'), source: { via: 'ach' } }, to: oneBitcoin });
    expect(started).toMatchObject({ status: 'pending_deposit', inbound: { via: 'ach' } });
    expect(started.from.source).toEqual({ type: 'deposit', via: 'ach' });
  });

  test('goes to the wallet that the destination names, also by a rule', async () => {
    const wallet_id = await approvedWallet();
    const to = { ...oneBitcoin, destination: { wallet_id } };
    const started = await made({ from: { asset: usd('100.00') }, to });
    expect(started.to.destination).toEqual({ type: 'wallet', wallet_id });
    expect((await rule({ to })).to.destination).toEqual({ type: 'wallet', wallet_id });
    const unknown = await create({ from: { asset: usd('1') }, to: { ...oneBitcoin, destination: { wallet_id: 'x' } } });
    expect(fieldsOf(unknown)).toEqual(['to.destination.wallet_id']);
  });
});

describe('a conversion of a balance', () => {
  test('holds the amount, pays when it settles, and brings what it says when it is completed', async () => {
    listen();
    const [before, all] = [await balances(), await everything(partner)];
    const started = await made({ from: { asset: usd('100.00'), source: { type: 'balance' } }, to: toBalance });
    expect(started).toMatchObject({ status: 'converting', chain_references: {}, from: { asset: usd('100.00') } });
    expect(started).not.toHaveProperty('inbound');
    const held = of(await balances(), 'fiat:USD');
    expect(held).toMatchObject({
      total: of(before, 'fiat:USD').total,
      held: of(before, 'fiat:USD').held + units('100'),
    });

    partner.sandbox.advance(29_999);
    expect((await read(started.id)).status).toBe('converting');
    partner.sandbox.advance(1);
    expect((await read(started.id)).status).toBe('settling');
    expect(of(await balances(), 'fiat:USD').total).toBe(of(before, 'fiat:USD').total - units('100'));
    expect(of(await balances(), 'crypto:BTC')).toEqual(of(before, 'crypto:BTC'));

    partner.sandbox.advance(90_000);
    const ended = await read(started.id);
    expect(ended).toMatchObject({ status: 'completed', fees: { trade: { symbol: 'USD', amount: '0.40' } } });
    const received = units(ended.to.asset.amount);
    expect(received > 0n).toBe(true);
    expect(of(await balances(), 'crypto:BTC').total).toBe(of(before, 'crypto:BTC').total + received);
    expect(await everything(partner)).toEqual(all);
    expect(eventsOf(started.id)).toEqual(['swap.completed']);
  });

  test('to a wallet leaves the account, with the id of its transaction', async () => {
    const wallet_id = await approvedWallet();
    listen();
    const [before, all] = [await balances(), await everything(partner)];
    const destination = { type: 'wallet', wallet_id, user_id: partner.sandbox.fixtures.userId };
    const { id } = await made({ from: { asset: usd('50') }, to: { ...toBalance, destination } });
    partner.sandbox.advance(120_000);
    const ended = await read(id);
    expect(ended).toMatchObject({ status: 'completed', to: { destination } });
    expect(ended.chain_references).toEqual({ withdraw_txid: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(of(await balances(), 'crypto:BTC')).toEqual(of(before, 'crypto:BTC'));
    expect(await everything(partner)).toEqual(all);
    expect(eventsOf(id)).toEqual(['swap.completed', 'conversion.withdrawal_completed']);
  });

  test('that is made to fail gives the amount back', async () => {
    listen();
    const before = await balances();
    const { id } = await made({ from: { asset: usd('100') }, to: toBalance });
    partner.sandbox.conversions.fail(id);
    expect((await read(id)).status).toBe('converting');
    partner.sandbox.advance(30_000);
    expect((await read(id)).status).toBe('failed');
    expect(await balances()).toEqual(before);
    expect(eventsOf(id)).toEqual(['conversion.quote_execution_failed', 'swap.failed']);
    expect(() => partner.sandbox.conversions.fail(id)).toThrow('is failed already');
    expect(() => partner.sandbox.conversions.fail('nothing')).toThrow('there is no conversion nothing');
  });
});

describe('a conversion at a quote', () => {
  const offer = async () =>
    (await partner.post(`${partner.account}/quotes`, { from: usd('200.00'), to: btc() })).body.data;

  test('has its assets, amounts and fee, executes it once, and shows it', async () => {
    listen();
    const [quote, all] = [await offer(), await everything(partner)];
    const started = await made({ swap_quote_id: quote.id, transaction_id: 'mine' });
    expect(started).toMatchObject({ status: 'converting', swap_quote: quote, transaction_id: 'mine' });
    expect(units(started.to.asset.amount)).toBe(units(quote.to.amount));
    expect(units(started.fees.trade.amount)).toBe(units(quote.fees.trade.amount));
    const status = async () => (await partner.get(`${partner.account}/quotes/${quote.id}`)).body.data.status;
    expect(await status()).toBe('executing');
    expect((await partner.post(`${partner.account}/quotes/${quote.id}/execute`)).status).toBe(409);
    expect((await create({ swap_quote_id: quote.id })).status).toBe(409);
    partner.sandbox.advance(120_000);
    expect([await status(), (await read(started.id)).status]).toEqual(['executed', 'completed']);
    expect(eventsOf(quote.id)).toEqual(['quote.executed', 'swap.completed']);
    expect(await everything(partner)).toEqual(all);
  });

  test('fails with it', async () => {
    const [quote, before] = [await offer(), await balances()];
    const { id } = await made({ swap_quote_id: quote.id });
    partner.sandbox.quotes.fail(quote.id);
    partner.sandbox.advance(30_000);
    expect((await read(id)).status).toBe('failed');
    expect((await partner.get(`${partner.account}/quotes/${quote.id}`)).body.data.status).toBe('failed');
    expect(await balances()).toEqual(before);
  });

  test('fails if another amount arrives, which stays the account’s', async () => {
    const [quote, before] = [await offer(), await balances()];
    const { id, inbound } = await made({ from: { source: { type: 'deposit', via: 'ach' } }, swap_quote_id: quote.id });
    const { conversion } = partner.sandbox.deposits.arrive(inbound.id, '199.99');
    expect(conversion).toMatchObject({ id, status: 'failed' });
    expect(of(await balances(), 'fiat:USD').available).toBe(of(before, 'fiat:USD').available + units('199.99'));
  });

  test.each<[string, (quote: { id: string }) => object, number, string]>([
    ['an unknown one', () => ({ swap_quote_id: 'nothing' }), 400, 'swap_quote_id'],
    [
      'other assets',
      ({ id }) => ({ from: { asset: btc() }, to: { asset: usd() }, swap_quote_id: id }),
      400,
      'swap_quote_id',
    ],
    ['another amount', ({ id }) => ({ from: { asset: usd('1') }, swap_quote_id: id }), 400, 'from.asset.amount'],
  ])('refuses %s', async (_, bodyOf, status, field) => {
    const answer = await create(bodyOf(await offer()));
    expect([answer.status, fieldsOf(answer)]).toEqual([status, [field]]);
  });

  test('refuses an expired one', async () => {
    const quote = await offer();
    partner.sandbox.advance(30_000);
    expect((await create({ swap_quote_id: quote.id })).status).toBe(410);
  });
});

describe('a conversion of a deposit', () => {
  const waiting = (amount?: string) =>
    made({ from: { asset: btc(amount), source: { type: 'deposit', via: 'bitcoin' } }, to: { asset: usd() } });

  test('waits with its inbound, converts what arrives, and has the id of the deposit', async () => {
    listen();
    const [before, all] = [await balances(), await everything(partner)];
    const started = await waiting('0.1');
    expect(started).toMatchObject({
      status: 'pending_deposit',
      inbound: { via: 'bitcoin', status: 'active', lifecycle: 'single_use', address: expect.stringMatching(/^bc1/) },
    });
    expect(started.to.asset).not.toHaveProperty('amount');
    partner.sandbox.advance(30 * DAY);
    expect(await read(started.id)).toEqual(started);

    const { conversion } = partner.sandbox.deposits.arrive(started.inbound.id);
    expect(conversion).toMatchObject({ id: started.id, status: 'converting' });
    expect(conversion?.chain_references).toEqual({ deposit_txid: expect.any(String) });
    expect(of(await balances(), 'crypto:BTC').held).toBe(of(before, 'crypto:BTC').held + units('0.1'));
    partner.sandbox.advance(120_000);
    const ended = await read(started.id);
    expect(ended.status).toBe('completed');
    expect(of(await balances(), 'crypto:BTC')).toEqual(of(before, 'crypto:BTC'));
    expect(of(await balances(), 'fiat:USD').total).toBe(of(before, 'fiat:USD').total + units(ended.to.asset.amount));
    expect(await everything(partner)).toEqual(all);
    expect(eventsOf(started.id)).toEqual(['deposit.completed', 'swap.completed']);
    expect(() => partner.sandbox.deposits.arrive(started.inbound.id)).toThrow('the conversion is completed');
  });

  test('takes another amount than it was told of', async () => {
    const { inbound } = await waiting('0.1');
    const { conversion } = partner.sandbox.deposits.arrive(inbound.id, '0.25');
    expect(units(conversion?.from?.asset?.amount ?? '')).toBe(units('0.25'));
  });

  test('that leaves nothing after the fee fails, and the money stays', async () => {
    const [{ inbound }, before] = [await waiting(), await balances()];
    expect(() => partner.sandbox.deposits.arrive(inbound.id)).toThrow('the conversion has no amount: give one');
    expect(partner.sandbox.deposits.arrive(inbound.id, '0.00000001').conversion?.status).toBe('failed');
    expect(of(await balances(), 'crypto:BTC').available).toBe(of(before, 'crypto:BTC').available + units('0.00000001'));
  });

  test('can be made to fail while it waits', async () => {
    const { id, inbound } = await waiting('1');
    partner.sandbox.conversions.fail(id);
    expect((await read(id)).status).toBe('failed');
    expect(() => partner.sandbox.deposits.arrive(inbound.id)).toThrow('the conversion is failed');
  });
});

describe('a conversion rule', () => {
  test('shows where to send the money: an account number of a bank rail, or an address', async () => {
    const sepa = await rule({ name: 'salaries' });
    expect(sepa).toMatchObject({ name: 'salaries', status: 'active', current_uses: 0, from: { via: 'sepa' } });
    const { iban } = sepa.inbound.routing;
    const digits = `${iban.slice(4)}1314${iban.slice(2, 4)}`;
    expect([iban.length, BigInt(digits) % 97n]).toEqual([22, 1n]);
    expect(sepa.inbound).toMatchObject({ conversion_rule_id: sepa.id, lifecycle: 'reusable' });
    const ach = await rule({ from: { asset: usd(), via: 'ach' } });
    expect(Object.keys(ach.inbound.routing)).toEqual(['routing_number', 'account_number', 'beneficiary_name']);
    const xrp = await rule({ from: { asset: { symbol: 'XRP', type: 'crypto' }, via: 'xrp' } });
    expect(xrp.inbound).toMatchObject({ address: expect.stringMatching(/^r/), memo: expect.stringMatching(/^\d+$/) });
    expect(xrp.inbound).not.toHaveProperty('routing');
  });

  test('converts each deposit by itself, and counts', async () => {
    listen();
    const [{ id, inbound }, all] = [await rule(), await everything(partner)];
    for (const amount of ['10.00', '20.00']) {
      const { conversion } = partner.sandbox.deposits.arrive(inbound.id, amount);
      expect(conversion).toMatchObject({
        status: 'converting',
        conversion_rule_id: id,
        from: { asset: { amount }, source: { via: 'sepa' } },
      });
    }
    expect(partner.sandbox.conversionRules.list()).toEqual([expect.objectContaining({ id, current_uses: 2 })]);
    partner.sandbox.advance(120_000);
    const { data } = (await partner.get(`${partner.account}/conversions?conversion_rule_id=${id}`)).body;
    expect(data.map(({ status, from }: { status: string; from: { asset: object } }) => [status, from.asset])).toEqual([
      ['completed', expect.objectContaining({ amount: '20.00' })],
      ['completed', expect.objectContaining({ amount: '10.00' })],
    ]);
    expect(await everything(partner)).toEqual(all);
  });

  test('that is paused does not convert: what arrives is credited', async () => {
    const [before, all] = [await balances(), await everything(partner)];
    const { id, inbound } = await rule({ status: 'paused' });
    expect(partner.sandbox.deposits.arrive(inbound.id, '5.50')).toEqual({});
    expect(of(await balances(), 'fiat:USD').available).toBe(of(before, 'fiat:USD').available + units('5.50'));
    expect(partner.sandbox.conversionRules.setStatus(id, 'active')).toMatchObject({
      status: 'active',
      current_uses: 0,
    });
    expect(partner.sandbox.deposits.arrive(inbound.id, '5.50').conversion?.status).toBe('converting');
    expect(await everything(partner)).toEqual(all);
  });

  test('pays to an approved wallet of the account alone', async () => {
    const wallet_id = await approvedWallet();
    const { body } = await partner.call(whitelisting(partner));
    const refused = async (wallet: object) => {
      const to = { ...toBalance, destination: { type: 'wallet', ...wallet } };
      const answer = await partner.post(`${partner.account}/conversion-rules`, {
        from: { asset: usd(), via: 'sepa' },
        to,
      });
      return [answer.status, answer.body.error?.causes];
    };
    const field = 'to.destination.wallet_id';
    expect(await refused({})).toEqual([400, [{ field, message: 'is not a wallet of the account' }]]);
    const pending = await refused({ wallet_id: body.data.id });
    expect(pending).toEqual([400, [{ field, message: 'is pending, it must be approved' }]]);
    expect((await refused({ wallet_id }))[0]).toBe(200);
  });
});

describe('what cannot be converted is refused, and nothing changes', () => {
  test.each<[string, object, string]>([
    ['nothing at all', {}, 'from.asset'],
    ['no destination', { from: { asset: usd('1') } }, 'to.asset'],
    ['no amount of a balance', { from: { asset: usd() }, to: toBalance }, 'from.asset.amount'],
    ['more than is available', { from: { asset: usd('99999999') }, to: toBalance }, 'from.asset.amount'],
    ['dust', { from: { asset: usd('0.01') }, to: { asset: { symbol: 'JPY', type: 'fiat' } } }, 'from.asset.amount'],
    ['less than nothing', { from: { asset: usd('-1') }, to: toBalance }, 'from.asset.amount'],
    ['an asset to itself', { from: { asset: usd('1') }, to: { asset: usd() } }, 'to.asset.symbol'],
    ['an unknown asset', { from: { asset: { ...usd('1'), symbol: 'USDX' } }, to: toBalance }, 'from.asset.symbol'],
    [
      'a rail that is not for the asset',
      { from: { asset: btc('1'), source: { type: 'deposit', via: 'sepa' } }, to: { asset: usd() } },
      'from.source.via',
    ],
  ])('%s', async (_, body, field) => {
    const before = partner.sandbox.snapshot()['accounts'];
    const answer = await create(body);
    expect([answer.status, fieldsOf(answer)]).toEqual([400, [field]]);
    expect(partner.sandbox.snapshot()['accounts']).toEqual(before);
  });

  test.each([
    ['', '1', /inboundId|argument/],
    ['nothing', '1', /there is no inbound nothing/],
    ['nothing', '0', /above 0/],
    ['nothing', '-1', /decimal number/],
  ])('an arrival at %j of %s', (inbound, amount, message) => {
    expect(() => partner.sandbox.deposits.arrive(inbound, amount)).toThrow(message);
  });

  test('a conversion that does not exist is a 404, one of a blocked user a 403', async () => {
    expect((await partner.get('/v1/conversions/nothing')).status).toBe(404);
    const blocked = directSandbox({ enforceUserStatus: true });
    const body = { from: { asset: usd('1') }, to: toBalance };
    const { id } = (await blocked.post(`${blocked.account}/conversions`, body)).body.data;
    blocked.sandbox.users.setStatus(blocked.sandbox.fixtures.userId, { state: 'blocked' });
    expect((await blocked.get(`/v1/conversions/${id}`)).status).toBe(403);
  });
});

describe('the list of conversions', () => {
  test('is newest first, paged, and filtered by status', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 5; number += 1) {
      ids.unshift((await made({ from: { asset: usd('10') }, to: toBalance })).id);
      partner.sandbox.advance(40_000);
    }
    const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);
    const first = (await partner.get(`${partner.account}/conversions?page_size=2`)).body;
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    const next = `${partner.account}/conversions?page_size=3&page_token=${first.next_page_token}`;
    expect(idsOf((await partner.get(next)).body)).toEqual(ids.slice(2));
    const completed = (await partner.get(`${partner.account}/conversions?status=completed`)).body;
    expect(idsOf(completed)).toEqual(ids.slice(2));
    expect(completed).not.toHaveProperty('next_page_token');
    const other = `${partner.account}/conversions?status=completed&page_token=${first.next_page_token}`;
    expect((await partner.get(other)).status).toBe(400);
  });
});

test('a restart continues conversions in every state, to the same end', async () => {
  const { inbound } = await rule();
  await made({ from: { asset: btc('0.5'), source: { type: 'deposit' } }, to: { asset: usd() } });
  partner.sandbox.deposits.arrive(inbound.id, '30');
  partner.sandbox.advance(31_000);
  await made({ from: { asset: usd('100') }, to: toBalance });
  const [here, there] = [partner, partner.restarted()].map(async (one) => {
    one.sandbox.advance(200_000);
    return [(await one.get(`${one.account}/conversions`)).body.data, await everything(one)];
  });
  const [ended, all] = (await here) ?? [];
  expect(ended.map(({ status }: { status: string }) => status)).toEqual(['completed', 'completed', 'pending_deposit']);
  expect(await there).toEqual([ended, all]);
});
