import { describe, expect, it } from 'vitest';
import { expectUsable, opened, openMenu, openNewest, type Setting } from './support/browser.js';
import { chromiumOfFile } from './support/chromium.js';

const browser = chromiumOfFile();

const HOSTILE = `"><img src=x onerror=alert(1)><script>alert(2)</script>`;

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
      for (const text of ['100.00', 'idempotency key', 'accepted']) {
        await expect.poll(() => details.innerText()).toContain(text);
      }
      expect(await page.content()).not.toContain(sandbox.credentials.apiSecret);
    });
  });

  it('shows hostile text as text', async () => {
    await opened(browser, async ({ page, sandbox, url }) => {
      const { origin } = new URL(url);
      await fetch(`${origin}/v1/${encodeURI(HOSTILE)}?q=${HOSTILE}`, {
        headers: { 'API-Key': 'x', 'Idempotency-Key': 'y' },
      });
      const details = await openNewest({ page, sandbox }, /./);
      await details.locator('pre, code').filter({ hasText: 'onerror' }).first().waitFor();
      expect(await page.locator('img, main script').count()).toBe(0);
    });
  });

  it('moves the clock, and shows that it has moved', async () => {
    await opened(browser, async ({ page, sandbox }) => {
      const before = sandbox.clock.now();
      await openMenu(page, 'Clock');
      await page.getByRole('button', { name: '+1 h' }).click();
      // What became due in the hour stands above it.
      await page.getByLabel('Kind of entry').selectOption('control');
      await page.getByRole('link', { name: /clock\.advance/ }).waitFor();
      expect(sandbox.clock.now()).toBe(before + 3_600_000);
      await page
        .getByText(new Date(before + 3_600_000).toISOString().slice(11, 23))
        .first()
        .waitFor();
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
    ['faults', 360],
    ['keys', 360],
    ['resources', 360],
    ['resources/quotes', 360],
    ['resources/quotes', 1_440],
  ])('has no table in %s that scrolls sideways at %i pixels', async (view, width) => {
    const sides = { from: { symbol: 'USD', type: 'fiat', amount: '9.00' }, to: { symbol: 'BTC', type: 'crypto' } };
    await opened(
      browser,
      async ({ client, sandbox, page }) => {
        const { id } = await client.accounts.quotes.create(sandbox.fixtures.accountId, sides);
        sandbox.fail({ operation: 'users.get', fault: 503, times: 2 });
        await page.evaluate((hash) => location.assign(hash), `#/${view}${view.includes('/') ? `/${id}` : ''}`);
        await page.locator('.table:visible tbody tr').first().waitFor();
        const scrolling = () =>
          page
            .locator('.table:visible')
            .evaluateAll((all) =>
              all.filter((one) => one.scrollWidth > one.clientWidth).map(({ ariaLabel }) => ariaLabel),
            );
        await expect.poll(scrolling).toEqual([]);
      },
      { width },
    );
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

  it('has few elements for thousands of entries, and all of them within reach', async () => {
    await opened(browser, async ({ client, sandbox, page }) => {
      const { userId } = sandbox.fixtures;
      for (let count = 0; count < 40; count += 1) {
        await Promise.all(Array.from({ length: 50 }, () => client.users.get(userId)));
      }
      await expect
        .poll(() => page.locator('.virtual-space').evaluate((element) => element.clientHeight))
        .toBe(2_000 * 30);
      expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(3_000);
      await page.locator('.virtual').evaluate((element) => {
        element.scrollTop = element.scrollHeight;
      });
      await page.locator('a[href="#/timeline/1"]').waitFor();
    });
  });

  it.each(['light', 'dark'] as const)('has no barrier in %s colours, and fits 360 pixels', async (scheme) => {
    const look = async ({ client, sandbox, page }: Setting) => {
      await client.users.get(sandbox.fixtures.userId);
      const details = await openNewest({ page, sandbox }, /users\.get/);
      await details.getByRole('region', { name: 'As code' }).waitFor();
      await expectUsable(page, 'entry');
    };
    await opened(browser, look, { scheme });
    await opened(browser, look, { scheme, width: 360 });
  });
});
