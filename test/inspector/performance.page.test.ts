import { PartnerClient } from 'partner-sdk';
import { createSandbox } from 'partner-sdk/sandbox';
import { expect, it } from 'vitest';
import { firstPaintMs, LONG_TASK_MS, measured, slownessOf, watchedPage } from '../../bench/inspector/page-figures.js';
import { fill, traffic } from '../../bench/inspector/traffic.js';
import { chromiumOfFile } from './support/chromium.js';

const chromium = chromiumOfFile();

const ENTRIES = 10_000;
const ROW_HEIGHT = 30;

const NAME = '%s: 10,000 entries and 200 requests a second keep it small, and at rest most of the time';

it.each([
  ['timeline', 'a.row'],
  ['resources', 'main table, main a'],
])(NAME, async (view, sign) => {
  await using sandbox = createSandbox({ realTime: true, inspect: true });
  const { url } = await sandbox.listen();
  await using client = new PartnerClient({ baseUrl: url, ...sandbox.credentials });
  await fill(sandbox, ENTRIES);
  const browser = await chromium.running();
  const before = await slownessOf(browser);
  const page = await watchedPage(browser);
  const figures = await measured(browser, page, async () => {
    await page.goto(`${url}/_sandbox/#/${view}`);
    await page.locator(sign).first().waitFor();
    await traffic(sandbox, client, url, { perSecond: 200, seconds: 2 });
  });
  console.log(`${view}: first paint ${await firstPaintMs(page)} ms;`, figures);
  if (view === 'timeline') {
    const height = () => page.locator('.virtual-space').evaluate((element) => element.clientHeight);
    // The oldest go a thousand at a time.
    await expect.poll(height).toBeGreaterThan((ENTRIES - 1_000) * ROW_HEIGHT);
  }
  expect(figures.nodes).toBeLessThan(3_000);
  expect(figures.heapMegabytes).toBeLessThan(100);
  expect(figures.drawsPerSecond).toBeLessThan(30);
  const slowness = Math.max(before, await slownessOf(browser));
  // CPU of the thread, as a usual machine would take it: neither other processes nor a slow machine are in it.
  expect(figures.longestCpuMs[0]).toBeGreaterThan(0);
  expect((figures.longestCpuMs[0] ?? 0) / slowness).toBeLessThan(LONG_TASK_MS);
  await page.context().close();
});
