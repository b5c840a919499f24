import { beforeEach, describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.js';
import { balancesOf, everything, of, units } from '../support/balances.js';
import { type DirectPartner, directSandbox } from '../support/direct-partner.js';

const USD = 'fiat:USD';
const BTC = 'crypto:BTC';
const MINUTE = 60_000;
const usd = { symbol: 'USD', type: 'fiat' };
const btc = { symbol: 'BTC', type: 'crypto' };

let partner: DirectPartner;
let events: { type: string; data: Record<string, unknown> }[];

function open(): void {
  events = [];
  partner = directSandbox({
    deliver: async (request) => {
      const { type, data } = (await request.json()) as (typeof events)[number];
      events.push({ type, data });
      return new Response();
    },
  });
  const kinds = ['executed', 'execution_failed', 'cancelled'].map((end) => `price_trigger_swap.${end}`);
  partner.sandbox.webhooks.register({ url: 'https://partner.example/', events: kinds });
}
beforeEach(() => open());

const path = () => `${partner.account}/price-trigger-swaps`;
const buys = (amount: string) => ({ from: { ...usd, amount }, to: btc });
async function order(trade: object, when: object, more: object = {}): Promise<string> {
  const answer = await partner.post(path(), { trade, when: { base: btc, quote: usd, ...when }, ...more });
  expect(answer.body).toEqual({ data: { id: expect.any(String) } });
  return answer.body.data.id;
}
const read = async (id: string) => (await partner.get(`${path()}/${id}`)).body.data;
const balances = () => balancesOf(partner, partner.sandbox.fixtures.accountId);
const price = (value: string) => partner.sandbox.prices.set('BTC', value);
const entries = () => {
  const accounts = partner.sandbox.snapshot()['accounts'] as { records: { entries?: [string, object][] } }[];
  return (accounts[0]?.records.entries ?? []).map(([, entry]) => entry);
};
async function told() {
  await partner.sandbox.webhooks.idle();
  return events.map(({ type }) => type);
}

describe('a price-trigger swap', () => {
  test('waits, and shows what was asked for; it holds no money', async () => {
    const before = await balances();
    const id = await order(buys('100.00'), { drops_to: '60000.50' }, { external_reference: 'order 17' });
    expect(await read(id)).toEqual({
      id,
      external_reference: 'order 17',
      status: 'active',
      trade: { from: { ...usd, name: 'US Dollar', amount: '100.00' }, to: { ...btc, name: 'Bitcoin' } },
      when: { base: { ...btc, name: 'Bitcoin' }, quote: { ...usd, name: 'US Dollar' }, drops_to: '60000.50' },
    });
    partner.sandbox.advance(30 * 1_440 * MINUTE);
    expect(await balances()).toEqual(before);
    expect(await told()).toEqual([]);
  });

  test.each([
    ['drops to it', { drops_to: '60000' }, ['60000.01', '60000']],
    ['drops below it', { drops_to: '60000' }, ['60000.01', '10']],
    ['rises to it', { rises_to: '70000' }, ['69999.99', '70000']],
    ['rises above it', { rises_to: '70000' }, ['69999.99', '900000']],
  ] as const)(
    'is made when the price %s, at that price, and moves exactly what it shows',
    async (_, when, [no, yes]) => {
      const [usdBefore, btcBefore, all] = [
        of(await balances(), USD),
        of(await balances(), BTC),
        await everything(partner),
      ];
      const id = await order(buys('100.00'), when);
      price(no);
      expect((await read(id)).status).toBe('active');
      price(yes);
      const { status, trade } = await read(id);
      expect(status).toBe('completed');
      expect(trade.rate.price).toBe(yes);
      expect(trade.from.amount).toBe('100.00');
      expect(units(trade.fees.trade.amount) > 0n).toBe(true);
      expect(of(await balances(), USD).total).toBe(usdBefore.total - units('100'));
      expect(of(await balances(), BTC).total).toBe(btcBefore.total + units(trade.to.amount));
      expect(await everything(partner)).toEqual(all);
      expect(await told()).toEqual(['price_trigger_swap.executed']);
      expect(events[0]?.data).toEqual(await read(id));
      expect(entries().at(-1)).toMatchObject({ type: 'price_trigger_swap', status: 'completed', reference: id });
      // Once and for all.
      price('1');
      price('1000000');
      expect(of(await balances(), USD).total).toBe(usdBefore.total - units('100'));
    },
  );

  test('is made at once when the price is there already', async () => {
    expect((await read(await order(buys('5'), { drops_to: '67432.10' }))).status).toBe('completed');
    expect((await read(await order(buys('5'), { rises_to: '67432.10' }))).status).toBe('completed');
    expect((await read(await order(buys('5'), { rises_to: '67432.11' }))).status).toBe('active');
  });

  test('with the amount of the other side gets that amount', async () => {
    const before = of(await balances(), BTC).total;
    const id = await order({ from: usd, to: { ...btc, amount: '0.01' }, fee: { bps: 100 } }, { drops_to: '50000' });
    price('50000');
    const { trade } = await read(id);
    expect(trade.to.amount).toBe('0.01');
    // 500 and the fees of 125 basis points.
    expect(trade.from.amount).toBe('506.33');
    expect(of(await balances(), BTC).total).toBe(before + units('0.01'));
  });

  test('may wait for the price of other assets than it swaps', async () => {
    const eth = { symbol: 'ETH', type: 'crypto' };
    const body = { trade: buys('10'), when: { base: eth, quote: btc, rises_to: '0.1' } };
    const { id } = (await partner.post(path(), body)).body.data;
    partner.sandbox.prices.set('ETH', '6743.20');
    expect((await read(id)).status).toBe('active');
    partner.sandbox.prices.set('ETH', '6743.21');
    expect((await read(id)).status).toBe('completed');
  });

  describe('without the money', () => {
    const unpaid = async () => {
      const id = await order(buys('100000000'), { drops_to: '60000' });
      price('60000');
      return id;
    };
    const { executed, failed, cancelled } = {
      executed: 'price_trigger_swap.executed',
      failed: 'price_trigger_swap.execution_failed',
      cancelled: 'price_trigger_swap.cancelled',
    };

    test('stays active, is tried again each minute, and is cancelled by the system after three tries', async () => {
      const before = await balances();
      const id = await unpaid();
      const waits = await read(id);
      expect([waits.status, waits.cancelled_reason]).toEqual(['active', undefined]);
      expect(await told()).toEqual([failed]);
      expect(events[0]?.data).toEqual(waits);
      // Neither another price nor a list of active swaps sees an end before the last try.
      price('59000');
      partner.sandbox.advance(MINUTE - 1);
      expect(await told()).toEqual([failed]);
      partner.sandbox.advance(1);
      expect(await told()).toEqual([failed, failed]);
      expect((await partner.get(`${path()}?statuses=active`)).body.data).toEqual([waits]);
      partner.sandbox.advance(MINUTE);
      expect(await told()).toEqual([failed, failed, failed, cancelled]);
      const end = { ...waits, status: 'cancelled', cancelled_reason: { code: 'system' } };
      expect(await read(id)).toEqual(end);
      expect(events.map(({ data }) => data)).toEqual([waits, waits, waits, end]);
      expect(entries().filter((entry) => 'reference' in entry && entry.reference === id)).toMatchObject(
        Array(3).fill({ type: 'price_trigger_swap_failed', status: 'failed' }),
      );
      partner.sandbox.advance(10 * MINUTE);
      expect([(await told()).length, await balances()]).toEqual([4, before]);
    });

    test('is made by a later try, once the money is there', async () => {
      const id = await unpaid();
      const { accountId } = partner.sandbox.fixtures;
      partner.sandbox.accounts.setBalance(accountId, { symbol: 'USD', available: '100000000' });
      expect((await read(id)).status).toBe('active');
      partner.sandbox.advance(MINUTE);
      expect((await read(id)).status).toBe('completed');
      expect(await told()).toEqual([failed, executed]);
    });

    test('waits for its price again if the price has left it before the next try', async () => {
      const id = await unpaid();
      price('60001');
      partner.sandbox.advance(60 * MINUTE);
      expect([(await read(id)).status, await told()]).toEqual(['active', [failed]]);
      price('60000');
      expect(await told()).toEqual([failed, failed]);
    });

    test('is cancelled by the partner between two tries, and not tried again', async () => {
      const id = await unpaid();
      expect((await partner.post(`${path()}/${id}/cancel`)).status).toBe(200);
      expect(JSON.stringify(partner.sandbox.snapshot()['clock'])).not.toContain(id);
      partner.sandbox.advance(10 * MINUTE);
      expect(await read(id)).toMatchObject({ status: 'cancelled', cancelled_reason: { code: 'user_request' } });
      expect(await told()).toEqual([failed, cancelled]);
    });

    test('is tried again after the time that is set', async () => {
      partner.sandbox.settings.update({ executionTimes: { 'price_trigger_swap.retry': 5 * MINUTE } });
      await unpaid();
      partner.sandbox.advance(5 * MINUTE - 1);
      expect(await told()).toEqual([failed]);
      partner.sandbox.advance(1);
      expect(await told()).toEqual([failed, failed]);
    });

    test('is tried again by a sandbox that goes on from a snapshot, as often as is left', async () => {
      const id = await unpaid();
      partner.sandbox.advance(MINUTE);
      const restored = createSandbox({ snapshot: JSON.parse(JSON.stringify(partner.sandbox.snapshot())) });
      const status = () => restored.resources.get('priceTriggerSwaps', id)?.status;
      restored.advance(MINUTE - 1);
      expect(status()).toBe('active');
      restored.advance(1);
      expect(status()).toBe('cancelled');
    });
  });

  test('that is too small for the price fails, too', async () => {
    await order(buys('0.02'), { rises_to: '90000000' });
    price('90000000');
    expect(await told()).toEqual(['price_trigger_swap.execution_failed']);
  });

  test('several of one price are made in the order in which they were made, while the money lasts', async () => {
    const total = of(await balances(), USD).available;
    const most = (total / units('1')).toString();
    const [first, second, third] = [
      await order(buys(most), { drops_to: '60000' }),
      await order(buys('1.00'), { drops_to: '60001' }),
      await order({ from: { ...btc, amount: '0.001' }, to: usd }, { drops_to: '60000' }),
    ];
    price('50000');
    const ends = await Promise.all([first, second, third].map(read));
    expect(ends.map(({ status }) => status)).toEqual(['completed', 'active', 'completed']);
  });
});

describe('cancel', () => {
  test('ends an active one, with an empty answer; a replay gives the same', async () => {
    const id = await order(buys('10'), { drops_to: '60000' });
    const headers = { 'Idempotency-Key': '5f0c6a1e-3b7d-4c52-9a86-2d1e7f4b8c90' };
    const answer = await partner.post(`${path()}/${id}/cancel`, undefined, headers);
    expect([answer.status, answer.body]).toEqual([200, undefined]);
    const replay = await partner.post(`${path()}/${id}/cancel`, undefined, headers);
    expect([replay.status, replay.body, replay.headers.get('idempotent-replayed')]).toEqual([200, undefined, 'true']);
    price('1');
    expect(await read(id)).toMatchObject({ status: 'cancelled', cancelled_reason: { code: 'user_request' } });
    expect(await told()).toEqual(['price_trigger_swap.cancelled']);
  });

  test('of one that has ended is 409 price_trigger_swap_not_cancellable, of none 404', async () => {
    const id = await order(buys('10'), { drops_to: '70000' });
    const again = await partner.post(`${path()}/${id}/cancel`);
    expect([again.status, again.body.error.code]).toEqual([409, 'price_trigger_swap_not_cancellable']);
    expect((await partner.post(`${path()}/none/cancel`)).status).toBe(404);
    expect((await partner.get(`${path()}/none`)).status).toBe(404);
  });
});

test('the list has the newest first, by status, by pages; other accounts have their own', async () => {
  const ids: string[] = [];
  for (let index = 0; index < 25; index += 1) ids.unshift(await order(buys('10'), { drops_to: '60000' }));
  await partner.post(`${path()}/${ids[3]}/cancel`);
  const list = async (query: string) => (await partner.get(`${path()}?${query}`)).body;
  const first = await list('page_size=20');
  expect(first.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 20));
  const rest = await list(`page_token=${first.next_page_token}`);
  expect(rest.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(20));
  expect((await list('statuses=cancelled')).data.map(({ id }: { id: string }) => id)).toEqual([ids[3]]);
  expect((await list('statuses=cancelled&statuses=active&page_size=100')).data).toHaveLength(25);
  expect((await list('statuses=completed')).data).toEqual([]);
  expect((await partner.get(`${path()}?statuses=open`)).status).toBe(400);
  const other = `/v1/accounts/${partner.sandbox.fixtures.secondaryAccountId}/price-trigger-swaps`;
  expect((await partner.get(other)).body.data).toEqual([]);
  expect((await partner.get(`${other}/${ids[0]}`)).status).toBe(404);
});

test.each<[string, object, string]>([
  ['two amounts', { trade: { from: { ...usd, amount: '1' }, to: { ...btc, amount: '1' } } }, 'trade.from.amount'],
  ['no amount', { trade: { from: usd, to: btc } }, 'trade.from.amount'],
  ['an amount that is too small', { trade: buys('0.00001') }, 'trade.from.amount'],
  ['one asset twice', { trade: { from: { ...usd, amount: '1' }, to: usd } }, 'trade.to.symbol'],
  ['an asset that is none', { trade: { from: { ...usd, symbol: 'XXX', amount: '1' }, to: btc } }, 'trade.from.symbol'],
  ['a fee above the limit', { trade: { ...buys('1'), fee: { bps: 5_001 } } }, 'trade.fee.bps'],
  ['two prices', { when: { base: btc, quote: usd, drops_to: '1', rises_to: '2' } }, 'when.drops_to'],
  ['no price', { when: { base: btc, quote: usd } }, 'when.drops_to'],
  ['a price of 0', { when: { base: btc, quote: usd, rises_to: '0.0' } }, 'when.rises_to'],
  ['a price of one asset in itself', { when: { base: btc, quote: btc, rises_to: '1' } }, 'when.quote.symbol'],
  ['a member that is not known', { when: { base: btc, quote: usd, rises_to: '1', until: 'x' } }, 'when.until'],
])('with %s is refused', async (_, change, field) => {
  const good = { trade: buys('10'), when: { base: btc, quote: usd, drops_to: '60000' } };
  const { status, body } = await partner.post(path(), { ...good, ...change });
  expect([status, body.error?.causes[0].field]).toEqual([400, field]);
  expect((await partner.get(path())).body.data).toEqual([]);
});

test('a sandbox that goes on from a snapshot makes the swaps that wait', async () => {
  const id = await order(buys('10'), { rises_to: '67500' });
  const restored = createSandbox({ snapshot: partner.sandbox.snapshot() });
  restored.prices.set('BTC', '67500');
  expect(restored.resources.get('priceTriggerSwaps', id)?.status).toBe('completed');
});
