import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { go, opened, openNewest, openTab, rowsOf, type Setting } from './support/browser.js';
import { send } from './support/signed.js';
import { arrived, endpoints, registerInbox, rows, says } from './support/webhooks.js';

const HOSTILE = `"><img src=x onerror=alert(1)><script>alert(2)</script>`;

const shown = (page: Page, text: string | RegExp = 'onerror') => page.locator('main').getByText(text).first().waitFor();

/** Texts of strangers in every place of a view that shows some. */
const STRANGERS: Readonly<Record<string, (setting: Setting) => Promise<void>>> = {
  async requests({ page, sandbox, url }) {
    await send(sandbox, url, { path: `/v1/${encodeURIComponent(HOSTILE)}|<b>`, key: HOSTILE });
    await openNewest({ page, sandbox }, /onerror/);
    const path = `/v1/accounts/${sandbox.fixtures.accountId}/quotes?q=${encodeURIComponent(HOSTILE)}`;
    const body = JSON.stringify({ [HOSTILE]: HOSTILE, from: { symbol: HOSTILE } });
    for (const key of [HOSTILE, randomUUID()]) await send(sandbox, url, { method: 'POST', path, body, key });
    const details = await openNewest({ page, sandbox }, /quotes\.create/);
    await (await openTab(details, 'Request')).locator('mark').first().waitFor();
    const code = await openTab(details, 'Code');
    for (const language of ['curl', 'Python', 'TypeScript']) {
      await code.getByRole('button', { name: language, exact: true }).click();
      await code.locator('pre', { hasText: 'onerror' }).waitFor();
    }
    const headers = { 'content-type': 'application/json' };
    await fetch(`${url}/_sandbox/wallets/rejectAddress`, { method: 'POST', headers, body: JSON.stringify([HOSTILE]) });
    await page.getByRole('button', { name: 'Everything' }).click();
    await rowsOf(page).filter({ hasText: 'rejectAddress' }).click();
    await page
      .getByRole('region', { name: /^Entry/ })
      .getByText(HOSTILE)
      .first()
      .waitFor();
  },
  async resources({ page, sandbox }) {
    const { userId } = sandbox.fixtures;
    await go(page, `#/resources/users/${userId}`);
    sandbox.users.setStatus(userId, { state: HOSTILE, required_actions: [{ [HOSTILE]: HOSTILE }] });
    sandbox.users.add({ external_reference: HOSTILE });
    await shown(page, HOSTILE);
    await go(page, `#/resources/${encodeURIComponent(HOSTILE)}/${encodeURIComponent(HOSTILE)}`);
    await shown(page, 'There is no such kind');
  },
  async money({ page, sandbox }) {
    sandbox.users.add({ external_reference: HOSTILE, balances: { BTC: '7.7' } });
    await shown(page);
    await go(page, `#/money/${encodeURIComponent(HOSTILE)}/${encodeURIComponent(HOSTILE)}`);
    await shown(page, 'there is no books/holdings');
  },
  async webhooks({ page, sandbox }) {
    const { id } = sandbox.webhooks.register({
      url: `${sandbox.inbox.url('hostile')}?q=${encodeURIComponent(HOSTILE)}`,
      description: HOSTILE,
      events: [HOSTILE, 'quote.executed'],
    });
    sandbox.inbox.answer({ body: HOSTILE, status: 500 });
    await sandbox.webhooks.trigger(HOSTILE, { [HOSTILE]: HOSTILE }, { webhookId: id, allowUnknown: true });
    await fetch(sandbox.inbox.url('hostile'), { method: 'POST', body: HOSTILE, headers: { 'x-signature': 'x' } });
    await rows(page, HOSTILE).click();
    await says(page, HOSTILE);
    await page.getByRole('tab', { name: 'Response' }).click();
    await says(page, HOSTILE);
    await go(page, '#/webhooks?show=endpoints');
    await endpoints(page, HOSTILE).click();
    await says(page, HOSTILE);
    await go(page, '#/webhooks?show=inbox');
    await arrived(page).nth(1).waitFor();
    await arrived(page, 'no kind').click();
    await says(page, HOSTILE);
  },
  async faults({ page, sandbox }) {
    sandbox.fail({ fault: 400, code: HOSTILE, match: { path: HOSTILE, idempotencyKey: HOSTILE } });
    sandbox.troubles.add({ does: { delivery: { sentAs: HOSTILE } } });
    const match = { operation: 'accounts.transfers.create' };
    sandbox.troubles.add({ match, does: { outcome: 'failed', reason: HOSTILE } });
    for (const text of [`sentAs ${HOSTILE}`, `reason ${HOSTILE}`]) await shown(page, text);
  },
  async keys({ page, sandbox }) {
    sandbox.keys.issue({ label: HOSTILE });
    await shown(page);
  },
  async try({ page, sandbox }) {
    sandbox.webhooks.register({ url: 'https://hook.example/', events: ['quote.executed'], description: HOSTILE });
    await go(page, '#/try/webhooks.list');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.locator('main pre', { hasText: 'onerror' }).waitFor();
    await go(page, `#/try/${encodeURIComponent(HOSTILE)}`);
    await shown(page, 'There is no operation');
  },
  async checks({ page, client, url }) {
    await fetch(`${url}/v1/${encodeURI(HOSTILE)}`);
    await client.request({ method: 'GET', path: `/v1/${encodeURIComponent(HOSTILE)}` }).catch(() => {});
    await shown(page);
  },
};

it.each(Object.entries(STRANGERS))('the view %s shows hostile text as text', async (view, show) => {
  const look = { at: `#/${view}`, expected: /status of 40[04]/ };
  await opened(look, async (setting) => {
    await show(setting);
    expect(await setting.page.locator('img, main script').count()).toBe(0);
  });
});

const SIDES = { from: { symbol: 'USD', type: 'fiat', amount: '1.00' }, to: { symbol: 'BTC', type: 'crypto' } };

async function times(count: number, act: () => PromiseLike<unknown>): Promise<void> {
  for (let done = 0; done < count; done += 50) await Promise.all(Array.from({ length: 50 }, act));
}

const manyQuotes = ({ client, sandbox }: Setting, count: number) =>
  times(count, () => client.accounts.quotes.create(sandbox.fixtures.accountId, SIDES));

const scrollDown = (page: Page) =>
  page
    .locator('.rows')
    .first()
    .evaluate((one) => one.scrollTo(0, one.scrollHeight));

/** What fills each view with a thousand things or more, and leads to the last one of them. */
const MANY: Readonly<Record<string, (setting: Setting) => Promise<void>>> = {
  async requests({ client, sandbox, page }) {
    await times(2_000, () => client.users.get(sandbox.fixtures.userId));
    await page.locator('a[href="#/requests/2000"]').waitFor();
    await scrollDown(page);
    await page.locator('a[href="#/requests/1"]').waitFor();
  },
  async 'resources/quotes'(setting) {
    const { sandbox, page } = setting;
    await manyQuotes(setting, 1_000);
    const older = sandbox.resources.list('quotes', { limit: 1_000 })[199]?.id ?? 'none';
    await page.getByRole('button', { name: 'Show older' }).click();
    await expect.poll(() => page.locator('.rows').evaluate((one) => one.scrollHeight)).toBe(200 * 32);
    await scrollDown(page);
    await page.locator(`main a[href*="${older}"]`).first().waitFor();
  },
  async 'money?show=postings'({ sandbox, page }) {
    const { accountId } = sandbox.fixtures;
    for (let count = 1; count <= 3_000; count += 1) {
      sandbox.accounts.setBalance(accountId, { symbol: 'USD', total: String(count) });
    }
    await shown(page, '3,000 movements of money');
    await scrollDown(page);
    await shown(page, '52,538.85');
  },
  async webhooks({ sandbox, page }) {
    registerInbox(sandbox);
    await times(1_200, () => sandbox.webhooks.trigger('quote.executed'));
    await page.getByRole('button', { name: 'Show older events than these 499' }).click();
    await page.getByRole('button', { name: 'Show older events than these 999' }).waitFor();
    await go(page, '#/webhooks?show=inbox');
    await arrived(page).nth(20).waitFor();
  },
  async time(setting) {
    const { page } = setting;
    await manyQuotes(setting, 1_000);
    await shown(page, /1,?000/);
    await scrollDown(page);
    await page.getByRole('listitem').filter({ hasText: 'expires.' }).first().waitFor();
  },
  async checks({ page, client }) {
    await times(1_000, () => client.request({ method: 'GET', path: `/v1/${randomUUID()}` }).catch(() => {}));
    await page
      .getByText(/\d+ more, the newest 100 here/)
      .first()
      .click();
  },
};

describe('few elements', () => {
  it.each(Object.entries(MANY))('show thousands in the view %s, and all are within reach', async (view, reach) => {
    await opened({ at: `#/${view}` }, async (setting) => {
      await reach(setting);
      expect(await setting.page.locator('*').count()).toBeLessThan(3_000);
    });
  });
});
