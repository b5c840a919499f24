import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { barriers, opened } from './support/browser.js';

const check = (page: Page, title: string) =>
  page
    .getByRole('region', { name: 'Integration report' })
    .locator('li', { has: page.getByRole('heading'), hasText: title });
const refuse = (url: string, path = '/v1/webhooks') => fetch(`${new URL(url).origin}${path}`);

describe('the checks', () => {
  it('say how each one ended, and change when something happens', async () => {
    await opened({ at: '#/checks' }, async ({ page, client, sandbox, url }) => {
      await page.getByText(/^0 failed, \d+ not seen yet, 2 passed$/).waitFor();
      await check(page, 'No request was rejected with 401').getByText('not seen yet').waitFor();
      await client.users.get(sandbox.fixtures.userId);
      await check(page, 'No request was rejected with 401').getByText('passed').waitFor();
      for (let count = 0; count < 3; count += 1) await refuse(url);
      // A failure is told as a failure, and counts requests.
      await page.getByRole('heading', { name: /^failed 3 requests were rejected with 401$/ }).waitFor();
      // Names stand as code, without the marks of the text.
      await check(page, 'Retry-After').locator('code').first().waitFor();
      // What failed stands first.
      await expect.poll(() => check(page, '').first().innerText()).toContain('missing_header');
      expect(await barriers(page)).toEqual([]);
    });
  });

  it('lead to the entry, and to the resource, that shows it', async () => {
    await opened({ at: '#/checks' }, async ({ page, sandbox, url }) => {
      await refuse(url);
      const { accountId, quoteId } = sandbox.fixtures;
      await sandbox.requests.send({ method: 'POST', path: `/v1/accounts/${accountId}/quotes/${quoteId}/execute` });
      sandbox.advance(2_000);
      await check(page, 'Each executed quote').locator('summary').click();
      const quote = check(page, 'Each executed quote').getByRole('link', { name: `quotes ${quoteId}` });
      await expect.poll(() => quote.getAttribute('href')).toBe(`#/resources/quotes/${quoteId}`);
      await check(page, '1 request was rejected with 401').getByRole('link', { name: 'request 1' }).click();
      await page.getByRole('region', { name: 'Entry 1' }).waitFor();
    });
  });

  it('keep what the reader has opened', async () => {
    await opened({ at: '#/checks' }, async ({ page, client, sandbox }) => {
      await check(page, 'Every operation was tried').locator('summary').click();
      await check(page, 'Every operation was tried').getByText('users.get (Get user)').waitFor();
      await client.users.get(sandbox.fixtures.userId);
      await check(page, 'Every operation was tried').getByText('users.get (Get user)').waitFor({ state: 'detached' });
      await check(page, 'Every operation was tried').getByText('assets.list (List assets)').waitFor();
    });
  });

  it('are saved for support, without secrets', async () => {
    await opened({ at: '#/checks' }, async ({ page, sandbox, url }) => {
      const { apiSecret } = sandbox.credentials;
      await refuse(url, `/v1/webhooks?secret=${encodeURIComponent(apiSecret)}`);
      await page.getByText('1 failed').waitFor();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save the report' }).click(),
      ]);
      const text = readFileSync(await file.path(), 'utf8');
      const { checks, seed } = JSON.parse(text);
      expect([seed, checks]).toEqual([1, JSON.parse(JSON.stringify(sandbox.checks.run()))]);
      expect(text).not.toContain(apiSecret);
    });
  });
});
