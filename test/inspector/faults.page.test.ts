import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { RECIPES } from '../../src/inspector/views/faults/recipes.js';
import { barriers, opened, showCurl } from './support/browser.js';

const AT = { at: '#/faults' };

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).first();
const running = (page: Page) => part(page, 'Running now');
const QUIET = 'Nothing: every request gets the response that it should.';

/** The row of a recipe or a setting. */
const rowOf = (page: Page, name: string) =>
  part(page, 'Recipes')
    .getByRole('row')
    .filter({ has: page.getByText(name, { exact: true }) });

/** Opens the form of a setting, and returns it. */
async function setting(page: Page, name: string) {
  await rowOf(page, name).getByRole('button', { name: /^Set / }).click();
  return page.getByRole('dialog', { name: `Set ${name}` });
}

async function more(page: Page) {
  await page.getByText('More …', { exact: true }).click();
  return part(page, 'Faults').locator('form');
}

describe('the sentence', () => {
  it('fails the next calls of an operation before or after the effect', () =>
    opened(AT, async ({ page, sandbox, client }) => {
      const { accountId } = sandbox.fixtures;
      await page.getByLabel('Number of calls').fill('2');
      await page.getByLabel('Operation', { exact: true }).selectOption('accounts.quotes.create');
      await page.getByLabel('Fault', { exact: true }).selectOption('truncate');
      // There is half a response only after the effect.
      expect(await page.getByLabel('Time of the fault').inputValue()).toBe('after');
      await page.getByLabel('Fault', { exact: true }).selectOption('503');
      await page.getByRole('button', { name: 'Fail them', exact: true }).click();
      await page.getByText('The next 2 fail.').waitFor();
      const match = { operation: 'accounts.quotes.create' };
      expect(sandbox.troubles.list()).toMatchObject([{ match, does: 503, when: 'before', times: 2 }]);
      const sides = { from: { symbol: 'USD', type: 'fiat', amount: '5' }, to: { symbol: 'BTC', type: 'crypto' } };
      await client.accounts.quotes.create(accountId, sides);
      expect(sandbox.journal.map(({ status }) => status)).toEqual([503, 503, 200]);
      await page.getByText(QUIET).waitFor();
    }));

  it('begins with the operation that the address names', () =>
    opened({ at: '#/faults/accounts.quotes.create' }, async ({ page }) => {
      const operation = page.getByLabel('Operation', { exact: true }).first();
      await expect.poll(() => operation.inputValue()).toBe('accounts.quotes.create');
      const form = await more(page);
      expect(await form.getByLabel('Operation', { exact: true }).inputValue()).toBe('accounts.quotes.create');
    }));

  it('unfolds a form of all that a trouble can be, whose curl line follows what is filled in', () =>
    opened(AT, async ({ page, sandbox }) => {
      await showCurl(page);
      const form = await more(page);
      const fill = (name: string, text: string) => form.getByLabel(name, { exact: true }).fill(text);
      await form.getByText('Match', { exact: true }).click();
      await form.getByLabel('Operation', { exact: true }).focus();
      // The document of the service names the operations.
      await form.locator('datalist option[value="users.get"]').first().waitFor({ state: 'attached' });
      await fill('Operation', 'users.get');
      await fill('Fault', '429');
      await fill('Retry after (s)', '7');
      await fill('Times', 'always');
      await fill('For (ms)', '2 min');
      await fill('Nth', '2');
      await fill('Code', "o'clock");
      await form.getByRole('button', { name: 'Add causes' }).click();
      await fill('Field', 'user_id');
      await fill('Message', 'is asleep');
      const line = await form.locator('code.curl').innerText();
      expect(line).toContain(String.raw`"code":"o'\''clock"`);
      expect(await barriers(page)).toEqual([]);
      await form.getByRole('button', { name: 'Add the trouble', exact: true }).click();
      const causes = [{ field: 'user_id', message: 'is asleep' }];
      const does = { fault: 429, retryAfterSeconds: 7, code: "o'clock", causes };
      await expect
        .poll(() => sandbox.troubles.list())
        .toMatchObject([{ match: { operation: 'users.get', nth: 2 }, times: 'always', forMs: 120_000, does }]);
      // As JSON, and back.
      await form.getByRole('button', { name: 'Arguments as JSON' }).click();
      const json = form.getByLabel('Arguments in JSON');
      await json.fill('[{ "does": 503,\n "probability" }]');
      await form.getByText(/This is not JSON: .*line 2/).waitFor();
      await form.getByRole('button', { name: 'Add the trouble', exact: true }).click();
      expect(sandbox.troubles.list().length).toBe(1);
      await json.fill('[{ "does": { "fault": "reset" }, "probability": 0.5 }]');
      await form.getByRole('button', { name: 'Arguments as JSON' }).click();
      expect(await form.getByLabel('Probability', { exact: true }).inputValue()).toBe('0.5');
      await form.getByRole('button', { name: 'Add the trouble', exact: true }).click();
      await expect
        .poll(() => sandbox.troubles.list().slice(1))
        .toMatchObject([{ does: { fault: 'reset' }, probability: 0.5 }]);
    }));

  it('sets outcomes and delays by the same form, and tells a rejection in the words of the sandbox', () =>
    opened({ ...AT, expected: /status of 400/ }, async ({ page, sandbox }) => {
      await page.getByLabel('Operation', { exact: true }).selectOption('accounts.transfers.create');
      const form = await more(page);
      const add = () => form.getByRole('button', { name: 'Add the trouble', exact: true }).click();
      const which = form.getByLabel('which one');
      await form.getByLabel('Probability', { exact: true }).fill('2');
      await add();
      expect(sandbox.troubles.list()).toEqual([]);
      await form.getByLabel('Probability', { exact: true }).fill('');
      await form.getByLabel('Fault', { exact: true }).fill('resett');
      await add();
      await form.getByText(/^troubles\.add: /).waitFor();
      await which.selectOption('outcome');
      await form.getByLabel('Outcome', { exact: true }).selectOption('failed');
      await form.getByLabel('Reason', { exact: true }).fill('sanctioned');
      await add();
      await running(page).getByText('failed · reason sanctioned').waitFor();
      await which.selectOption('delayMs');
      await form.getByLabel('Delay (ms)', { exact: true }).fill('[5, 9]');
      await add();
      await running(page).getByText('delay 5 to 9 ms').waitFor();
      const match = { operation: 'accounts.transfers.create' };
      expect(sandbox.troubles.list()).toMatchObject([
        { match, does: { outcome: 'failed', reason: 'sanctioned' } },
        { match, does: { delayMs: [5, 9] } },
      ]);
    }));
});

describe('the faults that run', () => {
  it('are shown as they change, with how often each applied, and stop one by one or all at once', () =>
    opened(AT, async ({ page, sandbox, client }) => {
      await page.getByText(QUIET).waitFor();
      sandbox.fail({ operation: 'users.get', fault: 404, code: 'gone_fishing', times: 3, match: { path: '/v1/*' } });
      const row = running(page).getByRole('row').nth(1);
      await expect
        .poll(() => row.innerText())
        .toMatch(/404 · before the effect · code gone_fishing\s+users\.get · path \/v1\/\*\s+0\s+3\s.*\s+Stop$/s);
      await client.users.get(sandbox.fixtures.userId).catch(() => undefined);
      await expect.poll(() => row.innerText()).toMatch(/\s1\s+2\s/);
      sandbox.troubles.add({ match: { operation: 'accounts.quotes.execute' }, does: { outcome: 'failed' } });
      sandbox.troubles.add({ does: { delivery: { drop: true } } });
      await expect.poll(() => running(page).getByRole('row').count()).toBe(1 + 3);
      await row.getByRole('button', { name: 'Stop trouble_1' }).click();
      await expect.poll(() => sandbox.troubles.list().length).toBe(2);
      await running(page).getByRole('button', { name: 'Stop all faults', exact: true }).click();
      await page.getByText(QUIET).waitFor();
      expect(sandbox.troubles.list()).toEqual([]);
    }));
});

describe('the recipes', () => {
  it('start by one click each, and are taken back by one', () =>
    opened(AT, async ({ page, sandbox }) => {
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
      for (const { name, back } of RECIPES) {
        const untouched = present();
        const row = rowOf(page, name);
        await row.getByRole('button', { name: `Start ${name}`, exact: true }).click();
        await row.getByText('done', { exact: true }).waitFor();
        expect(present(), name).not.toBe(untouched);
        const takeBack = row.getByRole('button', { name: `Take back ${name}`, exact: true });
        expect(await takeBack.count()).toBe(back === undefined ? 0 : 1);
        if (back === undefined) continue;
        await takeBack.click();
        await expect.poll(present, { message: name }).toBe(untouched);
      }
      await showCurl(page);
      const { apiKey } = sandbox.credentials;
      const lines = await rowOf(page, 'revoked key').locator('code.curl').allInnerTexts();
      expect(lines.map((line) => line.split('/_sandbox/')[1])).toEqual(
        ['revoke', 'reinstate'].map((name) => `keys/${name} --json '["${apiKey}"]'`),
      );
    }));

  it('have the settings of the whole sandbox below them, as they are at present', () =>
    opened(AT, async ({ page, sandbox }) => {
      for (const [name, field, text, told, undo] of [
        ['one-time password', 'Otp', '314159', 'Only 314159 is accepted.', 'Accept any password'],
        ['times of steps', 'Deposit credit (ms)', '1 d', 'Steps take: deposit.credit 1 d.', 'Undo all times'],
        ['quota', 'Requests', '7', '7 requests of each API key in 10 s.', 'Remove the quota'],
      ] as const) {
        const untouched = await rowOf(page, name).locator('p').innerText();
        const form = await setting(page, name);
        await form.getByRole(field === 'Requests' ? 'spinbutton' : 'textbox', { name: field, exact: true }).fill(text);
        expect(await barriers(page)).toEqual([]);
        await page.keyboard.press('Enter');
        await rowOf(page, name).getByText(told).waitFor();
        await page.keyboard.press('Escape');
        await rowOf(page, name).getByRole('button', { name: undo, exact: true }).click();
        await expect.poll(() => rowOf(page, name).locator('p').innerText()).toBe(untouched);
      }
      expect([sandbox.otp.get(), sandbox.settings.get()]).toEqual([null, { quota: null, executionTimes: {} }]);
      await (await setting(page, 'chaos')).getByLabel('Probability', { exact: true }).fill('0.25');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Escape');
      await running(page).getByText('probability 0.25').waitFor();
      await (await setting(page, 'latency')).getByRole('button', { name: 'Start latency', exact: true }).click();
      await expect
        .poll(() => sandbox.troubles.list())
        .toMatchObject([{ does: 'chaos', probability: 0.25 }, { does: { delayMs: [200, 800] } }]);
    }));

  it.each([1_440, 1_024, 768, 360])('and all else can be used by everybody at %i px', async (width) => {
    for (const scheme of ['light', 'dark'] as const)
      await opened({ ...AT, width, scheme }, async ({ page, sandbox }) => {
        sandbox.fail({ fault: 503 });
        await running(page).getByText('503').waitFor();
        await rowOf(page, 'quota').waitFor();
        expect(await barriers(page)).toEqual([]);
        const view = page.getByRole('main');
        expect(await view.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
      });
  });
});
