import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { barriers, opened } from './support/browser.js';

const AT = { at: '#/time' };
const SIDES = { from: { symbol: 'USD', type: 'fiat', amount: '100.00' }, to: { symbol: 'BTC', type: 'crypto' } };

const timers = (page: Page) =>
  page.getByRole('list', { name: 'What is to come, earliest first' }).getByRole('listitem');
const ruler = (page: Page) => page.getByRole('region', { name: 'Ruler of what is to come' });
const question = (page: Page) => page.getByRole('dialog', { name: 'Are you sure?' });

const choose = (page: Page, kind: string) => ruler(page).getByRole('button', { name: kind, exact: true }).click();

describe('the view Time', () => {
  it('lists what is to come with its moment, its countdown and its resource', () =>
    opened(AT, async ({ page, sandbox, client }) => {
      await timers(page).first().waitFor();
      const { id } = await client.accounts.quotes.create(sandbox.fixtures.accountId, SIDES);
      const row = timers(page).filter({ hasText: `Quote ${id} expires.` });
      expect(await row.getByTitle('2026-01-15 12:00:30.000 UTC').innerText()).toBe('in 30 s');
      expect(await row.getByRole('link').getAttribute('href')).toBe(`#/resources/quotes/${id}`);
      sandbox.advance(10_000);
      await row.getByText('in 20 s').waitFor();
      sandbox.advance(20_000);
      await expect.poll(() => row.count()).toBe(0);
    }));

  it('narrows the list to one kind, which a reload keeps and Back takes away', () =>
    opened(AT, async ({ page, sandbox }) => {
      sandbox.fail({ fault: 503, forMs: 5_000 });
      const all = sandbox.clock.agenda();
      await page.getByText(`${all.length} to come`).waitFor();
      expect(await timers(page).first().innerText()).toContain(all[0]?.what);
      await choose(page, 'faults');
      await expect.poll(() => timers(page).count()).toBe(1);
      await page.reload();
      await timers(page).filter({ hasText: 'Trouble trouble_1 ends.' }).waitFor();
      expect(await timers(page).count()).toBe(1);
      await page.goBack();
      await page.getByText(`${all.length} to come`).waitFor();
    }));

  it('jumps by a click on a mark, asks before a long way, and tells what happened on it', () =>
    opened(AT, async ({ page, sandbox, client }) => {
      const before = sandbox.clock.now();
      sandbox.webhooks.register({ url: sandbox.inbox.url(), events: ['quote.executed'] });
      sandbox.fail({ fault: 503, forMs: 4_000, operation: 'users.get' });
      const { accountId } = sandbox.fixtures;
      for (const isExecuted of [true, false, false]) {
        const { id } = await client.accounts.quotes.create(accountId, SIDES);
        if (isExecuted) await client.accounts.quotes.execute(accountId, id);
      }
      const offers = sandbox.clock.agenda().filter(({ task, at }) => task === 'quote.expire' && at <= before + 30_000);
      await ruler(page)
        .getByRole('button', { name: /^Jump 3\d s ahead: \d expiries$/ })
        .click();
      const told = page.getByRole('status').filter({ hasText: /^3\d s later:/ });
      for (const text of [
        `${offers.length} quotes expired`,
        '1 quote executed',
        '1 delivery attempted',
        '1 fault ended',
      ])
        await expect.poll(() => told.innerText()).toContain(text);
      await told.getByRole('link', { name: 'See all of it' }).click();
      await page.getByRole('region', { name: /^Entry / }).waitFor();
      await page.goBack();

      const last = ruler(page).getByRole('button', { name: /^Jump/ }).last();
      for (const [label, isMoved] of [
        ['Cancel', false],
        ['Move the clock', true],
      ] as const) {
        await last.click();
        expect(await barriers(page)).toEqual([]);
        await question(page).getByRole('button', { name: label }).click();
        await expect.poll(() => sandbox.clock.now() > before + 3_600_000).toBe(isMoved);
      }
    }));

  it('is left and moved by the keyboard alone', () =>
    opened(AT, async ({ page, sandbox }) => {
      const [, second] = sandbox.clock.agenda();
      const focused = () =>
        page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);
      await ruler(page).getByRole('button', { name: /^Jump/ }).first().focus();
      await page.keyboard.press('ArrowRight');
      await expect.poll(focused).toMatch(/^Jump /);
      for (let tabs = 0; !(await focused())?.includes('in ') && tabs < 9; tabs += 1) await page.keyboard.press('Tab');
      await page.keyboard.press('ArrowDown');
      await expect.poll(focused).toContain(second?.what);
      await page.keyboard.press('Tab');
      expect(await focused()).toBe(`Go there: ${second?.what}`);
      await page.keyboard.press('Enter');
      const hasMoved = () => sandbox.clock.now() === second?.at;
      await expect.poll(async () => hasMoved() || (await question(page).isVisible())).toBe(true);
    }));

  it.each([1_440, 1_024, 768, 360])('tells attempts at one moment in one row, to everybody at %i px', (width) =>
    opened({ ...AT, width, scheme: width > 1_000 ? 'light' : 'dark' }, async ({ page, sandbox }) => {
      sandbox.inbox.answer({ name: 'down', status: 500 });
      for (let count = 0; count < 3; count += 1) sandbox.webhooks.register({ url: sandbox.inbox.url('down') });
      await sandbox.webhooks.trigger('quote.executed');
      sandbox.advance(1);
      await choose(page, 'deliveries');
      await timers(page).getByRole('link', { name: '3 deliveries are attempted.' }).waitFor();
      await expect.poll(() => timers(page).count()).toBe(1);
      expect(await barriers(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    }),
  );
});
