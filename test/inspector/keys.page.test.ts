import { PartnerClient } from 'partner-sdk';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { opened } from './support/browser.js';

const AT = { at: '#/keys' };
const HOSTILE = `"><img src=x onerror=alert(1)><script>alert(2)</script>`;

const part = (page: Page, name: string | RegExp) => page.getByRole('region', { name });
const details = (page: Page) => part(page, /^API key /);
const fact = (page: Page, name: string) => {
  const value = details(page).locator('dt').filter({ hasText: name }).locator('+ dd');
  return expect.poll(() => value.innerText(), { message: name });
};

describe('the API keys of the page', () => {
  it('tell their last nonce as a moment, their last use, requests and races, as they happen', async () => {
    await opened(AT, async ({ page, sandbox, client }) => {
      await fact(page, 'last use').toBe('never in this run');
      await client.users.get(sandbox.fixtures.userId);
      await fact(page, 'requests').toBe('1');
      const nonce = sandbox.keys.list()[0]?.lastNonce;
      expect(nonce?.time?.unit).toBe('nanoseconds');
      const moment = new Date(nonce?.time?.at ?? 0).toISOString().replace('T', ' ').replace('Z', ' UTC');
      await fact(page, 'last nonce').toBe(`${nonce?.nonce}, ${moment} in nanoseconds`);
      await fact(page, 'last use').toContain('2026-01-15 12:00:00.000 UTC');
      await fact(page, 'races').toBe('0');
    });
  });

  it('hide their secret until it is asked for', async () => {
    await opened(AT, async ({ page, sandbox }) => {
      const { apiSecret } = sandbox.credentials;
      await details(page).getByRole('button', { name: 'Show the secret' }).waitFor();
      expect(await page.content()).not.toContain(apiSecret);
      await details(page).getByRole('button', { name: 'Show the secret' }).click();
      await details(page).getByText(apiSecret).waitFor();
      await details(page).getByRole('button', { name: 'New secret', exact: true }).click();
      await expect.poll(() => sandbox.credentials.apiSecret).not.toBe(apiSecret);
      await details(page).getByText(sandbox.credentials.apiSecret).waitFor();
    });
  });

  it('are issued with a label and terms, and sign with the secret that is shown', async () => {
    await opened(AT, async ({ page, sandbox, url }) => {
      const form = part(page, 'Issue a further API key');
      await form.getByLabel('Label', { exact: true }).fill(HOSTILE);
      for (const scope of ['read', 'trade']) await form.getByLabel(scope, { exact: true }).check();
      await form.getByLabel('Nonce window', { exact: true }).fill('64');
      await form.getByText('Quota', { exact: true }).click();
      await form.getByLabel('Requests', { exact: true }).fill('9');
      await form.getByLabel('Per (ms)', { exact: true }).fill('1 min');
      await form.getByRole('button', { name: 'Issue an API key', exact: true }).click();
      await expect.poll(() => sandbox.keys.list().length).toBe(2);
      const issued = sandbox.keys.list()[1];
      const quota = { requests: 9, perMs: 60_000 };
      expect(issued).toMatchObject({ label: HOSTILE, scopes: ['read', 'trade'], nonceWindow: 64, quota });
      const apiKey = issued?.apiKey ?? '';
      // Until it is read, the first key is shown.
      await fact(page, 'API key').toContain(apiKey);
      await details(page).getByRole('button', { name: 'Show the secret' }).click();
      await details(page).getByRole('button', { name: 'Hide the secret' }).waitFor();
      const apiSecret = await details(page).locator('.masked code').innerText();
      await using other = new PartnerClient({ baseUrl: url, apiKey, apiSecret });
      await other.users.get(sandbox.fixtures.userId);
      await fact(page, 'quota').toContain('9 in 1 min, 8 left');
      expect(await page.locator('img, main script').count()).toBe(0);
    });
  });

  it('are revoked and reinstated', async () => {
    await opened(AT, async ({ page, sandbox }) => {
      await details(page).getByRole('button', { name: 'Revoke', exact: true }).click();
      await fact(page, 'state').toBe('revoked');
      expect(sandbox.keys.list()[0]?.revoked).toBe(true);
      await details(page).getByRole('button', { name: 'Reinstate', exact: true }).click();
      await fact(page, 'state').toBe('valid');
      expect(sandbox.keys.list()[0]?.revoked).toBe(false);
      // A program does so, too.
      sandbox.keys.revoke(sandbox.credentials.apiKey);
      await fact(page, 'state').toBe('revoked');
    });
  });

  it('get other scopes, another nonce window and a quota of their own', async () => {
    await opened(AT, async ({ page, sandbox }) => {
      const panel = details(page);
      const key = () => sandbox.keys.list()[0];
      for (const form of ['scopes', 'nonce window']) await panel.getByText(`Set the ${form} …`).click();
      await panel.getByText('Set its quota …').click();
      await panel.getByLabel('Scopes', { exact: true }).selectOption('these');
      await panel.getByLabel('read', { exact: true }).check();
      await panel.getByLabel('funds', { exact: true }).check();
      await panel.getByRole('button', { name: 'Set the scopes', exact: true }).click();
      await fact(page, 'scopes').toBe('read, funds');
      expect(key()?.scopes).toEqual(['read', 'funds']);
      await panel.getByLabel('Scopes', { exact: true }).selectOption('all');
      await panel.getByRole('button', { name: 'Set the scopes', exact: true }).click();
      await fact(page, 'scopes').toBe('all');
      expect(key()?.scopes).toBeUndefined();
      await panel.getByLabel('Nonce window', { exact: true }).fill('16');
      await panel.getByRole('button', { name: 'Set the nonce window', exact: true }).click();
      await expect.poll(() => key()?.nonceWindow).toBe(16);
      await panel.getByLabel('Quota', { exact: true }).selectOption('these');
      await panel.getByLabel('Requests', { exact: true }).fill('3');
      await panel.getByLabel('Per (ms)', { exact: true }).fill('1000');
      await panel.getByRole('button', { name: 'Set its quota', exact: true }).click();
      await expect.poll(() => key()?.quota).toMatchObject({ requests: 3, perMs: 1_000 });
    });
  });
});
