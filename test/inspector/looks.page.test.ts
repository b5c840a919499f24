import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { barriers, go, opened, openMenu, openNewest, type Setting } from './support/browser.js';
import { chromiumOfFile } from './support/chromium.js';
import { send } from './support/signed.js';
import { arrived, details, registerInbox, rows } from './support/webhooks.js';

const browser = chromiumOfFile();

/** Colours and widths in which every view must be usable. */
const LOOKS = [
  ['light', 1_280],
  ['dark', 1_280],
  ['light', 768],
  ['dark', 480],
  ['light', 360],
  ['dark', 360],
] as const;

const quote = (amount: string): string =>
  `{"from":{"symbol":"USD","type":"fiat","amount":${amount}},"to":{"symbol":"BTC","type":"crypto"}}`;

/** Something of everything happens. */
async function fill({ client, sandbox, url }: Setting): Promise<void> {
  const { accountId, userId } = sandbox.fixtures;
  const path = `/v1/accounts/${accountId}/quotes`;
  registerInbox(sandbox);
  for (const ms of [2_000, 2_000, 0]) {
    const { id } = await client.accounts.quotes.create(accountId, JSON.parse(quote('"100.00"')));
    await client.accounts.quotes.execute(accountId, id);
    // The last one still holds its money.
    sandbox.advance(ms);
  }
  sandbox.troubles.add({ does: { delivery: { signature: 'wrong' } }, times: 'always' });
  await sandbox.webhooks.trigger('swap.failed');
  sandbox.keys.issue({ label: 'a label of some length that goes on and on' });
  const key = randomUUID();
  await send(sandbox, url, { path: '/v1/webhooks?page_size=3', signedPath: '/v1/webhooks' });
  for (const amount of ['"100.00"', '"150.00"'])
    await send(sandbox, url, { method: 'POST', path, body: quote(amount), key });
  await send(sandbox, url, { method: 'POST', path, body: quote('150.00') });
  await client.users.get(userId);
}

async function openRequest({ page, sandbox }: Setting, name: RegExp): Promise<void> {
  await go(page, '#/timeline');
  const entry = await openNewest({ page, sandbox }, name);
  await entry.getByRole('button', { name: 'Python', exact: true }).click();
  await entry.getByRole('region', { name: 'The request as Python' }).waitFor();
}

async function openQuote({ page }: Setting, id: string, state: string): Promise<void> {
  await go(page, `#/resources/quotes/${id}`);
  await page.locator('.details > p').getByText(state, { exact: true }).waitFor();
}

async function unfold(page: Page, part: string): Promise<void> {
  const folded = page.locator(`${part} details:not([open]) > summary`);
  while ((await folded.count()) > 0) await folded.first().click();
}

/** How each view is opened, in the order of the visit. */
const VIEWS: Readonly<Record<string, (setting: Setting) => Promise<void>>> = {
  entry: (setting) => openRequest(setting, /users\.get/),
  'wrong signature': (setting) => openRequest(setting, /bad_signature/),
  'reused key': (setting) => openRequest(setting, /key_reused/),
  'broken rule': (setting) => openRequest(setting, /bad_request/),
  async timeline({ page, sandbox }) {
    await go(page, '#/timeline');
    const entry = await openNewest({ page, sandbox }, /quotes\.create 200/);
    await entry.getByRole('button', { name: 'Compare with another' }).click();
    await entry.getByRole('button', { name: 'Show trace' }).click();
    await page.getByRole('link', { name: 'Close the details' }).click();
    await page.getByRole('button', { name: 'Show all entries' }).waitFor();
    await openMenu(page, 'Export what is shown');
  },
  async resources({ page }) {
    await go(page, '#/resources/quotes');
    await page.getByRole('table').first().waitFor();
  },
  'offered quote': (setting) => openQuote(setting, setting.sandbox.fixtures.quoteId, 'offered'),
  async 'executed quote'(setting) {
    const [executed] = setting.sandbox.resources.list('quotes', { status: 'executed', limit: 1 });
    await openQuote(setting, executed?.id ?? '', 'executed');
    await setting.page.getByRole('region', { name: 'Life' }).getByText('quote.executed 200').waitFor();
  },
  async account({ page, sandbox }) {
    await go(page, `#/resources/accounts/${sandbox.fixtures.accountId}`);
    await page.locator('.details summary', { hasText: 'Deposit …' }).waitFor();
    await unfold(page, '.details');
  },
  async money({ page }) {
    await go(page, '#/money');
    await page.getByRole('region', { name: 'Postings' }).getByRole('listitem').nth(5).waitFor();
    await unfold(page, 'main');
  },
  async balance({ page, sandbox }) {
    await go(page, `#/money/${sandbox.fixtures.accountId}/fiat%3AUSD`);
    await page.getByText('It adds up').waitFor();
    await unfold(page, 'main');
  },
  async webhooks({ page }) {
    await go(page, '#/webhooks');
    await arrived(page).first().locator('summary').click();
    await rows(page).first().waitFor();
  },
  async delivery({ page, sandbox }) {
    await go(page, `#/webhooks/${sandbox.webhooks.listDeliveries().at(-1)?.id}`);
    await details(page).getByText('✗ not valid').waitFor();
  },
  async time({ page }) {
    await go(page, '#/time');
    await page.getByRole('region', { name: 'Agenda', exact: true }).getByRole('listitem').first().waitFor();
  },
  async keys({ page }) {
    await go(page, '#/keys');
    await page.getByRole('link', { name: 'first request' }).first().waitFor();
  },
  async try({ page }) {
    await go(page, '#/try/accounts.quotes.create');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('The request was accepted').waitFor();
  },
  async checks({ page }) {
    await go(page, '#/checks');
    await page.getByText(/[1-9]\d* failed, \d+ passed/).waitFor();
  },
  async faults({ page, sandbox }) {
    await go(page, '#/faults');
    sandbox.fail({ fault: 503, match: { path: '/v1/a/path/that/is/quite/long' } });
    sandbox.settings.update({ quota: { requests: 5, perMs: 60_000 } });
    await page.getByRole('button', { name: 'Start outage', exact: true }).waitFor();
    await page.getByText('5 of 5').first().waitFor();
  },
  clock: ({ page }) => openMenu(page, 'Clock'),
  'set-up': ({ page }) => openMenu(page, 'Sandbox', 'Copy set-up'),
};

/** Views whose tables fit, up to this width of the page. Others have wide tables, which scroll by themselves. */
const NARROW: Readonly<Record<string, number>> = { keys: 480, 'offered quote': 1_280, resources: 480 };

/** Parts that go on beyond their right end, and texts that stand over the row below theirs. */
const beyond = (page: Page, view: string): Promise<string[]> =>
  page.evaluate(
    (table) => {
      const seen = (selector: string) =>
        [...document.querySelectorAll(selector)].filter((one) => one.getClientRects().length > 0);
      const wide = seen(`html, main, .life${table}`).filter((one) => one.scrollWidth > one.clientWidth);
      const over = seen('main a.row span').filter((one) => {
        const bottom = one.closest('a')?.getBoundingClientRect().bottom ?? 0;
        return one.getBoundingClientRect().bottom > bottom + 1;
      });
      const right = seen('nav [aria-current], details[open] fieldset').filter(
        (one) => one.getBoundingClientRect().right > innerWidth || one.getBoundingClientRect().left < 0,
      );
      return [...wide, ...over, ...right].map(({ outerHTML }) => outerHTML.slice(0, 100));
    },
    (page.viewportSize()?.width ?? 0) <= (NARROW[view] ?? 0) ? ', .table' : '',
  );

it.each(LOOKS)('every view can be used in %s colours %i pixels wide', async (scheme, width) => {
  await opened(
    browser,
    async (setting) => {
      const { page } = setting;
      await fill(setting);
      for (const [view, open] of Object.entries(VIEWS)) {
        await open(setting);
        expect(await barriers(page), view).toEqual([]);
        await expect.poll(() => beyond(page, view), { message: view }).toEqual([]);
        expect(await page.locator('*').count(), view).toBeLessThan(3_000);
        await page.screenshot({ path: `test-results/inspector-${view.replace(' ', '-')}-${width}-${scheme}.png` });
      }
    },
    { scheme, width },
  );
});
