import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createSandbox } from 'partner-sdk/sandbox';
import type { Page, Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { barriers, copiedBy, opened, openMenu, rowsOf } from './support/browser.js';
import { send } from './support/signed.js';

const run = promisify(execFile);

const SIDES = {
  from: { symbol: 'USD', type: 'fiat', amount: '100.00' },
  to: { symbol: 'BTC', type: 'crypto' },
} as const;

const top = (page: Page) => page.getByRole('banner');
const pill = (page: Page, text: string | RegExp) => top(page).getByRole('link', { name: text });

describe('the clock', () => {
  it('tells the time of the sandbox, how far it is from real time, and what comes next', async () => {
    await opened(async ({ client, sandbox, page }) => {
      const menu = await openMenu(page, 'Clock');
      await menu.getByText(/2026-01-15 12:00:00\.000 UTC, stopped, −.* from real time/).waitFor();
      const { id } = await client.accounts.quotes.create(sandbox.fixtures.accountId, SIDES);
      await client.accounts.quotes.execute(sandbox.fixtures.accountId, id);
      await menu.getByText(/^Next, in \d+ s: .*Quote/i).waitFor();
      expect(await barriers(page)).toEqual([]);
    });
  });

  it.each([
    ['90 s', 90_000],
    ['2026-01-15 12:50', 3_000_000],
  ])('moves on by what is typed: %s', async (text, ms) => {
    await opened(async ({ sandbox, page }) => {
      const before = sandbox.clock.now();
      await (await openMenu(page, 'Clock')).getByLabel('Time span or moment').fill(text);
      await page.keyboard.press('Enter');
      await expect.poll(() => sandbox.clock.now()).toBe(before + ms);
    });
  });

  it('asks before it goes on by more than an hour, and says what will happen', async () => {
    await opened(async ({ client, sandbox, page }) => {
      await client.accounts.quotes.create(sandbox.fixtures.accountId, SIDES);
      const before = sandbox.clock.now();
      const question = page.getByRole('dialog', { name: 'Are you sure?' });
      for (const [answer, ms] of [
        ['Cancel', 0],
        ['Move the clock', 86_400_000],
      ] as const) {
        await (await openMenu(page, 'Clock')).getByRole('button', { name: '+1 d' }).click();
        const told =
          /^The clock goes on by 1 d\. \d+ things are planned until then, and more may follow: .*quote\.expire/;
        await question.getByText(told).waitFor();
        expect(await barriers(page)).toEqual([]);
        await question.getByRole('button', { name: answer, exact: true }).click();
        await question.waitFor({ state: 'hidden' });
        await expect.poll(() => sandbox.clock.now()).toBe(before + ms);
      }
    });
  });

  it('asks before it goes to a next timer that is far away, also before it has drawn that timer', async () => {
    await opened({ expected: /Synchronous XMLHttpRequest/ }, async ({ sandbox, page }) => {
      const menu = await openMenu(page, 'Clock');
      const moved = sandbox.clock.now() + 3_600_000;
      // In one task, so that the page draws nothing in between.
      await menu.getByRole('button', { name: 'Next timer' }).evaluate((button: HTMLButtonElement) => {
        const request = new XMLHttpRequest();
        request.open('POST', 'clock/advance', false);
        request.setRequestHeader('content-type', 'application/json');
        request.send('[3600000]');
        button.click();
      });
      const question = page.getByRole('dialog', { name: 'Are you sure?' });
      await question.getByText(/^The clock goes on by .*1 thing is planned until then/).waitFor();
      await question.getByRole('button', { name: 'Cancel' }).click();
      await question.waitFor({ state: 'hidden' });
      expect(sandbox.clock.now()).toBe(moved);
    });
  });

  it('says why it does not move: in the words of the sandbox', async () => {
    await opened({ expected: /status of 400/ }, async ({ sandbox, page }) => {
      const before = sandbox.clock.now();
      for (const [text, why] of [
        ['2020-01-01', /it cannot go back/],
        ['<b>soon</b>', /clock\.set: /],
      ] as const) {
        const menu = await openMenu(page, 'Clock');
        await menu.getByLabel('Time span or moment').fill(text);
        await menu.getByRole('button', { name: 'Move', exact: true }).click();
        await menu.getByText(why).waitFor();
      }
      expect(sandbox.clock.now()).toBe(before);
    });
  });

  it('starts and stops, and goes to the next timer', async () => {
    await opened(async ({ client, sandbox, page }) => {
      const { accountId } = sandbox.fixtures;
      const menu = await openMenu(page, 'Clock');
      await menu.getByRole('button', { name: 'Start the clock' }).click();
      await expect.poll(() => sandbox.clock.status().isRunning).toBe(true);
      await menu.getByRole('button', { name: 'Stop the clock' }).click();
      await expect.poll(() => sandbox.clock.status().isRunning).toBe(false);
      const { id } = await client.accounts.quotes.create(accountId, SIDES);
      await client.accounts.quotes.execute(accountId, id);
      await menu.getByRole('button', { name: 'Next timer' }).click();
      await expect.poll(async () => (await client.accounts.quotes.get(accountId, id)).status).toBe('executed');
    });
  });
});

describe('the pills', () => {
  it('are quiet while all is well, and show faults as they come and go', async () => {
    await opened(async ({ sandbox, page }) => {
      await pill(page, 'All well').waitFor();
      await pill(page, 'Books balance').waitFor();
      sandbox.fail({ fault: 503, times: 2 });
      await pill(page, '1 fault').waitFor();
      sandbox.troubles.add({ does: { delivery: { drop: true } } });
      await pill(page, '2 faults').click();
      await page.getByRole('navigation').locator('[aria-current]', { hasText: 'Faults' }).waitFor();
      sandbox.troubles.clear();
      await pill(page, 'All well').waitFor();
    });
  });

  it('name receivers that are down, until they have what they missed', async () => {
    await opened(async ({ sandbox, page }) => {
      sandbox.webhooks.register({ url: sandbox.inbox.url('a') });
      sandbox.inbox.answer({ name: 'a', status: 500, times: 1 });
      await sandbox.webhooks.trigger('quote.executed');
      await pill(page, '1 receiver down').waitFor();
      await page
        .getByRole('navigation')
        .getByRole('link', { name: /^Webhooks ?1$/ })
        .waitFor();
      await sandbox.webhooks.retryFailed();
      await pill(page, 'All well').waitFor();
    });
  });
});

describe('the jump', () => {
  const jump = (page: Page) => page.getByRole('dialog', { name: 'Search or jump to' });
  const found = (page: Page) => jump(page).getByRole('option');

  it('leads to a view, to a resource, and to a request by its instance in a line of a log', async () => {
    await opened(async ({ client, sandbox, page, url }) => {
      const { id } = await client.accounts.quotes.create(sandbox.fixtures.accountId, SIDES);
      await send(sandbox, url, { path: '/v1/webhooks/none' });
      const instance = sandbox.journal.at(-1)?.instance;
      await expect.poll(() => rowsOf(page).count()).toBe(2);
      for (const [text, name, lead] of [
        ['mon', /^Money$/, /#\/money$/],
        [id.slice(0, 13), new RegExp(`quotes ${id}`), new RegExp(`#/resources/quotes/${id}$`)],
        [`2026-01-15 ERROR quote failed instance=${instance} (404)`, /webhooks/, /#\/requests\/\d+$/],
      ] as const) {
        await page.keyboard.press('Control+k');
        await jump(page).getByRole('searchbox').fill(text);
        await found(page).filter({ hasText: name }).first().waitFor();
        expect(await barriers(page)).toEqual([]);
        await page.keyboard.press('Enter');
        await expect.poll(() => page.url()).toMatch(lead);
      }
      await page.getByRole('region', { name: /^Entry/ }).waitFor();
    });
  });

  it('lists the requests with a text, and acts', async () => {
    await opened(async ({ client, sandbox, page }) => {
      for (let count = 0; count < 12; count += 1) await client.users.get(sandbox.fixtures.userId);
      await client.webhooks.list();
      await top(page)
        .getByRole('button', { name: /^Search or jump to/ })
        .click();
      await jump(page).getByRole('searchbox').fill('users.get');
      await found(page).filter({ hasText: 'All 12 requests' }).click();
      await expect.poll(() => rowsOf(page).count()).toBe(12);
      await page.keyboard.press('Control+k');
      await jump(page).getByRole('searchbox').fill('503');
      await found(page).filter({ hasText: 'Fail the next two calls with 503' }).click();
      await expect.poll(() => sandbox.troubles.list()).toMatchObject([{ does: 503, left: 2 }]);
    });
  });
});

describe('reset', () => {
  it('shows the new run alone, and can be undone for a while', async () => {
    await opened(async ({ client, sandbox, page }) => {
      await client.users.get(sandbox.fixtures.userId);
      sandbox.accounts.setBalance(sandbox.fixtures.accountId, { symbol: 'USD', total: '321.09' });
      sandbox.settings.update({ quota: { requests: 77, perMs: 60_000 } });
      sandbox.advance(1_000);
      const before = sandbox.clock.now();
      const usd = () => sandbox.books.holdings(sandbox.fixtures.accountId).find(({ asset }) => asset === 'fiat:USD');
      await (await openMenu(page, 'Sandbox')).getByRole('button', { name: 'Reset', exact: true }).click();
      const notice = page.getByText('The sandbox is as it was made');
      await notice.waitFor();
      expect(sandbox.clock.now()).toBe(before - 1_000);
      await rowsOf(page).first().waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('The data, the keys and the clock are as they were.').waitFor();
      expect([sandbox.clock.now(), usd()?.total]).toEqual([before, '321.09']);
      expect(sandbox.settings.get()).toMatchObject({ quota: { requests: 77, perMs: 60_000 } });
      sandbox.clock.start();
      await (await openMenu(page, 'Sandbox')).getByRole('button', { name: 'Reset', exact: true }).click();
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(() => sandbox.clock.status().isRunning).toBe(true);
    });
  });
});

describe('the set-up', () => {
  const copied = async (page: Page, label: string): Promise<string> => {
    const menu = await openMenu(page, 'Sandbox');
    return copiedBy(page, menu.getByRole('button', { name: `Copy ${label} of set-up` }));
  };

  it.each([
    ['Python', 'python3', []],
    ['curl', 'bash', ['--norc']],
  ] as const)('in %s runs as it was copied, and makes a signed call', async (label, program, words) => {
    await opened(async ({ sandbox, page }) => {
      const text = await copied(page, label);
      const { stdout } = await run(program, [...words, '-c', text]);
      expect(stdout).toContain(sandbox.fixtures.userId);
      expect(sandbox.journal.map(({ operation, verdict }) => [operation, verdict])).toEqual([
        ['users.get', 'accepted'],
      ]);
    });
  });

  it('for a shell is exported', async () => {
    await opened(async ({ sandbox, page, url }) => {
      const text = await copied(page, 'export');
      const show = `${text}printf '%s ' "$PARTNER_BASE_URL" "$PARTNER_API_SECRET"`;
      const { stdout } = await run('bash', ['--norc', '-c', show]);
      expect(stdout).toBe(`${url} ${sandbox.credentials.apiSecret} `);
    });
  });

  it('is offered until the first request has come', async () => {
    await opened(async ({ client, sandbox, page }) => {
      const hint = page.getByRole('region', { name: 'Send your first call' });
      await hint.getByRole('button', { name: 'Copy TypeScript of set-up' }).waitFor();
      expect(await page.content()).not.toContain(sandbox.credentials.apiSecret);
      await client.users.get(sandbox.fixtures.userId);
      await hint.waitFor({ state: 'detached' });
    });
  });
});

describe('a sandbox', () => {
  it('without inspect shows its requests, and says how the rest is had', async () => {
    const look = { options: { inspect: false } };
    await opened(look, async ({ client, sandbox, page }) => {
      await page.getByRole('note').getByText('createSandbox({ inspect: true })').waitFor();
      await client.users.get(sandbox.fixtures.userId);
      await rowsOf(page).filter({ hasText: 'users.get' }).waitFor();
      sandbox.fail({ fault: 503 });
      await pill(page, '1 fault').waitFor();
      sandbox.reset();
      await rowsOf(page).first().waitFor({ state: 'detached' });
      expect(await barriers(page)).toEqual([]);
    });
  });

  it('that starts anew at the same address is shown, without what the last one did', async () => {
    const expected = /ERR_(CONNECTION|INCOMPLETE|EMPTY)|net::/;
    await opened({ expected }, async ({ client, sandbox, page, url }) => {
      for (let count = 0; count < 5; count += 1) await client.users.get(sandbox.fixtures.userId);
      await expect.poll(() => rowsOf(page).count()).toBe(5);
      await sandbox.close();
      await page
        .getByRole('alert')
        .getByText(/^No connection since \d\d:\d\d:\d\d UTC, for \d+ s/)
        .waitFor();
      await pill(page, 'Connection lost').waitFor();
      await using next = createSandbox({ inspect: true, seed: 2 });
      const port = Number(new URL(url).port);
      // Another program of the machine may have it for a moment.
      await expect.poll(() => next.listen({ port })).toMatchObject({ port });
      await rowsOf(page).first().waitFor({ state: 'detached' });
      await (await openMenu(page, 'Sandbox')).getByText('seed 2').waitFor();
      await fetch(`${url}/v1/webhooks`);
      await expect.poll(() => rowsOf(page).allInnerTexts()).toEqual([expect.stringContaining('webhooks.list')]);
    });
  });
});

/** As if the reader had turned to another tab, or back. */
const turn = (page: Page, isHidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);

describe('a page that is not seen', () => {
  it('gives its connection back, and shows what has happened meanwhile once it is seen again', async () => {
    await opened(async ({ client, sandbox, page }) => {
      const isStream = (request: Request): boolean => request.url().includes('/events?');
      const ended = page.waitForEvent('requestfailed', isStream);
      await turn(page, true);
      await ended;
      await client.users.get(sandbox.fixtures.userId);
      await page.waitForTimeout(1_500);
      expect(await rowsOf(page).count()).toBe(0);
      expect(await page.getByRole('alert').count()).toBe(0);
      await turn(page, false);
      await client.users.get(sandbox.fixtures.userId);
      await expect.poll(() => rowsOf(page).count()).toBe(2);
    });
  });
});
