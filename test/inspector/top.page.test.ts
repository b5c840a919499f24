import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createSandbox } from 'partner-sdk/sandbox';
import type { Page, Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { barriers, copiedBy, opened, openMenu } from './support/browser.js';
import { chromiumOfFile } from './support/chromium.js';

const browser = chromiumOfFile();

const run = promisify(execFile);

/** More than the minute that the badges count. */
const LATER_MS = 61_000;

const SIDES = {
  from: { symbol: 'USD', type: 'fiat', amount: '100.00' },
  to: { symbol: 'BTC', type: 'crypto' },
} as const;

const sendUnsigned = (url: string): Promise<Response> => fetch(`${url}/v1/webhooks`);

describe('the clock', () => {
  it('tells the time of the sandbox, how far it is from real time, and what comes next', async () => {
    await opened(browser, async ({ client, sandbox, page }) => {
      const top = page.getByRole('banner');
      await openMenu(page, 'Clock');
      await top.getByText('2026-01-15 12:00:00.000 UTC').waitFor();
      await top.getByText(/^stopped · .* behind real time$/).waitFor();
      const { id } = await client.accounts.quotes.create(sandbox.fixtures.accountId, SIDES);
      await client.accounts.quotes.execute(sandbox.fixtures.accountId, id);
      await top.getByText(/^next in \d+ s: quote\.finish$/).waitFor();
    });
  });

  it.each([
    ['90 s', 90_000],
    ['2 h 5 min', 7_500_000],
    ['2026-01-16 12:00', 86_400_000],
  ])('moves on by what is typed: %s', async (text, ms) => {
    await opened(browser, async ({ sandbox, page }) => {
      const before = sandbox.clock.now();
      await openMenu(page, 'Clock');
      await page.getByLabel('Time span or moment').fill(text);
      await page.keyboard.press('Enter');
      await expect.poll(() => sandbox.clock.now()).toBe(before + ms);
    });
  });

  it('says why it does not move: in the words of the sandbox', async () => {
    await opened(
      browser,
      async ({ sandbox, page }) => {
        const before = sandbox.clock.now();
        for (const [text, why] of [
          ['2020-01-01', /it cannot go back/],
          ['<b>soon</b>', /clock\.set: /],
        ] as const) {
          await openMenu(page, 'Clock');
          await page.getByLabel('Time span or moment').fill(text);
          await page.getByRole('button', { name: 'Move', exact: true }).click();
          await page.getByRole('group', { name: /clock/ }).getByText(why).waitFor();
        }
        expect(sandbox.clock.now()).toBe(before);
      },
      { expected: /status of 400/ },
    );
  });

  it('starts and stops, and goes on by an hour', async () => {
    await opened(browser, async ({ sandbox, page }) => {
      await openMenu(page, 'Clock');
      await page.getByRole('button', { name: 'Start the clock', exact: true }).click();
      await expect.poll(() => sandbox.clock.status().isRunning).toBe(true);
      await page.getByRole('button', { name: 'Stop the clock' }).click();
      await page.getByRole('button', { name: 'Start the clock', exact: true }).waitFor();
      expect(sandbox.clock.status().isRunning).toBe(false);
      const before = sandbox.clock.now();
      await page.getByRole('button', { name: '+1 h' }).click();
      await expect.poll(() => sandbox.clock.now()).toBe(before + 3_600_000);
    });
  });

  it('goes to the next timer by `.`', async () => {
    await opened(browser, async ({ client, sandbox, page }) => {
      const { accountId } = sandbox.fixtures;
      const { id } = await client.accounts.quotes.create(accountId, SIDES);
      await client.accounts.quotes.execute(accountId, id);
      await page.keyboard.press('.');
      await expect.poll(async () => (await client.accounts.quotes.get(accountId, id)).status).toBe('executed');
    });
  });
});

describe('the badges', () => {
  it('show active faults as they come and go, and lead to them', async () => {
    await opened(browser, async ({ sandbox, page }) => {
      const badge = page.getByRole('banner').getByRole('link', { name: /active/ });
      await page.getByText('books balance ✓').waitFor();
      expect(await badge.count()).toBe(0);
      sandbox.fail({ fault: 503, times: 2 });
      await expect.poll(() => badge.innerText()).toBe('⚠ 1 fault active');
      sandbox.troubles.add({ does: { delivery: { drop: true } } });
      await expect.poll(() => badge.innerText()).toBe('⚠ 2 faults active');
      await badge.click();
      await page.getByRole('navigation').locator('[aria-current]', { hasText: 'Faults' }).waitFor();
      sandbox.troubles.clear();
      await badge.waitFor({ state: 'detached' });
    });
  });

  it('count deliveries that fail, until they are delivered', async () => {
    await opened(browser, async ({ sandbox, page }) => {
      sandbox.webhooks.register({ url: sandbox.inbox.url('a') });
      sandbox.inbox.answer({ name: 'a', status: 500, times: 1 });
      await sandbox.webhooks.trigger('quote.executed');
      const badge = page.getByRole('banner').getByRole('link', { name: '1 delivery failing' });
      await badge.waitFor();
      await expect.poll(() => badge.getAttribute('href')).toBe('#/webhooks');
      await sandbox.webhooks.retryFailed();
      await badge.waitFor({ state: 'detached' });
    });
  });

  it('count the 401s of the last minute, and show these alone', async () => {
    await opened(browser, async ({ client, sandbox, page, url }) => {
      await client.users.get(sandbox.fixtures.userId);
      for (let count = 0; count < 3; count += 1) await sendUnsigned(url);
      const badge = page.getByRole('link', { name: '3 × 401' });
      await badge.click();
      const rows = page.getByRole('list', { name: /^Entries/ }).getByRole('listitem');
      await expect.poll(() => rows.allInnerTexts()).toEqual(Array(3).fill(expect.stringContaining('401')));
      await page.getByText('75 % errors').waitFor();
    });
  });

  it('count down to nothing while nothing happens and the clock stands', async () => {
    await opened(browser, async ({ page, url }) => {
      await sendUnsigned(url);
      const badge = page.getByRole('link', { name: '1 × 401' });
      await badge.waitFor();
      // A minute goes by for the browser, and for the machine that it reads.
      await page.route('**/_sandbox/clock', async (route) => {
        const response = await route.fetch();
        const { data } = await response.json();
        await route.fulfill({ response, json: { data: { ...data, aheadMs: data.aheadMs - LATER_MS } } });
      });
      await page.clock.setFixedTime(Date.now() + LATER_MS);
      await badge.waitFor({ state: 'detached' });
      await page.getByText('no requests in 1 min').waitFor();
    });
  });
});

/**
 * Clicks buttons of the bar one after the other, within the time in which it takes a question back on any machine.
 * Returns what the bar says after each.
 */
const clickedIn = (page: Page, names: readonly string[]): Promise<string[]> =>
  page.getByRole('banner').evaluate(async (bar, texts) => {
    const told: string[] = [];
    for (const text of texts) {
      const button = [...bar.querySelectorAll('button')].find(({ textContent }) => textContent === text);
      button?.focus();
      button?.click();
      // The drawing that the click brings about.
      await Promise.resolve();
      await Promise.resolve();
      told.push(button === undefined ? `no button ${text}` : (bar.textContent ?? ''));
    }
    return told;
  }, names);

describe('reset', () => {
  const asks = expect.stringContaining('puts the clock back');

  it('acts at the second click, and the page shows the new run alone', async () => {
    await opened(browser, async ({ client, sandbox, page }) => {
      await client.users.get(sandbox.fixtures.userId);
      await page.getByRole('link', { name: /users\.get/ }).waitFor();
      sandbox.advance(1_000);
      const before = sandbox.clock.now();
      await openMenu(page, 'Sandbox');
      expect(await clickedIn(page, ['Reset', 'Really reset?'])).toEqual([asks, expect.anything()]);
      await page.getByText('The sandbox was reset.').waitFor();
      expect(sandbox.clock.now()).toBe(before - 1_000);
      await page.getByRole('link', { name: /users\.get/ }).waitFor({ state: 'detached' });
      await client.assets.list();
      await page.getByRole('link', { name: /assets\.list/ }).waitFor();
    });
  });

  it('does nothing at the first click, and is forgotten when the reader goes elsewhere', async () => {
    await opened(browser, async ({ client, sandbox, page }) => {
      sandbox.advance(1_000);
      const before = sandbox.clock.now();
      await openMenu(page, 'Sandbox', 'Copy set-up');
      expect(await clickedIn(page, ['Reset', 'Go'])).toEqual([
        asks,
        expect.not.stringContaining('puts the clock back'),
      ]);
      await page.getByRole('button', { name: 'Reset', exact: true }).waitFor();
      await client.users.get(sandbox.fixtures.userId);
      await page.getByRole('link', { name: /users\.get/ }).waitFor();
      expect(sandbox.clock.now()).toBe(before);
    });
  });
});

describe('the set-up', () => {
  const copied = async (page: Page, label: string): Promise<string> => {
    const top = page.getByRole('banner');
    await openMenu(page, 'Sandbox', 'Copy set-up');
    return copiedBy(page, top.getByRole('button', { name: `Copy ${label} of set-up` }));
  };

  it.each([
    ['Python', 'python3', []],
    ['curl', 'bash', ['--norc']],
  ] as const)('in %s runs as it was copied, and makes a signed call', async (label, program, words) => {
    await opened(browser, async ({ sandbox, page }) => {
      const text = await copied(page, label);
      const { stdout } = await run(program, [...words, '-c', text]);
      expect(stdout).toContain(sandbox.fixtures.userId);
      expect(sandbox.journal.map(({ operation, verdict }) => [operation, verdict])).toEqual([
        ['users.get', 'accepted'],
      ]);
    });
  });

  it('for a shell is exported', async () => {
    await opened(browser, async ({ sandbox, page, url }) => {
      const text = await copied(page, 'export');
      const { stdout } = await run('bash', [
        '--norc',
        '-c',
        `${text}printf '%s ' "$PARTNER_BASE_URL" "$PARTNER_API_SECRET"`,
      ]);
      expect(stdout).toBe(`${url} ${sandbox.credentials.apiSecret} `);
    });
  });

  it('is offered until the first request has come', async () => {
    await opened(browser, async ({ client, sandbox, page }) => {
      const hint = page.getByRole('region', { name: 'Send your first call' });
      await hint.getByRole('button', { name: 'Copy Go of set-up' }).waitFor();
      expect(await page.content()).not.toContain(sandbox.credentials.apiSecret);
      await client.users.get(sandbox.fixtures.userId);
      await hint.waitFor({ state: 'detached' });
    });
  });
});

describe('the keyboard', () => {
  it('goes to each view by g and a letter or a digit', async () => {
    await opened(browser, async ({ page }) => {
      const current = page.getByRole('navigation', { name: 'Views' }).locator('[aria-current]');
      for (const [keys, title] of [
        ['gf', 'Faults'],
        ['g3', 'Money'],
        ['gi', 'Time'],
        ['gt', 'Timeline'],
      ] as const) {
        // Without a pause that a busy machine lengthens: the second key must come within two seconds.
        await Promise.all([...keys].map((key) => page.keyboard.press(key)));
        await expect.poll(() => current.innerText()).toBe(title);
      }
    });
  });

  it('opens the list of keys by ?, and closes what is open by Escape', async () => {
    await opened(browser, async ({ client, sandbox, page, url }) => {
      await page.keyboard.press('?');
      const list = page.getByRole('dialog', { name: 'Keys' });
      await list.getByText('the clock moves to the next timer').waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await list.waitFor({ state: 'hidden' });
      await openMenu(page, 'Clock');
      await page.getByLabel('Time span or moment').focus();
      await page.keyboard.press('Escape');
      await page.getByLabel('Time span or moment').waitFor({ state: 'hidden' });
      await client.users.get(sandbox.fixtures.userId);
      await page.getByRole('link', { name: /users\.get/ }).click();
      await page.getByRole('region', { name: /^Entry/ }).waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => page.url()).toBe(`${url}/_sandbox/#/timeline`);
    });
  });

  it('types into a field what would be a key elsewhere', async () => {
    await opened(browser, async ({ sandbox, page }) => {
      const before = sandbox.clock.now();
      await openMenu(page, 'Clock');
      const field = page.getByLabel('Time span or moment');
      await field.focus();
      await page.keyboard.type('gf.?');
      await expect.poll(() => field.inputValue()).toBe('gf.?');
      expect([sandbox.clock.now(), new URL(page.url()).hash]).toEqual([before, '']);
    });
  });
});

describe('a sandbox', () => {
  it('without inspect shows its requests, and says how the rest is had', async () => {
    const look = { options: { inspect: false } };
    await opened(
      browser,
      async ({ client, sandbox, page }) => {
        await page.getByRole('note').getByText('createSandbox({ inspect: true })').waitFor();
        await client.users.get(sandbox.fixtures.userId);
        await page.getByRole('link', { name: /users\.get/ }).waitFor();
        sandbox.fail({ fault: 503 });
        await page.getByText('1 fault active').waitFor();
        sandbox.reset();
        await page.getByRole('link', { name: /users\.get/ }).waitFor({ state: 'detached' });
        expect(await barriers(page)).toEqual([]);
      },
      look,
    );
  });

  it('that starts anew at the same address is shown, without what the last one did', async () => {
    const expected = /ERR_(CONNECTION|INCOMPLETE|EMPTY)|net::/;
    await opened(
      browser,
      async ({ client, sandbox, page, url }) => {
        for (let count = 0; count < 5; count += 1) await client.users.get(sandbox.fixtures.userId);
        await expect.poll(() => page.getByRole('link', { name: /users\.get/ }).count()).toBe(5);
        await sandbox.close();
        await page
          .getByRole('alert')
          .getByText(/^No connection since \d\d:\d\d:\d\d UTC, for \d+ s/)
          .waitFor();
        await using next = createSandbox({ inspect: true, seed: 2 });
        const port = Number(new URL(url).port);
        // Another program of the machine may have it for a moment.
        await expect.poll(() => next.listen({ port })).toMatchObject({ port });
        await page.getByText('seed 2').first().waitFor();
        await page
          .getByRole('link', { name: /users\.get/ })
          .first()
          .waitFor({ state: 'detached' });
        await sendUnsigned(url);
        await page.getByRole('link', { name: /webhooks\.list/ }).waitFor();
        const entries = page.getByRole('list', { name: /^Entries/ }).getByRole('listitem');
        await expect.poll(() => entries.count()).toBe(1);
      },
      { expected },
    );
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
    await opened(browser, async ({ client, sandbox, page }) => {
      const isStream = (request: Request): boolean => request.url().includes('/events?');
      const ended = page.waitForEvent('requestfailed', isStream);
      await turn(page, true);
      await ended;
      await client.users.get(sandbox.fixtures.userId);
      await page.waitForTimeout(1_500);
      expect(await page.getByRole('link', { name: /users\.get/ }).count()).toBe(0);
      expect(await page.getByRole('alert').count()).toBe(0);
      await turn(page, false);
      await page.getByRole('link', { name: /users\.get/ }).waitFor();
      await client.users.get(sandbox.fixtures.userId);
      await expect.poll(() => page.getByRole('link', { name: /users\.get/ }).count()).toBe(2);
    });
  });
});
