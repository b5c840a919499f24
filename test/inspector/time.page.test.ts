import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { opened, showCurl } from './support/browser.js';
import { chromiumOfFile } from './support/chromium.js';

const browser = chromiumOfFile();

const AT = { at: '#/time' };
const SIDES = { from: { symbol: 'USD', type: 'fiat', amount: '100.00' }, to: { symbol: 'BTC', type: 'crypto' } };

const agenda = (page: Page) => page.getByRole('region', { name: 'Agenda', exact: true });
const timers = (page: Page) => agenda(page).getByRole('listitem');

describe('the view Time', () => {
  it('lists what is to come with its moment, its countdown and its resource', async () => {
    await opened(
      browser,
      async ({ page, sandbox, client }) => {
        await timers(page).first().waitFor();
        const { id } = await client.accounts.quotes.create(sandbox.fixtures.accountId, SIDES);
        const row = timers(page).filter({ hasText: id });
        await row.waitFor();
        const told = expect.poll(() => row.innerText());
        for (const text of [`Quote ${id} expires.`, 'in 30 s']) await told.toContain(text);
        expect(await row.getByTitle('2026-01-15 12:00:30.000 UTC').innerText()).toBe('in 30 s');
        await expect.poll(() => row.getByRole('link').getAttribute('href')).toBe(`#/resources/quotes/${id}`);
        sandbox.advance(10_000);
        await row.getByText('in 20 s').waitFor();
        sandbox.advance(20_000);
        await expect.poll(() => row.count()).toBe(0);
      },
      AT,
    );
  });

  it('tells the same as the sandbox, earliest first, and narrows it to one kind', async () => {
    await opened(
      browser,
      async ({ page, sandbox }) => {
        sandbox.fail({ fault: 503, forMs: 5_000 });
        const due = sandbox.clock.agenda();
        await timers(page).filter({ hasText: 'Trouble trouble_1 ends.' }).waitFor();
        await expect.poll(() => timers(page).first().innerText()).toContain(due[0]?.what);
        const choice = agenda(page).getByLabel('Show');
        const ends = due.filter(({ task }) => task.endsWith('.end')).length;
        expect(ends).toBe(1);
        await choice.selectOption('ends of faults');
        await expect.poll(() => timers(page).count()).toBe(ends);
        const drawing = agenda(page).getByRole('img');
        const name = expect.poll(() => drawing.getAttribute('aria-label'));
        await name.toContain(`ends of faults ${ends}`);
        await expect.poll(() => drawing.locator('circle').count()).toBeGreaterThan(1);
      },
      AT,
    );
  });

  it('goes to the next timer, and to a chosen one', async () => {
    await opened(
      browser,
      async ({ page, sandbox }) => {
        const [next] = sandbox.clock.agenda();
        await page.getByRole('button', { name: 'Move to the next timer', exact: true }).click();
        await page.getByText(`Reached: ${next?.what}`).waitFor();
        expect(sandbox.clock.now()).toBe(next?.at);
        const chosen = sandbox.clock.agenda().find(({ at }) => at > (next?.at ?? 0) + 60_000);
        const row = timers(page).filter({ hasText: chosen?.id ?? 'none' });
        const moment = new Date(chosen?.at ?? 0).toISOString().slice(11, 19);
        await row.getByRole('button', { name: `Go to ${moment}`, exact: true }).click();
        await expect.poll(() => sandbox.clock.now()).toBe(chosen?.at);
        const isPlanned = () => sandbox.clock.agenda().some(({ id, at }) => id === chosen?.id && at === chosen?.at);
        await expect.poll(isPlanned).toBe(false);
      },
      AT,
    );
  });

  it('moves the clock on with the deliveries on its way', async () => {
    await opened(
      browser,
      async ({ page, sandbox, client }) => {
        sandbox.inbox.answer({ name: 'down', status: 500 });
        sandbox.webhooks.register({ url: sandbox.inbox.url('down'), events: ['quote.executed'] });
        const { accountId } = sandbox.fixtures;
        const { id } = await client.accounts.quotes.create(accountId, SIDES);
        await client.accounts.quotes.execute(accountId, id);
        await showCurl(page);
        await page.getByLabel('Time (ms)', { exact: true }).fill('2 min');
        await page.getByLabel('Deliver', { exact: true }).selectOption('true');
        await page.getByText(`clock/advance --json '[120000,{"deliver":true}]'`).waitFor();
        const before = sandbox.clock.now();
        await page.getByRole('button', { name: 'Move the clock on', exact: true }).click();
        await expect.poll(() => sandbox.clock.now()).toBe(before + 120_000);
        await expect.poll(() => sandbox.webhooks.listDeliveries()[0]?.attempts.length).toBeGreaterThan(4);
        await agenda(page).getByLabel('Show').selectOption('deliveries and retries');
        await timers(page)
          .getByText(/^Delivery .* is attempted\.$/)
          .waitFor();
      },
      AT,
    );
  });

  it('tells attempts of several deliveries at one moment in one row', async () => {
    await opened(
      browser,
      async ({ page, sandbox }) => {
        sandbox.inbox.answer({ name: 'down', status: 500 });
        for (let count = 0; count < 3; count += 1) sandbox.webhooks.register({ url: sandbox.inbox.url('down') });
        await sandbox.webhooks.trigger('quote.executed');
        await agenda(page).getByLabel('Show').selectOption('deliveries and retries');
        await timers(page).getByRole('link', { name: '3 deliveries are attempted.' }).waitFor();
        await expect.poll(() => timers(page).count()).toBe(1);
      },
      AT,
    );
  });

  it('sets the clock to a moment, keeps what is typed, and tells that it cannot go back', async () => {
    await opened(
      browser,
      async ({ page, sandbox }) => {
        const moment = page.getByLabel('Time (ms since the epoch)', { exact: true });
        await moment.fill('2026-03-01T00:00:00Z');
        sandbox.advance(1_000);
        await page.locator('summary[title="Clock"]').getByText('12:00:01').waitFor();
        expect(await moment.inputValue()).toBe('2026-03-01T00:00:00Z');
        await page.getByRole('button', { name: 'Set the clock', exact: true }).click();
        await expect.poll(() => sandbox.clock.now()).toBe(Date.parse('2026-03-01T00:00:00Z'));
        await moment.fill('2020-01-01T00:00:00Z');
        await page.getByRole('button', { name: 'Set the clock', exact: true }).click();
        await page.getByText('it cannot go back to 2020-01-01').waitFor();
      },
      { ...AT, expected: /status of 400/ },
    );
  });
});
