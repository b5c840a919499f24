import { createSandbox, type Sandbox } from 'partner-sdk/sandbox';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { copiedBy, go, opened, showCurl } from './support/browser.js';
import { chromiumOfFile } from './support/chromium.js';

const browser = chromiumOfFile();

const detailsOf = (page: Page, name: RegExp) => page.getByRole('region', { name });

/** The row of a resource in the table of its kind. */
const rowOf = (page: Page, id: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name: id }) });

/** The actions of a resource. The details of the last one are seen until the page has gone on. */
const movesOf = (page: Page, id: string) =>
  page.locator('.details', { has: page.getByRole('heading', { name: id }) }).getByRole('region', { name: 'Actions' });

/** The state of the resource whose details are open, once it is this one. */
const stateIn = (page: Page, state: string) => page.locator('.details > p').getByText(state, { exact: true });

/** Unfolds a form and fills its fields by their labels. */
async function fill(page: Page, part: string, title: string, texts: Readonly<Record<string, string>>): Promise<void> {
  const fold = page.locator(`${part} details.form`, { has: page.getByText(`${title} …`, { exact: true }) });
  await fold.locator('summary').click();
  for (const [label, text] of Object.entries(texts)) {
    const name = page.locator('.field-name').getByText(label, { exact: true });
    const field = fold.locator('.field', { has: name }).locator('input, select, textarea');
    const isChoice = (await field.evaluate(({ tagName }) => tagName)) === 'SELECT';
    await (isChoice ? field.selectOption(text) : field.fill(text));
  }
  await fold.getByRole('button', { name: title, exact: true }).click();
}

describe('the resources', () => {
  it('are listed by kind, with their number, state and what comes next', async () => {
    await opened(
      browser,
      async ({ sandbox, page }) => {
        const { quoteId } = sandbox.fixtures;
        for (const { kind, count } of sandbox.resources.kinds()) {
          await page.locator(`a[href="#/resources/${kind}"]`, { hasText: String(count) }).waitFor();
        }
        await expect.poll(() => rowOf(page, quoteId).innerText()).toMatch(/offered[\s\S]*30 s[\s\S]*250\.00 USD/);
        await page.getByRole('link', { name: 'assets 46' }).click();
        await expect.poll(() => rowOf(page, 'crypto:BTC').innerText()).toContain('67432.1');
      },
      { at: '#/resources' },
    );
  });

  it('are filtered by text, account and state', async () => {
    await opened(
      browser,
      async ({ sandbox, page }) => {
        const { accountId, conversionId } = sandbox.fixtures;
        const rows = page.locator('tbody tr');
        await expect.poll(() => rows.count()).toBe(100);
        await page.getByLabel('Search the resources').fill(conversionId.toUpperCase());
        await expect.poll(() => rows.count()).toBe(1);
        await page.getByLabel('Search the resources').fill('');
        await page.getByLabel('Account', { exact: true }).selectOption(accountId);
        const wanted = sandbox.resources.list('onDemandConversions', { accountId, limit: 1_000 });
        await expect.poll(() => rows.first().innerText()).toContain(wanted[0]?.id);
        await page.getByLabel('State').selectOption('failed');
        const failed = wanted.filter(({ status }) => status === 'failed');
        await expect.poll(() => rows.count()).toBe(Math.min(100, failed.length));
        const others = page.getByText('converting', { exact: true }).locator('visible=true');
        await expect.poll(() => others.count()).toBe(0);
      },
      { at: '#/resources/onDemandConversions' },
    );
  });

  it('change before the eyes of the reader: by a request, and by time', async () => {
    await opened(
      browser,
      async ({ client, sandbox, page }) => {
        const { accountId, quoteId } = sandbox.fixtures;
        await page.getByRole('link', { name: quoteId }).click();
        const details = detailsOf(page, /^Quotes/);
        await stateIn(page, 'offered').waitFor();
        await details.getByText('In 30 s', { exact: true }).waitFor();
        await client.accounts.quotes.execute(accountId, quoteId);
        await stateIn(page, 'executing').waitFor();
        sandbox.advance(2_000);
        await stateIn(page, 'executed').waitFor();
        await expect.poll(() => rowOf(page, quoteId).innerText()).toContain('executed');
        const past = details.getByRole('region', { name: 'History' });
        await past.getByRole('link', { name: 'timer quote.finish' }).waitFor();
        await past.getByRole('link', { name: 'request accounts.quotes.execute' }).click();
        await page.getByRole('region', { name: /^Entry/ }).waitFor();
      },
      { at: '#/resources/quotes' },
    );
  });
});

describe('a resource', () => {
  type Opened = Parameters<Parameters<typeof opened>[1]>[0];

  it.each<[kind: string, id: (setting: Opened) => string, move: string, state: string]>([
    ['quotes', ({ sandbox }) => sandbox.fixtures.quoteId, 'Expire', 'expired'],
    ['earn', ({ sandbox }) => sandbox.fixtures.accountId, 'Enable', 'enabled'],
  ])('of %s is moved by a button, and says how it ended', async (kind, idIn, move, state) => {
    await opened(browser, async (setting) => {
      const { sandbox, page } = setting;
      const id = idIn(setting);
      await go(page, `#/resources/${kind}/${encodeURIComponent(id)}`);
      const moves = page.getByRole('region', { name: 'Actions' });
      await moves.getByRole('button', { name: move, exact: true }).click();
      await stateIn(page, state).waitFor();
      expect(sandbox.resources.get(kind, id)?.status).toBe(state);
      await moves.getByText(`${move}: done`).waitFor();
      const by = page
        .getByRole('region', { name: 'History' })
        .getByRole('link', { name: /^control / })
        .first();
      await expect.poll(() => by.innerText()).toMatch(/^control \w+\.\w+$/);
    });
  });

  it('offers every move that the sandbox names, and each as a curl line', async () => {
    await opened(browser, async ({ sandbox, page }) => {
      for (const { kind } of sandbox.resources.kinds()) {
        const [one] = sandbox.resources.list(kind, { limit: 1 });
        if (one === undefined || one.moves.length === 0) continue;
        await go(page, `#/resources/${kind}/${encodeURIComponent(one.id)}`);
        const buttons = movesOf(page, one.id).locator('.moves button:not(.quiet)');
        await expect.poll(() => buttons.count(), { message: kind }).toBe(one.moves.length);
      }
      const { quoteId } = sandbox.fixtures;
      await go(page, `#/resources/quotes/${quoteId}`);
      await showCurl(page);
      const line = await copiedBy(page, movesOf(page, quoteId).getByRole('button', { name: 'Copy curl of fail' }));
      expect(line).toMatch(new RegExp(`_sandbox/quotes/fail --json '\\["${quoteId}"\\]'$`));
    });
  });

  it('that is gone says so, and keeps what was last seen of it', async () => {
    const { bankLinkId } = await fixtures();
    await opened(
      browser,
      async ({ sandbox, page }) => {
        await page.getByRole('button', { name: 'Remove', exact: true }).click();
        await page.getByText('This resource was removed, or never existed').waitFor();
        expect(sandbox.resources.get('bankLinks', bankLinkId)).toBeUndefined();
        await page.getByText(bankLinkId).first().waitFor();
        await expect.poll(() => page.getByRole('region', { name: 'Actions' }).count()).toBe(0);
      },
      { at: `#/resources/bankLinks/${bankLinkId}`, expected: /status of 40[04]/ },
    );
  });

  it('shows its life on a line: requests, moves, postings and deliveries', async () => {
    await opened(browser, async ({ client, sandbox, page }) => {
      const { accountId, quoteId } = sandbox.fixtures;
      sandbox.webhooks.register({ url: sandbox.inbox.url('life'), events: ['quote.executed'] });
      await client.accounts.quotes.execute(accountId, quoteId);
      sandbox.advance(2_000);
      await sandbox.webhooks.idle();
      await go(page, `#/resources/quotes/${quoteId}`);
      const moments = page.getByRole('region', { name: 'Life' }).getByRole('listitem');
      await moments.getByText('quote.executed 200').waitFor();
      await expect
        .poll(async () => (await moments.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')))
        .toEqual([
          '12:00:00 quotes.execute 200 → executing',
          '+ 2 s 249.37 USD 0.63 USD 0.00369809 BTC → executed quote.executed 200',
        ]);
      await moments.getByText('→ executed').click();
      await page.getByRole('region', { name: /^Entry/ }).waitFor();
    });
  });

  it('says that it has expired by its time, though nothing has read it', async () => {
    const { quoteId } = await fixtures();
    await opened(
      browser,
      async ({ sandbox, page }) => {
        await stateIn(page, 'offered').waitFor();
        sandbox.advance(29_000);
        sandbox.clock.start();
        await stateIn(page, 'expired').waitFor();
      },
      { at: `#/resources/quotes/${quoteId}` },
    );
  });

  it('has forms for moves of an account that need more: each does what it says', async () => {
    const { accountId } = await fixtures();
    await opened(
      browser,
      async ({ sandbox, page }) => {
        const held = (asset: string) => sandbox.books.holdings(accountId).find((one) => one.asset === asset)?.total;
        await fill(page, '.details', 'Deposit', { Symbol: 'BTC', Amount: '0.00000001' });
        await expect.poll(() => held('crypto:BTC')).toBe('0.95494921');
        await fill(page, '.details', 'Set balance', { Symbol: 'EUR', Total: '12.34' });
        await expect.poll(() => held('fiat:EUR')).toBe('12.34');
        await fill(page, '.details', 'Convert', { Amount: '0.01' });
        await expect
          .poll(() => sandbox.resources.list('onDemandConversions', { accountId, limit: 1 })[0]?.record)
          .toMatchObject({ from: { amount: '0.01000000', symbol: 'BTC' }, to: { type: 'bank' }, status: 'converting' });
      },
      { at: `#/resources/accounts/${accountId}` },
    );
  });

  it('has forms for moves of all else that need more: each does what it says', async () => {
    const { accountId, userId } = await fixtures();
    const at = (hash: string) => `#/resources/${hash}`;
    await opened(
      browser,
      async ({ sandbox, page }) => {
        const action = '{"type": "document", "name": "passport"}';
        await page.getByText('Set the status …').click();
        await page.getByRole('button', { name: 'add required actions' }).click();
        await page.getByText('Set the status …').click();
        await fill(page, '.details', 'Set the status', { State: 'pending', 'Required actions 1': action });
        await expect
          .poll(() => sandbox.users.list().find(({ id }) => id === userId)?.status)
          .toEqual({ state: 'pending', required_actions: [JSON.parse(action)] });

        await go(page, at('assets/crypto%3ABTC'));
        await fill(page, '.details', 'Set the price', { 'US dollars': '50000.5' });
        await expect.poll(() => sandbox.prices.list().find(({ symbol }) => symbol === 'BTC')?.usd).toBe('50000.5');
        await page.getByText('Disable …').click();
        await page.getByLabel('withdraw').first().check();
        await page.getByRole('button', { name: 'Disable', exact: true }).click();
        await expect
          .poll(() => sandbox.assets.list().find(({ symbol }) => symbol === 'BTC')?.status.withdraw.enabled)
          .toBe(false);

        const [limit] = sandbox.resources.list('limits', { accountId, limit: 1 });
        await go(page, at(`limits/${limit?.id}`));
        await fill(page, '.details', 'Set limits', { Remaining: '1' });
        await expect
          .poll(() => JSON.stringify(sandbox.resources.get('limits', limit?.id ?? '')?.record))
          .toMatch(/"remaining":"1(\.0*)?"/);

        await go(page, at('users'));
        await fill(page, '.list', 'Add a user', { 'External reference': 'new one', Balances: '{"BTC": "2"}' });
        await page.getByRole('cell', { name: 'new one' }).waitFor();
      },
      { at: at(`users/${userId}`) },
    );
  });

  it('says at each form what the sandbox describes: effects, defaults and limits', async () => {
    await opened(
      browser,
      async ({ page, sandbox }) => {
        await go(page, `#/resources/accounts/${sandbox.fixtures.accountId}`);
        const fold = page.locator('details.form', { has: page.getByText('Set balance …', { exact: true }) });
        await fold.locator('summary').click();
        await fold.getByText(/^Sets an account's balance of an asset\. The difference comes from outside/).waitFor();
      },
      { at: '#/resources' },
    );
  });

  it('keeps what the reader writes while all else changes, and says why the sandbox refuses it', async () => {
    const { accountId } = await fixtures();
    await opened(
      browser,
      async ({ client, sandbox, page }) => {
        const fold = page.locator('details.form', { has: page.getByText('Set balance …') });
        await fold.locator('summary').click();
        await fold.getByLabel('Total').fill('12.');
        await fold.getByLabel('Symbol').fill('NONE');
        await client.users.get(sandbox.fixtures.userId);
        sandbox.accounts.deposit(accountId, { symbol: 'BTC', amount: '1' });
        await page.getByText('books balance').waitFor();
        await sandbox.requests.waitFor({ operation: 'users.get' });
        expect(await fold.getByLabel('Total').inputValue()).toBe('12.');
        await fold.getByRole('button', { name: 'Set balance', exact: true }).click();
        await fold.getByText(/^accounts\.setBalance: .*/).waitFor();
      },
      { at: `#/resources/accounts/${accountId}`, expected: /status of 40[04]/ },
    );
  });
});

/** The same in every sandbox of one seed. */
async function fixtures(): Promise<Sandbox['fixtures']> {
  await using sandbox = createSandbox();
  return sandbox.fixtures;
}
