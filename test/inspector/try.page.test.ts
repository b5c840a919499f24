import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { labelOf } from '../../src/resources/labels.js';
import { operations } from '../../src/resources/operations.js';
import { barriers, copiedBy, go, opened, showCurl } from './support/browser.js';

const response = (page: Page) => page.getByRole('region', { name: 'Response', exact: true });
const form = (page: Page, title: string) => page.getByRole('form', { name: title, exact: true });
const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).click();

/** The operations in parts, so that no test is long. */
const PARTS = Array.from({ length: 5 }, (_, part) => operations.filter((_one, index) => index % 5 === part));

describe('a new form', () => {
  it.each(PARTS.map((part, index) => [index + 1, part] as const))(
    'of every operation can be sent as it stands, part %i',
    async (_, part) => {
      await opened({ at: '#/try', options: { seed: 7 } }, async ({ page, sandbox }) => {
        const statuses: [string, string][] = [];
        for (const one of part) {
          await go(page, `#/try/${one.name}`);
          await form(page, labelOf(one).title).getByRole('button', { name: 'Send', exact: true }).click();
          const title = await response(page)
            .getByRole('heading', { name: /Response \d/ })
            .innerText();
          statuses.push([one.name, title]);
        }
        expect(statuses).toEqual(part.map(({ name }) => [name, 'Response 200']));
        const made = new Set(sandbox.journal.map(({ operation }) => operation));
        expect(part.every(({ name }) => made.has(name))).toBe(true);
      });
    },
  );

  it('is found by a search that Back takes away, and says what each field may have', () =>
    opened({ at: '#/try' }, async ({ page }) => {
      const list = page.getByRole('region', { name: 'Operations', exact: true }).getByRole('link');
      await expect.poll(() => list.count()).toBeGreaterThan(9);
      await page.keyboard.press('/');
      await page.keyboard.type('quote execute');
      await expect.poll(() => list.count()).toBe(1);
      await list.press('Enter');
      await page.getByText('accounts.quotes.execute · documented · safe to send again').waitFor();
      await page
        .getByLabel('quote_id')
        .and(page.getByRole('textbox', { description: '1 to 64 characters.' }))
        .waitFor();
      await page.goBack();
      await form(page, 'Create quote').waitFor();
      await page.goBack();
      await expect.poll(() => list.count()).toBeGreaterThan(9);
    }));
});

describe('a form', () => {
  it('is the body as fields or as JSON, and a change of one is a change of the other', () =>
    opened({ at: '#/try/accounts.quotes.create' }, async ({ page, sandbox }) => {
      const json = page.getByLabel('Body in JSON', { exact: true });
      const isJson = page.getByRole('button', { name: 'Body as JSON' });
      await page.getByLabel('from.amount', { exact: true }).fill('12.50');
      await page.getByLabel('which one').selectOption('to.amount');
      await isJson.click();
      expect(JSON.parse(await json.inputValue())).toEqual({
        from: { symbol: 'USD', type: 'fiat' },
        to: { symbol: 'BTC', type: 'crypto', amount: '12.50' },
      });
      await json.fill('{"from":\n "USD" "to"}');
      await page.getByText(/This is not JSON: .*line 2/).waitFor();
      expect(await barriers(page)).toEqual([]);
      expect(await isJson.isDisabled()).toBe(true);
      // What is not JSON can be sent, so that the service judges it.
      await send(page);
      await response(page).getByRole('heading', { name: 'Response 400' }).waitFor();
      await json.fill('{"from":{"symbol":"EUR","type":"fiat","amount":"3"},"to":{"symbol":"BTC","type":"crypto"}}');
      await isJson.click();
      expect(await page.getByLabel('from.symbol').inputValue()).toBe('EUR');
      await send(page);
      await response(page).getByText('"EUR"').first().waitFor();
      const [quote] = sandbox.resources.list('quotes', { limit: 1 });
      expect(quote?.record).toMatchObject({ from: { symbol: 'EUR', amount: expect.stringMatching(/^3/) } });
    }));

  it('and its response stay in another view, and what the reader has filled in when something happens', () =>
    opened({ at: '#/try/webhooks.list' }, async ({ page, client, sandbox }) => {
      await page.getByLabel('page_size').fill('3');
      await send(page);
      await response(page).getByText('The request was accepted').waitFor();
      await client.users.get(sandbox.fixtures.userId);
      await go(page, '#/keys');
      await page.getByRole('heading', { name: 'API keys' }).waitFor();
      await page.goBack();
      expect(await page.getByLabel('page_size').inputValue()).toBe('3');
      await response(page).getByRole('button', { name: 'Close the response' }).click();
      expect(await response(page).count()).toBe(0);
      await page.getByRole('button', { name: 'Fill in fresh values' }).click();
      await expect.poll(() => page.getByLabel('page_size').inputValue()).toBe('1');
    }));

  it('shows the first sentence of a long description, and all of it after a click', () =>
    opened({ at: '#/try/accounts.quotes.create' }, async ({ page }) => {
      const field = page.locator('.field', { has: page.getByLabel('Idempotency-Key', { exact: true }) });
      await field.getByText('A UUIDv4 that the caller draws for each wanted effect.', { exact: true }).waitFor();
      expect(await field.innerText()).not.toContain('has no second effect');
      await field.getByRole('button', { name: 'more', exact: true }).click();
      await field.getByText(/has no second effect/).waitFor();
    }));

  it('sends with the API key, the idempotency key and the one-time password that are chosen', () =>
    opened({ at: '#/try/accounts.wallets.whitelist' }, async ({ page, sandbox }) => {
      const { apiKey } = sandbox.keys.issue();
      sandbox.otp.set('271828');
      await page.reload();
      const key = '0b0f1c5e-8d0a-4d8e-9a61-3f7f6f0f5a11';
      await page.getByLabel('API-Key').selectOption(apiKey);
      await page.getByLabel('Idempotency-Key').fill(key);
      for (const [otp, told] of [
        ['1', /one-time password is wrong/],
        ['', /^The request was accepted/],
        ['', /idempotency key was known/],
      ] as const) {
        await page.getByLabel('API-Otp').fill(otp);
        await send(page);
        await response(page).getByText(told).waitFor();
      }
      expect(sandbox.journal.map((entry) => [entry.apiKey, entry.key])).toEqual(Array(3).fill([apiKey, key]));
    }));

  it('takes lists of known values and of others', () =>
    opened({ at: '#/try/accounts.portfolio.transactions.list' }, async ({ page, sandbox }) => {
      await page.getByLabel('simple_order', { exact: true }).check();
      await page.getByLabel('assets[0][symbol]').fill('BTC');
      await page.getByLabel('assets[0][type]').selectOption('crypto');
      await send(page);
      await response(page).getByText('The request was accepted').waitFor();
      const sent = new URLSearchParams(sandbox.journal.at(-1)?.path.split('?')[1]);
      expect(Object.fromEntries(sent)).toEqual({
        types: 'simple_order',
        'assets[0][symbol]': 'BTC',
        'assets[0][type]': 'crypto',
        page_size: '1',
      });
      await go(page, '#/try/webhooks.create');
      await page.getByRole('button', { name: 'Add events' }).click();
      const items = page.getByLabel(/^events\.\d$/);
      const before = await items.count();
      await items.last().fill('swap.failed');
      await page.getByRole('button', { name: 'Body as JSON' }).click();
      const body = async () => JSON.parse(await page.getByLabel('Body in JSON', { exact: true }).inputValue()).events;
      expect((await body()).at(-1)).toBe('swap.failed');
      await page.getByRole('button', { name: 'Body as JSON' }).click();
      await items.last().fill('');
      await expect.poll(() => items.count()).toBe(before - 1);
    }));
});

describe('a response', () => {
  it.each([1_440, 1_024, 768, 360])(
    'stands beside the form, and instead of it where there is no room: %i px',
    async (width) => {
      await opened(
        { at: '#/try/accounts.quotes.create', width, scheme: width > 900 ? 'light' : 'dark' },
        async ({ page }) => {
          await page.getByLabel('account_id').waitFor();
          expect(await barriers(page)).toEqual([]);
          await send(page);
          await response(page).getByText('The request was accepted').waitFor();
          expect(await form(page, 'Create quote').isVisible()).toBe(width > 900);
          await response(page)
            .getByRole('tab', { name: /Headers/ })
            .click();
          await response(page).getByText('application/json').waitFor();
          expect(await barriers(page)).toEqual([]);
          expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
          await response(page).getByRole('button', { name: 'Close the response' }).click();
          await form(page, 'Create quote').waitFor();
        },
      );
    },
  );

  it('leads to its request, and fills its id into what comes next', () =>
    opened({ at: '#/try/accounts.quotes.create' }, async ({ page, sandbox }) => {
      await send(page);
      await response(page).getByRole('link', { name: 'accounts.quotes.execute' }).click();
      const [quote] = sandbox.resources.list('quotes', { limit: 1 });
      await expect.poll(() => page.getByLabel('quote_id').inputValue()).toBe(quote?.id);
      await send(page);
      await response(page).getByText('The request was accepted').waitFor();
      expect(sandbox.resources.get('quotes', quote?.id ?? '')?.status).toBe('executing');
      const { seq = 0 } = sandbox.journal.at(-1) ?? {};
      await response(page)
        .getByRole('link', { name: `request ${seq}`, exact: true })
        .click();
      await page.getByRole('region', { name: `Entry ${seq}` }).waitFor();
    }));

  it('goes on with the next page', () =>
    opened({ at: '#/try/webhooks.list' }, async ({ page, sandbox }) => {
      await send(page);
      await page.getByRole('button', { name: 'Send for the next page' }).click();
      await expect.poll(() => sandbox.journal.length).toBe(2);
      expect(sandbox.journal.at(-1)).toMatchObject({ status: 200, path: expect.stringContaining('page_token=') });
    }));

  it('says why the service has rejected the request, or that there is none', () =>
    opened({ at: '#/try/webhooks.list' }, async ({ page, sandbox }) => {
      await page.getByLabel('page_size').fill('999');
      await send(page);
      await response(page)
        .getByText(/breaks a rule/)
        .waitFor();
      await response(page).getByText('page_size', { exact: true }).waitFor();
      sandbox.fail({ fault: 'reset' });
      await send(page);
      await response(page).getByRole('heading', { name: 'Response none' }).waitFor();
    }));
});

describe('the copies', () => {
  it('are programs with what the form says, without a secret', () =>
    opened({ at: '#/try/accounts.quotes.create' }, async ({ page, sandbox }) => {
      await page.getByLabel('from.amount').fill('77.70');
      await showCurl(page);
      for (const [name, part] of [
        ['Copy curl of accounts.quotes.create', 'openssl dgst -sha512'],
        ['Copy TypeScript of accounts.quotes.create', 'client.accounts.quotes.create("'],
        ['Copy Python of accounts.quotes.create', 'hmac.new(secret'],
        ['Copy curl of Send', '/_sandbox/requests/send'],
      ] as const) {
        const text = await copiedBy(page, page.getByRole('button', { name, exact: true }));
        for (const one of [part, '77.70']) expect(text).toContain(one);
        expect(text).not.toContain(sandbox.credentials.apiSecret);
        if (name.startsWith('Copy curl of acc'))
          expect(text).toMatch(/Idempotency-Key: [0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
      }
    }));
});
