import { describe, expect, test } from 'vitest';
import { Pager } from '../../../src/sandbox/core/request/paging.js';
import { sharedSandbox } from '../support/partner.js';

const partner = await sharedSandbox();

interface Page {
  readonly data: readonly Record<string, unknown>[];
  readonly next_page_token?: string;
}

async function allPages(path: string, size: number | undefined, repeatSize = true): Promise<Page[]> {
  const pages: Page[] = [];
  let token: string | undefined;
  do {
    const query = [
      ...(size !== undefined && (token === undefined || repeatSize) ? [`page_size=${size}`] : []),
      ...(token === undefined ? [] : [`page_token=${encodeURIComponent(token)}`]),
    ].join('&');
    const answer = await partner.get(query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`);
    expect(answer.status).toBe(200);
    pages.push(answer.body);
    token = answer.body.next_page_token;
  } while (token !== undefined);
  return pages;
}

const conversions = `${partner.account}/on-demand-conversions`;
const depositLimits = `${partner.account}/funds/deposits/limits/BTC`;
const assets = `/v1/users/${partner.sandbox.fixtures.userId}/assets`;
const lists: [string, string, string, number][] = [
  ['on-demand conversions', conversions, 'id', 25],
  ['webhooks', '/v1/webhooks', 'id', 25],
  ['deposit limits', depositLimits, 'method_id', 25],
  ['assets', `${assets}?sort=price&sort_direction=desc`, 'logo', 100],
];

describe.each(lists)('%s', (_, path, idName, largest) => {
  test('are the same whatever the size of the pages', async () => {
    const ids = async (size: number | undefined) =>
      (await allPages(path, size)).flatMap(({ data }) => data.map((item) => JSON.stringify(item[idName])));
    const [small, standard, large] = [await ids(7), await ids(undefined), await ids(largest)];
    expect(new Set(small).size).toBe(small.length);
    expect(standard).toEqual(small);
    expect(large).toEqual(small);
  });

  test('come twenty at a time by default, with a token of at most 256 characters on every page but the last', async () => {
    const pages = await allPages(path, undefined);
    expect(pages.length).toBeGreaterThan(1);
    for (const [index, page] of pages.entries()) {
      const isLast = index === pages.length - 1;
      expect('next_page_token' in page).toBe(!isLast);
      if (isLast) continue;
      expect(page.data).toHaveLength(20);
      expect(page.next_page_token?.length).toBeLessThanOrEqual(256);
    }
  });

  test('refuse a token of another list, and one that was changed', async () => {
    const token = (await partner.get(path)).body.next_page_token;
    const separator = path.includes('?') ? '&' : '?';
    const changed = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`;
    const padded = `${token}=`;
    const foreign = path === '/v1/webhooks' ? conversions : '/v1/webhooks';
    const foreignToken = (await partner.get(foreign)).body.next_page_token;
    for (const wrong of [changed, padded, token.slice(0, -2), foreignToken]) {
      const answer = await partner.get(`${path}${separator}page_token=${encodeURIComponent(wrong)}`);
      expect(answer.status).toBe(400);
      expect(answer.body.error.causes).toMatchObject([{ field: 'page_token' }]);
    }
  });
});

test('a token is refused by the same list of another account, and by a list with other filters', async () => {
  const { body } = await partner.get(conversions);
  const elsewhere = `/v1/accounts/${partner.sandbox.fixtures.secondaryAccountId}/on-demand-conversions`;
  expect((await partner.get(`${elsewhere}?page_token=${body.next_page_token}`)).status).toBe(400);

  const token = (await partner.get(`${assets}?sort=price`)).body.next_page_token;
  expect((await partner.get(`${assets}?sort=price&page_token=${token}`)).status).toBe(200);
  expect((await partner.get(`${assets}?sort=name&page_token=${token}`)).status).toBe(400);
});

test('deposit limits ignore page_size beside a token, whatever it is, and refuse a wrong one on the first page', async () => {
  const { next_page_token: token } = (await partner.get(`${depositLimits}?page_size=5`)).body;
  for (const size of ['26', '0', '-3', '9999999999', 'abc', '', '1.5', '%2B5']) {
    const { body } = await partner.get(`${depositLimits}?page_size=${size}`);
    expect(body.error.causes).toEqual([{ field: 'page_size', message: 'must be a whole number from 1 to 25' }]);
    const page = await partner.get(`${depositLimits}?page_size=${size}&page_token=${token}`);
    expect([page.status, page.body.data?.length]).toEqual([200, 5]);
  }
  // Of the other lists the size is that of each page.
  const { next_page_token: other } = (await partner.get(`${conversions}?page_size=5`)).body;
  expect((await partner.get(`${conversions}?page_size=26&page_token=${other}`)).status).toBe(400);
});

test('a token of deposit limits keeps the size of the first page, others take the size they are asked for', async () => {
  const sizes = async (path: string) => {
    const { next_page_token: token } = (await partner.get(`${path}?page_size=5`)).body;
    return (await partner.get(`${path}?page_size=9&page_token=${token}`)).body.data.length;
  };
  expect(await sizes(depositLimits)).toBe(5);
  expect(await sizes(conversions)).toBe(9);
  const pages = await allPages(depositLimits, 10, false);
  expect(pages.map(({ data }) => data.length)).toEqual([10, 10, 10, 10, 7]);
});

test('conversions are ordered by creation, newest first', async () => {
  const items = (await allPages(conversions, 25)).flatMap(({ data }) => data);
  const times = items.map((item) => String(item['created_at']));
  expect(times).toEqual([...times].sort().reverse());
  expect(times.length).toBeGreaterThanOrEqual(300);
});

describe('a page', () => {
  const pager = new Pager(new Uint8Array(32));
  const listing = (items: readonly number[]) => ({
    scope: ['numbers'],
    items,
    position: String,
    isAfter: (item: number, position: string) => item < Number(position),
  });

  test('stays right while items are added in front, and when its own last item is gone', () => {
    const first = pager.page(listing([50, 40, 30, 20, 10]), { page_size: 2 });
    expect(first.data).toEqual([50, 40]);
    const query = { page_size: 2, page_token: first.next_page_token };
    expect(pager.page(listing([70, 60, 50, 40, 30, 20, 10]), query).data).toEqual([30, 20]);
    expect(pager.page(listing([70, 60, 50, 30, 20, 10]), query).data).toEqual([30, 20]);
  });

  test('of exactly the size of the list is the last one', () => {
    expect(pager.page(listing([2, 1]), { page_size: 2 })).toEqual({ data: [2, 1] });
    expect(pager.page(listing([]), {})).toEqual({ data: [] });
  });

  test('needs a token of the same service', () => {
    const { next_page_token } = pager.page(listing([3, 2, 1]), { page_size: 1 });
    const other = new Pager(new Uint8Array(32).fill(1));
    expect(() => other.page(listing([3, 2, 1]), { page_token: next_page_token })).toThrow('400');
  });
});
