import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../src/schema/decimal.js';
import { directSandbox } from '../support/direct-partner.js';

const partner = directSandbox();
const path = '/v1/assets/crypto/BTC/rates';

interface Rate {
  readonly timestamp: string;
  readonly price: string;
}

async function rates(query = '', of = path): Promise<{ data: Rate[]; [echo: string]: unknown }> {
  const { status, body } = await partner.get(`${of}?${query}`);
  expect(status).toBe(200);
  return body;
}

const times = ({ data }: { data: Rate[] }) => data.map(({ timestamp }) => timestamp);

describe('rates', () => {
  test.each<[string, number]>([
    ['PT1M', 60],
    ['PT5M', 300],
    ['PT15M', 900],
    ['PT30M', 1_800],
    ['PT1H', 3_600],
    ['PT60M', 3_600],
    ['PT4H', 14_400],
    ['P1D', 86_400],
    ['P7D', 604_800],
    ['P1W', 604_800],
    ['P15D', 1_296_000],
    ['PT240M', 14_400],
    ['PT24H', 86_400],
    ['PT3600S', 3_600],
    ['PT0.5H', 1_800],
    ['PT0,25H', 900],
    ['P0Y0M0DT1H0M0S', 3_600],
    ['P2W1D', 1_296_000],
    ['P0000-00-07T00:00:00', 604_800],
    ['P00000000T000500', 300],
  ])('are as far apart as %s says', async (interval, seconds) => {
    const page = await rates(
      `interval=${interval}&page_size=5&start_timestamp=2024-01-01T00:00:00Z`,
      '/v1/assets/fiat/EUR/rates',
    );
    const gaps = times(page).map((time, index, all) => (Date.parse(time) - Date.parse(all[index - 1] ?? '')) / 1000);
    expect(gaps.slice(1).every((gap) => gap === seconds)).toBe(true);
    expect(page).toMatchObject({ interval, page_size: 5 });
  });

  test('of a period: its start is included, its end is not', async () => {
    const period = 'start_timestamp=2026-01-15T09:00:00Z&end_timestamp=2026-01-15T12:00:00Z';
    const page = await rates(`interval=PT1H&${period}`);
    expect(times(page)).toEqual(['2026-01-15T09:00:00.000Z', '2026-01-15T10:00:00.000Z', '2026-01-15T11:00:00.000Z']);
    const echoes = { quote_symbol: 'USD', quote_type: 'fiat', interval: 'PT1H', page_size: 20 };
    expect(page).toMatchObject({
      ...echoes,
      start_timestamp: '2026-01-15T09:00:00.000Z',
      end_timestamp: '2026-01-15T12:00:00.000Z',
    });
    expect(page).not.toHaveProperty('next_page_token');
  });

  test('go on from a page under another spelling of the interval', async () => {
    const from = 'start_timestamp=2026-01-10T00:00:00Z&page_size=2';
    const { next_page_token } = await rates(`interval=P1D&${from}`);
    const next = await rates(`interval=PT24H&${from}&page_token=${next_page_token}`);
    expect(times(next)).toEqual(['2026-01-12T00:00:00.000Z', '2026-01-13T00:00:00.000Z']);
    expect(next).toMatchObject({ interval: 'PT24H' });
  });

  test('end with the present price, and are none of the future', async () => {
    const now = partner.sandbox.clock.now();
    const { data } = await rates(
      'interval=PT1M&end_timestamp=2030-01-01T00:00:00Z&start_timestamp=2026-01-15T11:50:00Z',
    );
    expect(data.at(-1)).toEqual({ timestamp: new Date(now).toISOString(), price: '67432.1' });
    expect(data).toHaveLength(11);
  });

  test('agree with the changes of the asset list', async () => {
    const { price_change_percent: changes, price } = (await partner.get('/v1/assets/crypto/BTC')).body.data;
    for (const [name, from] of [
      ['last_1h', '2026-01-15T11:00:00Z'],
      ['last_24h', '2026-01-14T12:00:00Z'],
      ['last_7d', '2026-01-08T12:00:00Z'],
    ] as const) {
      const [before] = (await rates(`interval=PT1M&start_timestamp=${from}&page_size=1`)).data;
      const change = new Decimal(price)
        .div(before?.price ?? 1)
        .minus(1)
        .times(100);
      expect(change.minus(changes[name]).abs().lt('0.001'), `${name} ${change} ${changes[name]}`).toBe(true);
      expect(change.isZero()).toBe(false);
    }
  });

  test('in another currency are of its own price at each moment', async () => {
    const query = 'interval=P1D&start_timestamp=2026-01-01T00:00:00Z&page_size=10';
    const [dollars, euros, rate] = await Promise.all([
      rates(query),
      rates(`${query}&quote_symbol=EUR&quote_type=fiat`),
      rates(query, '/v1/assets/fiat/EUR/rates'),
    ]);
    expect(euros).toMatchObject({ quote_symbol: 'EUR' });
    for (const [index, { price }] of euros.data.entries()) {
      const expected = new Decimal(dollars.data[index]?.price ?? 0).div(rate.data[index]?.price ?? 1);
      expect(new Decimal(price).minus(expected).abs().lt('0.01')).toBe(true);
    }
    expect(new Set(rate.data.map(({ price }) => price)).size).toBeGreaterThan(1);
  });

  test('begin with the listing of the asset', async () => {
    const { listing_date } = (await partner.get('/v1/assets/crypto/BTC')).body.data;
    const { data } = await rates('interval=P1D&start_timestamp=1990-01-01T00:00:00Z&page_size=1');
    expect(data[0]?.timestamp).toBe(`${listing_date}T00:00:00.000Z`);
  });

  test('of a price that was set have it from that moment on', async () => {
    const { sandbox, ...own } = directSandbox();
    const mine = Object.assign(directSandbox(), own, { sandbox });
    sandbox.advance(3_600_000);
    sandbox.prices.set('BTC', '1');
    sandbox.advance(3_600_000);
    const { data } = (await mine.get(`${path}?interval=PT30M&start_timestamp=2026-01-15T12:00:00Z`)).body;
    expect(data.map(({ price }: Rate) => price)).toEqual(['67432.1', '67432.1', '1', '1', '1']);
  });

  test.each([
    ...['PT2H', 'P1M', 'P1Y', 'PT0S', 'PT1.5H', 'PT1H1S', 'P0000-01-00T00:00:00', '1h', 'P', 'pt1h', 'PT1..5H'].map(
      (interval) => [`the interval ${interval}`, `interval=${interval}`, 'interval'],
    ),
    ['a start that is no moment', 'start_timestamp=yesterday', 'start_timestamp'],
    ['an end that is a number', 'end_timestamp=1700000000', 'end_timestamp'],
    ['a currency that is none', 'quote_symbol=XXX', 'quote_symbol'],
    ['a token of another list', 'page_token=abc', 'page_token'],
    ['a page that is too large', 'page_size=101', 'page_size'],
  ])('with %s are refused', async (_, query, field) => {
    const { status, body } = await partner.get(`${path}?${query}`);
    expect(status).toBe(400);
    expect(body.error.causes[0].field).toBe(field);
  });

  test('of an asset that does not exist are not found, and so is the asset', async () => {
    for (const of of ['/v1/assets/crypto/NONE', '/v1/assets/fiat/BTC', '/v1/assets/crypto/NONE/rates']) {
      expect((await partner.get(of)).status).toBe(404);
    }
  });
});

test('the assets of the partner are those of a user, with the same filters and order', async () => {
  const query = 'type=crypto&type=xstock&withdraw=true&sort=price&sort_direction=desc&quote_symbol=EUR&page_size=10';
  const { body } = await partner.get(`/v1/assets?${query}`);
  const { next_page_token: _, ...own } = body;
  const { next_page_token: __, ...ofUser } = (
    await partner.get(`/v1/users/${partner.sandbox.fixtures.userId}/assets?${query}`)
  ).body;
  expect(own).toEqual(ofUser);
  const next = await partner.get(`/v1/assets?${query}&page_token=${body.next_page_token}`);
  expect(next.status).toBe(200);
});

test('every rail of an asset that can be swapped may be whitelisted', async () => {
  const { data } = (await partner.get('/v1/swap/assets?page_size=100')).body;
  const rails = new Set<string>(data.flatMap(({ supported_rails }: { supported_rails: string[] }) => supported_rails));
  expect(data.length).toBeGreaterThan(20);
  expect(rails.size).toBeGreaterThan(8);
  for (const via of rails) {
    const wallet = { via, address: partner.sandbox.fixtures.rejectedWalletAddress, memo: '1' };
    const answer = await partner.post(`${partner.account}/wallets/whitelist`, wallet, { 'API-Otp': '1' });
    expect([via, answer.status]).toEqual([via, 200]);
  }
});
