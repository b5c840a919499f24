import { randomUUID } from 'node:crypto';
import type { Sandbox } from 'partner-sdk/sandbox';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { go, opened, openNewest, type Setting } from './support/browser.js';
import { chromiumOfFile } from './support/chromium.js';
import { send } from './support/signed.js';
import { arrived, details, registerInbox, rows } from './support/webhooks.js';

const browser = chromiumOfFile();

const HOSTILE = `"><img src=x onerror=alert(1)><script>alert(2)</script>`;

/** Texts of strangers in every place of a view that shows some. */
const STRANGERS: Readonly<Record<string, (setting: Setting) => Promise<void>>> = {
  async timeline({ page, sandbox, url }) {
    await send(sandbox, url, { path: `/v1/${encodeURIComponent(HOSTILE)}|<b>`, key: HOSTILE });
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify([HOSTILE]);
    await fetch(`${url}/_sandbox/wallets/rejectAddress`, { method: 'POST', headers, body });
    await openNewest({ page, sandbox }, /rejectAddress/);
    const entry = await openNewest({ page, sandbox }, /GET .*onerror/);
    await entry.getByRole('button', { name: 'Compare with another' }).click();
    await page.getByRole('link', { name: /^entry 1: GET .*onerror/ }).waitFor();
  },
  async 'timeline of a request'({ page, sandbox, url }) {
    const path = `/v1/accounts/${sandbox.fixtures.accountId}/quotes?q=${encodeURIComponent(HOSTILE)}`;
    const body = JSON.stringify({ [HOSTILE]: HOSTILE, from: { symbol: HOSTILE } });
    for (const key of [HOSTILE, randomUUID()]) await send(sandbox, url, { method: 'POST', path, body, key });
    const entry = await openNewest({ page, sandbox }, /400 bad_request/);
    await entry.locator('mark').first().waitFor();
    for (const language of ['curl', 'Python', 'TypeScript']) {
      await entry.getByRole('button', { name: language, exact: true }).click();
      await entry.locator('pre', { hasText: 'onerror' }).last().waitFor();
    }
  },
  async resources({ page, sandbox }) {
    const { userId } = sandbox.fixtures;
    await go(page, `#/resources/users/${userId}`);
    sandbox.users.setStatus(userId, { state: HOSTILE, required_actions: [{ [HOSTILE]: HOSTILE }] });
    sandbox.users.add({ external_reference: HOSTILE });
    await page.locator('.details > p').getByText(HOSTILE, { exact: true }).waitFor();
    await page.getByRole('cell', { name: HOSTILE }).first().waitFor();
    await go(page, `#/resources/${encodeURIComponent(HOSTILE)}/${encodeURIComponent(HOSTILE)}`);
    await page.getByText('There is no such kind').waitFor();
  },
  async money({ page, sandbox }) {
    sandbox.users.add({ external_reference: HOSTILE, balances: { BTC: '7.7' } });
    await page.locator('summary', { hasText: HOSTILE }).waitFor();
    await go(page, `#/money/${encodeURIComponent(HOSTILE)}/${encodeURIComponent(HOSTILE)}`);
    await page.getByText('there is no books/holdings').waitFor();
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
    await rows(page).filter({ hasText: HOSTILE }).click();
    await details(page).locator('pre').filter({ hasText: HOSTILE }).first().waitFor();
    await expect.poll(() => arrived(page).count()).toBe(2);
    for (const summary of await arrived(page).locator('summary').all()) await summary.click();
    await arrived(page).locator('pre').filter({ hasText: HOSTILE }).first().waitFor();
  },
  async faults({ page, sandbox }) {
    sandbox.fail({ fault: 400, code: HOSTILE, match: { path: HOSTILE, idempotencyKey: HOSTILE } });
    sandbox.troubles.add({ does: { delivery: { sentAs: HOSTILE } } });
    sandbox.troubles.add({
      match: { operation: 'accounts.transfers.create' },
      does: { outcome: 'failed', reason: HOSTILE },
    });
    for (const text of [`sentAs ${HOSTILE}`, `reason ${HOSTILE}`]) await page.getByText(text).waitFor();
  },
  async keys({ page, sandbox }) {
    sandbox.keys.issue({ label: HOSTILE });
    await page.getByText(HOSTILE).first().waitFor();
  },
  async try({ page, sandbox }) {
    sandbox.webhooks.register({ url: 'https://hook.example/', events: ['quote.executed'], description: HOSTILE });
    await go(page, '#/try/webhooks.list');
    await page.getByLabel('page_size').fill('1');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('region', { name: 'Answer' }).locator('pre', { hasText: 'onerror' }).waitFor();
    await go(page, `#/try/${encodeURIComponent(HOSTILE)}`);
    await page.getByText('There is no operation').waitFor();
  },
  async checks({ page, client, url }) {
    await fetch(`${url}/v1/${encodeURI(HOSTILE)}`);
    await client.request({ method: 'GET', path: `/v1/${encodeURIComponent(HOSTILE)}` }).catch(() => {});
    const paths = page.locator('li.check', { hasText: 'Each path is one of the API' });
    await paths.getByText('onerror').first().waitFor();
  },
};

it.each(Object.entries(STRANGERS))('the view %s shows hostile text as text', async (view, show) => {
  const look = { at: `#/${view.split(' ')[0]}`, expected: /status of 40[04]/ };
  await opened(
    browser,
    async (setting) => {
      await show(setting);
      expect(await setting.page.locator('img, main script').count()).toBe(0);
    },
    look,
  );
});

const SIDES = { from: { symbol: 'USD', type: 'fiat', amount: '1.00' }, to: { symbol: 'BTC', type: 'crypto' } };

async function times(count: number, act: () => PromiseLike<unknown>): Promise<void> {
  for (let done = 0; done < count; done += 50) await Promise.all(Array.from({ length: 50 }, act));
}

const manyQuotes = ({ client, sandbox }: Setting, count: number) =>
  times(count, () => client.accounts.quotes.create(sandbox.fixtures.accountId, SIDES));

async function scrollDown(page: Page): Promise<void> {
  await page
    .locator('.virtual')
    .first()
    .evaluate((element) => {
      element.scrollTop = element.scrollHeight;
    });
}

const oldestKey = (sandbox: Sandbox): string => sandbox.idempotency.list()[0]?.key ?? '';

/** What fills each view with a thousand things or more, and leads to the last one of them. */
const MANY: Readonly<Record<string, (setting: Setting) => Promise<void>>> = {
  async timeline({ client, sandbox, page }) {
    await times(2_000, () => client.users.get(sandbox.fixtures.userId));
    const height = () => page.locator('.virtual-space').evaluate((element) => element.clientHeight);
    await expect.poll(height).toBe(2_000 * 30);
    await scrollDown(page);
    await page.locator('a[href="#/timeline/1"]').waitFor();
  },
  async resources(setting) {
    const { sandbox, page } = setting;
    await manyQuotes(setting, 1_000);
    await expect.poll(() => page.locator('tbody tr').count()).toBe(100);
    await page.getByRole('button', { name: 'Older' }).click();
    const older = sandbox.resources.list('quotes', { limit: 1_000 })[100];
    await page.getByRole('link', { name: older?.id ?? 'none' }).waitFor();
    await page.getByRole('button', { name: 'Newest' }).click();
    await page.getByRole('link', { name: sandbox.resources.list('quotes', { limit: 1 })[0]?.id ?? 'none' }).waitFor();
  },
  async money({ sandbox, page }) {
    const { accountId } = sandbox.fixtures;
    for (let count = 1; count <= 3_000; count += 1) {
      sandbox.accounts.setBalance(accountId, { symbol: 'USD', total: String(count) });
    }
    const list = page.getByRole('region', { name: 'Postings' });
    await list.getByText('3000 movements of money').waitFor();
    await scrollDown(page);
    await list.getByText('52,538.85 fiat:USD').waitFor();
    await page.getByRole('link', { name: new RegExp(`3,000 fiat:USD of ${accountId}`) }).click();
    await page.getByText('It adds up: 52,539.85 and 3000 changes are 3,000, to the last digit.').waitFor();
    await page.getByText('after 2900 older postings').waitFor();
    await page.getByRole('button', { name: 'Show older changes' }).click();
    await page.getByText('after 2800 older postings').waitFor();
  },
  async webhooks({ sandbox, page }) {
    registerInbox(sandbox);
    await times(1_200, () => sandbox.webhooks.trigger('quote.executed'));
    await page.getByRole('button', { name: /Show older ones than these 500/ }).click();
    await page.getByRole('button', { name: /Show older ones than these 1000/ }).waitFor();
    await arrived(page).nth(49).waitFor();
  },
  async time(setting) {
    const { page } = setting;
    await manyQuotes(setting, 1_000);
    await page.getByText('Only the earliest 1000 are shown').waitFor();
    await scrollDown(page);
    await page
      .getByRole('region', { name: 'Agenda', exact: true })
      .getByRole('listitem')
      .filter({ hasText: 'expires.' })
      .first()
      .waitFor();
  },
  async keys(setting) {
    const { page, sandbox } = setting;
    await manyQuotes(setting, 1_200);
    const newest = sandbox.idempotency.list().at(-1)?.key ?? '';
    await expect.poll(() => page.getByRole('listitem').first().innerText()).toContain(newest);
    await page.getByRole('searchbox').last().fill(oldestKey(sandbox).toUpperCase());
    await page
      .getByRole('listitem')
      .filter({ hasText: oldestKey(sandbox) })
      .waitFor();
    await expect.poll(() => page.getByRole('listitem').count()).toBe(1);
    // The last key that the page knows may go while it reads on from it; it begins anew then.
    sandbox.idempotency.remove(oldestKey(sandbox));
    sandbox.advance(86_400_000);
    await page.getByText('No key is remembered').waitFor();
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
    const at = view === 'resources' ? '#/resources/quotes' : `#/${view}`;
    await opened(
      browser,
      async (setting) => {
        await reach(setting);
        expect(await setting.page.locator('*').count()).toBeLessThan(3_000);
      },
      { at },
    );
  });
});
