/** Iterates a long list and looks at memory and at what a page costs on the way. */
import { freshClient } from '../lanes/sdk.js';
import type { IterateReport, IterateSetup, Stretch } from './iterate.js';
import { held } from './memory.js';
import { PAGE_SIZE } from './service.js';

const { url, pages, prefetch, stretches } = JSON.parse(process.argv[2] ?? '') as IterateSetup;
const client = await freshClient(url, 'iterate');
const itemsOfStretch = (pages / stretches) * PAGE_SIZE;

const report: Stretch[] = [];
let items = 0;
let begun = process.cpuUsage();
let since = performance.now();
for await (const item of client.accounts.onDemandConversions.list(
  'ACCOUNT-0000-0001',
  { page_size: PAGE_SIZE },
  { prefetch },
)) {
  // Used as a program would: an amount that is read wrong would be noticed here.
  if (item.rate.price.toFixed(1) !== '67432.1') throw new Error(`item ${items} is wrong`);
  if (++items % itemsOfStretch !== 0) continue;
  const { user, system } = process.cpuUsage(begun);
  const milliseconds = performance.now() - since;
  const perPage = pages / stretches;
  report.push({ cpu: (user + system) / perPage, wall: (milliseconds * 1000) / perPage, held: await held() });
  begun = process.cpuUsage();
  since = performance.now();
}
await client.close();
process.send?.({ items, stretches: report } satisfies IterateReport);
process.disconnect?.();
