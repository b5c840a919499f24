import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectUsable, opened, showCurl } from './support/browser.js';
import { chromiumOfFile } from './support/chromium.js';

const browser = chromiumOfFile();

const AT = { at: '#/faults' };
const SETTINGS = [
  ...['Amount out of limits', 'Wrong one-time password', 'Blocked user', 'Key with few rights', 'Nonce window'],
  'Insufficient funds',
];
const HOSTILE = `"><img src=x onerror=alert(1)><script>alert(2)</script>`;

const armed = (page: Page) => page.getByRole('region', { name: 'Armed faults', exact: true }).first();
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).first();

describe('the view Faults & scenarios', () => {
  it('shows what is armed as it changes, and how often it struck', async () => {
    await opened(
      browser,
      async ({ page, sandbox, client }) => {
        await page.getByText('No fault is armed').waitFor();
        sandbox.fail({ operation: 'users.get', fault: 404, code: 'gone_fishing', times: 3, match: { path: '/v1/*' } });
        const row = armed(page).getByRole('row').nth(1);
        await expect
          .poll(() => row.innerText())
          .toMatch(/404 · before the effect · gone_fishing\s+users\.get · path \/v1\/\*\s+0\s+3\s/);
        await client.users.get(sandbox.fixtures.userId).catch(() => undefined);
        await expect.poll(() => row.innerText()).toMatch(/\s1\s+2\s/);
        await row.getByRole('button', { name: 'take back', exact: true }).click();
        await page.getByText('No fault is armed').waitFor();
        expect(sandbox.faults.list()).toEqual([]);
      },
      AT,
    );
  });

  it('lists scenarios that run without a fault, as the header counts them, and stops them', async () => {
    await opened(
      browser,
      async ({ page, sandbox }) => {
        const quiet = page.getByText('No fault is armed: every request is answered as it should be.');
        await quiet.waitFor();
        const names = ['rate_limited', 'price_drop', 'revoked_key', 'kyc_review'] as const;
        for (const name of names) sandbox.scenarios.start(name);
        await page.getByRole('banner').getByText('4 scenarios run').waitFor();
        const running = armed(page).getByRole('region', { name: 'Running scenarios', exact: true });
        await expect.poll(() => running.getByRole('row').count()).toBe(1 + names.length);
        expect(await quiet.count()).toBe(0);
        for (const name of names) await running.getByRole('button', { name: `stop ${name}`, exact: true }).click();
        await quiet.waitFor();
        expect(sandbox.scenarios.list().filter((one) => one.running)).toEqual([]);
      },
      AT,
    );
  });

  it('adds a fault by a form whose curl line follows what is filled in', async () => {
    await opened(
      browser,
      async ({ page, sandbox, client }) => {
        const form = part(page, 'Add a fault');
        await showCurl(page);
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
          ...{ operation: 'users.get', retryAfterSeconds: 7, times: 'always', match: { nth: 2 }, code: "o'clock" },
          ...{ fault: 429, causes: [{ field: 'user_id', message: 'is asleep' }] },
        };
        const line = expect.poll(() => form.locator('.call code').first().innerText());
        await line.toContain(`/_sandbox/faults/add --json '[{`);
        await line.toContain('"operation":"users.get"');
        await line.toContain(String.raw`"code":"o'\''clock"`);
        await form.getByRole('button', { name: 'Add the fault', exact: true }).click();
        await expect.poll(() => sandbox.faults.list()).toMatchObject([options]);
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
        const form = part(page, 'Add a fault');
        await form.getByLabel('Probability', { exact: true }).fill('2');
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
        await form.getByRole('button', { name: 'Add the fault', exact: true }).click();
        expect(sandbox.faults.list()).toHaveLength(1);
        await form.getByLabel('Probability', { exact: true }).fill('');
        await form.getByLabel('Fault', { exact: true }).fill('resett');
        await form.getByRole('button', { name: 'Add the fault', exact: true }).click();
        await form.getByText(/^faults\.add: /).waitFor();
        expect(sandbox.faults.list()).toHaveLength(1);
      },
      { ...AT, expected: /status of 400/ },
    );
  });

  it('begins its form with the operation that the address names', async () => {
    await opened(
      browser,
      async ({ page }) => {
        const operation = part(page, 'Add a fault').getByLabel('Operation', { exact: true });
        await expect.poll(() => operation.inputValue()).toBe('accounts.quotes.create');
      },
      { at: '#/faults/accounts.quotes.create' },
    );
  });

  it.each([
    ['The service refuses', 7],
    ['Keys', 4],
    ['Prices and execution', 9],
    ['Network', 4],
    ['Webhooks', 8],
  ])('shows each trouble of production by one click, and takes it back by one: %s', async (group, count) => {
    await opened(
      browser,
      async ({ page, sandbox }) => {
        const present = () =>
          JSON.stringify([
            ...[sandbox.scenarios.list().filter(({ running }) => running).length, sandbox.faults.list().length],
            ...[sandbox.outcomes.list().length, sandbox.webhooks.faults.list().length, sandbox.latency.list().length],
            ...[sandbox.prices.moving, sandbox.otp.get(), sandbox.executionTimes.get(), sandbox.assets.tradeLimits],
            ...[
              sandbox.users.list().map(({ status }) => status),
              sandbox.webhooks.list().map(({ disabled }) => disabled),
            ],
            ...[sandbox.resources.get('accounts', sandbox.fixtures.accountId)?.holdings],
            ...[sandbox.keys.list().map(({ scopes, nonceWindow, revoked }) => [scopes, nonceWindow, revoked])],
          ]);
        sandbox.webhooks.register({ url: sandbox.inbox.url('mine') });
        const untouched = present();
        const gallery = part(page, 'Troubles of production');
        const headings = gallery.getByRole('region', { name: group, exact: true }).getByRole('heading', { level: 4 });
        await expect.poll(() => headings.count()).toBe(count);
        const titles = await headings.allInnerTexts();
        for (const title of titles) {
          await gallery.getByRole('button', { name: `Start: ${title}`, exact: true }).click();
          const back = gallery.getByRole('button', { name: `Stop: ${title}`, exact: true });
          await back.waitFor();
          await expect.poll(present, { message: title }).not.toBe(untouched);
          await back.click();
          await gallery.getByRole('button', { name: `Start: ${title}`, exact: true }).waitFor();
          await expect.poll(present, { message: title }).toBe(untouched);
        }
      },
      AT,
    );
  });

  it('takes a trouble back to what was set before it, also after a reload of the page', async () => {
    await opened(
      browser,
      async ({ page, sandbox }) => {
        const { accountId, userId } = sandbox.fixtures;
        const [{ apiKey = '' } = {}] = sandbox.keys.list();
        sandbox.otp.set('271828');
        sandbox.assets.setTradeLimits('USD', { maximum: '500' });
        sandbox.accounts.setBalance(accountId, { symbol: 'USD', available: '42' });
        sandbox.keys.setScopes(apiKey, ['read', 'trade']);
        sandbox.keys.setNonceWindow(apiKey, 7);
        sandbox.users.setStatus(userId, { state: 'pending' });
        const present = () => ({
          ...{ otp: sandbox.otp.get(), limits: sandbox.assets.tradeLimits },
          state: sandbox.users.list().find(({ id }) => id === userId)?.status.state,
          usd: sandbox.books.holdings(accountId).find(({ asset }) => asset === 'fiat:USD')?.available,
          keys: sandbox.keys.list().map(({ scopes, nonceWindow }) => [scopes, nonceWindow]),
        });
        const before = present();
        await page.reload();
        const gallery = part(page, 'Troubles of production');
        const button = (name: string) => gallery.getByRole('button', { name, exact: true });
        for (const title of SETTINGS) {
          await button(`Start: ${title}`).click();
          await button(`Stop: ${title}`).waitFor();
        }
        await page.reload();
        for (const title of SETTINGS) {
          await button(`Stop: ${title}`).click();
          await button(`Start: ${title}`).waitFor();
        }
        expect(present()).toEqual(before);
      },
      AT,
    );
  });

  it('says so if it does not know what was set before a trouble', async () => {
    await opened(
      browser,
      async ({ page, sandbox }) => {
        sandbox.otp.set('314159');
        const card = part(page, 'Troubles of production').getByRole('listitem').filter({ hasText: 'one-time' });
        await card.getByText('Was set elsewhere: the default is put back.').waitFor();
        await card.getByRole('button', { name: 'Stop: Wrong one-time password', exact: true }).click();
        await expect.poll(() => sandbox.otp.get()).toBe(null);
      },
      AT,
    );
  });

  it('asks for little while nothing happens, and still sees what a program sets without an entry', async () => {
    await opened(
      browser,
      async ({ page, sandbox }) => {
        await page.getByText('No fault is armed').waitFor();
        await page.waitForTimeout(1_000);
        let count = 0;
        page.on('request', () => {
          count += 1;
        });
        await page.waitForTimeout(3_000);
        // One setting each half second, and each second the quota and the head of the page.
        expect(count).toBeLessThan(20);
        sandbox.prices.setMoving(true);
        await page.getByRole('button', { name: 'Stop: Prices move', exact: true }).waitFor({ timeout: 5_000 });
      },
      AT,
    );
  });

  it('offers for each trouble the lines that show it and take it back from a shell', async () => {
    await opened(
      browser,
      async ({ page, sandbox, url }) => {
        const card = part(page, 'Troubles of production').getByRole('listitem').filter({ hasText: 'Maintenance' });
        expect(await card.locator('code').count()).toBe(0);
        await showCurl(page);
        const lines = expect.poll(() => card.locator('code').allInnerTexts());
        await lines.toEqual([`curl -s ${url}/_sandbox/scenarios/start --json '["maintenance",{"for":600000}]'`]);
        sandbox.scenarios.start('maintenance');
        await lines.toEqual([`curl -s -X DELETE '${url}/_sandbox/scenarios/maintenance'`]);
      },
      AT,
    );
  });

  it('starts a scenario with options, tells until when it runs, and stops it', async () => {
    await opened(
      browser,
      async ({ page, sandbox }) => {
        const card = part(page, 'Scenarios').getByRole('listitem').filter({ hasText: 'price_drop' });
        await card.getByText('Start, with options').click();
        await card.getByLabel('For (ms)', { exact: true }).fill('1 min');
        await card.getByLabel('Percent (%)', { exact: true }).fill('50');
        for (const [index, symbol] of ['BTC', 'ETH'].entries()) {
          await card.getByRole('button', { name: 'add symbols' }).click();
          await card.getByLabel(`Symbols ${index + 1}`, { exact: true }).fill(symbol);
        }
        await card.getByRole('button', { name: 'Start price_drop', exact: true }).click();
        const until = new Date(sandbox.clock.now() + 60_000).toISOString().slice(11, 19);
        await card.getByText(`Until 2026-01-15 ${until}`).waitFor();
        expect(sandbox.scenarios.list().find(({ running }) => running)).toMatchObject({
          ...{ name: 'price_drop', given: { for: 60_000, percent: 50, symbols: ['BTC', 'ETH'] } },
        });
        await card.getByRole('button', { name: 'stop price_drop', exact: true }).click();
        await expect.poll(() => sandbox.scenarios.list().some(({ running }) => running)).toBe(false);
        await expect.poll(() => card.getByText('runs', { exact: true }).count()).toBe(0);
      },
      AT,
    );
  });

  it('sets outcomes ahead and takes them back', async () => {
    await opened(
      browser,
      async ({ page, sandbox }) => {
        const panel = part(page, 'Outcomes set ahead');
        await panel.getByLabel('Operation', { exact: true }).selectOption('accounts.transfers.create');
        await panel.getByLabel('Outcome', { exact: true }).selectOption('failed');
        await panel.getByLabel('Reason', { exact: true }).fill('sanctioned');
        await panel.getByRole('button', { name: 'Set the outcome', exact: true }).click();
        await panel.getByRole('row').getByText('reason sanctioned').waitFor();
        expect(sandbox.outcomes.list()).toMatchObject([
          { operation: 'accounts.transfers.create', outcome: 'failed', reason: 'sanctioned', left: 1 },
        ]);
        await panel.getByRole('button', { name: 'take back', exact: true }).click();
        await panel.getByText('No outcome is set ahead').waitFor();
        expect(sandbox.outcomes.list()).toEqual([]);
      },
      AT,
    );
  });

  it('sets delays, chaos and the quota, shows their levels, and takes them back', async () => {
    await opened(
      browser,
      async ({ page, sandbox, client }) => {
        const latency = part(page, 'Latency');
        await latency.getByLabel('Operation', { exact: true }).fill('users.get');
        await latency.getByLabel('Time', { exact: true }).fill('5-9');
        await latency.getByRole('button', { name: 'Set the delay', exact: true }).click();
        await latency.getByText('5 to 9 ms').waitFor();
        expect(sandbox.latency.list()).toMatchObject([{}, { operation: 'users.get', ms: [5, 9] }]);
        await latency.getByRole('button', { name: 'take back', exact: true }).click();
        await expect.poll(() => sandbox.latency.list().length).toBe(1);

        const faults = armed(page);
        await faults.getByLabel('Probability', { exact: true }).fill('0.25');
        await faults.getByRole('button', { name: 'Set chaos', exact: true }).click();
        await faults.getByText('25 per cent of all requests go wrong').waitFor();
        await faults.getByRole('button', { name: 'Take all faults back', exact: true }).click();
        await faults.getByText('Chaos: none').waitFor();
        expect(sandbox.faults.list()).toEqual([]);

        const quota = part(page, 'Quota');
        await quota.getByLabel('Requests', { exact: true }).fill('7');
        await quota.getByLabel('Per (ms)', { exact: true }).fill('60000');
        await quota.getByRole('button', { name: 'Set the quota', exact: true }).click();
        await quota.getByText('7 of 7').waitFor();
        await client.users.get(sandbox.fixtures.userId);
        await quota.getByText('6 of 7').waitFor();
        await quota.getByRole('button', { name: 'Take the quota away', exact: true }).click();
        await quota.getByText('No API key has a quota').waitFor();
        expect(sandbox.quota.level().keys).toEqual([]);
      },
      AT,
    );
  });

  it('shows hostile text as text', async () => {
    await opened(
      browser,
      async ({ page, sandbox }) => {
        sandbox.fail({ fault: 400, code: HOSTILE, match: { path: HOSTILE, key: HOSTILE } });
        sandbox.webhooks.faults.add({ sentAs: HOSTILE });
        sandbox.outcomes.add({ operation: 'accounts.transfers.create', outcome: 'failed', reason: HOSTILE });
        await armed(page).getByText(`sentAs ${HOSTILE}`).waitFor();
        await part(page, 'Outcomes set ahead').getByText(`reason ${HOSTILE}`).waitFor();
        expect(await page.locator('img, main script').count()).toBe(0);
      },
      AT,
    );
  });

  it.each(['light', 'dark'] as const)('has no barrier in %s colours, and fits 360 pixels', async (scheme) => {
    await opened(
      browser,
      async ({ page, sandbox }) => {
        sandbox.fail({ fault: 503, match: { path: '/v1/a/path/that/is/quite/long' } });
        sandbox.scenarios.start('maintenance', { for: 60_000 });
        sandbox.quota.set({ requests: 5, per: 60_000 });
        await page.getByRole('button', { name: 'Stop: Maintenance', exact: true }).waitFor();
        await page.getByText('5 of 5').waitFor();
        await expectUsable(page, 'faults');
        expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(3_000);
      },
      { ...AT, scheme, width: 360 },
    );
  });
});
