import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { opened, openNewest, openTab, rowsOf, type Setting } from './support/browser.js';
import { send } from './support/signed.js';

const hash = (page: Page): string => new URL(page.url()).hash;

/** Two requests that are taken, and one that is rejected. */
async function three({ client, sandbox, page, url }: Setting): Promise<void> {
  for (let count = 0; count < 2; count += 1) await client.users.get(sandbox.fixtures.userId);
  await send(sandbox, url, { path: '/v1/users/none' });
  await expect.poll(() => rowsOf(page).count()).toBe(3);
}

describe('the address', () => {
  it('has what is shown, filtered and open: Back and reload give what was there', async () => {
    await opened(async (setting) => {
      const { page } = setting;
      await three(setting);
      await page.getByRole('button', { name: /^Failed/ }).click();
      await openNewest(setting, /none/);
      await openTab(page.getByRole('region', { name: 'Entry 3' }), 'Request');
      expect(hash(page)).toBe('#/requests/3?show=failed&tab=request');
      await page.reload();
      await page.getByRole('tabpanel', { name: 'Request' }).waitFor();
      await expect.poll(() => rowsOf(page).count()).toBe(1);
      // One step back for each of what the reader did.
      await page.goBack();
      await page.getByRole('tabpanel', { name: 'Response' }).waitFor();
      await page.goBack();
      await page.getByRole('region', { name: 'Entry 3' }).waitFor({ state: 'detached' });
      await expect.poll(() => rowsOf(page).count()).toBe(1);
      await page.goBack();
      await expect.poll(() => rowsOf(page).count()).toBe(3);
      await page.goForward();
      await expect.poll(() => rowsOf(page).count()).toBe(1);
    });
  });

  it('takes a search as one step, however many letters it has, and steps through a list, too', async () => {
    await opened(async (setting) => {
      const { page } = setting;
      await three(setting);
      const before = await page.evaluate(() => history.length);
      await page.getByLabel('Search the requests').pressSequentially('users.get');
      await expect.poll(() => hash(page)).toBe('#/requests?text=users.get');
      expect(await page.evaluate(() => history.length)).toBe(before + 1);
      await page.locator('main').click({ position: { x: 5, y: 5 } });
      for (const key of ['j', 'j', 'k', 'j']) await page.keyboard.press(key);
      await page.getByRole('region', { name: 'Entry 2' }).waitFor();
      expect(await page.evaluate(() => history.length)).toBe(before + 2);
      await page.goBack();
      await page.goBack();
      await expect.poll(() => rowsOf(page).count()).toBe(3);
      expect(await page.getByLabel('Search the requests').inputValue()).toBe('');
    });
  });

  it('has the filters of the view alone: they never travel to another', async () => {
    await opened(async (setting) => {
      const { page } = setting;
      await three(setting);
      await page.getByLabel('Search the requests').fill('none');
      await page.getByRole('link', { name: /^Money/ }).click();
      await expect.poll(() => hash(page)).toBe('#/money');
      await page.goBack();
      await expect.poll(() => page.getByLabel('Search the requests').inputValue()).toBe('none');
    });
  });

  it('leads to a row among many, which is seen in the middle of the list', async () => {
    await opened(async ({ client, sandbox, page, url }) => {
      for (let count = 0; count < 150; count += 1) await client.users.get(sandbox.fixtures.userId);
      await page.goto(`${url}/_sandbox/?again#/requests/60`);
      const row = page.locator('.rows a[href="#/requests/60"]');
      await row.waitFor();
      const list = await page.locator('.rows').boundingBox();
      const box = await row.boundingBox();
      const place = ((box?.y ?? 0) - (list?.y ?? 0)) / (list?.height ?? 1);
      expect(Math.abs(place - 0.5)).toBeLessThan(0.1);
    });
  });

  it.each(['77', 'x'])('that names an entry which is not there says so: %s', async (id) => {
    const look = { at: `#/requests/${id}` };
    const use = async ({ page }: Setting): Promise<void> => {
      const details = page.getByRole('region', { name: `Entry ${id}`, exact: true });
      await details.getByText('does not have this entry').waitFor();
    };
    await opened(look, use);
  });
});

/** What has the focus: its name, or where it leads. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    if (element === document.body) return 'nothing';
    return element?.getAttribute('aria-label') ?? element?.getAttribute('href') ?? element?.textContent ?? '';
  });

describe('the keyboard', () => {
  it('has the list as one stop: the arrows go through it, Enter into the details, and Escape back', async () => {
    await opened(async (setting) => {
      const { page } = setting;
      await three(setting);
      await page.getByRole('button', { name: 'live', exact: true }).focus();
      await page.keyboard.press('Tab');
      expect(await focused(page)).toBe('#/requests/3');
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => focused(page)).toBe('#/requests/2');
      await page.keyboard.press('End');
      await expect.poll(() => focused(page)).toBe('#/requests/1');
      await page.keyboard.press('Home');
      await expect.poll(() => focused(page)).toBe('#/requests/3');
      await page.keyboard.press('Enter');
      await expect.poll(() => focused(page)).toBe('Entry 3');
      await page.getByRole('tab', { name: 'Response' }).waitFor();
      await page.keyboard.press('Tab');
      expect(await focused(page)).toBe('Close the details');
      await page.keyboard.press('Escape');
      await expect.poll(() => focused(page)).toBe('#/requests/3');
      // Out of the list at once.
      await page.keyboard.press('Tab');
      expect(await focused(page)).not.toMatch(/^#\/requests/);
    });
  });

  it('shows what the arrows come to while something is open', async () => {
    await opened(async (setting) => {
      const { page } = setting;
      await three(setting);
      await rowsOf(page).first().click();
      await rowsOf(page).first().focus();
      await page.keyboard.press('ArrowDown');
      await page.getByRole('region', { name: 'Entry 2' }).waitFor();
      await expect.poll(() => focused(page)).toBe('#/requests/2');
    });
  });

  it('reaches a row of thousands, and none is lost while they come', async () => {
    await opened(async ({ client, sandbox, page }) => {
      for (let count = 0; count < 200; count += 1) await client.users.get(sandbox.fixtures.userId);
      await page.locator('a[href="#/requests/200"]').focus();
      await page.keyboard.press('End');
      await expect.poll(() => focused(page)).toBe('#/requests/1');
      await client.users.get(sandbox.fixtures.userId);
      await page.keyboard.press('ArrowUp');
      await expect.poll(() => focused(page)).toBe('#/requests/2');
    });
  });

  it.each([1_200, 360])('opens rows by j and k from everywhere, and goes back by Escape: %s pixels', async (width) => {
    const use = async (setting: Setting): Promise<void> => {
      const { page } = setting;
      await three(setting);
      // Faster than the page draws: no key is lost.
      await page.evaluate(() => {
        for (const key of ['j', 'j']) dispatchEvent(new KeyboardEvent('keydown', { key }));
      });
      await expect.poll(() => focused(page)).toBe('Entry 2');
      await page.keyboard.press('k');
      await expect.poll(() => focused(page)).toBe('Entry 3');
      await page.keyboard.press('Escape');
      await expect.poll(() => focused(page)).toBe('#/requests/3');
    };
    await opened({ width }, use);
  });

  it('has single keys that can be switched off, for good', async () => {
    await opened(async (setting) => {
      const { page } = setting;
      await three(setting);
      await page.getByRole('button', { name: 'Sandbox' }).click();
      await page.getByLabel('Single keys act').uncheck();
      await page.keyboard.press('Escape');
      await page.reload();
      await expect.poll(() => rowsOf(page).count()).toBe(3);
      for (const key of ['j', 'g', 'k', '/']) await page.keyboard.press(key);
      expect([hash(page), await focused(page)]).toEqual(['', 'nothing']);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Search or jump to' }).waitFor();
    });
  });

  it('goes to each view by g and its letter, and to its search by /', async () => {
    await opened(async ({ page }) => {
      const current = page.getByRole('navigation', { name: 'Views' }).locator('[aria-current]');
      for (const [letter, title] of [
        ['f', 'Faults'],
        ['m', 'Money'],
        ['t', 'Time'],
        ['r', 'Requests'],
      ] as const) {
        // Without a pause that a busy machine lengthens: the second key must come within two seconds.
        await Promise.all([page.keyboard.press('g'), page.keyboard.press(letter)]);
        await expect.poll(() => current.getAttribute('title')).toBe(title);
      }
      await page.keyboard.press('/');
      await expect.poll(() => focused(page)).toBe('Search the requests');
      await page.keyboard.type('gf');
      expect(await page.getByLabel('Search the requests').inputValue()).toBe('gf');
    });
  });
});
