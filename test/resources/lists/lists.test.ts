import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import {
  AbortedError,
  type PagedList,
  RequestValidationError,
  ResponseValidationError,
  type WebhookSubscription,
} from '../../../src/index.js';
import { ACCOUNT, invoke, OPERATIONS, operation, USER } from '../support/operations.js';
import { idsOf, idsOfLoop, pageAnswer, servePages, settle } from '../support/pages.js';
import * as sample from '../support/samples.js';
import { webhook } from '../support/samples.js';
import { json, rejection, startService, wrong } from '../support/service.js';

const service = startService();
const SIZES = [2, 0, 3, 0, 1];

describe('a list', () => {
  it('sends nothing until it is used', async () => {
    servePages(service, SIZES);
    const client = service.client();
    const lists = [client.webhooks.list(), client.webhooks.list({ page_size: 1 }, { prefetch: true })];
    for (const list of lists) {
      list.pages();
      list[Symbol.asyncIterator]();
    }
    await settle();
    expect(service.received).toEqual([]);
  });

  it('with wrong input throws nothing where it is made, and rejects where it is used, each way', async () => {
    const list = () => service.client().webhooks.list({ page_size: 26 });
    list();
    await settle();
    for (const use of [
      () => list(),
      () => idsOfLoop(list()),
      () => list().toArray({ limit: 1 }),
      () => list().pages()[Symbol.asyncIterator]().next(),
    ])
      expect(await rejection(use)).toBeInstanceOf(RequestValidationError);
    expect(service.received).toEqual([]);
  });

  it('awaited gives its first page, by one request', async () => {
    servePages(service, SIZES);
    const page = await service.client().webhooks.list();
    expect(page.items.map(({ id }) => id)).toEqual(['ep_0_0', 'ep_0_1']);
    expect(page).toMatchObject({ nextPageToken: 'page 1', hasNextPage: true, response: { status: 200, attempts: 1 } });
    expect(service.received).toHaveLength(1);
  });

  it('asks for no page that nobody reached', async () => {
    servePages(service, SIZES);
    for await (const { id } of service.client().webhooks.list()) if (id === 'ep_0_1') break;
    await settle();
    expect(service.received).toHaveLength(1);
  });

  it('is over after break, after its end, and after an error', async () => {
    servePages(service, [1, 1]);
    const iterator = service.client().webhooks.list()[Symbol.asyncIterator]();
    await iterator.next();
    await iterator.return?.();
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(service.received).toHaveLength(1);
    service.answerJson({}, 500);
    const failing = service.client().webhooks.list()[Symbol.asyncIterator]();
    await rejection(failing.next());
    expect(await failing.next()).toEqual({ done: true, value: undefined });
    expect(service.received).toHaveLength(2);
  });

  it('gives two concurrent next() calls of one iterator different items, in order', async () => {
    servePages(service, [2, 0, 2]);
    const iterator = service.client().webhooks.list()[Symbol.asyncIterator]();
    const results = await Promise.all(Array.from({ length: 6 }, () => iterator.next()));
    expect(results.map(({ done, value }) => (done ? 'end' : value.id))).toEqual([...idsOf([2, 0, 2]), 'end', 'end']);
    expect(service.received).toHaveLength(3);
  });

  it('goes from page to page with nextPage(), and rejects beyond the last', async () => {
    servePages(service, [1, 0, 1]);
    let page = await service.client().webhooks.list();
    const ids = page.items.map(({ id }) => id);
    while (page.hasNextPage) {
      page = await page.nextPage();
      ids.push(...page.items.map(({ id }) => id));
    }
    expect(ids).toEqual(idsOf([1, 0, 1]));
    expect(page.nextPageToken).toBeUndefined();
    expect(await rejection(() => page.nextPage())).toBeInstanceOf(Error);
    expect(service.received).toHaveLength(3);
  });

  it('goes on from a stored token, with its filters', async () => {
    const answer = operation('users.assets.list').answer as object;
    service.answer((_, index) => json(index % 2 === 0 ? { ...answer, next_page_token: `t${index}` } : answer));
    const filters = { type: ['crypto'], sort: 'price', page_size: 1 } as const;
    const first = await service.client().users.assets.list(USER, filters);
    const rest = service.client().users.assets.list(USER, { ...filters, page_token: first.nextPageToken });
    expect(await rest.toArray({ limit: 10 })).toHaveLength(1);
    expect(service.received.map(({ query }) => query.toString())).toEqual([
      'type=crypto&sort=price&page_size=1',
      'type=crypto&sort=price&page_size=1&page_token=t0',
    ]);
  });

  it.each(OPERATIONS.filter(({ paged }) => paged))('$name follows the token of its own pages', async (op) => {
    service.answer((_, index) =>
      json(index === 0 ? { ...(op.answer as object), next_page_token: 'n/e x+t' } : op.answer),
    );
    const list = invoke(op, service.client()) as unknown as AsyncIterable<unknown>;
    let items = 0;
    for await (const _ of list) items++;
    expect(items).toBe(2 * (op.answer as { data: unknown[] }).data.length);
    const [first, second] = service.received;
    const cursor = op.query !== undefined && 'cursor' in op.query ? 'cursor' : 'page_token';
    const kept = (at = first) => [...(at?.query ?? [])].filter(([name]) => name !== cursor);
    expect(kept(second)).toEqual(kept(first));
    expect([second?.pathname, second?.query.getAll(cursor)]).toEqual([first?.pathname, ['n/e x+t']]);
  });
});

describe('a page', () => {
  it('iterates over its own items, and asks for no other', async () => {
    servePages(service, SIZES);
    const page = await service.client().webhooks.list();
    const ids: string[] = [];
    for (const { id } of page) ids.push(id);
    expect(ids).toEqual(['ep_0_0', 'ep_0_1']);
    expect([...page]).toEqual(page.items);
    expect(Array.from(page, ({ id }) => id)).toEqual(ids);
    expect(service.received).toHaveLength(1);
    expectTypeOf(page).toExtend<Iterable<WebhookSubscription>>();
    expectTypeOf(page).not.toHaveProperty('map');
    expectTypeOf(page).not.toHaveProperty('data');
  });
});

it('a page in for await throws a TypeError that says what to write: the loop would end with the page', async () => {
  servePages(service, SIZES);
  const list = service.client().webhooks.list();
  const error = await rejection(async () => idsOfLoop((await list) as never), TypeError);
  expect(error.message).toContain('for await (const item of list)');
});

describe('a list that is used as an array', () => {
  const advice = 'use for await (const item of list), or await list.toArray({ limit })';
  const list = () => service.client().webhooks.list();

  it.each<[string, () => unknown]>([
    [
      'in for of',
      () => {
        // @ts-expect-error A list is no iterable.
        for (const item of list()) return item;
      },
    ],
    // @ts-expect-error A list is no iterable.
    ['in a spread', () => [...list()]],
    // @ts-expect-error A list is no iterable.
    ['in Promise.all', () => Promise.all(list())],
    ['in Array.from', () => Array.from(list() as never)],
    ['in new Set', () => new Set(list() as never)],
  ])('%s throws a TypeError that says what to write', async (_, use) => {
    const error = await rejection(async () => use(), TypeError);
    expect(error.message).toContain(advice);
    expect(service.received).toEqual([]);
  });

  it('is no Iterable to the compiler', () => {
    expectTypeOf<PagedList<string>>().not.toExtend<Iterable<string>>();
    expectTypeOf<PagedList<string>>().toExtend<AsyncIterable<string>>();
  });
});

describe('toArray()', () => {
  it('takes no more than its limit, and asks for no page beyond it', async () => {
    servePages(service, [2, 2, 2]);
    const list = service.client().webhooks.list();
    const requests: number[] = [];
    for (const limit of [1, 2, 3, 4, 6, 100]) {
      service.received.length = 0;
      expect((await list.toArray({ limit })).map(({ id }) => id)).toEqual(idsOf([2, 2, 2]).slice(0, limit));
      requests.push(service.received.length);
    }
    expect(requests).toEqual([1, 1, 2, 2, 3, 3]);
  });

  it('needs a limit that is a positive integer', async () => {
    servePages(service, [1]);
    const list = service.client().webhooks.list();
    const limits = [
      undefined,
      {},
      { limit: undefined },
      ...[0, -1, 1.5, Number.NaN, '5', null].map((limit) => ({ limit })),
    ];
    for (const options of limits) {
      const error = await rejection(() => list.toArray(wrong(options)));
      expect(error, JSON.stringify(options)).toBeInstanceOf(RequestValidationError);
    }
    expect(service.received).toEqual([]);
  });
});

describe('an aborted list', () => {
  it('ends the iteration with the signal\u2019s reason, before and between pages', async () => {
    servePages(service, [1, 1, 1]);
    const controller = new AbortController();
    const reason = new Error('enough');
    const seen: string[] = [];
    const error = await rejection(async () => {
      for await (const { id } of service.client().webhooks.list({}, { signal: controller.signal })) {
        seen.push(id);
        if (seen.length === 2) controller.abort(reason);
      }
    });
    expect(error).toBeInstanceOf(AbortedError);
    expect((error as Error).cause).toBe(reason);
    expect(seen).toEqual(['ep_0_0', 'ep_1_0']);
    expect(service.received).toHaveLength(2);
    const late = service.client().webhooks.list({}, { signal: controller.signal });
    expect(await rejection(late)).toBeInstanceOf(AbortedError);
    expect(service.received).toHaveLength(2);
  });
});

it('whatever the pages, every way of reading gives each item once and in order', async () => {
  const client = service.client();
  const sizes = fc.array(fc.oneof(fc.constant(0), fc.nat({ max: 4 })), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(sizes, fc.boolean(), async (pages, endsWithNull) => {
      servePages(service, pages, endsWithNull ? { next_page_token: null } : {});
      const all = idsOf(pages);
      for (const prefetch of [false, true]) {
        const list = client.webhooks.list({ page_size: 25 }, { prefetch });
        expect(await idsOfLoop(list)).toEqual(all);
        expect((await list.toArray({ limit: all.length + 1 })).map(({ id }) => id)).toEqual(all);
        const paged: string[][] = [];
        for await (const { items } of list.pages()) paged.push(items.map(({ id }) => id));
        expect(paged.map(({ length }) => length)).toEqual(pages);
        expect(paged.flat()).toEqual(all);
      }
      expect(service.received).toHaveLength(pages.length * 6);
      service.received.length = 0;
    }),
    { numRuns: 15 },
  );
});

const MODES = ['tolerant', 'strict', 'warn'] as const;

describe('a token that leads nowhere', () => {
  it('equal to the one asked with is refused, not followed for ever', async () => {
    service.answer((_, index) => json({ data: [{ ...sample.webhook, id: `ep_${index}` }], next_page_token: 'same' }));
    const error = await rejection(() => idsOfLoop(service.client().webhooks.list()), ResponseValidationError);
    expect((error as ResponseValidationError).issues.map(({ path }) => path)).toEqual(['next_page_token']);
    expect(service.received).toHaveLength(2);
    const resumed = service.client().webhooks.list({ page_token: 'same' });
    expect(await rejection(resumed)).toBeInstanceOf(ResponseValidationError);
  });

  it.each(MODES)('that is empty ends the list in %s mode, it does not begin again', async (responseValidation) => {
    service.answer((_, index) => (index === 0 ? pageAnswer([1, 1], 0) : json({ data: [], next_page_token: '' })));
    expect(await idsOfLoop(service.client({ responseValidation }).webhooks.list())).toHaveLength(1);
    expect(service.received).toHaveLength(2);
  });

  it.each(MODES)('is refused in %s mode', async (responseValidation) => {
    service.answer(() => json({ data: [], next_page_token: 'asked' }));
    const list = service.client({ responseValidation }).webhooks.list({ page_token: 'asked' });
    expect(await rejection(() => idsOfLoop(list))).toBeInstanceOf(ResponseValidationError);
    expect(service.received).toHaveLength(1);
  });
});

describe('a list under way', () => {
  it('keeps params and options on every page, whatever becomes of the caller\u2019s objects', async () => {
    const answer = operation('users.assets.list').answer as object;
    service.answer((_, index) => json(index < 2 ? { ...answer, next_page_token: `t${index}` } : answer));
    const params = { type: ['crypto', 'fiat'], deposit: true, page_size: 2 };
    const options = { headers: { 'X-Team': 'payments' } };
    const list = service.client().users.assets.list(USER, params, options);
    params.type.push('xstock');
    params.page_size = 99;
    options.headers['X-Team'] = 'other';
    for await (const _ of list) params.deposit = false;
    for (const { query, headers } of service.received) {
      query.delete('page_token');
      expect([...query].sort()).toEqual([
        ['deposit', 'true'],
        ['page_size', '2'],
        ['type', 'crypto'],
        ['type', 'fiat'],
      ]);
      expect(headers['x-team']).toBe('payments');
    }
    expect(service.received).toHaveLength(3);
  });
});

describe.each(MODES)('a page in %s mode', (responseValidation) => {
  const page = (items: number) => json({ data: Array(items).fill(webhook) });

  it('may have 10,000 items', async () => {
    service.answer(() => page(10_000));
    expect((await service.client({ responseValidation }).webhooks.list()).items).toHaveLength(10_000);
  });

  it('is refused with more', async () => {
    service.answer(() => page(10_001));
    const error = await rejection(() => service.client({ responseValidation }).webhooks.list());
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(error).toMatchObject({ issues: [{ path: 'data', message: 'must have at most 10000 items, has 10001' }] });
  });
});

describe('what is no page', () => {
  it('may have more than 10,000 items', async () => {
    service.answerJson({ data: Array(10_001).fill({ symbol: 'BTC' }), quote_symbol: 'USD', quote_type: 'fiat' });
    expect((await service.client().accounts.portfolio.details(ACCOUNT)).items).toHaveLength(10_001);
  });

  it('is refused with more than 300,000 values, also by request()', async () => {
    service.answer(() => new Response(`{"data":[${Array(300_001).fill('0').join()}]}`));
    const error = await rejection(service.client().request({ method: 'GET', path: '/v1/reports' }));
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(error).toMatchObject({ issues: [{ path: '', message: 'the response has more than 300000 values' }] });
  });
});

describe('a schema of the caller that overflows the stack on an answer', () => {
  type Nested = readonly Nested[];
  const nested: z.ZodType<Nested> = z.lazy(() => z.array(nested));
  const deep = `{"data":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;

  it.each(['tolerant', 'strict'] as const)('refuses it in %s mode', async (responseValidation) => {
    service.answer(() => new Response(deep));
    const call = service.client({ responseValidation }).request({ method: 'GET', path: '/v1/tree', schema: nested });
    expect(await rejection(call)).toBeInstanceOf(ResponseValidationError);
  });
});
