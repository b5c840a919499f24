/**
 * A process that goes through a list in one way and tells how much the heap grows by each page. Arguments: address, API key, secret, way,
 * pages of a stretch. The list must be longer than `STRETCHES` of them. Needs --expose-gc.
 */
import { type Page, PartnerClient, type WebhookSubscription } from 'partner-sdk';
import { heap } from '../../support/collect-garbage.js';
import { STRETCHES } from './long-list-stretches.js';

const [baseUrl = '', apiKey = '', apiSecret = '', way = '', length = ''] = process.argv.slice(2);
const client = new PartnerClient({ baseUrl, apiKey, apiSecret });

/** Each gives something for every page. */
const WAYS: Readonly<Record<string, () => AsyncIterable<unknown>>> = {
  items: () => client.webhooks.list(),
  'items, prefetched': () => client.webhooks.list(undefined, { prefetch: true }),
  async *'page by page'() {
    let page: Page<WebhookSubscription> = await client.webhooks.list();
    for (;;) {
      yield page;
      if (!page.hasNextPage) return;
      page = await page.nextPage();
    }
  },
};

const begin = WAYS[way];
if (begin === undefined) throw new Error(`There is no ${way}`);
const stretch = Number(length);
const heaps: number[] = [];
let seen = 0;
for await (const _ of begin()) {
  if (++seen % stretch !== 0) continue;
  heaps.push(await heap());
  if (heaps.length > STRETCHES) break;
}
await client.close();

// The first stretch compiles and caches. A leak grows in each of the others; what else a heap grows by, it gives back in the next.
const growths = heaps.slice(1).map((bytes, place) => bytes - (heaps[place] ?? 0));
const median = growths.sort((a, b) => a - b)[Math.floor(STRETCHES / 2)] ?? Number.NaN;
process.stdout.write(JSON.stringify({ seen, perPage: median / stretch }));
