import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { barriers, go, opened, openMenu, openNewest, openTab, type Setting } from './support/browser.js';
import { send } from './support/signed.js';
import { arrived, details, endpoints, registerInbox, rows, says } from './support/webhooks.js';

/** Colours and widths in which every view must be usable. */
const LOOKS = [
  ['light', 1_440],
  ['dark', 1_440],
  ['dark', 1_024],
  ['light', 768],
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
    sandbox.fail({ operation: 'accounts.quotes.execute', fault: 503, times: 1 });
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

async function openCall({ page, sandbox }: Setting, name: RegExp, tab: string): Promise<void> {
  await go(page, '#/requests');
  const details = await openNewest({ page, sandbox }, name);
  await (await openTab(details, tab)).getByText(/\S/).first().waitFor();
}

async function openPart({ page }: Setting, hash: string, part: (main: Locator) => Locator): Promise<void> {
  await go(page, hash);
  await part(page.locator('main')).first().waitFor();
}

/** How each view is opened, in the order of the visit. */
const VIEWS: Readonly<Record<string, (setting: Setting) => Promise<void>>> = {
  requests: (setting) => openPart(setting, '#/requests', (main) => main.getByText('attempts').first()),
  everything: (setting) => openPart(setting, '#/requests?show=everything', (main) => main.getByText('request').first()),
  'nothing found': (setting) => openPart(setting, '#/requests?text=xyz', (main) => main.getByText('Nothing matches')),
  call: (setting) => openCall(setting, /attempts/, 'Response'),
  'headers of a call': (setting) => openCall(setting, /attempts/, 'Headers'),
  'code of a call': (setting) => openCall(setting, /attempts/, 'Code'),
  'wrong signature': (setting) => openCall(setting, /without its query/, 'Signing'),
  'reused key': (setting) => openCall(setting, /409/, 'Difference'),
  'broken rule': (setting) => openCall(setting, /400/, 'Request'),
  async webhooks({ page }) {
    await go(page, '#/webhooks');
    await rows(page).first().waitFor();
  },
  async delivery({ page, sandbox }) {
    await go(page, `#/webhooks/${sandbox.webhooks.listDeliveries().at(-1)?.id}?tab=signature`);
    await says(page, 'Not valid.');
  },
  async endpoint({ page }) {
    await go(page, '#/webhooks?show=endpoints');
    await endpoints(page).first().click();
    await details(page).getByText('Change it …').click();
  },
  async inbox({ page }) {
    await go(page, '#/webhooks?show=inbox');
    await arrived(page).first().click();
  },
  money: (setting) => openPart(setting, '#/money', (main) => main.getByText('The books balance')),
  postings: (setting) => openPart(setting, '#/money?show=postings', (main) => main.getByText('fees')),
  balance: (setting) =>
    openPart(setting, `#/money/${setting.sandbox.fixtures.accountId}/fiat%3AUSD`, (main) =>
      main.getByText('It adds up'),
    ),
  resources: (setting) =>
    openPart(setting, '#/resources/quotes', (main) => main.getByRole('link', { name: /executed/ })),
  'executed quote'(setting) {
    const [executed] = setting.sandbox.resources.list('quotes', { status: 'executed', limit: 1 });
    return openPart(setting, `#/resources/quotes/${executed?.id}`, (main) => main.getByText('Over time'));
  },
  account: (setting) =>
    openPart(setting, `#/resources/accounts/${setting.sandbox.fixtures.accountId}`, (main) =>
      main.getByText('Over time'),
    ),
  operations: (setting) => openPart(setting, '#/try', (main) => main.getByRole('searchbox').filter({ visible: true })),
  async try({ page }) {
    await go(page, '#/try/accounts.quotes.create');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('The request was accepted').waitFor();
  },
  async faults({ page, sandbox }) {
    await go(page, '#/faults');
    sandbox.fail({ fault: 503, match: { path: '/v1/a/path/that/is/quite/long' } });
    sandbox.settings.update({ quota: { requests: 5, perMs: 60_000 } });
    await page.getByText('/v1/a/path/that/is/quite/long').waitFor();
    await page.getByText('More …').first().click();
    await page.getByRole('button', { name: 'Add the trouble' }).waitFor();
  },
  time: (setting) => openPart(setting, '#/time', (main) => main.getByRole('listitem').first()),
  keys: (setting) => openPart(setting, '#/keys', (main) => main.getByText('a label of some length').first()),
  checks: (setting) => openPart(setting, '#/checks', (main) => main.getByText(/[1-9]\d* failed, \d+ not seen yet/)),
  async clock({ page }) {
    await openMenu(page, 'Clock');
  },
  async sandbox({ page }) {
    await openMenu(page, 'Sandbox');
  },
};

/** Parts that go on beyond their right end, and texts that stand over the row below theirs. */
const beyond = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const seen = (selector: string) =>
      [...document.querySelectorAll(selector)].filter((one) => one.getClientRects().length > 0);
    const wide = seen('html, main, .pane, [popover]').filter((one) => one.scrollWidth > one.clientWidth);
    const over = seen('main .row > *').filter((one) => {
      const bottom = one.closest('.row')?.getBoundingClientRect().bottom ?? 0;
      return one.getBoundingClientRect().bottom > bottom + 1;
    });
    return [...wide, ...over].map(({ outerHTML }) => outerHTML.slice(0, 100));
  });

it.each(LOOKS)('every view can be used in %s colours %i pixels wide', async (scheme, width) => {
  await opened({ scheme, width }, async (setting) => {
    const { page } = setting;
    await fill(setting);
    for (const [view, open] of Object.entries(VIEWS)) {
      await open(setting);
      expect(await barriers(page), view).toEqual([]);
      await expect.poll(() => beyond(page), { message: view }).toEqual([]);
      expect(await page.locator('*').count(), view).toBeLessThan(3_000);
      await page.screenshot({ path: `test-results/inspector-${view.replaceAll(' ', '-')}-${width}-${scheme}.png` });
      await page.keyboard.press('Escape');
    }
  });
});
