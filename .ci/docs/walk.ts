/** A walk through the built site in Chromium, with nothing but a server of files behind it. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { ROOT, SITE } from '../../tools/site/paths.js';
import { WORDS } from '../../tools/site/search.js';
import { withSite } from './browser.js';

const PICTURES = join(ROOT, 'test-results');
/** Pages of each kind: the home page, guides, an operation, the reference, an example. */
const PLACES: Readonly<Record<string, string>> = {
  home: '',
  guide: 'docs/calls/errors-and-retries.html',
  operations: 'docs/reference/operations.html',
  operation: 'operations/accounts.quotes.create.html',
  entry: 'reference/partner-sdk/',
  class: 'reference/partner-sdk/classes/NotFoundError.html',
  example: 'examples/quickstart.ts.html',
  changes: 'CHANGELOG.html',
};

/** A search, and the page that it leads to. */
const WORD = 'lambda';
const WANTED = '/docs/operate/serverless.html';
const PAGE_MS = 120_000;

const WIDTHS = [1_280, 360];
const SCHEMES = ['light', 'dark'] as const;

/** The beginnings of the blocks of code that are wider than their boxes. */
const CUT_CODE = `[...document.querySelectorAll('main pre')]
  .filter((pre) => pre.offsetParent !== null && pre.scrollWidth > pre.clientWidth + 1)
  .map((pre) => pre.textContent.slice(0, 60))`;

/** Returns what was walked. */
export async function walk(): Promise<string> {
  mkdirSync(PICTURES, { recursive: true });
  await withSite(async (browser, site) => {
    for (const width of WIDTHS) for (const scheme of SCHEMES) await look(browser, site, width, scheme);
    await search(browser, site);
    await follow(browser, site);
  });
  const pages = Object.keys(PLACES).length * WIDTHS.length * SCHEMES.length;
  return `${pages} pages looked at`;
}

/** Opens a page. Fails if it reports an error, lacks a file, or asks another host. */
async function opened(
  browser: Browser,
  site: string,
  use: (page: Page) => Promise<void>,
  { width = 1_280, scheme = 'light' }: { width?: number; scheme?: 'light' | 'dark' } = {},
): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
  // A machine may be slow and busy: this only ends what hangs.
  page.setDefaultTimeout(PAGE_MS);
  const troubles: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') troubles.push(message.text());
  });
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('response', (response) => {
    if (response.status() >= 400) troubles.push(`${response.status()} ${response.url()}`);
  });
  page.on('request', (request) => {
    if (!/^(data:|blob:)/.test(request.url()) && !request.url().startsWith(site)) troubles.push(request.url());
  });
  try {
    await use(page);
    assert.deepEqual(troubles, []);
  } finally {
    await page.close();
  }
}

/** Opens an address and waits until its scripts have taken over. */
async function go(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.waitForFunction('document.querySelector("#app")?.__vue_app__ !== undefined');
}

async function look(browser: Browser, site: string, width: number, scheme: 'light' | 'dark'): Promise<void> {
  const use = async (page: Page): Promise<void> => {
    for (const [name, path] of Object.entries(PLACES)) {
      await go(page, `${site}${path}`);
      await page.screenshot({ path: join(PICTURES, `docs-${name}-${width}-${scheme}.png`) });
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      assert.ok(Number(overflow) <= 0, `${name} is wider than ${width} px, by ${overflow}`);
      assert.deepEqual(await page.evaluate(CUT_CODE), [], `code of ${name} is cut off at ${width} px`);
      assert.deepEqual(await barriers(page), [], `${name}, ${width} px, ${scheme}`);
    }
  };
  await opened(browser, site, use, { width, scheme });
}

async function search(browser: Browser, site: string): Promise<void> {
  for (const page of Object.keys(WORDS))
    assert.ok(existsSync(join(SITE, page)), `words lead to ${page}, which is not there`);
  await opened(browser, site, async (page) => {
    await go(page, site);
    await page.keyboard.press('Control+k');
    await page.locator('#localsearch-input').fill(WORD);
    const first = page.locator('.VPLocalSearchBox a.result').first();
    await first.waitFor();
    assert.ok((await first.getAttribute('href'))?.startsWith(WANTED));
    await page.screenshot({ path: join(PICTURES, 'docs-search.png') });
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${WANTED}*`);
  });
}

/** From the home page by its links, without loading a page anew. */
async function follow(browser: Browser, site: string): Promise<void> {
  await opened(browser, site, async (page) => {
    await go(page, site);
    await page.locator('main a', { hasText: 'Every operation' }).first().click();
    await page.waitForURL(/\/docs\/reference\/operations\.html/);
    await page.locator('main td', { hasText: 'GET /v1/users/{user_id}' }).first().waitFor();
    await page.locator('main a', { hasText: 'users.get(userId)' }).first().click();
    await page.waitForURL(/\/operations\/users\.get\.html/);
    await page.getByRole('heading', { level: 1, name: 'users.get' }).waitFor();
    await page.locator('label', { hasText: 'curl' }).click();
    await page.getByText('API-Sign').first().waitFor();
    await page.locator('main a', { hasText: 'NotFoundError' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'NotFoundError' }).waitFor();
  });
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns the serious barriers to screen readers, keyboards and weak eyes. */
async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const violations = (await page.evaluate('axe.run().then(({ violations }) => violations)')) as readonly Violation[];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}
