import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Page, ResponseValidationError, type WebhookSubscription } from '../../../src/index.js';
import { servePages, settle, type WebhookList } from '../support/pages.js';
import * as sample from '../support/samples.js';
import { json, type Received, rejection, startService } from '../support/service.js';

const service = startService();

const asked = ({ query }: Received) => query.get('page_token');
const page = (token: string | undefined, items = 0) =>
  json({ data: Array.from({ length: items }, () => sample.webhook), ...(token && { next_page_token: token }) });

/** Pages 0, 1, …: after the last comes the page with index `back` again. */
function serveCycle(pages: number, back: number, items = 1): void {
  service.answer((request) => {
    const next = Number(asked(request) ?? 0) + 1;
    return page(String(next < pages ? next : back), items);
  });
}

/** Every way to go through a list, as it ends with an error: the number of pages that came before. */
const WAYS: Readonly<Record<string, (list: WebhookList) => Promise<number>>> = {
  'for await': async (list) => {
    let items = 0;
    for await (const _ of list) items++;
    return items;
  },
  'pages()': async (list) => {
    let pages = 0;
    for await (const _ of list.pages()) pages++;
    return pages;
  },
  'toArray()': async (list) => (await list.toArray({ limit: 1_000_000 })).length,
  'nextPage()': async (list) => {
    let current: Page<WebhookSubscription> = await list;
    let pages = 1;
    for (; current.hasNextPage; pages++) current = await current.nextPage();
    return pages;
  },
};

const refusal = async (way: string, list: WebhookList) => {
  const error = await rejection(async () => WAYS[way]?.(list), ResponseValidationError);
  return error as ResponseValidationError;
};

describe.each(Object.keys(WAYS))('a list whose tokens go round, with %s', (way) => {
  it.each([0, 1])('ends with an error when A leads to B and B to A, with %i items a page', async (items) => {
    serveCycle(3, 1, items);
    const error = await refusal(way, service.client().webhooks.list());
    expect(error.issues).toEqual([
      { path: 'next_page_token', message: 'repeats the token of an earlier page: the list would never end' },
    ]);
    expect(error).toMatchObject({ operation: 'webhooks.list', outcome: 'not_applied', response: { status: 200 } });
    expect(service.received.map(asked)).toEqual([null, '1', '2']);
  });

  it('ends with an error when it comes back to the token that it was begun with', async () => {
    serveCycle(7, 4);
    await refusal(way, service.client().webhooks.list({ page_token: '4' }));
    expect(service.received.map(asked)).toEqual(['4', '5', '6']);
  });

  it('ends with an error after 100 pages in a row without an item', async () => {
    service.answer((_, index) => page(`t${index}`, index === 0 ? 1 : 0));
    const error = await refusal(way, service.client().webhooks.list());
    expect(error.issues).toEqual([
      { path: 'data', message: '100 pages in a row have no item: the list may never end' },
    ]);
    expect(service.received).toHaveLength(101);
  });

  it('goes past 99 empty pages, again and again, and a last page may be the hundredth', async () => {
    const sizes = [...Array(99).fill(0), 1, ...Array(99).fill(0), 1, ...Array(100).fill(0)];
    servePages(service, sizes);
    await WAYS[way]?.(service.client().webhooks.list());
    expect(service.received).toHaveLength(sizes.length);
  });
});

describe('tokens that go round', () => {
  it('end the list in warn mode as well, and with prefetch', async () => {
    serveCycle(3, 1);
    const list = service.client({ responseValidation: 'warn' }).webhooks.list({}, { prefetch: true });
    await refusal('for await', list);
    await settle();
    expect(service.received).toHaveLength(3);
  });

  it('are found wherever the round begins and however long it is, without a page of it read three times', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 12 }), fc.integer({ min: 1, max: 12 }), async (before, round) => {
        service.received.length = 0;
        serveCycle(before + round, before);
        await refusal('pages()', service.client().webhooks.list());
        expect(service.received.length).toBeLessThanOrEqual(before + round + (before === 0 ? 1 : 0));
      }),
      { numRuns: 30 },
    );
  });

  it('are found beyond the thousand tokens that a list remembers', async () => {
    serveCycle(1_300, 100, 0);
    service.answer((request) => {
      const next = Number(asked(request) ?? 0) + 1;
      return page(String(next < 1_300 ? next : 100), next % 50 === 0 ? 1 : 0);
    });
    await refusal('pages()', service.client().webhooks.list());
    expect(service.received.length).toBeLessThan(3 * 1_300);
  }, 180_000);
});

describe('a page fetched again', () => {
  it('gives the page after it as often as it is asked for one', async () => {
    servePages(service, [1, 1, 1]);
    const first = await service.client().webhooks.list();
    const second = await first.nextPage();
    const again = await first.nextPage();
    expect(again.items).toEqual(second.items);
    expect((await again.nextPage()).hasNextPage).toBe(false);
    expect((await second.nextPage()).hasNextPage).toBe(false);
  });

  it('of a loop over pages does not disturb the loop', async () => {
    servePages(service, [1, 1, 1, 1]);
    let pages = 0;
    for await (const current of service.client().webhooks.list().pages()) {
      pages++;
      if (current.hasNextPage) await current.nextPage();
    }
    expect(pages).toBe(4);
  });
});

describe('awaiting a list whose first page failed', () => {
  it('asks again, until it succeeds, and then no more', async () => {
    service.answer((_, index) => (index < 2 ? json({}, 500) : page(undefined, 2)));
    const list = service.client({ maxRetries: 0 }).webhooks.list();
    await rejection(list);
    await rejection(list);
    const first = await list;
    expect(first.items).toHaveLength(2);
    expect(await list).toBe(first);
    expect(service.received).toHaveLength(3);
  });

  it('shares one request among those that await it at the same time', async () => {
    service.answer(() => json({}, 500));
    const list = service.client({ maxRetries: 0 }).webhooks.list();
    const results = await Promise.allSettled([
      list,
      list.then(),
      list.catch((error: unknown) => Promise.reject(error)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(service.received).toHaveLength(1);
  });
});
