import { createSandbox } from 'partner-sdk/sandbox';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { opened, type Setting } from './support/browser.js';

const ACCOUNT = createSandbox().fixtures.accountId;
const BUY = { from: { symbol: 'USD', type: 'fiat', amount: '100.00' }, to: { symbol: 'BTC', type: 'crypto' } };

const shown = (at: string, use: (setting: Setting) => Promise<void>, look = {}) => opened({ at, ...look }, use);

async function buy({ client }: Setting): Promise<string> {
  const { id } = await client.accounts.quotes.create(ACCOUNT, BUY);
  await client.accounts.quotes.execute(ACCOUNT, id);
  return id;
}

/** A balance of the first customer: its name begins with what is available. */
const balance = (page: Page, asset: string, amount: string) =>
  page.getByRole('link', { name: `${amount} ${asset} of customer-1000 main` });
const pane = (page: Page, symbol: string) =>
  page.getByRole('region', { name: `Balance of customer-1000 main · ${symbol}`, exact: true });
const postings = (page: Page) => page.getByRole('list', { name: 'Postings, newest first' }).getByRole('listitem');
const accounts = (page: Page) => page.getByRole('table').first().locator('tbody tr');

const saysAll = (rows: Locator, wanted: readonly unknown[]) =>
  expect.poll(async () => (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim())).toEqual(wanted);

describe('balances', () => {
  it('tell in two clicks how they came to be, to the last digit', () =>
    shown('', async (setting) => {
      const { sandbox, page } = setting;
      const id = await buy(setting);
      sandbox.advance(2_000);
      // More digits than a number of the browser has.
      const total = '123456789012345678901.000000000000000009';
      sandbox.accounts.setBalance(ACCOUNT, { symbol: 'SHIB', total });
      const grouped = '123,456,789,012,345,678,901.000000000000000009';
      await page.getByRole('link', { name: 'Money', exact: true }).click();
      await balance(page, 'crypto:SHIB', grouped).click();
      await pane(page, 'SHIB').getByText(`82,869,187,554.01901 and 1 change are ${grouped}, to the last`).waitFor();

      await balance(page, 'fiat:USD', '52,439.85').click();
      const lines = pane(page, 'USD').locator('tbody tr');
      const quote = `for quotes ${id.slice(0, 8)}`;
      await saysAll(lines, [
        '52,539.85 opening balance',
        `-99.75 52,440.1 timer quote.finish 0 ms ago to exchange ${quote}`,
        `-0.25 52,439.85 timer quote.finish 0 ms ago to fees ${quote}`,
      ]);
      await page.goBack();
      await pane(page, 'SHIB').waitFor();
      await page.goForward();
      await lines.nth(1).getByRole('link', { name: 'timer quote.finish' }).click();
      await page.getByRole('region', { name: /^Entry/ }).waitFor();
    }));

  it('show what orders hold, and which, only where they hold something', () =>
    shown('#/money', async (setting) => {
      const { sandbox, page } = setting;
      await balance(page, 'fiat:USD', '52,539.85').waitFor();
      await saysAll(accounts(page).getByText(/held/), []);
      const id = await buy(setting);
      await balance(page, 'fiat:USD', '52,439.85').click();
      await saysAll(accounts(page).getByText(/held/), [`+ 100 held by quotes ${id.slice(0, 8)}`]);
      await expect.poll(() => pane(page, 'USD').innerText()).toMatch(/held\s+100 held by .*\s+total\s+52,539.85/);
      sandbox.advance(2_000);
      await saysAll(accounts(page).getByText(/held/), []);
    }));

  it('light up where they change, and nowhere else', () =>
    shown('#/money', async ({ sandbox, page }) => {
      await balance(page, 'fiat:EUR', '39,878.63').waitFor();
      await page.evaluate(() => {
        document.title = '';
        addEventListener('animationstart', ({ target }) => {
          document.title += ` ${(target as HTMLElement).textContent}`;
        });
      });
      sandbox.accounts.deposit(ACCOUNT, { symbol: 'EUR', amount: '0.01' });
      await expect.poll(() => page.title()).toBe('39,878.64');
      sandbox.accounts.deposit(ACCOUNT, { symbol: 'EUR', amount: '0.02' });
      await expect.poll(() => page.title()).toBe('39,878.64 39,878.66');
    }));

  it('say that the books balance, or by how much they do not', () =>
    shown('#/money', async ({ sandbox, page }) => {
      await page.getByText('The books balance', { exact: true }).waitFor();
      const [first, ...rest] = sandbox.books.check().assets;
      const check = { negative: [], unexplained: [], assets: [{ ...first, change: '-0.5' }, ...rest] };
      await page.route('**/books/check', (route) => route.fulfill({ json: { data: check } }));
      await page.reload();
      await page.getByText('The books do not balance', { exact: true }).waitFor();
      await page.getByText('Changed: crypto:BTC by -0.5.').waitFor();
    }));

  it('of hundreds of accounts are found by holder and asset, which the address keeps', () =>
    shown('#/money', async ({ sandbox, page }) => {
      for (let count = 0; count < 200; count += 1) {
        sandbox.users.add({ external_reference: `shop-${count}`, balances: { BTC: '1', EUR: '2' } });
      }
      await page.getByText(/^\d+ of 208 accounts\. Search/).waitFor();
      expect(await page.locator('*').count()).toBeLessThan(3_000);
      await page.keyboard.press('/');
      await page.keyboard.type('SHOP-199');
      await saysAll(accounts(page), ['shop-199 main 1 2']);
      await page.getByRole('button', { name: 'Filter by + asset' }).click();
      await page.getByRole('list', { name: 'assets' }).getByRole('button', { name: 'fiat:EUR' }).click();
      await page.reload();
      await saysAll(accounts(page), ['shop-199 main 2']);
      await page.goBack();
      await saysAll(accounts(page), ['shop-199 main 1 2']);
    }));
});

describe('a balance', () => {
  it('is deposited and set by forms, and emptied by a click that *Undo* takes back', () =>
    shown(`#/money/${ACCOUNT}/fiat%3AEUR`, async ({ sandbox, page }) => {
      const details = pane(page, 'EUR');
      const fill = async (title: string, label: string, text: string) => {
        await details.getByText(`${title} …`, { exact: true }).click();
        await details.getByLabel(label, { exact: true }).fill(text);
        await details.getByRole('button', { name: title, exact: true }).click();
      };
      const held = () => sandbox.books.holdings(ACCOUNT).find(({ asset }) => asset === 'fiat:EUR')?.available;
      await fill('Deposit', 'Amount', '0.01');
      await balance(page, 'fiat:EUR', '39,878.64').waitFor();
      await fill('Set balance', 'Available', '5');
      await details.getByText('It adds up: 39,878.63 and 2 changes are 5, to the last digit.').waitFor();
      await details.getByRole('button', { name: 'Empty customer-1000 main · EUR' }).click();
      await page.getByText('customer-1000 main · EUR is empty').waitFor();
      expect(held()).toBe('0');
      await page.getByRole('button', { name: 'Undo' }).click();
      await balance(page, 'fiat:EUR', '5').waitFor();
      expect(held()).toBe('5');
    }));

  it('leads to the changes that are too old for its table', () =>
    shown(`#/money/${ACCOUNT}/fiat%3AEUR`, async ({ sandbox, page }) => {
      for (let count = 0; count < 30; count += 1) sandbox.accounts.deposit(ACCOUNT, { symbol: 'EUR', amount: '0.01' });
      await pane(page, 'EUR').getByText('39,878.63 and 30 changes are 39,878.93').waitFor();
      await pane(page, 'EUR').getByRole('link', { name: 'after 10 older changes' }).click();
      await page.getByText('30 movements of money').waitFor();
    }));

  it('says that a sandbox without inspect keeps no postings', () =>
    shown(
      `#/money/${ACCOUNT}/crypto%3ABTC`,
      async ({ sandbox, page }) => {
        sandbox.accounts.deposit(ACCOUNT, { symbol: 'BTC', amount: '1' });
        await balance(page, 'crypto:BTC', '1.9549492').waitFor();
        await pane(page, 'BTC').getByText('This sandbox keeps no postings: inspect is off.').waitFor();
      },
      { options: { inspect: false } },
    ));
});

describe('postings', () => {
  it('come as money moves, with the names of the holders, and go with a reset', () =>
    shown('#/money?show=postings', async (setting) => {
      const { sandbox, page } = setting;
      await page.getByText('No money has moved.').waitFor();
      await buy(setting);
      sandbox.advance(2_000);
      await saysAll(postings(page), [
        '12:00:02 0.00147926 BTC exchange → customer-1000 main timer quote.finish',
        '12:00:02 0.25 USD customer-1000 main → fees timer quote.finish',
        '12:00:02 99.75 USD customer-1000 main → exchange timer quote.finish',
      ]);
      await page.getByRole('button', { name: 'Filter by + account' }).click();
      await page.getByRole('list', { name: 'accounts' }).getByRole('button', { name: 'fees' }).click();
      await expect.poll(() => postings(page).count()).toBe(1);
      await sandbox.reset();
      await page.getByText('No money has moved.').waitFor();
    }));

  it('are shown once each, also when more come while they are read', () =>
    shown(`#/money/${ACCOUNT}/fiat%3AEUR?show=postings`, async ({ sandbox, page }) => {
      await page.getByText('No money has moved.').waitFor();
      const held: (() => void)[] = [];
      await page.route(/_sandbox\/postings(\?|$)/, async (route) => {
        const answer = await route.fetch();
        await new Promise<void>((resolve) => held.push(resolve));
        await route.fulfill({ response: answer });
      });
      for (const [amount, available] of [
        ['0.01', '39,878.64'],
        ['0.02', '39,878.66'],
        ['0.03', '39,878.69'],
      ] as const) {
        sandbox.accounts.deposit(ACCOUNT, { symbol: 'EUR', amount });
        // What is read beside them is read at once.
        await pane(page, 'EUR').getByText(available, { exact: true }).first().waitFor();
        await expect.poll(() => held.length).toBeGreaterThan(0);
      }
      await page.getByText('No money has moved.').waitFor();
      const readOn = setInterval(() => {
        for (const answer of held.splice(0)) answer();
      }, 50);
      const amounts = async () => (await postings(page).allInnerTexts()).map((text) => /\S+(?= EUR)/.exec(text)?.[0]);
      await expect.poll(amounts).toEqual(['0.03', '0.02', '0.01']);
      clearInterval(readOn);
    }));
});
