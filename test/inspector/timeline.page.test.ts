import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { barriers, opened, openMenu, openNewest, type Setting } from './support/browser.js';
import { chromiumOfFile } from './support/chromium.js';
import { send } from './support/signed.js';

const browser = chromiumOfFile();

const HOSTILE = `"><img src=x onerror=alert(1)>|\`</td>\n# [x](y)`;

const USD = { symbol: 'USD', type: 'fiat', amount: '9.00' } as const;
const BTC = { symbol: 'BTC', type: 'crypto' } as const;

const rows = (page: Page) => page.getByRole('list', { name: /^Entries/ }).getByRole('link');

/** What the rows say, without their times. */
const told = async (page: Page): Promise<string[]> =>
  (await rows(page).allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').replace(/^\S+ /, ''));

/** Clicks, and reads the file that the page gives. */
async function exported(page: Page, form: string): Promise<string> {
  await openMenu(page, 'Export what is shown');
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: form, exact: true }).click();
  return readFile(await (await waiting).path(), 'utf8');
}

describe('the timeline', () => {
  it('opens the request of an instance that is pasted, also from within a line of a log', async () => {
    await opened(browser, async ({ client, sandbox, page, url }) => {
      await send(sandbox, url, { path: '/v1/webhooks/none' });
      for (let count = 0; count < 3; count += 1) await client.users.get(sandbox.fixtures.userId);
      const { instance = '', seq } = sandbox.journal[0] ?? {};
      const search = page.getByLabel('Search the timeline');
      await search.fill(`2026-01-15 ERROR quote failed instance=${instance} (404)`);
      await page.getByRole('region', { name: `Entry ${seq}` }).waitFor();
      await expect.poll(() => search.inputValue()).toBe(instance);
      await expect.poll(() => rows(page).count()).toBe(1);
      await search.fill(`req_${randomUUID()}`);
      await page.getByText('No request that the sandbox still knows').waitFor();
    });
  });

  it('says so if an address names an entry that is not there', async () => {
    await opened(browser, async ({ page, url }) => {
      for (const id of ['77', 'x']) {
        await page.goto(`${url}/_sandbox/#/timeline/${id}`);
        await page
          .getByRole('region', { name: `Entry ${id}` })
          .getByText('does not have this entry')
          .waitFor();
      }
    });
  });

  it('filters by operation, verdict, status, account, key, kind and text, together', async () => {
    await opened(browser, async ({ client, sandbox, page, url }) => {
      const { userId, accountId } = sandbox.fixtures;
      const key = randomUUID();
      await client.accounts.quotes.create(accountId, { from: USD, to: BTC }, { idempotencyKey: key });
      await client.users.get(userId);
      await send(sandbox, url, { path: '/v1/webhooks', signedPath: '/' });
      await send(sandbox, url, { path: '/v1/users/none' });
      await expect.poll(() => rows(page).count()).toBe(5);
      const shows = (count: number) => expect.poll(() => rows(page).count()).toBe(count);
      const none = page.getByRole('button', { name: 'Clear filters' });
      for (const [label, value, count] of [
        ['Operation', 'users.get', 2],
        ['Verdict', 'bad_signature', 1],
        ['Status', '4xx', 2],
        ['Status', '2xx', 2],
        ['Account', accountId, 2],
        ['Kind of entry', 'change', 1],
      ] as const) {
        await page.getByLabel(label, { exact: true }).selectOption(value);
        await shows(count);
        await none.click();
        await shows(5);
      }
      await page.getByLabel('Key', { exact: true }).fill(key.slice(3, 20).toUpperCase());
      await shows(1);
      await none.click();
      await page.getByLabel('Search the timeline').fill('users/none 400');
      await shows(1);
      await page.getByLabel('Status').selectOption('2xx');
      await page.getByText('Nothing matches').waitFor();
      // What fits shows as it comes.
      await page.getByLabel('Search the timeline').fill('users.get');
      await client.users.get(userId);
      await shows(2);
    });
  });

  it('hides what the sandbox was made with behind one button', async () => {
    const use = async ({ client, sandbox, page }: Setting): Promise<void> => {
      // Conversions of the seed are under way: their steps are the sandbox's own.
      sandbox.advance(60_000);
      await client.accounts.quotes.create(sandbox.fixtures.accountId, { from: USD, to: BTC });
      sandbox.advance(60_000);
      await rows(page).filter({ hasText: 'POST' }).waitFor();
      const kinds = async () => (await told(page)).map((row) => row.split(' ')[0]);
      await expect.poll(kinds).not.toContain('timer');
      await page.getByRole('button', { name: /^Show \d+ start-up rows$/ }).click();
      await expect.poll(async () => (await kinds()).includes('timer')).toBe(true);
      await page.getByRole('button', { name: /^Hide \d+ start-up rows$/ }).click();
      await expect.poll(kinds).not.toContain('timer');
    };
    await opened(browser, use, { width: 360 });
  });

  it('has its filters and the open entry in the address: a reload, and another reader, see the same', async () => {
    await opened(browser, async ({ client, sandbox, page, url }) => {
      await client.users.get(sandbox.fixtures.userId);
      await send(sandbox, url, { path: '/v1/users/none' });
      await page.getByLabel('Status', { exact: true }).selectOption('4xx');
      await page.getByLabel('Search the timeline').fill('users');
      await rows(page).first().click();
      await page.getByRole('region', { name: 'Entry 2' }).waitFor();
      await page.reload();
      await page.getByRole('region', { name: 'Entry 2' }).waitFor();
      await expect.poll(() => page.getByLabel('Search the timeline').inputValue()).toBe('users');
      await expect.poll(() => page.getByLabel('Status', { exact: true }).inputValue()).toBe('4xx');
      await expect.poll(() => rows(page).count()).toBe(1);
      await page.getByLabel('Status', { exact: true }).selectOption('');
      await page.getByLabel('Search the timeline').fill('');
      await expect.poll(() => new URL(page.url()).search).toBe('');
    });
  });

  it('groups what went wrong by cause and operation, and a click shows these requests alone', async () => {
    await opened(browser, async ({ client, sandbox, page, url }) => {
      await client.users.get(sandbox.fixtures.userId);
      for (const path of ['/v1/users/none', '/v1/users/none', '/v1/webhooks/none']) await send(sandbox, url, { path });
      await page.getByRole('button', { name: 'Errors', exact: true }).click();
      const groups = page.getByRole('region', { name: 'Errors by cause and operation' }).locator('tbody tr');
      await expect.poll(() => groups.count()).toBe(2);
      const ofUsers = groups.filter({ hasText: 'users.get' });
      expect(await ofUsers.innerText()).toMatch(/^4\d\d \w+\s+users\.get\s+2/);
      await ofUsers.getByRole('button').click();
      await expect.poll(() => rows(page).count()).toBe(2);
      expect(await barriers(page)).toEqual([]);
    });
  });

  it('shows first what goes wrong more often now than before, and then what did most often', async () => {
    await opened(browser, async ({ sandbox, page, url }) => {
      for (const name of ['one', 'two', 'three']) await send(sandbox, url, { path: `/v1/users/${name}` });
      await page.getByRole('button', { name: 'Errors', exact: true }).click();
      const groups = page.getByRole('region', { name: 'Errors by cause and operation' }).locator('tbody tr');
      await groups.filter({ hasText: 'users.get' }).waitFor();
      await page.waitForTimeout(2_000);
      await send(sandbox, url, { path: '/v1/webhooks/none' });
      await expect
        .poll(() => groups.allInnerTexts())
        .toEqual([expect.stringMatching(/404 not_found.*\s1\s+↑$/), expect.stringMatching(/users\.get\s+3\s*$/)]);
    });
  });

  it('shows the difference of any two requests, which stands in the address', async () => {
    await opened(browser, async ({ client, sandbox, page, url }) => {
      await client.users.get(sandbox.fixtures.userId);
      await send(sandbox, url, { path: '/v1/users/none' });
      await rows(page).last().click();
      await page.getByRole('button', { name: 'Compare with another' }).click();
      await page.locator('.virtual').getByRole('link').first().click();
      const difference = page.getByRole('region', { name: 'Difference from the compared request' });
      await difference.getByRole('row', { name: /^path .* different$/ }).waitFor();
      await difference.getByRole('row', { name: /^header api-sign .* different$/ }).waitFor();
      await difference.getByRole('row', { name: /^answer 200 4\d\d different$/ }).waitFor();
      const same = difference.getByRole('row', { name: /^method GET GET the same$/ });
      expect(await same.count()).toBe(0);
      await difference.getByRole('button', { name: /^Show the \d+ parts/ }).click();
      await same.waitFor();
      await page.reload();
      await difference.getByRole('row', { name: /^path .* different$/ }).waitFor();
    });
  });

  it('keeps the filters and the comparison while another view is shown', async () => {
    await opened(browser, async ({ client, sandbox, page }) => {
      await client.users.get(sandbox.fixtures.userId);
      await rows(page).first().click();
      await page.getByRole('button', { name: 'Compare with another' }).click();
      const search = page.getByLabel('Search the timeline');
      await search.fill('nothing like it');
      await page.getByRole('link', { name: 'Keys', exact: true }).click();
      await search.waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Timeline', exact: true }).click();
      await expect.poll(() => search.inputValue()).toBe('nothing like it');
      await page.getByRole('link', { name: 'entry 1: users.get' }).waitFor();
      const stop = page.getByRole('button', { name: 'Stop comparing' });
      await stop.click();
      await stop.waitFor({ state: 'detached' });
    });
  });

  it('stands still while it is paused, and goes on', async () => {
    await opened(browser, async ({ client, sandbox, page }) => {
      const { userId } = sandbox.fixtures;
      await client.users.get(userId);
      await rows(page).first().waitFor();
      await page.getByRole('button', { name: 'Pause' }).click();
      await client.users.get(userId);
      await page.getByRole('button', { name: 'Resume (1 new)' }).waitFor();
      await expect.poll(() => rows(page).count()).toBe(1);
      await page.getByRole('button', { name: 'Resume (1 new)' }).click();
      await expect.poll(() => rows(page).count()).toBe(2);
    });
  });

  it('forgets everything, in the sandbox, too', async () => {
    await opened(browser, async ({ client, sandbox, page }) => {
      await client.users.get(sandbox.fixtures.userId);
      await rows(page).first().waitFor();
      await page.getByRole('button', { name: 'Clear', exact: true }).click();
      await expect.poll(() => told(page)).toEqual([expect.stringMatching(/^control requests\.clear/)]);
      expect(sandbox.journal).toEqual([]);
    });
  });

  it('shows one trace by itself: from the request to its webhooks, and nothing else', async () => {
    await opened(browser, async ({ client, sandbox, page }) => {
      const { accountId, userId } = sandbox.fixtures;
      for (const name of ['a', 'b']) {
        sandbox.webhooks.register({ url: sandbox.inbox.url(name), events: ['quote.executed'] });
      }
      await client.users.get(userId);
      const other = await client.accounts.quotes.create(accountId, { from: USD, to: BTC });
      const { id } = await client.accounts.quotes.create(accountId, { from: USD, to: BTC });
      await client.accounts.quotes.execute(accountId, id);
      sandbox.quotes.settle(id);
      await sandbox.webhooks.idle();
      const details = await openNewest({ page, sandbox }, /quotes\.execute 200/);
      await details.getByRole('button', { name: 'Show trace' }).click();
      await expect.poll(async () => (await told(page)).filter((row) => /^delivery/.test(row)).length).toBe(2);
      const story = await told(page);
      const kinds = story.map((row) => /^\S+ \S+/.exec(row)?.[0]);
      expect(kinds.slice(0, 4)).toEqual([
        'POST accounts.quotes.create',
        'change quotes',
        'POST accounts.quotes.execute',
        'change quotes',
      ]);
      expect(story.join()).not.toContain('users.get');
      expect(story.join()).not.toContain(other.id);
      await page.getByRole('button', { name: 'Show all entries' }).click();
      await page.getByRole('link', { name: /users\.get/ }).waitFor();
    });
  });

  it('leaves the reader where he has scrolled to, and the opened entry open', async () => {
    await opened(browser, async ({ client, sandbox, page }) => {
      const { userId } = sandbox.fixtures;
      for (let count = 0; count < 100; count += 1) await client.users.get(userId);
      await expect.poll(() => rows(page).first().getAttribute('href')).toBe('#/timeline/100');
      const details = await openNewest({ page, sandbox }, /users\.get/);
      await details.getByRole('region', { name: 'As code' }).waitFor();
      const list = page.locator('.virtual');
      await list.evaluate((element) => {
        element.scrollTop = 1_500;
      });
      const seen = page.locator('a[href="#/timeline/50"]');
      await seen.waitFor();
      // In the list: what stands above it may take another line meanwhile.
      const place = async () => ((await seen.boundingBox())?.y ?? 0) - ((await list.boundingBox())?.y ?? 0);
      await expect.poll(place).toBe(0);
      for (let count = 0; count < 7; count += 1) await client.users.get(userId);
      await expect.poll(() => page.locator('.count').innerText()).toBe('107 entries');
      await expect.poll(() => list.evaluate((element) => element.scrollTop)).toBe(1_710);
      await expect.poll(place).toBe(0);
      await page.getByRole('region', { name: 'Entry 100' }).waitFor();
    });
  });

  it('is exported as an HTTP archive and as JSON: what is shown, without secrets', async () => {
    await opened(browser, async ({ client, sandbox, page, url }) => {
      const { accountId, userId } = sandbox.fixtures;
      await client.accounts.quotes.create(accountId, { from: USD, to: BTC });
      await client.users.get(userId);
      const body = JSON.stringify({ from: HOSTILE, secret: sandbox.credentials.apiSecret });
      await send(sandbox, url, { method: 'POST', path: `/v1/accounts/${accountId}/quotes?a=b`, body });
      sandbox.fail({ fault: 'reset' });
      await client
        .withOptions({ maxRetries: 0 })
        .users.get(userId)
        .catch(() => {});
      await page.getByRole('link', { name: /no answer fault_before/ }).waitFor();
      const { log } = JSON.parse(await exported(page, 'HAR'));
      expect(log).toMatchObject({ version: '1.2', creator: { name: expect.any(String), version: expect.any(String) } });
      expect(
        log.entries.map((entry: HarEntry) => [entry.request.method, entry.request.url, entry.response.status]),
      ).toEqual([
        ['POST', `${url}/v1/accounts/${accountId}/quotes`, 200],
        ['GET', `${url}/v1/users/${userId}`, 200],
        ['POST', `${url}/v1/accounts/${accountId}/quotes?a=b`, 400],
        ['GET', `${url}/v1/users/${userId}`, 0],
      ]);
      for (const entry of log.entries as HarEntry[]) expectHarEntry(entry);
      expect(log.entries[2].request).toMatchObject({
        queryString: [{ name: 'a', value: 'b' }],
        postData: { mimeType: 'application/json', text: expect.stringContaining('onerror') },
      });
      const json = JSON.parse(await exported(page, 'JSON'));
      expect(json.entries.map(({ seq }: { seq: number }) => seq)).toEqual(
        [1, 2, 3, 4, 5, 6, 7, 8].slice(0, json.entries.length),
      );
      expect(json.entries[0]).toMatchObject({
        kind: 'request',
        request: { headers: { 'api-key': expect.any(String) } },
      });
      for (const written of [JSON.stringify(log), JSON.stringify(json)]) {
        expect(written).not.toContain(sandbox.credentials.apiSecret);
      }
      await page.getByLabel('Operation').selectOption('users.get');
      await expect.poll(() => rows(page).count()).toBe(2);
      expect(JSON.parse(await exported(page, 'HAR')).log.entries.length).toBe(2);
    });
  });
});

interface HarEntry {
  readonly request: { readonly method: string; readonly url: string };
  readonly response: { readonly status: number };
}

/** The members that version 1.2 asks for. */
function expectHarEntry(entry: HarEntry): void {
  const headers = expect.any(Array);
  const sizes = { headersSize: expect.any(Number), bodySize: expect.any(Number) };
  expect(entry).toMatchObject({
    startedDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    time: expect.any(Number),
    request: {
      method: expect.any(String),
      url: expect.any(String),
      httpVersion: expect.any(String),
      cookies: [],
      headers,
      queryString: expect.any(Array),
      ...sizes,
    },
    response: {
      status: expect.any(Number),
      statusText: expect.any(String),
      httpVersion: expect.any(String),
      cookies: [],
      headers,
      content: { size: expect.any(Number), mimeType: expect.any(String) },
      redirectURL: expect.any(String),
      ...sizes,
    },
    cache: {},
    timings: { send: expect.any(Number), wait: expect.any(Number), receive: expect.any(Number) },
  });
}
