import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../src/schema/decimal.js';
import { directSandbox } from '../support/direct-partner.js';
import { sharedSandbox } from '../support/partner.js';

const partner = await sharedSandbox();

interface Listed {
  readonly symbol: string;
  readonly type: string;
  readonly status: Record<'swap_trading' | 'withdraw' | 'deposit', { enabled: boolean }>;
  readonly [member: string]: unknown;
}

const path = `/v1/users/${partner.sandbox.fixtures.userId}/assets`;
async function list(query = '') {
  const { body } = await partner.get(`${path}?page_size=100${query}`);
  const { data, ...echoes } = body;
  return { data: data as Listed[], echoes };
}

test('an asset that no input can name is not enabled for what would need to name it', async () => {
  const short = (await list()).data.filter(({ symbol }) => symbol.length < 3);
  expect(short.map(({ symbol }) => symbol).sort()).toEqual(['OP', 'S']);
  for (const { status } of short)
    expect([status.swap_trading.enabled, status.withdraw.enabled]).toEqual([false, false]);
  for (const filter of ['swap_trading', 'withdraw']) {
    const enabled = (await list(`&${filter}=true`)).data;
    expect(enabled.length, filter).toBeGreaterThan(20);
    for (const { symbol } of enabled) expect(symbol).toMatch(/^.{3,16}$/);
  }
});

test('has about forty assets of all classes; plain fiat has no market data', async () => {
  const { data } = await list();
  expect(data.length).toBeGreaterThan(40);
  expect(new Set(data.map(({ type }) => type))).toEqual(new Set(['fiat', 'crypto', 'stablecoin', 'xstock']));
  for (const asset of data) {
    for (const member of ['price', 'market_cap', 'market_cap_rank', 'trending_rank', 'price_change_percent', 'ath']) {
      expect(member in asset, `${asset.symbol} ${member}`).toBe(asset.type !== 'fiat');
    }
  }
});

test('names each asset against which swaps are disabled', async () => {
  const { data } = await list('&type=xstock');
  expect(data.length).toBeGreaterThan(0);
  for (const { status } of data) {
    expect((status.swap_trading as { disabled_against?: unknown }).disabled_against).toEqual([
      { symbol: 'CAD', type: 'fiat', name: 'Canadian Dollar' },
      { symbol: 'AUD', type: 'fiat', name: 'Australian Dollar' },
    ]);
  }
});

test('a ticker can exist in several classes', async () => {
  const types = (await list()).data.filter(({ symbol }) => symbol === 'SPX').map(({ type }) => type);
  expect(types.sort()).toEqual(['crypto', 'xstock']);
});

describe('echoes', () => {
  test('without parameters are the defaults', async () => {
    const { body } = await partner.get(path);
    const { data, next_page_token, ...echoes } = body;
    expect(data).toHaveLength(20);
    expect(typeof next_page_token).toBe('string');
    const order = { sort: 'market_cap_rank', sort_direction: 'asc' };
    expect(echoes).toEqual({ quote_symbol: 'USD', quote_type: 'fiat', page_size: 20, ...order, type: [] });
  });

  test('are what was applied', async () => {
    const { echoes } = await list(
      '&type=fiat&type=crypto&swap_trading=true&withdraw=true&deposit=false&sort=name&sort_direction=desc&quote_symbol=EUR',
    );
    const filters = { type: ['fiat', 'crypto'], swap_trading: true, withdraw: true };
    const order = { sort: 'name', sort_direction: 'desc' };
    expect(echoes).toEqual({ quote_symbol: 'EUR', quote_type: 'fiat', page_size: 100, ...order, ...filters });
  });
});

describe('filters', () => {
  test('by class', async () => {
    const { data } = await list('&type=xstock&type=stablecoin');
    expect(new Set(data.map(({ type }) => type))).toEqual(new Set(['xstock', 'stablecoin']));
  });

  test.each(['swap_trading', 'withdraw', 'deposit'] as const)('by %s', async (action) => {
    const all = (await list()).data;
    const filtered = (await list(`&${action}=true`)).data;
    expect(all.some(({ status }) => !status[action].enabled)).toBe(true);
    const enabled = all.filter(({ status }) => status[action].enabled);
    const names = (assets: Listed[]) => assets.map(({ symbol, type }) => `${type} ${symbol}`);
    expect(names(filtered)).toEqual(names(enabled));
  });
});

describe('order', () => {
  const numeric = [
    'market_cap',
    'price',
    'volume.last_24h',
    ...['1h', '24h', '7d', '30d', '1y'].map((period) => `price_change_percent.last_${period}`),
  ];
  const memberOf = (asset: Listed, sort: string): unknown =>
    sort.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], asset);

  test.each([...numeric, 'market_cap_rank', 'trending_rank', 'symbol', 'name', 'listing_date'])(
    'by %s',
    async (sort) => {
      for (const direction of ['asc', 'desc']) {
        const { data } = await list(`&sort=${sort}&sort_direction=${direction}`);
        const values = data.map((asset) => memberOf(asset, sort));
        const present = values.filter((value) => value !== undefined);
        expect(values.slice(0, present.length)).toEqual(present);
        const sorted = [...present].sort((a, b) => compare(a, b, numeric.includes(sort)));
        expect(present).toEqual(direction === 'asc' ? sorted : sorted.reverse());
      }
    },
  );
});

function compare(a: unknown, b: unknown, isDecimal: boolean): number {
  if (isDecimal) return new Decimal(String(a)).comparedTo(String(b));
  if (typeof a === 'number') return a - Number(b);
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}

test('values are in the quote asset', async () => {
  const priceOfBitcoin = async (query: string) =>
    new Decimal(String((await list(query)).data.find(({ symbol }) => symbol === 'BTC')?.['price']));
  const [usd, eur, jpy] = await Promise.all(['', '&quote_symbol=EUR', '&quote_symbol=JPY'].map(priceOfBitcoin));
  expect(usd?.div(eur ?? 1).toFixed(4)).toBe('1.0865');
  expect(jpy?.gt((usd ?? new Decimal(0)).times(100))).toBe(true);
});

describe('while the market changes between two pages', () => {
  const nameOf = ({ symbol, type }: Listed) => `${type}:${symbol}`;

  /** Walks over a list, with a change after each page, and returns the assets of its pages. */
  async function pagesOf(own: ReturnType<typeof directSandbox>, list: string, change: (page: Listed[]) => void) {
    const pages: string[][] = [];
    let token = '';
    while (pages.length === 0 || token !== '') {
      const separator = list.includes('?') ? '&' : '?';
      const from = token === '' ? '' : `&page_token=${token}`;
      const { body } = await own.get(`${list}${separator}page_size=7${from}`);
      pages.push(body.data.map(nameOf));
      token = body.next_page_token ?? '';
      if (token !== '') change(body.data);
    }
    return pages.flat();
  }

  const lists: [string, (userId: string) => string][] = [
    ['assets.list', () => '/v1/assets?swap_trading=true'],
    ['users.assets.list', (userId) => `/v1/users/${userId}/assets?swap_trading=true`],
    ['swap.assets.list', () => '/v1/swap/assets'],
  ];

  test.each(lists)('%s goes on when the last asset of each page is disabled', async (_, listOf) => {
    const own = directSandbox();
    const list = listOf(own.sandbox.fixtures.userId);
    const all = await pagesOf(own, list, () => {});
    const walked = await pagesOf(own, list, (page) => {
      const { symbol, type } = page.at(-1) as Listed;
      own.sandbox.assets.disable(symbol, { asset_type: type });
    });
    expect(walked).toEqual(all);
  });

  test.each(lists)('%s leaves out what is disabled before its page, until it is enabled again', async (_, listOf) => {
    const own = directSandbox();
    const list = listOf(own.sandbox.fixtures.userId);
    const all = await pagesOf(own, list, () => {});
    const [gone = '', back = ''] = [all[8], all[20]];
    const change = (way: 'enable' | 'disable', name: string) => {
      const [asset_type, symbol = ''] = name.split(':');
      own.sandbox.assets[way](symbol, { asset_type });
    };
    const changes = [() => [gone, back].map((name) => change('disable', name)), () => change('enable', back)];
    expect(await pagesOf(own, list, () => changes.shift()?.())).toEqual(all.filter((name) => name !== gone));
  });

  test.each(['market_cap_rank', 'market_cap', 'price', 'price_change_percent.last_1h'])(
    'a list by %s keeps the order of its first page, each asset once',
    async (sort) => {
      for (const direction of ['asc', 'desc']) {
        const own = directSandbox();
        const list = `/v1/assets?sort=${sort}&sort_direction=${direction}`;
        const all = await pagesOf(own, list, () => {});
        const prices = ['0.0001', '900000000', '0.5'];
        const walked = await pagesOf(own, list, () => {
          own.sandbox.advance(60_000);
          const usd = prices.shift() ?? '1';
          for (const symbol of ['BTC', 'ETH', 'SOL', 'XRP']) own.sandbox.prices.set(symbol, usd);
        });
        expect(walked).toEqual(all);
        expect(await pagesOf(own, list, () => {})).not.toEqual(all);
      }
    },
  );
});
