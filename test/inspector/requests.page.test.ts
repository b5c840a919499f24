import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { barriers, opened, rowsOf, type Setting } from './support/browser.js';
import { send } from './support/signed.js';
import { registerInbox } from './support/webhooks.js';

const USD = { symbol: 'USD', type: 'fiat', amount: '9.00' } as const;
const BTC = { symbol: 'BTC', type: 'crypto' } as const;

/** What the rows say, without their times. */
const told = async (page: Page): Promise<string[]> =>
  (await rowsOf(page).allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').replace(/^[\d:.]+ /, ''));

const shows = (page: Page, count: number) => expect.poll(() => rowsOf(page).count()).toBe(count);

async function choose(page: Page, filter: string, choice: RegExp): Promise<void> {
  await page.getByRole('button', { name: `Filter by + ${filter}`, exact: true }).click();
  await page
    .getByRole('list', { name: `${filter}s` })
    .getByRole('button', { name: choice })
    .click();
}

const clear = (page: Page) => page.getByRole('button', { name: 'Clear', exact: true }).click();

describe('the list of requests', () => {
  it('shows each request as it happens, newest first, in what it was about', async () => {
    await opened(async ({ client, sandbox, page }) => {
      await page.getByText('Nothing has happened yet').waitFor();
      await client.users.get(sandbox.fixtures.userId);
      await client.accounts.quotes.create(sandbox.fixtures.accountId, { from: USD, to: BTC });
      await expect
        .poll(() => told(page))
        .toEqual([
          expect.stringMatching(/^200 POST accounts\.quotes\.create 9\.00 USD → BTC .* ms$/),
          expect.stringMatching(/^200 GET users\.get customer-1000 .* ms$/),
        ]);
      await page.getByText('Thursday 15 January, sandbox time').waitFor();
    });
  });

  it('has one row for a call: its retries are dots in it, and its deliveries and changes are not rows', async () => {
    await opened(async ({ client, sandbox, page }) => {
      const { accountId } = sandbox.fixtures;
      registerInbox(sandbox);
      const { id } = await client.accounts.quotes.create(accountId, { from: USD, to: BTC });
      sandbox.fail({ operation: 'accounts.quotes.execute', fault: 503, times: 2 });
      await client.accounts.quotes.execute(accountId, id);
      sandbox.clock.advance(2_000);
      await sandbox.webhooks.idle();
      await expect
        .poll(() => told(page))
        .toEqual([
          expect.stringMatching(/^200 POST accounts\.quotes\.execute .* 3 attempts, 1 effect/),
          expect.stringContaining('quotes.create'),
        ]);
      await page.getByRole('button', { name: 'Everything' }).click();
      await expect.poll(async () => (await told(page)).join('\n')).toMatch(/delivery quote\.executed 200/);
      const rows = (await told(page)).join('\n');
      expect(rows).toMatch(/change quotes .*executed/);
      expect(rows).toMatch(/timer quote\.finish/);
      // The row of a delivery tells of its timer, too.
      expect(rows).not.toContain('webhook.attempt');
    });
  });

  it('counts as failed what no retry repaired, each with its cause', async () => {
    await opened(async ({ client, sandbox, page, url }) => {
      sandbox.fail({ operation: 'users.get', fault: 503, times: 1 });
      await client.users.get(sandbox.fixtures.userId);
      await send(sandbox, url, { path: '/v1/webhooks?page_size=3', signedPath: '/v1/webhooks' });
      const path = `/v1/accounts/${sandbox.fixtures.accountId}/quotes`;
      await send(sandbox, url, { method: 'POST', path, body: '{}', key: randomUUID() });
      await page.getByRole('button', { name: 'Failed 2' }).click();
      await expect
        .poll(() => told(page))
        .toEqual([
          expect.stringMatching(/^400 POST accounts\.quotes\.create .*is missing/),
          expect.stringMatching(/^401 GET webhooks\.list .*you signed the path without its query/),
        ]);
      await choose(page, 'cause', /401 bad signature/);
      await shows(page, 1);
      expect(await barriers(page)).toEqual([]);
    });
  });

  it('filters by account, operation, API key, text and idempotency key, together, and shows what fits as it comes', async () => {
    await opened(async ({ client, sandbox, page }) => {
      const { userId, accountId } = sandbox.fixtures;
      const key = randomUUID();
      await client.accounts.quotes.create(accountId, { from: USD, to: BTC }, { idempotencyKey: key });
      await client.users.get(userId);
      await client.webhooks.list();
      await shows(page, 3);
      // By the name of its holder.
      await choose(page, 'account', /customer-1000 main/);
      await shows(page, 1);
      await clear(page);
      await choose(page, 'operation', /users\.get/);
      await shows(page, 1);
      await page.getByRole('button', { name: 'Clear the filter by operation' }).click();
      await choose(page, 'API key', new RegExp(sandbox.credentials.apiKey));
      await shows(page, 3);
      await page.getByRole('button', { name: 'Clear the filter by API key' }).click();
      await page.getByLabel('Search the requests').fill(key.slice(3, 20).toUpperCase());
      await shows(page, 1);
      await page.getByLabel('Search the requests').fill('users.get nothing');
      await page.getByText('Nothing matches').waitFor();
      await page.getByLabel('Search the requests').fill('users.get customer');
      await client.users.get(userId);
      await shows(page, 2);
    });
  });

  it('finds a request by what is in its bodies, and by the holder of its account', async () => {
    await opened(async ({ client, sandbox, page }) => {
      const { accountId } = sandbox.fixtures;
      const { id } = await client.accounts.quotes.create(accountId, { from: { ...USD, amount: '7.31' }, to: BTC });
      for (let count = 0; count < 3; count += 1) await client.webhooks.list();
      const search = page.getByLabel('Search the requests');
      // The id is in the response alone.
      for (const text of [id, '"7.31"', 'customer-1000 main']) {
        await search.fill(text);
        await shows(page, 1);
        expect(await told(page)).toEqual([expect.stringContaining('quotes.create')]);
      }
      for (const secret of [sandbox.credentials.apiSecret, sandbox.credentials.apiSecret.slice(5, 25)]) {
        await search.fill(secret);
        await page.getByText('Nothing matches').waitFor();
      }
    });
  });

  it('stands still while it is paused, and goes on', async () => {
    await opened(async ({ client, sandbox, page }) => {
      const { userId } = sandbox.fixtures;
      await client.users.get(userId);
      await shows(page, 1);
      await page.getByRole('button', { name: 'live', exact: true }).click();
      await client.users.get(userId);
      await page.getByRole('button', { name: 'paused, 1 new' }).click();
      await shows(page, 2);
    });
  });

  it('leaves the reader where he has scrolled to, and what he has opened open', async () => {
    await opened(async ({ client, sandbox, page }) => {
      const { userId } = sandbox.fixtures;
      for (let count = 0; count < 100; count += 1) await client.users.get(userId);
      await page.locator('a[href="#/requests/100"]').click();
      await page.getByRole('tab', { name: 'Response' }).waitFor();
      const list = page.locator('.rows');
      await list.evaluate((element) => element.scrollTo(0, 1_600));
      const seen = page.locator('a[href="#/requests/51"]');
      await seen.waitFor();
      const place = async () => ((await seen.boundingBox())?.y ?? 0) - ((await list.boundingBox())?.y ?? 0);
      const before = await place();
      for (let count = 0; count < 7; count += 1) await client.users.get(userId);
      await expect.poll(() => list.evaluate((element) => element.scrollTop)).toBe(1_600 + 7 * 32);
      expect(await place()).toBe(before);
      await page.getByRole('region', { name: 'Entry 100' }).waitFor();
    });
  });

  it('forgets everything, in the sandbox, too', async () => {
    await opened(async ({ client, sandbox, page }) => {
      await client.users.get(sandbox.fixtures.userId);
      await shows(page, 1);
      await page.getByRole('button', { name: 'Sandbox', exact: true }).click();
      await page.getByRole('button', { name: 'Clear the requests' }).click();
      const question = page.getByRole('dialog', { name: 'Are you sure?' });
      await question.getByText('forget all 1 requests').waitFor();
      await question.getByRole('button', { name: 'Clear the requests' }).click();
      await page.getByText('Nothing has happened yet').waitFor();
      expect(sandbox.journal).toEqual([]);
    });
  });

  it('says that it loads while it loads, and never that nothing has happened', async () => {
    await opened(async ({ client, sandbox, page }) => {
      await client.users.get(sandbox.fixtures.userId);
      await page.addInitScript(() => {
        Object.assign(globalThis, { said: new Set<string>() });
        new MutationObserver(() => {
          for (const { textContent } of document.querySelectorAll('.empty')) {
            (globalThis as unknown as { said: Set<string> }).said.add(textContent ?? '');
          }
        }).observe(document, { childList: true, subtree: true, characterData: true });
      });
      await page.reload();
      await shows(page, 1);
      expect(await page.evaluate(() => [...(globalThis as unknown as { said: Set<string> }).said])).toEqual([
        'Loading …',
      ]);
    });
  });
});

/** Sends a request at each of four hours of the sandbox's clock, from 12:00 to 15:00. */
async function anHourApart({ client, sandbox, page, url }: Setting): Promise<void> {
  for (let hour = 0; hour < 3; hour += 1) {
    await client.users.get(sandbox.fixtures.userId);
    sandbox.clock.advance(3_600_000);
  }
  await fetch(`${url}/v1/users/none`);
  await shows(page, 4);
}

describe('a range of time, by the clock of the sandbox', () => {
  it('is typed in, and outlives a reload', async () => {
    await opened(async (setting) => {
      const { page } = setting;
      await anHourApart(setting);
      await page.getByRole('button', { name: 'Filter by + time' }).click();
      await page.getByLabel(/^from/).fill('2026-01-15T12:30');
      await page.getByLabel(/^to/).fill('2026-01-15T14:30:00');
      await shows(page, 2);
      await page.reload();
      await shows(page, 2);
      await page.getByRole('button', { name: 'Clear the filter by time' }).click();
      await shows(page, 4);
    });
  });

  it('is chosen in the chart, which tells the same to those who hear it', async () => {
    await opened(async (setting) => {
      const { page } = setting;
      await anHourApart(setting);
      const chart = page.getByRole('img', { name: /^\d+ requests/ });
      await expect
        .poll(() => chart.getAttribute('aria-label'))
        .toMatch(/^4 requests, 1 of them failed, from 2026-01-15 12:00:00.* to 2026-01-15 15:00:00/);
      const { x = 0, y = 0, width = 0, height = 0 } = (await chart.boundingBox()) ?? {};
      await page.mouse.move(x + width * 0.6, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + width - 2, y + height / 2);
      await page.mouse.up();
      await shows(page, 2);
      await page.getByRole('button', { name: /^Filter by time: 13:4\d:\d\d – / }).waitFor();
      expect(await barriers(page)).toEqual([]);
    });
  });
});
