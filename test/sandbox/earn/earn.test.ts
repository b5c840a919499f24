import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.js';
import { Decimal } from '../../../src/schema/decimal.js';
import { balancesOf, everything, of, units } from '../support/balances.js';
import { DirectPartner, directSandbox } from '../support/direct-partner.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const earn = ({ account }: DirectPartner): string => `${account}/earn/auto`;
const set = (partner: DirectPartner, staking?: string) =>
  partner.call({ method: 'PATCH', path: earn(partner), body: staking === undefined ? {} : { staking } });
const staking = async (partner: DirectPartner): Promise<string> => (await partner.get(earn(partner))).body.staking;
const rewards = async (partner: DirectPartner) => (await partner.get(`${earn(partner)}/rewards`)).body;
const allocations = async (partner: DirectPartner) => (await partner.get(`${earn(partner)}/allocations`)).body;

/** Enabled, and in effect. */
async function earning(): Promise<DirectPartner> {
  const partner = directSandbox();
  await set(partner, 'enabled');
  partner.sandbox.advance(MINUTE);
  return partner;
}

/** Moves the clock to the next midnight, UTC. */
const toMidnight = ({ sandbox }: DirectPartner): void => sandbox.advance(DAY - (sandbox.clock.now() % DAY));

interface Row {
  readonly symbol: string;
  readonly [amount: string]: string;
}

const sumOf = (rows: readonly Row[], name: string): string =>
  rows.reduce((sum, row) => sum.plus(row[name] ?? 'absent'), new Decimal(0)).toFixed(4);

describe('the settings', () => {
  test('are disabled at first, and pending for a minute after each change', async () => {
    const partner = directSandbox();
    expect(await staking(partner)).toBe('disabled');
    expect((await set(partner, 'enabled')).body).toEqual({});
    expect(await staking(partner)).toBe('pending_enabled');
    partner.sandbox.advance(MINUTE - 1);
    expect(await staking(partner)).toBe('pending_enabled');
    partner.sandbox.advance(1);
    expect(await staking(partner)).toBe('enabled');
    await set(partner, 'disabled');
    expect(await staking(partner)).toBe('pending_disabled');
    partner.sandbox.advance(MINUTE);
    expect(await staking(partner)).toBe('disabled');
  });

  test('stay as they are when nothing, or what is set already, is asked for', async () => {
    const partner = await earning();
    await set(partner);
    await set(partner, 'enabled');
    expect(await staking(partner)).toBe('enabled');
    await set(partner, 'disabled');
    partner.sandbox.advance(MINUTE / 2);
    await set(partner, 'disabled');
    partner.sandbox.advance(MINUTE / 2);
    expect(await staking(partner)).toBe('disabled');
  });

  test('follow the last change', async () => {
    const partner = await earning();
    await set(partner, 'disabled');
    partner.sandbox.advance(MINUTE / 2);
    await set(partner, 'enabled');
    partner.sandbox.advance(MINUTE / 2);
    expect(await staking(partner)).toBe('pending_enabled');
    partner.sandbox.advance(MINUTE / 2);
    expect(await staking(partner)).toBe('enabled');
  });

  test.each([
    ['before it took effect', 0],
    ['after it took effect', MINUTE],
  ])('that were disabled and enabled again, %s, pay once a day', async (_when, wait) => {
    const partner = await earning();
    await set(partner, 'disabled');
    partner.sandbox.advance(wait);
    await set(partner, 'enabled');
    partner.sandbox.advance(MINUTE);
    const [estimated] = (await rewards(partner)).data;
    toMidnight(partner);
    expect((await rewards(partner)).data[0].rewarded).toBe(estimated.estimated_next_reward);
  });

  test('that are disabled pay until it takes effect, and then nothing', async () => {
    const partner = await earning();
    partner.sandbox.advance(DAY - (partner.sandbox.clock.now() % DAY) - MINUTE / 2);
    await set(partner, 'disabled');
    partner.sandbox.advance(MINUTE);
    const [paid] = (await rewards(partner)).data;
    expect(units(paid.rewarded) > 0n).toBe(true);
    const before = await everything(partner);
    partner.sandbox.advance(5 * DAY);
    const after = await rewards(partner);
    expect(after.data[0]).toMatchObject({ rewarded: paid.rewarded, estimated_next_reward: '0.0000000000' });
    expect('next_reward_date' in after).toBe(false);
    expect(await everything(partner)).toEqual(before);
  });

  test('belong to one account', async () => {
    const partner = await earning();
    const other = `/v1/accounts/${partner.sandbox.fixtures.secondaryAccountId}/earn/auto`;
    expect((await partner.get(other)).body).toEqual({ staking: 'disabled' });
    expect((await partner.get(`/v1/accounts/${partner.sandbox.fixtures.foreignAccountId}/earn/auto`)).status).toBe(403);
    expect((await partner.get('/v1/accounts/AB123/earn/auto')).status).toBe(403);
    expect((await partner.get('/v1/accounts/AB12/earn/auto')).status).toBe(400);
  });
});

describe('the assets that earn', () => {
  test('are in the catalogue, and none for a country without the service', async () => {
    const partner = directSandbox();
    const { data } = (await partner.get('/v1/earn/auto/assets?country=DE')).body;
    expect(data.length).toBeGreaterThan(5);
    for (const { symbol, type, name } of data) {
      const asset = (await partner.get(`/v1/assets/${type}/${symbol}`)).body.data;
      expect(asset).toMatchObject({ symbol, type, name });
    }
    expect((await partner.get(`${earn(partner)}/assets`)).body.data).toEqual(data);
    expect((await partner.get('/v1/earn/auto/assets?country=AQ')).body).toEqual({ data: [] });
    expect((await partner.get('/v1/earn/auto/assets?country=de')).status).toBe(400);
    expect((await partner.get('/v1/earn/auto/assets')).status).toBe(400);
  });
});

describe('the allocations', () => {
  test('are none before earning, and then what no order holds', async () => {
    const partner = directSandbox();
    expect(await allocations(partner)).toEqual({
      data: [],
      quote_symbol: 'USD',
      quote_type: 'fiat',
      total_allocated_in_quote: '0.0000',
    });
    await set(partner, 'enabled');
    partner.sandbox.advance(MINUTE);
    const order = { from: { symbol: 'ETH', type: 'crypto', amount: '0.25' }, to: { symbol: 'USD', type: 'fiat' } };
    const { id } = (await partner.post(`${partner.account}/quotes`, order)).body.data;
    await partner.post(`${partner.account}/quotes/${id}/execute`);
    const { data, total_allocated_in_quote: total } = await allocations(partner);
    expect(data.map(({ symbol }: Row) => symbol)).toEqual(['ETH', 'SOL']);
    const balances = await balancesOf(partner, partner.sandbox.fixtures.accountId);
    for (const { symbol, allocated } of data) {
      expect(units(allocated)).toBe(of(balances, `crypto:${symbol}`).available);
    }
    expect(of(balances, 'crypto:ETH').held > 0n).toBe(true);
    expect(total).toBe(sumOf(data, 'allocated_in_quote'));
    const page = (await partner.get(`${earn(partner)}/allocations?page_size=1`)).body;
    expect(page).toMatchObject({ total_allocated_in_quote: total, data: [data[0]] });
    expect(page.next_page_token.length).toBeLessThanOrEqual(64);
  });
});

describe('the rewards', () => {
  test('are paid at midnight as they were estimated, out of nowhere but the books', async () => {
    const partner = await earning();
    const { accountId } = partner.sandbox.fixtures;
    const estimated = await rewards(partner);
    const day = new Date(Math.ceil(partner.sandbox.clock.now() / DAY) * DAY).toISOString().slice(0, 10);
    expect(estimated).toMatchObject({ next_reward_date: day, total_rewarded_in_quote: '0.0000' });
    const [balances, all] = [await balancesOf(partner, accountId), await everything(partner)];
    const { data: allocated } = await allocations(partner);

    toMidnight(partner);
    const paid = await rewards(partner);
    const after = await balancesOf(partner, accountId);
    expect(paid.data).toHaveLength(2);
    for (const [index, row] of paid.data.entries()) {
      const next = units(estimated.data[index].estimated_next_reward);
      expect(next > 0n).toBe(true);
      expect(units(row.rewarded)).toBe(next);
      const asset = `crypto:${row.symbol}`;
      expect(of(after, asset).total - of(balances, asset).total).toBe(next);
      // A year has 365 days; the yield is in per cent.
      const apy = { ETH: '3.10', SOL: '6.25' }[row.symbol as 'ETH' | 'SOL'];
      const exact = new Decimal(allocated[index].allocated).times(apy).div(36_500);
      const places = row.rewarded.split('.')[1].length;
      expect(new Decimal(row.rewarded).eq(exact.toDecimalPlaces(places, Decimal.ROUND_DOWN))).toBe(true);
    }
    expect(await everything(partner)).toEqual(all);
    expect(paid.total_rewarded_in_quote).toBe(sumOf(paid.data, 'rewarded_in_quote'));
    expect(Date.parse(paid.next_reward_date) - Date.parse(day)).toBe(DAY);
  });

  test('of a year are those of its days, in the ledger and in the transactions', async () => {
    const partner = await earning();
    const all = await everything(partner);
    partner.sandbox.advance(365 * DAY);
    const { data } = await rewards(partner);
    const sums = new Map<string, bigint>();
    let token = '';
    do {
      const path = `${partner.account}/portfolio/transactions?types=earn_reward&page_size=25${token}`;
      const { body } = await partner.get(path);
      for (const { type, status, receive, spend } of body.data) {
        expect([type, status, spend]).toEqual(['earn_reward', 'successful', undefined]);
        const { symbol, amount } = receive.total;
        sums.set(symbol, (sums.get(symbol) ?? 0n) + units(amount));
      }
      token = body.next_page_token === undefined ? '' : `&page_token=${body.next_page_token}`;
    } while (token !== '');
    expect(data.map(({ symbol, rewarded }: Row) => [symbol, units(rewarded ?? '')])).toEqual([...sums].sort());
    expect(await everything(partner)).toEqual(all);
  });

  test('go on from a snapshot: once a day, with the same sums', async () => {
    const partner = await earning();
    toMidnight(partner);
    const saved = partner.sandbox.snapshot();
    const restored = createSandbox({ snapshot: JSON.parse(JSON.stringify(saved)) });
    const copy = new DirectPartner(restored, 'http://sandbox.example', restored.keys.issue());
    expect(await rewards(copy)).toEqual(await rewards(partner));
    for (const { sandbox } of [partner, copy]) sandbox.advance(3 * DAY);
    expect(await rewards(copy)).toEqual(await rewards(partner));
    expect(await everything(copy)).toEqual(await everything(partner));
  });

  test.each([
    ['a status that is not one', { staking: 'on', earns: true }],
    ['no word on earning', { staking: 'enabled' }],
  ])('do not go on from a snapshot with %s', async (_what, record) => {
    const saved = JSON.parse(JSON.stringify((await earning()).sandbox.snapshot()));
    saved.accounts[0].records.earn[0][1] = record;
    expect(() => createSandbox({ snapshot: saved })).toThrow('accounts.0.records.earn');
  });
});
