import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { copiedBy, opened, rowsOf, type Setting } from './support/browser.js';
import { send } from './support/signed.js';
import { registerInbox } from './support/webhooks.js';

const SIDES = {
  from: { symbol: 'USD', type: 'fiat', amount: '100.00' },
  to: { symbol: 'BTC', type: 'crypto' },
} as const;

type Click = (at: Locator) => Promise<void>;

const view = (page: Page, name: RegExp) => page.getByRole('navigation').getByRole('link', { name });
const row = (page: Page, text: string | RegExp) => rowsOf(page).filter({ hasText: text }).first();
const shown = (page: Page, text: string | RegExp) => page.locator('main').getByText(text).first().waitFor();

/** A trade with a lost response and a webhook, and requests that are rejected. */
async function happen({ client, sandbox, url }: Setting): Promise<void> {
  const { accountId, userId } = sandbox.fixtures;
  registerInbox(sandbox);
  const { id } = await client.accounts.quotes.create(accountId, SIDES);
  sandbox.fail({ operation: 'accounts.quotes.execute', fault: 'reset', when: 'after', times: 1 });
  await client.accounts.quotes.execute(accountId, id);
  sandbox.clock.advance(2_000);
  await sandbox.webhooks.idle();
  await send(sandbox, url, { path: '/v1/webhooks?page_size=3', signedPath: '/v1/webhooks' });
  await client.users.get(userId);
}

/** What people come for, and how they get it. */
const JOBS: Readonly<Record<string, (setting: Setting, click: Click) => Promise<void>>> = {
  async 'why did it fail'({ page }, click) {
    await click(page.getByRole('button', { name: /^Failed/ }));
    await click(row(page, '401'));
    await shown(page, 'Rejected: you signed the path without its query.');
  },
  async 'did my retry double'({ page }, click) {
    await click(row(page, '2 attempts, 1 effect'));
    await shown(page, 'Nothing was doubled.');
  },
  async 'send a webhook again'({ page, sandbox }, click) {
    await click(view(page, /^Webhooks/));
    await click(page.getByRole('list', { name: 'Events, newest first' }).getByRole('link').first());
    await click(page.getByRole('button', { name: /^Redeliver(?! all)/ }).first());
    await expect.poll(() => sandbox.webhooks.listDeliveries()[0]?.attempts.length).toBe(2);
  },
  async 'the next two calls get 503'({ page, sandbox }, click) {
    await click(view(page, /^Faults/));
    await page.getByLabel('Number of calls').fill('2');
    await click(page.getByRole('button', { name: 'Fail them' }));
    await expect.poll(() => sandbox.troubles.list()).toMatchObject([{ left: 2 }]);
  },
  async 'two days later'({ page, sandbox }, click) {
    const before = sandbox.clock.now();
    await click(page.getByRole('button', { name: /^Clock/ }));
    await page.getByLabel('Time span or moment').fill('2 d');
    await page.keyboard.press('Enter');
    await click(page.getByRole('dialog', { name: 'Are you sure?' }).getByRole('button', { name: 'Move the clock' }));
    await expect.poll(() => sandbox.clock.now()).toBe(before + 172_800_000);
  },
  async 'compare two requests'({ page }, click) {
    await click(row(page, 'users.get'));
    await click(page.getByRole('button', { name: 'Compare', exact: true }));
    await click(row(page, 'webhooks.list'));
    await page.getByRole('tabpanel', { name: 'Difference' }).getByRole('row', { name: /^path/ }).waitFor();
  },
  async 'the requests of an account'({ page }, click) {
    await click(page.getByRole('button', { name: 'Filter by + account' }));
    await click(page.getByRole('button', { name: /^customer-1000 main/ }));
    await expect.poll(() => rowsOf(page).count()).toBe(2);
  },
  async 'show it to a colleague'({ page }, click) {
    await click(row(page, '2 attempts'));
    const copy = page.getByRole('button', { name: 'Copy as Markdown of the call' });
    expect(await copiedBy(page, copy)).toContain('Nothing was doubled');
    await click(copy);
  },
  async 'what is wrong with my signature'({ page }, click) {
    await click(row(page, '401'));
    await click(page.getByRole('tab', { name: 'Signing' }));
    await page.locator('main mark', { hasText: '?page_size=3' }).first().waitFor();
  },
  async 'where did the money go'({ page }, click) {
    await click(view(page, /^Money/));
    await click(page.getByRole('link', { name: /fiat:USD of customer-1000 main$/ }));
    await shown(page, /It adds up/);
  },
};

it.each(Object.entries(JOBS))('%s: in three clicks at most', async (_, job) => {
  await opened(async (setting) => {
    await happen(setting);
    await row(setting.page, 'users.get').waitFor();
    let clicks = 0;
    await job(setting, async (at) => {
      clicks += 1;
      await at.click();
    });
    expect(clicks).toBeLessThanOrEqual(3);
  });
});
