import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import {
  type PagedList,
  type PartnerClient,
  RequestValidationError,
  ResponseValidationError,
} from '../../../src/index.js';
import { recorder } from '../../calls/support/recorder.js';
import { issuePaths, json, rejection, startService, wrong } from '../support/service.js';

const service = startService();
const PATH = '/v1/accounts/{account_id}/transfers';
const params = { account_id: 'ACCOUNT-0000001' };
const Transfer = z.object({ id: z.string() });

/** Three pages of two items, below `data` or at another place. */
function servePages(place: (items: unknown[], next: string | undefined) => unknown): void {
  service.answer((_, index) => {
    const items = [{ id: `t_${index}_0` }, { id: `t_${index}_1` }];
    return json(place(items, index < 2 ? `token ${index + 1}` : undefined));
  });
}

describe('client.list', () => {
  it('walks any paged operation: items, pages, echoes and the token of each page', async () => {
    servePages((data, next_page_token) => ({ data, next_page_token, total: 6 }));
    const list = service.client().list({ path: PATH, params, query: { status: ['a', 'b'] } });
    expectTypeOf(list).toEqualTypeOf<PagedList<unknown>>();
    const pages = [];
    for await (const page of list.pages()) pages.push([page.items.length, page.nextPageToken, page.meta]);
    expect(pages).toEqual([
      [2, 'token 1', { total: 6 }],
      [2, 'token 2', { total: 6 }],
      [2, undefined, { total: 6 }],
    ]);
    expect(service.received.map(({ path }) => path)).toEqual([
      '/v1/accounts/ACCOUNT-0000001/transfers?status=a&status=b',
      '/v1/accounts/ACCOUNT-0000001/transfers?status=a&status=b&page_token=token%201',
      '/v1/accounts/ACCOUNT-0000001/transfers?status=a&status=b&page_token=token%202',
    ]);
  });

  it('reads each item by the schema of one item, and types it', async () => {
    servePages((data, next_page_token) => ({ data, next_page_token }));
    const list = service.client().list({ path: PATH, params, schema: Transfer });
    expectTypeOf(list).toEqualTypeOf<PagedList<{ id: string }>>();
    expect((await list.toArray({ limit: 3 })).map(({ id }) => id)).toEqual(['t_0_0', 't_0_1', 't_1_0']);
  });

  it.each([
    ['strict', 'data.0.id'],
    ['tolerant', 'data.0.id'],
  ] as const)('refuses an item that breaks its schema (%s), and names the place', async (responseValidation, place) => {
    service.answerJson({ data: [{ id: 1 }] });
    const list = service.client({ responseValidation }).list({ path: PATH, params, schema: Transfer });
    expect(await issuePaths(list, ResponseValidationError)).toEqual([place]);
  });

  it('finds items and token at paths of their own, and asks by another parameter', async () => {
    servePages((verifications, after) => ({ data: { verifications, seen: true }, page: { after }, more: 1 }));
    const names = { items: 'data.verifications', next: 'page.after', cursor: 'cursor' };
    const pages = [];
    for await (const page of service
      .client()
      .list({ path: PATH, params, ...names })
      .pages())
      pages.push(page);
    expect(pages.map(({ items }) => items.length)).toEqual([2, 2, 2]);
    expect(pages[0]?.meta).toEqual({ data: { seen: true }, page: {}, more: 1 });
    expect(service.received.map(({ query }) => query.get('cursor'))).toEqual([null, 'token 1', 'token 2']);
  });

  it.each([
    ['no items', { items: [] }],
    ['items that are no list', { data: 'none' }],
    ['a token that is no text', { data: [], next_page_token: {} }],
    ['the token of the page before', { data: [{ id: 'x' }], next_page_token: 'again' }],
  ])('refuses %s', async (_, body) => {
    service.answerJson(body);
    const list = service.client().list({ path: PATH, params, query: { page_token: 'again' } });
    expect(await rejection(list)).toBeInstanceOf(ResponseValidationError);
  });

  it.each([
    ['a query in the path', { path: '/v1/x?a=1' }, 'path'],
    ['an id that is missing', { path: '/v1/{id}', params: {} }, 'params.id'],
    ['an empty name of the items', { path: '/v1/x', items: '' }, 'items'],
    ['an unknown member', { path: '/v1/x', item: 'data' }, 'item'],
    ['a wrong option', { path: '/v1/x', timeout: 0 }, 'options.timeout'],
  ])('refuses %s where the list is used, and sends nothing', async (_, description, place) => {
    const list = service.client().list(wrong<Parameters<PartnerClient['list']>[0]>(description));
    expect(await issuePaths(list, RequestValidationError)).toEqual([place]);
    expect(service.received).toEqual([]);
  });

  it('shows the name that it is given, or its template', async () => {
    service.answer(() => json({ error: {} }, 404));
    const client = service.client();
    expect(await rejection(client.list({ path: PATH, params }))).toMatchObject({ operation: `GET ${PATH}` });
    expect(await rejection(client.list({ path: PATH, params, operation: 'transfers' }))).toMatchObject({
      operation: 'transfers',
    });
  });
});

describe('client.request() of a page', () => {
  it('tells the logger that a next page follows, which its value does not show', async () => {
    service.answerJson({ data: [1], next_page_token: 'more' });
    const { lines, logger } = recorder();
    const client = service.client({ logger });
    expect(await client.request({ method: 'GET', path: '/v1/x' })).toEqual([1]);
    expect(JSON.stringify(lines)).toContain('use client.list()');
  });

  it.each([
    ['the whole body', { unwrap: false }, { data: [1], next_page_token: 'more' }],
    ['a last page', {}, { data: [1], next_page_token: null }],
  ])('says nothing of %s', async (_, unwrap, body) => {
    service.answerJson(body);
    const { lines, logger } = recorder();
    await service.client({ logger }).request({ method: 'GET', path: '/v1/x', ...unwrap });
    expect(JSON.stringify(lines)).not.toContain('client.list()');
  });
});

describe('a query of objects', () => {
  it('writes each member with the index of its object', async () => {
    service.answerJson({ data: [] });
    const query = { assets: [{ symbol: 'BTC', type: 'crypto' }, { symbol: 'a&b' }], types: ['x', 'y'] };
    await service.client().request({ method: 'GET', path: '/v1/x', query });
    expect(service.only.path).toBe(
      '/v1/x?assets%5B0%5D%5Bsymbol%5D=BTC&assets%5B0%5D%5Btype%5D=crypto&assets%5B1%5D%5Bsymbol%5D=a%26b&types=x&types=y',
    );
  });

  it.each([[[{ a: { b: 1 } }]], [{ a: 1 }], [[new Date()]]])('refuses %j', async (assets) => {
    const call = service.client().request({ method: 'GET', path: '/v1/x', query: { assets } });
    expect(await issuePaths(call)).toEqual(['assets']);
  });
});
