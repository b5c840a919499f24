import { readFile } from 'node:fs/promises';
import { createSandbox } from 'partner-sdk/sandbox';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { opened } from './support/browser.js';
import { chromiumOfFile } from './support/chromium.js';

const browser = chromiumOfFile();
const ACCOUNT = createSandbox().fixtures.accountId;

const BUY = { from: { symbol: 'USD', type: 'fiat', amount: '100.00' }, to: { symbol: 'BTC', type: 'crypto' } };

type Setting = Parameters<Parameters<typeof opened>[1]>[0];

async function buy({ client, sandbox }: Setting): Promise<string> {
  const { accountId } = sandbox.fixtures;
  const { id } = await client.accounts.quotes.create(accountId, BUY);
  await client.accounts.quotes.execute(accountId, id);
  return id;
}

const rows = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).locator('tbody tr');

const amountIn = (text: string): string | undefined => /\S+(?= fiat:)/.exec(text)?.[0];

const story = (page: Page) => page.getByRole('region', { name: /^Changes of the balance/ });

/** Lets the reader save a file, and returns its text. */
async function saved(page: Page, button: string, nth = 0): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).nth(nth).click(),
  ]);
  return await readFile(await file.path(), 'utf8');
}

describe('money', () => {
  it('tells in two clicks how a balance came to be, to the last digit', async () => {
    await opened(browser, async (setting) => {
      const { sandbox, page } = setting;
      const id = await buy(setting);
      sandbox.advance(2_000);
      // More digits than a number of the browser has.
      const total = '123456789012345678901.000000000000000009';
      sandbox.accounts.setBalance(ACCOUNT, { symbol: 'SHIB', total });
      await page.getByRole('link', { name: 'Money' }).click();
      await page
        .getByRole('link', {
          name: `123,456,789,012,345,678,901.000000000000000009 crypto:SHIB of ${ACCOUNT}: every change`,
        })
        .click();
      await story(page)
        .getByText('It adds up: 82,869,187,554.01901 and 1 change are 123,456,789,012,345,678,901.000000000000000009')
        .waitFor();

      await page.getByRole('link', { name: 'All balances' }).click();
      await page.getByRole('link', { name: new RegExp(`52,439.85 fiat:USD of ${ACCOUNT}`) }).click();
      const lines = rows(page, 'The balance from its beginning to now');
      const cells = () =>
        lines.evaluateAll((all) =>
          all.map((row) => [...row.querySelectorAll('td')].slice(1, 5).map(({ textContent }) => textContent)),
        );
      await expect.poll(cells).toEqual([
        ['', '52,539.85', '', ''],
        ['-99.75', '52,440.1', 'to exchange', `quotes ${id.slice(0, 8)}`],
        ['-0.25', '52,439.85', 'to fees', `quotes ${id.slice(0, 8)}`],
      ]);
      await lines.nth(1).getByRole('link', { name: 'timer quote.finish' }).click();
      await page.getByRole('region', { name: /^Entry/ }).waitFor();
    });
  });

  it('shows what orders hold, and which', async () => {
    await opened(
      browser,
      async (setting) => {
        const { sandbox, page } = setting;
        const id = await buy(setting);
        const row = page.getByRole('row').filter({ has: page.getByRole('cell', { name: 'fiat:USD' }) });
        const held = `100.00 by quotes ${id.slice(0, 8)}`;
        await expect.poll(() => row.first().innerText()).toContain(held.replace('100.00', '100'));
        await expect.poll(() => row.first().innerText()).toMatch(/52,539\.85\s+52,439\.85\s+52,539\.85/);
        sandbox.advance(2_000);
        await expect.poll(() => row.first().innerText()).toMatch(/52,439\.85\s+52,439\.85\s+52,439\.85$/);
      },
      { at: `#/money/${ACCOUNT}` },
    );
  });

  it('shows postings as they come, and proves that none is made or lost', async () => {
    await opened(
      browser,
      async (setting) => {
        const { sandbox, page } = setting;
        await page.getByText('No money has moved.').waitFor();
        await page.getByText('The books balance: no sum of the 8 assets has changed.').waitFor();
        await buy(setting);
        sandbox.advance(2_000);
        const postings = page.getByRole('region', { name: 'Postings' }).getByRole('listitem');
        await expect
          .poll(() => postings.allInnerTexts())
          .toEqual([
            expect.stringMatching(/0\.00147926 crypto:BTC\s+exchange → .*\s+timer quote\.finish/),
            expect.stringMatching(/0\.25 fiat:USD\s+.* → fees/),
            expect.stringMatching(/99\.75 fiat:USD\s+.* → exchange/),
          ]);
        const usd = rows(page, 'Sums by asset').filter({ hasText: 'fiat:USD' });
        await expect.poll(() => usd.innerText()).toMatch(/331,843\.96\s+99\.75\s+0\.25\s+0\s+331,943\.96\s+0 ✓/);

        await sandbox.reset();
        await page.getByText('No money has moved.').waitFor();
      },
      { at: '#/money' },
    );
  });

  it('shows each posting once, also when more come while it reads them', async () => {
    await opened(
      browser,
      async ({ sandbox, page }) => {
        await page.getByText('No money has moved.').waitFor();
        const held: (() => void)[] = [];
        await page.route(/_sandbox\/postings(\?|$)/, async (route) => {
          const answer = await route.fetch();
          await new Promise<void>((resolve) => held.push(resolve));
          await route.fulfill({ response: answer });
        });
        const deposit = (amount: string) => sandbox.accounts.deposit(ACCOUNT, { symbol: 'EUR', amount });
        const shown = (holding: string) =>
          page.getByRole('link', { name: `${holding} fiat:EUR of ${ACCOUNT}` }).waitFor();
        deposit('0.01');
        await expect.poll(() => held.length).toBe(1);
        deposit('0.02');
        // What is read beside it is read at once.
        await shown('39,878.66');
        deposit('0.03');
        await shown('39,878.69');
        await page.getByText('No money has moved.').waitFor();
        const readOn = setInterval(() => {
          for (const answer of held.splice(0)) answer();
        }, 50);
        const postings = page.getByRole('region', { name: 'Postings' });
        await postings.getByText('0.03 fiat:EUR').waitFor();
        const amounts = async () => (await postings.getByRole('listitem').allInnerTexts()).map(amountIn);
        await expect.poll(amounts).toEqual(['0.03', '0.02', '0.01']);
        clearInterval(readOn);
      },
      { at: '#/money' },
    );
  });

  it('says that the books do not balance, if they do not', async () => {
    const { books } = createSandbox();
    const check = { ...books.check(), isBalanced: false };
    const [first, ...rest] = check.assets;
    await opened(
      browser,
      async ({ page }) => {
        await page.route('**/books/check', (route) =>
          route.fulfill({ json: { data: { ...check, assets: [{ ...first, change: '-0.5' }, ...rest] } } }),
        );
        await page.reload();
        await page.getByRole('link', { name: 'Money' }).click();
        await page.getByText('The books do not balance. Changed: crypto:BTC by -0.5.').waitFor();
        await page.getByText('-0.5 ✗').waitFor();
      },
      { at: '#/timeline' },
    );
  });

  it('is deposited and set by forms', async () => {
    await opened(
      browser,
      async ({ sandbox, page }) => {
        const fill = async (title: string, texts: Readonly<Record<string, string>>) => {
          const fold = page.locator('details.form', { has: page.getByText(`${title} …`, { exact: true }) });
          await fold.locator('summary').click();
          for (const [label, text] of Object.entries(texts)) {
            const name = page.locator('.field-name').getByText(label, { exact: true });
            await fold.locator('.field', { has: name }).locator('input').fill(text);
          }
          await fold.getByRole('button', { name: title, exact: true }).click();
        };
        const held = () => sandbox.books.holdings(ACCOUNT).find(({ asset }) => asset === 'fiat:EUR')?.available;
        await fill('Deposit', { Amount: '0.01' });
        await page.getByText('39,878.64 EUR').waitFor();
        expect(held()).toBe('39878.64');
        await fill('Set balance', { Available: '5' });
        await page.getByText('It adds up: 39,878.63 and 2 changes are 5, to the last digit.').waitFor();
        expect(held()).toBe('5');
      },
      { at: `#/money/${ACCOUNT}/fiat%3AEUR` },
    );
  });

  it('has its asset in the address: a reload shows the same', async () => {
    await opened(
      browser,
      async ({ page }) => {
        const asset = page.getByLabel('Asset', { exact: true });
        await asset.selectOption('fiat:EUR');
        await page.reload();
        await page.getByRole('cell', { name: 'fiat:EUR' }).first().waitFor();
        expect(await asset.inputValue()).toBe('fiat:EUR');
        const held = page.getByRole('region', { name: `Balances of ${ACCOUNT}` }).locator('tbody tr');
        await expect.poll(() => held.count()).toBe(1);
      },
      { at: `#/money/${ACCOUNT}` },
    );
  });

  it('is exported as CSV, in which nothing is a formula', async () => {
    await opened(
      browser,
      async ({ sandbox, page }) => {
        sandbox.users.add({ external_reference: '=HYPERLINK("http://x"),"a"' });
        sandbox.accounts.deposit(ACCOUNT, { symbol: 'EUR', amount: '1.5' });
        sandbox.accounts.setBalance(ACCOUNT, { symbol: 'EUR', available: '39000' });
        await page.getByRole('cell', { name: '39,000' }).first().waitFor();
        const balances = await saved(page, 'Export CSV');
        expect(balances).toContain(`${ACCOUNT},customer-1000 main,fiat:EUR,39000,39000,0,\r\n`);
        const added = sandbox.users.list().at(-1)?.accounts[0]?.id ?? '';
        sandbox.accounts.setBalance(added, { symbol: 'USD', total: '3' });
        await page.locator('summary', { hasText: added }).click();
        await page.getByRole('link', { name: new RegExp(`^3 fiat:USD of ${added}`) }).waitFor();
        await expect
          .poll(() => saved(page, 'Export CSV'))
          .toContain(`${added},"'=HYPERLINK(""http://x""),""a"" main",fiat:USD,3,3,0,\r\n`);
        await expect
          .poll(() => saved(page, 'Export CSV', 1))
          .toMatch(
            new RegExp(`^seq,time,from,to,amount,asset,[^]*,outside,${ACCOUNT},1\\.5,fiat:EUR,-1\\.5,39880\\.13,`),
          );

        await page.getByRole('link', { name: new RegExp(`39,000 fiat:EUR of ${ACCOUNT}`) }).click();
        await story(page).getByText('It adds up').waitFor();
        // A number below 0 stays one.
        expect(await saved(page, 'Export CSV')).toMatch(/,-880\.13,39000,/);
      },
      { at: '#/money' },
    );
  });

  it('says that a sandbox without inspect keeps no postings', async () => {
    await opened(
      browser,
      async ({ sandbox, page }) => {
        await page.getByText('This sandbox keeps no postings: inspect is off.').waitFor();
        sandbox.accounts.deposit(ACCOUNT, { symbol: 'BTC', amount: '1' });
        await page.getByRole('link', { name: /^1\.9549492 crypto:BTC/ }).click();
        await page.getByText('So the page knows the balance, but not its changes.').waitFor();
      },
      { at: '#/money', options: { inspect: false } },
    );
  });
});
