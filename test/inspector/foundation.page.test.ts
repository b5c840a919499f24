import { describe, expect, it } from 'vitest';
import { opened, type Setting } from './support/browser.js';
import { chromiumOfFile } from './support/chromium.js';

const browser = chromiumOfFile();

describe('the page', () => {
  it('shows each request as it happens, newest first', async () => {
    await opened(browser, async ({ client, sandbox, page }) => {
      await page.getByText('Nothing has happened yet').waitFor();
      await client.users.get(sandbox.fixtures.userId);
      await page.getByRole('link', { name: /users\.get/ }).waitFor();
      await client.assets.list();
      await page.getByRole('link', { name: /assets\.list/ }).waitFor();
      const rows = page.getByRole('listitem');
      await expect
        .poll(() => rows.allInnerTexts())
        .toEqual([expect.stringContaining('assets.list'), expect.stringContaining('users.get')]);
    });
  });

  it('shows a request with what was sent and answered', async () => {
    await opened(browser, async ({ client, sandbox, page }) => {
      const { accountId } = sandbox.fixtures;
      const sides = { from: { symbol: 'USD', type: 'fiat', amount: '100.00' }, to: { symbol: 'BTC', type: 'crypto' } };
      const { id } = await client.accounts.quotes.create(accountId, sides);
      await page.getByRole('link', { name: /quotes\.create/ }).click();
      const details = page.getByRole('region', { name: /^Entry/ });
      await details.locator('pre').filter({ hasText: id }).waitFor();
      // What it brought about.
      await details.getByRole('link', { name: /change quotes .* offered/ }).waitFor();
      for (const href of [`#/resources/accounts/${accountId}`, `#/resources/quotes/${id}`]) {
        await details.locator(`a[href="${href}"]`).first().waitFor();
      }
      for (const text of ['100.00', 'idempotency key', 'accepted']) {
        await expect.poll(() => details.innerText()).toContain(text);
      }
      expect(await page.content()).not.toContain(sandbox.credentials.apiSecret);
    });
  });

  it('is used by the keyboard: / searches, j and k go through the entries', async () => {
    await opened(browser, async ({ client, sandbox, page }) => {
      for (let count = 0; count < 3; count += 1) await client.users.get(sandbox.fixtures.userId);
      await expect.poll(() => page.getByRole('listitem').count()).toBe(3);
      // Faster than the page draws: no key is lost.
      await page.evaluate(() => {
        for (const key of ['j', 'j']) dispatchEvent(new KeyboardEvent('keydown', { key }));
      });
      await page.getByRole('region', { name: 'Entry 2' }).waitFor();
      await page.keyboard.press('j');
      await page.getByRole('region', { name: 'Entry 1' }).waitFor();
      await page.keyboard.press('k');
      await page.getByRole('region', { name: 'Entry 2' }).waitFor();
      await page.keyboard.press('k');
      await page.getByRole('region', { name: 'Entry 3' }).waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('no such thing');
      await page.getByText('Nothing matches').waitFor();
    });
  });

  it.each([
    ['r', 'Search the resources'],
    ['w', 'Search the deliveries'],
    ['k', 'Search'],
    ['y', 'Search the operations'],
  ])('has its search behind / in the view behind g %s, too', async (letter, name) => {
    await opened(browser, async ({ client, sandbox, page }) => {
      const sides = { from: { symbol: 'USD', type: 'fiat', amount: '9.00' }, to: { symbol: 'BTC', type: 'crypto' } };
      await client.accounts.quotes.create(sandbox.fixtures.accountId, sides);
      await page.keyboard.press('g');
      await page.keyboard.press(letter);
      const search = page.getByRole('searchbox', { name, exact: true });
      await search.waitFor();
      await page.keyboard.press('/');
      await expect.poll(() => search.evaluate((one) => one === document.activeElement)).toBe(true);
    });
  });

  it.each([1_200, 360])(
    'has its focus on what j and k open, and back on the row after Escape: %s pixels',
    async (width) => {
      const use = async ({ client, sandbox, page }: Setting): Promise<void> => {
        for (let count = 0; count < 3; count += 1) await client.users.get(sandbox.fixtures.userId);
        await expect.poll(() => page.getByRole('listitem').count()).toBe(3);
        const focused = (): Promise<string> =>
          page.evaluate(() => {
            const { activeElement: element } = document;
            return element?.getAttribute('aria-label') ?? element?.getAttribute('href') ?? '';
          });
        for (const [key, name] of [
          ['j', 'Entry 3'],
          ['j', 'Entry 2'],
          ['k', 'Entry 3'],
        ] as const) {
          await page.keyboard.press(key);
          await expect.poll(focused).toBe(name);
        }
        await page.keyboard.press('Tab');
        await expect.poll(focused).toBe('Close the details');
        await page.keyboard.press('Escape');
        await expect.poll(focused).toBe('#/timeline/3');
      };
      await opened(browser, use, { width });
    },
  );
});
