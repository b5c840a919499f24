import { describe, expect, it } from 'vitest';
import { type PagedList, type PartnerClient, ResponseValidationError } from '../../../src/index.js';
import { ACCOUNT } from '../support/operations.js';
import { depositMethod, swapAsset } from '../support/samples.js';
import { issuePaths, startService } from '../support/service.js';

const service = startService();

const answerIssues = (call: () => PromiseLike<unknown>) => issuePaths(call, ResponseValidationError);

type List = (client: PartnerClient) => PagedList<unknown>;
const lists: [name: string, items: string, item: object, list: List][] = [
  ['swap.assets.list', 'assets', swapAsset, (client) => client.swap.assets.list()],
  ['ramp.fiatCurrencies.list', 'currencies', { symbol: 'EUR' }, (client) => client.ramp.fiatCurrencies.list()],
  ['funds.depositMethods.list', 'methods', depositMethod, (client) => client.funds.depositMethods.list(ACCOUNT, 'BTC')],
];

describe.each(lists)('%s, whose container the service does not document', (_, name, item, list) => {
  const first = (body: object) => {
    service.answerJson(body);
    return list(service.client({ responseValidation: 'strict' }));
  };

  it.each([
    ['data', { data: [item, item] }],
    ['an object in data', { data: { [name]: [item, item] } }],
    ['an object in data, under any name', { data: { entries: [item, item], count: 2 } }],
  ])('reads its items from %s', async (_where, body) => {
    const { items, hasNextPage } = await first(body);
    expect(items).toHaveLength(2);
    expect(items[0]).toMatchObject({ ...(name === 'methods' ? { id: depositMethod.id } : item) });
    expect(hasNextPage).toBe(false);
  });

  it('reads an empty one', async () => {
    expect((await first({ data: { [name]: [] } })).items).toEqual([]);
  });

  it.each([
    ['beside data', { data: { [name]: [item] }, next_page_token: 'more' }],
    ['within data', { data: { [name]: [item], next_page_token: 'more' } }],
    ['within data, and null beside it', { data: { [name]: [item], next_page_token: 'more' }, next_page_token: null }],
    ['beside a list', { data: [item], next_page_token: 'more' }],
  ])('goes on by a token %s', async (_where, body) => {
    const page = await first(body);
    expect(page).toMatchObject({ nextPageToken: 'more' });
    service.answerJson({ data: { [name]: [] } });
    expect(await page.nextPage()).toMatchObject({ items: [], hasNextPage: false });
    expect(service.received.map(({ query }) => query.get('page_token'))).toEqual([null, 'more']);
  });

  it('keeps the other members of both as page.meta', async () => {
    const body = { data: { [name]: [item], as_of: 'now', region: 'inner' }, region: 'outer', count: 1 };
    expect((await first(body)).meta).toEqual({ as_of: 'now', region: 'outer', count: 1 });
  });

  it('keeps thousands of other members as page.meta, and nothing else', async () => {
    const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`m${index}`, index]));
    service.answerJson({ data: [item], next_page_token: 'more', ...many });
    const page = await list(service.client());
    expect(page).toMatchObject({ nextPageToken: 'more', items: [{}] });
    expect(page.meta).toEqual(many);
  });
});

describe.each(lists.filter(([, name]) => name !== 'currencies'))(
  '%s, whose items are known in part,',
  (_, name, item, list) => {
    it.each([
      ['no list', { data: { [name]: {} } }],
      ['two lists', { data: { [name]: [item], networks: [] } }],
      ['nothing', { data: {} }],
    ])('refuses an object with %s', async (_what, body) => {
      service.answerJson(body);
      expect(await answerIssues(() => list(service.client()))).toEqual(['data']);
    });
  },
);

it.each([
  ['assets', { supported_rails: 5 }, lists[0]],
  ['methods', { ...depositMethod, id: {} }, lists[2]],
] as const)('a wrong member is named by its place among the %s', async (name, item, list) => {
  service.answerJson({ data: { [name]: [item] } });
  const issues = await answerIssues(() => (list as (typeof lists)[0])[3](service.client()));
  expect(issues).toEqual([`data.0.${name === 'assets' ? 'supported_rails' : 'id'}`]);
});

it('an object that is no container of currencies is the only one of them, because no form of a currency is known', async () => {
  service.answerJson({ data: { currencies: {}, USD: { minimum: '10' } } });
  const { items } = await service.client().ramp.fiatCurrencies.list();
  expect(items).toEqual([{ currencies: {}, USD: { minimum: '10' } }]);
});

it('no other list is read from an object', async () => {
  service.answerJson({ data: { webhooks: [] } });
  expect(await answerIssues(() => service.client().webhooks.list())).toEqual(['data']);
});
