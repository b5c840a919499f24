import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { RECIPES } from '../../src/inspector/views/faults/recipes.js';
import { opened, showCurl } from './support/browser.js';
import { chromiumOfFile } from './support/chromium.js';

const browser = chromiumOfFile();

const AT = { at: '#/faults' };

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).first();
const running = (page: Page) => part(page, 'Running now');

describe('the view Faults', () => {
  it('shows what is active as it changes, and how often it applied', async () => {
    await opened(
      browser,
      async ({ page, sandbox, client }) => {
        await page.getByText('No fault is active').waitFor();
        sandbox.fail({ operation: 'users.get', fault: 404, code: 'gone_fishing', times: 3, match: { path: '/v1/*' } });
        const row = running(page).getByRole('row').nth(1);
        await expect
          .poll(() => row.innerText())
          .toMatch(/404 · before the effect · code gone_fishing\s+users\.get · path \/v1\/\*\s+0\s+3\s.*\s+Stop$/s);
        await client.users.get(sandbox.fixtures.userId).catch(() => undefined);
        await expect.poll(() => row.innerText()).toMatch(/\s1\s+2\s/);
        await row.getByRole('button', { name: /^Stop / }).click();
        await page.getByText('No fault is active').waitFor();
        expect(sandbox.troubles.list()).toEqual([]);
      },
      AT,
    );
  });

  it('lists all that the header counts, and stops each', async () => {
    await opened(
      browser,
      async ({ page, sandbox }) => {
        const quiet = page.getByText('No fault is active: every request is answered as it should be.');
        await quiet.waitFor();
        sandbox.fail({ fault: 503 });
        sandbox.troubles.add({ match: { operation: 'accounts.quotes.execute' }, does: { outcome: 'failed' } });
        sandbox.troubles.add({ does: { delivery: { drop: true } } });
        await page.getByRole('banner').getByText('3 faults active').waitFor();
        const rows = running(page).getByRole('row');
        await expect.poll(() => rows.count()).toBe(1 + 3);
        expect((await rows.nth(1).innerText()).includes('503')).toBe(true);
        expect(await quiet.count()).toBe(0);
        for (let left = 3; left > 0; left -= 1) {
          await rows
            .last()
            .getByRole('button', { name: /^Stop / })
            .click();
          await expect.poll(() => rows.count()).toBe(left === 1 ? 0 : left);
        }
        await quiet.waitFor();
        expect(
          await page
            .getByRole('banner')
            .getByText(/active/)
            .count(),
        ).toBe(0);
        expect(sandbox.troubles.list()).toEqual([]);
      },
      AT,
    );
  });

  it('adds a fault by a form whose curl line follows what is filled in', async () => {
    await opened(
      browser,
      async ({ page, sandbox, client }) => {
        const form = part(page, 'Add a trouble');
        await showCurl(page);
        await form.getByText('Match', { exact: true }).click();
        await form.getByLabel('Operation', { exact: true }).focus();
        // The document of the service names the operations.
        await form.locator('datalist option[value="users.get"]').first().waitFor({ state: 'attached' });
        await form.getByLabel('Operation', { exact: true }).fill('users.get');
        await form.getByLabel('Fault', { exact: true }).fill('429');
        await form.getByLabel('Retry after (s)', { exact: true }).fill('7');
        await form.getByLabel('Times', { exact: true }).fill('always');
        await form.getByLabel('Nth', { exact: true }).fill('2');
        await form.getByLabel('Code', { exact: true }).fill("o'clock");
        await form.getByRole('button', { name: 'add causes' }).click();
        await form.getByLabel('Field', { exact: true }).fill('user_id');
        await form.getByLabel('Message', { exact: true }).fill('is asleep');
        const options = {
          match: { operation: 'users.get', nth: 2 },
          times: 'always',
          does: {
            fault: 429,
            retryAfterSeconds: 7,
            code: "o'clock",
            causes: [{ field: 'user_id', message: 'is asleep' }],
          },
        };
        const line = expect.poll(() => form.locator('.call code').first().innerText());
        await line.toContain(`/_sandbox/troubles/add --json '[{`);
        await line.toContain('"operation":"users.get"');
        await line.toContain(String.raw`"code":"o'\''clock"`);
        await form.getByRole('button', { name: 'Add the trouble', exact: true }).click();
        await expect.poll(() => sandbox.troubles.list()).toMatchObject([options]);
        await client.users.get(sandbox.fixtures.userId);
        const refused = await fetch(`${new URL(page.url()).origin}/v1/users/${sandbox.fixtures.userId}`);
        expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '7']);
      },
      AT,
    );
  });

  it('keeps what the reader types while the sandbox changes, says what is wrong, and tells a refusal in its words', async () => {
    await opened(
      browser,
      async ({ page, sandbox }) => {
        const form = part(page, 'Add a trouble');
        await form.getByLabel('Probability', { exact: true }).fill('2');
        await form.getByText('Match', { exact: true }).click();
        await form.getByLabel('Path', { exact: true }).focus();
        sandbox.fail({ fault: 'reset' });
        await page.getByText('reset · before the effect').waitFor();
        expect(await form.getByLabel('Probability', { exact: true }).inputValue()).toBe('2');
        expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
        const problem = () =>
          form
            .getByLabel('Probability', { exact: true })
            .evaluate((input: HTMLInputElement) => input.validationMessage);
        expect(await problem()).toBe('This must be at most 1.');
        await form.getByRole('button', { name: 'Add the trouble', exact: true }).click();
        expect(sandbox.troubles.list()).toHaveLength(1);
        await form.getByLabel('Probability', { exact: true }).fill('');
        await form.getByLabel('Fault', { exact: true }).fill('resett');
        await form.getByRole('button', { name: 'Add the trouble', exact: true }).click();
        await form.getByText(/^troubles\.add: /).waitFor();
        expect(sandbox.troubles.list()).toHaveLength(1);
      },
      { ...AT, expected: /status of 400/ },
    );
  });

  it('begins its form with the operation that the address names', async () => {
    await opened(
      browser,
      async ({ page }) => {
        const operation = part(page, 'Add a trouble').getByLabel('Operation', { exact: true });
        await expect.poll(() => operation.inputValue()).toBe('accounts.quotes.create');
      },
      { at: '#/faults/accounts.quotes.create' },
    );
  });

  it('starts each recipe by one click, and takes it back by one', async () => {
    await opened(
      browser,
      async ({ page, sandbox }) => {
        // What recipes change.
        const present = () =>
          JSON.stringify([
            sandbox.troubles.list().map(({ does }) => does),
            sandbox.settings.get(),
            sandbox.users.list().map(({ status }) => status),
            sandbox.prices.list().map(({ usd }) => usd),
            sandbox.keys.list().map(({ revoked }) => revoked),
            sandbox.credentials.apiSecret,
          ]);
        const cards = part(page, 'Recipes').getByRole('listitem');
        await expect.poll(() => cards.count()).toBe(RECIPES.length);
        for (const { name, back } of RECIPES) {
          const untouched = present();
          const card = cards.filter({ has: page.getByRole('heading', { name, exact: true }) });
          await card.getByRole('button', { name: `Start ${name}`, exact: true }).click();
          await card.getByText('done', { exact: true }).waitFor();
          expect(present(), name).not.toBe(untouched);
          const takeBack = card.getByRole('button', { name: `Take back ${name}`, exact: true });
          expect(await takeBack.count()).toBe(back === undefined ? 0 : 1);
          if (back === undefined) continue;
          await takeBack.click();
          await expect.poll(present, { message: name }).toBe(untouched);
        }
      },
      AT,
    );
  });

  it('changes settings of the whole sandbox, shows them and undoes them', async () => {
    await opened(
      browser,
      async ({ page, sandbox }) => {
        const settings = part(page, 'Settings');
        const press = (name: string) => settings.getByRole('button', { name, exact: true }).click();
        await settings.getByText('Accept one password only …').click();
        await settings.getByRole('combobox', { name: /^Otp/ }).selectOption('given');
        await settings.getByRole('textbox', { name: 'Otp', exact: true }).fill('314159');
        await press('Accept one password only');
        await settings.getByText('Only the one-time password 314159 is accepted.').waitFor();
        expect(sandbox.otp.get()).toBe('314159');
        await press('Accept any password');
        await settings.getByText('Any one-time password is accepted.').waitFor();
        expect(sandbox.otp.get()).toBe(null);

        await settings.getByText('Set times of steps …').click();
        await settings.getByLabel('Deposit credit (ms)', { exact: true }).fill('1 d');
        await press('Set times of steps');
        await settings.getByText('Steps take: {"deposit.credit":86400000}.').waitFor();
        expect(sandbox.settings.get().executionTimes).toEqual({ 'deposit.credit': 86_400_000 });
        await press('Undo all times');
        await settings.getByText('Steps take their usual times.').waitFor();
        expect(sandbox.settings.get().executionTimes).toEqual({});
      },
      AT,
    );
  });

  it('offers for a recipe the lines that do the same from a shell', async () => {
    await opened(
      browser,
      async ({ page, sandbox, url }) => {
        const card = part(page, 'Recipes')
          .getByRole('listitem')
          .filter({ hasText: /^revoked key/ });
        await card.waitFor();
        await showCurl(page);
        const { apiKey } = sandbox.credentials;
        await expect
          .poll(() => card.locator('.action .curl').allInnerTexts())
          .toEqual(
            ['revoke', 'reinstate'].map((name) => `curl -s ${url}/_sandbox/keys/${name} --json '["${apiKey}"]'`),
          );
      },
      AT,
    );
  });

  it('sets outcomes ahead, delays and bad deliveries by the form of troubles, and stops them', async () => {
    await opened(
      browser,
      async ({ page, sandbox }) => {
        const form = part(page, 'Add a trouble');
        const add = form.getByRole('button', { name: 'Add the trouble', exact: true });
        const which = form.getByLabel('which one');
        await which.selectOption('outcome');
        await form.getByText('Match', { exact: true }).click();
        await form.getByLabel('Operation', { exact: true }).fill('accounts.transfers.create');
        await form.getByLabel('Outcome', { exact: true }).selectOption('failed');
        await form.getByLabel('Reason', { exact: true }).fill('sanctioned');
        await add.click();
        await running(page).getByRole('row').getByText('failed · reason sanctioned').waitFor();
        const match = { operation: 'accounts.transfers.create' };
        expect(sandbox.troubles.list()).toMatchObject([
          { match, does: { outcome: 'failed', reason: 'sanctioned' }, left: 1 },
        ]);
        await which.selectOption('delayMs');
        await form.getByLabel('Delay (ms)', { exact: true }).fill('5-9');
        await add.click();
        await running(page).getByText('delay 5 to 9 ms').waitFor();
        expect(sandbox.troubles.list()).toMatchObject([{}, { match, does: { delayMs: [5, 9] }, left: 'always' }]);
        await running(page).getByRole('button', { name: 'Stop all faults', exact: true }).click();
        await page.getByText('No fault is active').waitFor();
        expect(sandbox.troubles.list()).toEqual([]);
      },
      AT,
    );
  });

  it('sets chaos and the quota, shows their levels, and stops them', async () => {
    await opened(
      browser,
      async ({ page, sandbox, client }) => {
        const chaos = part(page, 'Chaos');
        await chaos.getByLabel('Probability', { exact: true }).fill('0.25');
        await chaos.getByRole('button', { name: 'Start chaos', exact: true }).click();
        await running(page).getByText('probability 0.25').waitFor();
        expect(sandbox.troubles.list()).toMatchObject([{ does: 'chaos', probability: 0.25, left: 'always' }]);
        await running(page)
          .getByRole('button', { name: /^Stop trouble_/ })
          .click();
        await page.getByText('No fault is active').waitFor();

        const quota = part(page, 'Quota');
        await quota.getByLabel('Requests', { exact: true }).fill('7');
        await quota.getByLabel('Per (ms)', { exact: true }).fill('60000');
        await quota.getByRole('button', { name: 'Set the quota', exact: true }).click();
        await quota.getByText('7 of 7').waitFor();
        await client.users.get(sandbox.fixtures.userId);
        await quota.getByText('6 of 7').waitFor();
        await quota.getByRole('button', { name: 'Remove the quota', exact: true }).click();
        await quota.getByText('No API key has a quota').waitFor();
        expect(sandbox.settings.get().quota).toBe(null);
      },
      AT,
    );
  });
});
