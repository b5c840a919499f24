import { createSandbox } from 'partner-sdk/sandbox';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { copiedBy, go, opened, type Setting, showCurl } from './support/browser.js';

/** The same in every sandbox of one seed. */
const { accountId, userId, quoteId, conversionId, bankLinkId } = createSandbox().fixtures;
const SIDES = { from: { symbol: 'USD', type: 'fiat', amount: '1.00' }, to: { symbol: 'BTC', type: 'crypto' } };

/** What a resource that is not there brings about. */
const GONE = { expected: /status of 40[04]/ };

const shown = (at: string, use: (setting: Setting) => Promise<void>, look = {}) =>
  opened({ at: `#/resources/${at}`, ...look }, use);

const rows = (page: Page) => page.getByRole('list', { name: /, newest first$/ }).getByRole('link');
const rowOf = (page: Page, id: string) => rows(page).filter({ hasText: id });
const pane = (page: Page, id: string) => page.locator('main').getByRole('region', { name: new RegExp(`${id}$`) });
const partOf = (page: Page, id: string, name: string) => pane(page, id).getByRole('region', { name, exact: true });
const states = (page: Page) => page.getByRole('region', { name: 'State' }).getByRole('listitem');

/** Waits until the state of the resource that is open is this one. */
const isIn = (page: Page, state: string) => states(page).and(page.locator('[aria-current]')).getByText(state).waitFor();

const saysAll = (lines: Locator, wanted: readonly unknown[]) =>
  expect
    .poll(async () => (await lines.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim()))
    .toEqual(wanted);

/** Unfolds a form, fills its fields by their labels, and sends it. */
async function fill(place: Locator, title: string, texts: Readonly<Record<string, string>>): Promise<void> {
  await place.getByText(`${title} …`, { exact: true }).click();
  const form = place.locator('form', { has: place.page().getByRole('button', { name: title, exact: true }) });
  for (const [label, text] of Object.entries(texts)) {
    const field = form.getByLabel(label, { exact: true });
    const isChoice = (await field.evaluate(({ tagName }) => tagName)) === 'SELECT';
    await (isChoice ? field.selectOption(text) : field.fill(text));
  }
  await form.getByRole('button', { name: title, exact: true }).click();
}

describe('the resources', () => {
  const WIDE = { width: 1_440 };

  it('are listed by kind, with their number, state, holder and what comes next', () =>
    shown(
      'quotes',
      async ({ sandbox, page }) => {
        const kinds = page.getByRole('navigation', { name: 'Kinds of resources' });
        for (const { kind, count } of sandbox.resources.kinds()) {
          await kinds.locator(`a[href="#/resources/${kind}"]`, { hasText: String(count) }).waitFor();
        }
        await saysAll(rows(page), [expect.stringMatching(/offered 250\.00 USD .* in 30 s customer-1000 main$/)]);
        await kinds.getByRole('link', { name: 'Assets 46' }).click();
        await page.getByLabel('Search the resources').fill('bitcoin');
        await saysAll(rowOf(page, 'crypto:BTC'), [expect.stringContaining('67432.1')]);
      },
      WIDE,
    ));

  it('are filtered by text, account and state, which the address keeps', () =>
    shown('onDemandConversions', async ({ sandbox, page }) => {
      const wanted = sandbox.resources.list('onDemandConversions', { accountId, status: 'failed', limit: 1_000 });
      const search = page.getByLabel('Search the resources');
      await search.fill(conversionId.toUpperCase());
      await expect.poll(() => rows(page).count()).toBe(1);
      await search.fill('');
      await page.getByRole('button', { name: 'Filter by + account' }).click();
      await page.getByRole('list', { name: 'accounts' }).getByRole('button', { name: 'customer-1000 main' }).click();
      await page.getByRole('button', { name: 'Filter by + state' }).click();
      await page.getByRole('list', { name: 'states' }).getByRole('button', { name: 'failed' }).click();
      await page.reload();
      await rows(page)
        .first()
        .getByText(wanted[0]?.id ?? 'none')
        .waitFor();
      await expect.poll(() => rows(page).filter({ hasNotText: 'failed' }).count()).toBe(0);
      await page.goBack();
      await rowOf(page, 'converting').first().waitFor();
    }));

  it('are gone through by the keyboard', () =>
    shown('accounts', async ({ sandbox, page }) => {
      const ids = sandbox.resources.list('accounts', {}).map(({ id }) => id);
      await rowOf(page, ids[0] ?? '').click();
      await page.keyboard.press('ArrowDown');
      await pane(page, ids[1] ?? '').waitFor();
      await page.keyboard.press('j');
      await pane(page, ids[2] ?? '').waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Escape');
      await pane(page, ids[2] ?? '').waitFor({ state: 'detached' });
    }));
});

describe('a resource', () => {
  it('changes before the eyes of the reader: by a request, and by time', () =>
    shown('quotes', async ({ client, sandbox, page }) => {
      await rowOf(page, quoteId).click();
      await page.getByRole('heading', { name: 'Quote 250.00 USD → 0.00369809 BTC' }).waitFor();
      await page.getByText('In 30 s', { exact: true }).waitFor();
      await client.accounts.quotes.execute(accountId, quoteId);
      await isIn(page, 'executing');
      sandbox.advance(2_000);
      await isIn(page, 'executed');
      await saysAll(states(page), ['● offered', '● executing', '● executed', '○ failed', '○ expired']);
      await rowOf(page, 'executed').waitFor();
    }));

  it('says that it has expired by its time, though nothing has read it', () =>
    shown(`quotes/${quoteId}`, async ({ sandbox, page }) => {
      await isIn(page, 'offered');
      sandbox.advance(29_000);
      sandbox.clock.start();
      await isIn(page, 'expired');
    }));

  it('tells what happened to it, with all reads in one line', () =>
    shown(`quotes/${quoteId}`, async ({ client, sandbox, page }) => {
      sandbox.webhooks.register({ url: sandbox.inbox.url('life'), events: ['quote.executed'] });
      for (let count = 0; count < 29; count += 1) await client.accounts.quotes.get(accountId, quoteId);
      await client.accounts.quotes.execute(accountId, quoteId);
      sandbox.advance(2_000);
      await sandbox.webhooks.idle();
      const lines = partOf(page, quoteId, 'Over time').getByRole('listitem');
      await saysAll(lines, [
        '12:00:00 29 reads',
        'Execute quote 200, took effect',
        'offered → executing',
        '+2 s 249.37 fiat:USD customer-1000 main → exchange',
        '0.63 fiat:USD customer-1000 main → fees',
        '0.00369809 crypto:BTC exchange → customer-1000 main',
        'executing → executed timer quote.finish',
        expect.stringMatching(/^quote\.executed 200 delivered .*inbox\/life/),
      ]);
      await lines.getByRole('link', { name: 'timer quote.finish' }).click();
      await page.getByRole('region', { name: /^Entry/ }).waitFor();
    }));

  it('tells of the retry that changed nothing, though its path does not name it', () =>
    shown('withdrawals', async ({ client, sandbox, page }) => {
      sandbox.fail({ operation: 'funds.withdrawals.create', fault: 'reset', when: 'after', times: 1 });
      const body = { asset_symbol: 'BTC', key: 'cold-storage', amount: '0.0021' };
      const { ref_id } = await client.funds.withdrawals.create(accountId, body);
      await rowOf(page, ref_id).click();
      await page.getByRole('heading', { name: 'Withdrawal 0.0021 BTC to cold-storage' }).waitFor();
      await saysAll(partOf(page, ref_id, 'Over time').getByRole('listitem'), [
        expect.stringMatching(/^12:00:00 Create withdrawal took effect, response lost/),
        'pending',
        'Create withdrawal 200, replayed',
      ]);
    }));

  it('begins with its members, however much has happened to it', () =>
    shown(`accounts/${accountId}`, async ({ client, page }) => {
      for (let count = 0; count < 40; count += 1) {
        await client.accounts.quotes.create(accountId, SIDES);
        await client.accounts.portfolio.summary(accountId);
      }
      const lines = partOf(page, accountId, 'Over time').getByRole('listitem');
      const all = pane(page, accountId).getByRole('button', { name: 'Show all 80' });
      await all.waitFor();
      expect(await lines.count()).toBe(30);
      await all.click();
      await expect.poll(() => lines.count()).toBe(80);
      await partOf(page, accountId, 'Members').getByRole('link', { name: '8 assets' }).click();
      await page.getByRole('link', { name: /crypto:BTC of customer-1000 main/ }).waitFor();
    }));

  it('that is removed says so and keeps what was last seen of it, until *Undo* brings it back', () =>
    shown(
      `bankLinks/${bankLinkId}`,
      async ({ sandbox, page }) => {
        const actions = partOf(page, bankLinkId, 'Actions');
        await actions.getByRole('button', { name: 'Remove', exact: true }).click();
        await page.getByText('This resource was removed, or never existed').waitFor();
        expect(sandbox.resources.get('bankLinks', bankLinkId)).toBeUndefined();
        await actions.waitFor({ state: 'detached' });
        await pane(page, bankLinkId).getByText(bankLinkId).first().waitFor();
        await page.getByRole('button', { name: 'Undo' }).click();
        await actions.waitFor();
        expect(sandbox.resources.get('bankLinks', bankLinkId)).toBeDefined();
      },
      GONE,
    ));
});

describe('the actions of a resource', () => {
  it('are all that the sandbox names, say how they ended, and show themselves as curl', () =>
    shown('', async ({ sandbox, page }) => {
      for (const { kind } of sandbox.resources.kinds()) {
        const [one] = sandbox.resources.list(kind, { limit: 1 });
        if (one === undefined || one.moves.length === 0) continue;
        await go(page, `#/resources/${kind}/${encodeURIComponent(one.id)}`);
        const buttons = partOf(page, one.id, 'Actions').getByRole('button');
        await expect.poll(() => buttons.count(), { message: kind }).toBe(one.moves.length);
      }
      await go(page, `#/resources/quotes/${quoteId}`);
      await showCurl(page);
      const actions = partOf(page, quoteId, 'Actions');
      const line = await copiedBy(page, actions.getByRole('button', { name: 'Copy curl of fail' }));
      expect(line).toMatch(new RegExp(`_sandbox/quotes/fail --json '\\["${quoteId}"\\]'$`));
      await actions.getByRole('button', { name: 'Expire', exact: true }).click();
      await isIn(page, 'expired');
      await actions.getByText('Expire: done').waitFor();
      expect(sandbox.resources.get('quotes', quoteId)?.status).toBe('expired');
      await partOf(page, quoteId, 'Over time').getByRole('link', { name: 'quotes.expire' }).waitFor();
    }));

  it('that need more have forms, filled with what is known: each does what it says', () =>
    shown('users', async ({ sandbox, page }) => {
      await fill(page.getByRole('region', { name: 'Resources' }), 'Add a user', { 'External reference': 'new one' });
      await rowOf(page, 'new one').waitFor();
      const open = async (kind: string, id: string): Promise<Locator> => {
        await go(page, `#/resources/${kind}/${encodeURIComponent(id)}`);
        await partOf(page, id, 'Actions').waitFor();
        return partOf(page, id, 'Actions');
      };
      const account = await open('accounts', accountId);
      await fill(account, 'Deposit', { Symbol: 'BTC', Amount: '0.00000001' });
      const held = () => sandbox.books.holdings(accountId).find(({ asset }) => asset === 'crypto:BTC')?.total;
      await expect.poll(held).toBe('0.95494921');
      await fill(account, 'Convert', { Amount: '0.01' });
      await expect
        .poll(() => sandbox.resources.list('onDemandConversions', { accountId, limit: 1 })[0]?.record)
        .toMatchObject({ from: { amount: '0.01000000', symbol: 'BTC' }, to: { type: 'bank' }, status: 'converting' });
      await fill(await open('users', userId), 'Set the status', { State: 'pending' });
      await expect.poll(() => sandbox.users.list().find(({ id }) => id === userId)?.status.state).toBe('pending');
      await fill(await open('assets', 'crypto:BTC'), 'Set the price', { 'US dollars': '50000.5' });
      await expect.poll(() => sandbox.prices.list().find(({ symbol }) => symbol === 'BTC')?.usd).toBe('50000.5');
      const id = sandbox.resources.list('limits', { accountId, limit: 1 })[0]?.id ?? '';
      await fill(await open('limits', id), 'Set limits', { Remaining: '1' });
      await expect
        .poll(() => JSON.stringify(sandbox.resources.get('limits', id)?.record))
        .toMatch(/"remaining":"1(\.0*)?"/);
    }));

  it('keep what the reader writes while all else changes, and say why the sandbox rejects it', () =>
    shown(
      `accounts/${accountId}`,
      async ({ client, sandbox, page }) => {
        const actions = partOf(page, accountId, 'Actions');
        await actions.getByText('Set balance …').click();
        await actions.getByText(/^Sets an account's balance of an asset\./).waitFor();
        const total = actions.getByLabel('Total', { exact: true });
        await total.fill('12.');
        await actions.getByLabel('Symbol', { exact: true }).fill('NONE');
        await client.accounts.quotes.create(accountId, SIDES);
        sandbox.accounts.deposit(accountId, { symbol: 'BTC', amount: '1' });
        await page.getByText('Create quote').waitFor();
        expect(await total.inputValue()).toBe('12.');
        await actions.getByRole('button', { name: 'Set balance', exact: true }).click();
        await actions.getByText(/^accounts\.setBalance: .*/).waitFor();
      },
      GONE,
    ));
});
