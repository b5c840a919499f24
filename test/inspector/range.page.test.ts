import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { barriers, opened, type Setting } from './support/browser.js';
import { chromiumOfFile } from './support/chromium.js';
import { registerInbox } from './support/webhooks.js';

const browser = chromiumOfFile();

const requests = (page: Page) =>
  page
    .getByRole('list', { name: /^Entries/ })
    .getByRole('link')
    .filter({ hasText: /GET|POST/ });

const chart = (page: Page) => page.getByRole('img', { name: /^\d+ requests/ });

/** Sends a request at each of four hours of the sandbox's clock, from 12:00 to 15:00. */
async function anHourApart({ client, sandbox, page, url }: Setting): Promise<void> {
  for (let hour = 0; hour < 3; hour += 1) {
    await client.users.get(sandbox.fixtures.userId);
    sandbox.clock.advance(3_600_000);
  }
  await fetch(`${url}/v1/users/none`);
  await expect.poll(() => requests(page).count()).toBe(4);
}

describe('a range of time', () => {
  it('is set by the clock of the sandbox, and outlives a reload', async () => {
    await opened(browser, async (setting) => {
      const { page } = setting;
      await anHourApart(setting);
      await page.getByLabel('Clock of the chart and the range').selectOption('sandbox');
      await page.getByLabel('Entries from').fill('12:30');
      await page.getByLabel('Entries to').fill('2026-01-15 14:30:00');
      await page.keyboard.press('Tab');
      await expect.poll(() => requests(page).count()).toBe(2);
      await page.reload();
      await expect.poll(() => requests(page).count()).toBe(2);
      expect(await page.getByLabel('Entries from').inputValue()).toBe('2026-01-15 12:30:00.000');
      await page.getByRole('button', { name: 'All times' }).click();
      await expect.poll(() => requests(page).count()).toBe(4);
      expect(new URL(page.url()).search).toBe('?timeline.clock=sandbox');
    });
  });

  it('is chosen in the chart of the requests, which tells the same to those who hear it', async () => {
    await opened(browser, async (setting) => {
      const { page } = setting;
      await anHourApart(setting);
      await page.getByLabel('Clock of the chart and the range').selectOption('sandbox');
      const image = chart(page);
      await expect
        .poll(() => image.getAttribute('aria-label'))
        .toMatch(/^4 requests, 1 of them failed, from 2026-01-15 12:00:00.* to 2026-01-15 15:00:00/);
      const { x = 0, y = 0, width = 0, height = 0 } = (await image.boundingBox()) ?? {};
      await page.mouse.move(x + width * 0.6, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + width - 2, y + height / 2);
      await page.mouse.up();
      await expect.poll(() => requests(page).count()).toBe(2);
      expect(await page.getByLabel('Entries from').inputValue()).toMatch(/^2026-01-15 13:4/);
      expect(await barriers(page)).toEqual([]);
    });
  });

  it('has real time, too: what came before it is not shown', async () => {
    await opened(browser, async (setting) => {
      const { page, client, sandbox } = setting;
      await anHourApart(setting);
      const { real = 0 } = sandbox.journal.at(-1) ?? {};
      await expect.poll(() => Date.now()).toBeGreaterThan(real + 1);
      await client.users.get(sandbox.fixtures.userId);
      await page.getByLabel('Entries from').fill(new Date(real + 1).toISOString());
      await page.keyboard.press('Tab');
      await expect.poll(() => requests(page).count()).toBe(1);
    });
  });

  it('is refused if it is no moment', async () => {
    await opened(browser, async (setting) => {
      const { page } = setting;
      await anHourApart(setting);
      const from = page.getByLabel('Entries from');
      await from.fill('yesterday');
      await page.keyboard.press('Tab');
      const isValid = () => from.evaluate((input: HTMLInputElement) => input.validity.valid);
      await expect.poll(isValid).toBe(false);
      expect(await requests(page).count()).toBe(4);
    });
  });
});

it('a delivery is one row: the timer that attempted it has none', async () => {
  await opened(browser, async ({ page, client, sandbox }) => {
    registerInbox(sandbox);
    const { id } = await client.accounts.quotes.create(sandbox.fixtures.accountId, {
      from: { symbol: 'USD', type: 'fiat', amount: '9.00' },
      to: { symbol: 'BTC', type: 'crypto' },
    });
    await client.accounts.quotes.execute(sandbox.fixtures.accountId, id);
    sandbox.clock.advance(2_000);
    await sandbox.webhooks.idle();
    sandbox.clock.advance(1);
    const rows = page.getByRole('list', { name: /^Entries/ }).getByRole('link');
    await rows.filter({ hasText: 'quote.executed' }).waitFor();
    expect(await rows.filter({ hasText: 'webhook.attempt' }).count()).toBe(0);
    await page.getByLabel('Kind of entry', { exact: true }).selectOption('timer');
    await rows.filter({ hasText: 'quote.finish' }).waitFor();
  });
});
