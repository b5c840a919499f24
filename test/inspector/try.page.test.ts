import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { labelOf } from '../../src/resources/labels.js';
import { operations } from '../../src/resources/operations.js';
import { copiedBy, opened } from './support/browser.js';
import { chromiumOfFile } from './support/chromium.js';

const browser = chromiumOfFile();

const answer = (page: Page) => page.getByRole('region', { name: 'Answer' });
const form = (page: Page, title: string) => page.getByRole('form', { name: title, exact: true });
const go = (page: Page, operation: string) => page.evaluate((at) => location.assign(at), `#/try/${operation}`);

/** Sends the form as it stands, and returns the status that the page shows. */
async function sendAsIs(page: Page, operation: string, title: string): Promise<string> {
  await go(page, operation);
  await form(page, title).getByRole('button', { name: 'Send', exact: true }).click();
  return answer(page).locator('h2 .badge').innerText();
}

/** The operations in parts, so that no test is long. */
const PARTS = Array.from({ length: 5 }, (_, part) => operations.filter((_one, index) => index % 5 === part));

describe('a new form', () => {
  it.each(PARTS.map((part, index) => [index + 1, part] as const))(
    'of every operation can be sent as it stands, part %i',
    async (_, part) => {
      await opened(
        browser,
        async ({ page, sandbox }) => {
          const statuses: [string, string][] = [];
          for (const one of part) statuses.push([one.name, await sendAsIs(page, one.name, labelOf(one).title)]);
          expect(statuses).toEqual(part.map(({ name }) => [name, '200']));
          const made = new Set(sandbox.journal.map(({ operation }) => operation));
          expect(part.every(({ name }) => made.has(name))).toBe(true);
        },
        { at: '#/try', options: { seed: 7 } },
      );
    },
  );

  it('is found by a search, and says what each field may have', async () => {
    await opened(
      browser,
      async ({ page }) => {
        const found = expect.poll(() => page.getByRole('region', { name: 'Operations' }).getByRole('link').count());
        await found.toBe(operations.length);
        await page.keyboard.press('/');
        await page.keyboard.type('quote execute');
        await page.getByRole('link', { name: /Execute quote/ }).click();
        await found.toBe(1);
        await page.getByText('accounts.quotes.execute · documented in the public reference').waitFor();
        await page
          .getByLabel('quote_id')
          .and(page.getByRole('textbox', { description: '1 to 64 characters.' }))
          .waitFor();
      },
      { at: '#/try' },
    );
  });
});

describe('a form', () => {
  it('is the body as fields and as JSON, and a change of one is a change of the other', async () => {
    await opened(
      browser,
      async ({ page, sandbox }) => {
        const json = page.getByLabel('as JSON, which is sent');
        await page.getByLabel('amount required').fill('12.50');
        const body = expect.poll(async () => JSON.parse(await json.inputValue()));
        await body.toMatchObject({ from: { amount: '12.50' } });
        await page.getByLabel('which one').selectOption('to.amount');
        await body.toEqual({
          from: { symbol: 'USD', type: 'fiat' },
          to: { symbol: 'BTC', type: 'crypto', amount: '12.50' },
        });
        await json.fill('{"from": ');
        await page.getByText(/The JSON cannot be read/).waitFor();
        await json.fill('{"from":{"symbol":"EUR","type":"fiat","amount":"3"},"to":{"symbol":"BTC","type":"crypto"}}');
        await expect.poll(() => page.getByLabel('symbol required').first().inputValue()).toBe('EUR');
        await page.getByRole('button', { name: 'Send', exact: true }).click();
        await answer(page).locator('pre', { hasText: '"EUR"' }).waitFor();
        const [quote] = sandbox.resources.list('quotes', { limit: 1 });
        expect(quote?.record).toMatchObject({ from: { symbol: 'EUR', amount: expect.stringMatching(/^3/) } });
      },
      { at: '#/try/accounts.quotes.create' },
    );
  });

  it('keeps what the reader has filled in, also when something happens and in another view', async () => {
    await opened(
      browser,
      async ({ page, client, sandbox }) => {
        await page.getByLabel('page_size').fill('3');
        await client.users.get(sandbox.fixtures.userId);
        await page.getByRole('link', { name: 'Timeline' }).click();
        await page
          .getByRole('list', { name: /^Entries/ })
          .getByRole('link', { name: /users\.get/ })
          .waitFor();
        await go(page, 'webhooks.list');
        await expect.poll(() => page.getByLabel('page_size').inputValue()).toBe('3');
        await page.getByRole('button', { name: 'Fill in fresh values' }).click();
        await expect.poll(() => page.getByLabel('page_size').inputValue()).toBe('1');
      },
      { at: '#/try/webhooks.list' },
    );
  });

  it('shows the first sentence of a long description, and all of it after a click', async () => {
    await opened(
      browser,
      async ({ page }) => {
        const field = page.locator('.field', { has: page.getByLabel('Idempotency-Key', { exact: false }) });
        await field.getByText('A UUIDv4 that the caller draws for each wanted effect.', { exact: true }).waitFor();
        expect(await field.innerText()).not.toContain('no second effect');
        await field.getByRole('button', { name: 'more', exact: true }).click();
        await field.getByText(/has no second effect/).waitFor();
        await field.getByRole('button', { name: 'less', exact: true }).waitFor();
      },
      { at: '#/try/accounts.quotes.create' },
    );
  });

  it('sends with the key, the idempotency key and the one-time password that are chosen', async () => {
    await opened(
      browser,
      async ({ page, sandbox }) => {
        const { apiKey } = sandbox.keys.issue();
        sandbox.otp.set('271828');
        await page.reload();
        const key = '0b0f1c5e-8d0a-4d8e-9a61-3f7f6f0f5a11';
        await page.getByLabel('API-Key').selectOption(apiKey);
        await page.getByLabel('Idempotency-Key').fill(key);
        await page.getByLabel('API-Otp').fill('1');
        const send = page.getByRole('button', { name: 'Send', exact: true });
        await send.click();
        await answer(page).getByText('the one-time password is wrong').waitFor();
        await page.getByLabel('API-Otp').fill('');
        await send.click();
        await answer(page).getByText('The request was accepted').waitFor();
        await send.click();
        await answer(page).getByText('the first answer (200) was given again').waitFor();
        expect(sandbox.journal.map((entry) => [entry.apiKey, entry.key])).toEqual(Array(3).fill([apiKey, key]));
      },
      { at: '#/try/accounts.wallets.whitelist' },
    );
  });

  it('takes lists, also of objects', async () => {
    await opened(
      browser,
      async ({ page, sandbox }) => {
        await page.getByLabel('simple_order', { exact: true }).check();
        await page.getByRole('button', { name: 'add assets' }).click();
        await page.getByLabel('symbol optional').fill('BTC');
        await page.getByLabel('type optional').selectOption('crypto');
        await page.getByRole('button', { name: 'Send', exact: true }).click();
        await answer(page).getByText('The request was accepted').waitFor();
        expect(decodeURIComponent(sandbox.journal.at(-1)?.path ?? '')).toMatch(
          /\?types=simple_order&assets\[0\]\[symbol\]=BTC&assets\[0\]\[type\]=crypto&page_size=1$/,
        );
        await page.getByRole('button', { name: 'Remove assets 1' }).click();
        await expect.poll(() => page.getByLabel('symbol optional').count()).toBe(0);
      },
      { at: '#/try/accounts.portfolio.transactions.list' },
    );
  });
});

describe('an answer', () => {
  it('leads to its entry, and fills its id into what comes next', async () => {
    await opened(
      browser,
      async ({ page, sandbox }) => {
        await page.getByRole('button', { name: 'Send', exact: true }).click();
        await answer(page).getByRole('link', { name: 'accounts.quotes.execute' }).click();
        const [quote] = sandbox.resources.list('quotes', { limit: 1 });
        await expect.poll(() => page.getByLabel('quote_id').inputValue()).toBe(quote?.id);
        await form(page, 'Execute quote').getByRole('button', { name: 'Send', exact: true }).click();
        await answer(page).getByText('The request was accepted').waitFor();
        expect(sandbox.resources.get('quotes', quote?.id ?? '')?.status).toBe('executing');
        const { seq = 0 } = sandbox.journal.at(-1) ?? {};
        await answer(page)
          .getByRole('link', { name: /in the timeline/ })
          .click();
        await page.getByRole('region', { name: `Entry ${seq}` }).waitFor();
      },
      { at: '#/try/accounts.quotes.create' },
    );
  });

  it('goes on with the next page', async () => {
    await opened(
      browser,
      async ({ page, sandbox }) => {
        await page.getByRole('button', { name: 'Send', exact: true }).click();
        await page.getByRole('button', { name: 'Send for the next page' }).click();
        await expect.poll(() => sandbox.journal.length).toBe(2);
        expect(sandbox.journal.at(-1)).toMatchObject({ status: 200, path: expect.stringContaining('page_token=') });
      },
      { at: '#/try/webhooks.list' },
    );
  });

  it('says why the service refused', async () => {
    await opened(
      browser,
      async ({ page, sandbox }) => {
        await page.getByLabel('page_size').fill('999');
        await page.getByRole('button', { name: 'Send', exact: true }).click();
        await answer(page).getByText('the request breaks a rule').waitFor();
        await answer(page).locator('li', { hasText: 'page_size' }).waitFor();
        sandbox.fail({ fault: 'reset' });
        await page.getByRole('button', { name: 'Send', exact: true }).click();
        await answer(page).getByText('no answer').waitFor();
      },
      { at: '#/try/webhooks.list' },
    );
  });
});

describe('the copies', () => {
  it('are programs with what the form says, without a secret', async () => {
    await opened(
      browser,
      async ({ page, sandbox }) => {
        const copied = (label: string): Promise<string> =>
          copiedBy(page, page.getByRole('button', { name: `Copy ${label} of accounts.quotes.create`, exact: true }));
        await page.getByLabel('amount required').fill('77.70');
        for (const [label, part] of [
          ['curl', 'openssl dgst -sha512'],
          ['Python', 'hmac.new(secret'],
          ['TypeScript', 'client.accounts.quotes.create("'],
          ['curl, signed by the sandbox', '/_sandbox/requests/send'],
        ] as const) {
          const text = await copied(label);
          expect(text).toContain(part);
          expect(text).toContain('77.70');
          expect(text).not.toContain(sandbox.credentials.apiSecret);
        }
        expect(await copied('curl')).toMatch(
          /Idempotency-Key: [0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-/,
        );
      },
      { at: '#/try/accounts.quotes.create' },
    );
  });
});
