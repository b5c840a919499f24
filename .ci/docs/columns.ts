/** Measures the blocks of code of every page of the built site in Chromium. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { SITE } from '../../tools/site/paths.js';
import { withSite } from './browser.js';

/** A usual screen of a reader, in CSS pixels. */
const WIDTH = 1_440;

/** Tabs of code that wait behind another one are measured, too. */
const SHOW_ALL = '.vp-code-group .blocks > div { display: block !important }';

/** Shows the content of another page in the layout: its sidebar takes longer than its text. */
const showOf = (address: string): string => `(async () => {
  const text = await (await fetch(${JSON.stringify(address)})).text();
  const content = new DOMParser().parseFromString(text, 'text/html').querySelector('#VPContent');
  document.querySelector('#VPContent').replaceWith(content);
})()`;

/** The beginnings of the blocks that scroll, and the count of all. */
const SCROLLING = `(() => {
  const blocks = [...document.querySelectorAll('main pre')];
  const scrolls = (element) => element.scrollWidth > element.clientWidth + 1;
  const found = blocks.filter((pre) => pre.clientWidth === 0 || scrolls(pre) || scrolls(pre.parentElement));
  return { blocks: blocks.length, scrolling: found.map((pre) => pre.textContent.slice(0, 60)) };
})()`;

/** The lines of code in tabs that go on in a second line of the screen. */
const WRAPPED = `[...document.querySelectorAll('main .vp-code-group pre .line')]
  .filter((line) => line.getClientRects().length > 1 && new Set([...line.getClientRects()].map(({ top }) => Math.round(top))).size > 1)
  .map((line) => line.textContent)`;

/** Returns what was measured. */
export async function measureColumns(): Promise<string> {
  const pages = readdirSync(SITE, { recursive: true, encoding: 'utf8' }).filter((path) => /(?<!404)\.html$/.test(path));
  let blocks = 0;
  const wide: string[] = [];
  await withSite(async (browser, site) => {
    const page = await browser.newPage({ viewport: { width: WIDTH, height: 900 } });
    // The server's HTML is what is measured: scripts would only take over.
    await page.route('**/*.js', (route) => route.abort());
    await page.goto(site);
    await page.addStyleTag({ content: SHOW_ALL });
    for (const path of pages) {
      await page.evaluate(showOf(`${site}${path}`));
      const measured = (await page.evaluate(SCROLLING)) as { blocks: number; scrolling: string[] };
      const wrapped = (await page.evaluate(WRAPPED)) as string[];
      blocks += measured.blocks;
      wide.push(...[...measured.scrolling, ...wrapped].map((code) => `${path}: ${code}`));
    }
  });
  assert.ok(blocks > pages.length, 'the pages have no code');
  assert.deepEqual(wide, [], `code does not fit into its column at ${WIDTH} px`);
  return `${blocks} blocks on ${pages.length} pages at ${WIDTH} px`;
}
