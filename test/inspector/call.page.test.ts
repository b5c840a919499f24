import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { barriers, copiedBy, opened, openNewest, openTab, rowsOf } from './support/browser.js';
import { send } from './support/signed.js';
import { registerInbox } from './support/webhooks.js';

const SIDES = {
  from: { symbol: 'USD', type: 'fiat', amount: '100.00' },
  to: { symbol: 'BTC', type: 'crypto' },
} as const;

const quote = (amount: string): string =>
  `{"from":{"symbol":"USD","type":"fiat","amount":${amount}},"to":{"symbol":"BTC","type":"crypto"}}`;

/** What a text says on one line. */
const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();

describe('the story of a call', () => {
  it('says at once that a retry doubled nothing, what happened, and where the money went', async () => {
    await opened(async ({ client, sandbox, page }) => {
      const { accountId } = sandbox.fixtures;
      registerInbox(sandbox, 'a');
      registerInbox(sandbox, 'b');
      sandbox.inbox.answer({ name: 'b', status: 500 });
      const { id } = await client.accounts.quotes.create(accountId, SIDES);
      sandbox.fail({ operation: 'accounts.quotes.execute', fault: 'reset', when: 'after', times: 1 });
      await client.accounts.quotes.execute(accountId, id);
      sandbox.clock.advance(2_000);
      await sandbox.webhooks.idle();
      const details = await openNewest({ page, sandbox }, /quotes\.execute/);
      await details.getByRole('heading', { name: 'Execute quote' }).waitFor();
      await details.getByText('2 attempts, one effect. Nothing was doubled.').waitFor();
      await details.getByText('The first response was lost (trouble_1, reset)').waitFor();
      const steps = details.getByRole('list', { name: 'What happened' }).getByRole('listitem');
      await expect
        .poll(async () => (await steps.allInnerTexts()).map(flat))
        .toEqual([
          '0 ms Attempt 1 took effect, response lost',
          expect.stringMatching(/^\S+ \S+ Quote executing/),
          expect.stringMatching(/^\S+ \S+ Attempt 2 200, replayed$/),
          expect.stringMatching(/Quote executed −100 USD from customer-1000 main, \+0\.\d+ BTC to customer-1000 main$/),
          expect.stringMatching(/2 webhooks 1 delivered, 1 failing: 500$/),
        ]);
      const markdown = await copiedBy(page, details.getByRole('button', { name: 'Copy as Markdown of the call' }));
      expect(markdown).toMatch(/^\*\*Execute quote: 2 attempts, one effect\. Nothing was doubled\.\*\*/);
      expect(markdown).toContain('1. 0 ms: Attempt 1, took effect, response lost');
      expect(markdown).toContain('"status": "executing"');
      expect(markdown).not.toContain(sandbox.credentials.apiSecret);
      expect(await barriers(page)).toEqual([]);
    });
  });

  it('says so when a fault came before the effect, after it, and when a write was doubled', async () => {
    await opened(async ({ client, sandbox, page, url }) => {
      const { accountId } = sandbox.fixtures;
      const once = client.withOptions({ maxRetries: 0 });
      const says = async (title: RegExp): Promise<void> => {
        const details = await openNewest({ page, sandbox }, /quotes\.create/);
        await details.getByText(title).waitFor();
      };
      sandbox.fail({ operation: 'accounts.quotes.create', fault: 503, times: 1 });
      await once.accounts.quotes.create(accountId, SIDES).catch(() => {});
      await says(/^No effect: 503 came before the effect\.$/);
      sandbox.fail({ operation: 'accounts.quotes.create', fault: 503, when: 'after', times: 1 });
      await once.accounts.quotes.create(accountId, SIDES).catch(() => {});
      await says(/^It took effect, but the response said 503\.$/);
      // A hand-written client that repeats a write without an idempotency key.
      sandbox.fail({ operation: 'accounts.quotes.create', fault: 'reset', when: 'after', times: 1 });
      const path = `/v1/accounts/${accountId}/quotes`;
      for (let count = 0; count < 2; count += 1) {
        await send(sandbox, url, { method: 'POST', path, body: quote('"5.00"') }).catch(() => {});
      }
      await says(/^2 attempts, 2 effects\. It happened more than once\.$/);
    });
  });

  it('knows that a second lost response was that of the first, and that a read has no effect', async () => {
    await opened(async ({ client, sandbox, page }) => {
      const { accountId, userId } = sandbox.fixtures;
      sandbox.fail({ operation: 'funds.withdrawals.create', fault: 'reset', when: 'after', times: 2 });
      await client.funds.withdrawals.create(accountId, { asset_symbol: 'BTC', key: 'cold-storage', amount: '0.0021' });
      const payout = await openNewest({ page, sandbox }, /withdrawals\.create/);
      await payout.getByText('3 attempts, one effect. Nothing was doubled.', { exact: true }).waitFor();
      await payout.getByText('replayed, response lost', { exact: true }).waitFor();
      sandbox.fail({ operation: 'users.get', fault: 'reset', when: 'after', times: 1 });
      await client
        .withOptions({ maxRetries: 0 })
        .users.get(userId)
        .catch(() => {});
      const read = await openNewest({ page, sandbox }, /users\.get/);
      await read.getByText('The response was lost.', { exact: true }).waitFor();
      expect(await read.innerText()).not.toContain('took effect');
    });
  });

  it('folds many attempts, and shows each by itself', async () => {
    await opened(async ({ client, sandbox, page }) => {
      sandbox.fail({ operation: 'users.get', fault: 503, times: 5 });
      await client.withOptions({ maxRetries: 5 }).users.get(sandbox.fixtures.userId);
      const details = await openNewest({ page, sandbox }, /users\.get/);
      const steps = details.getByRole('list', { name: 'What happened' }).getByRole('listitem');
      await expect.poll(() => steps.count()).toBe(3);
      expect(flat(await steps.nth(1).innerText())).toContain('Attempts 2 to 5 503, no effect');
      await details.getByRole('button', { name: 'Attempt 2', exact: true }).click();
      await details.waitFor({ state: 'detached' });
      const second = page.getByRole('region', { name: /^Entry/ });
      await (await openTab(second, 'Response')).getByText('"code"').waitFor();
    });
  });
});

describe('what was sent and received', () => {
  it('stands in tabs, without a secret', async () => {
    await opened(async ({ client, sandbox, page }) => {
      const { id } = await client.accounts.quotes.create(sandbox.fixtures.accountId, SIDES);
      const details = await openNewest({ page, sandbox }, /quotes\.create/);
      await (await openTab(details, 'Response')).getByText(id).waitFor();
      await (await openTab(details, 'Request')).getByText('"100.00"').waitFor();
      const headers = await openTab(details, 'Headers');
      await headers.getByText(/api-sign: /).waitFor();
      await headers.getByText('idempotency key', { exact: true }).waitFor();
      await (await openTab(details, 'Signing')).getByText('is the signature of this request').waitFor();
      expect(await page.content()).not.toContain(sandbox.credentials.apiSecret);
      // The arrows go from tab to tab.
      await details.getByRole('tab', { name: 'Signing' }).press('ArrowLeft');
      await expect.poll(() => details.getByRole('tab', { name: 'Headers' }).getAttribute('aria-selected')).toBe('true');
    });
  });

  it('for a wrong signature has what was probably signed beside what was to be signed, the difference marked', async () => {
    await opened(async ({ sandbox, page, url }) => {
      await send(sandbox, url, { path: '/v1/webhooks?page_size=3', signedPath: '/v1/webhooks' });
      const details = await openNewest({ page, sandbox }, /webhooks\.list/);
      await details.getByText('Rejected: you signed the path without its query.').waitFor();
      const signing = await openTab(details, 'Signing');
      const { signing: known } = sandbox.requests.get(sandbox.journal[0]?.seq ?? 0) ?? {};
      await signing.getByText(`/v1/webhooks ‖ ${known?.sha256}`, { exact: true }).waitFor();
      await expect.poll(() => signing.locator('mark').first().innerText()).toBe('?page_size=3');
      for (const text of [known?.expected, known?.received]) await signing.getByText(text ?? '-').waitFor();
      expect(await page.content()).not.toContain(sandbox.credentials.apiSecret);
      expect(await barriers(page)).toEqual([]);
    });
  });

  it('shows what is probably a mistake in a request that was taken', async () => {
    await opened(async ({ sandbox, page, url }) => {
      await send(sandbox, url, { path: '/v1/ramp/checkout?in_ammount=100&in_asset_symbol=USD' });
      const details = await openNewest({ page, sandbox }, /ramp\.checkout/);
      const mistakes = details.getByRole('list', { name: 'Probably mistakes' });
      await expect.poll(async () => flat(await mistakes.innerText())).toMatch(/^in_ammount .*did you mean in_amount\?/);
    });
  });

  it('names the nonce before one that was not above it', async () => {
    await opened(async ({ sandbox, page, url }) => {
      for (const nonce of ['1900000000000000000', '1800000000000000000']) {
        await send(sandbox, url, { path: '/v1/assets', nonce });
      }
      const details = await openNewest({ page, sandbox }, /401/);
      await details.getByText(/^Rejected: your clock is behind that of another user/).waitFor();
      const headers = await openTab(details, 'Headers');
      await headers.getByText(/^1900000000000000000/).waitFor();
      await headers.getByRole('link', { name: 'entry 1' }).waitFor();
    });
  });

  it('has its broken rules beside the members, parameters and headers that break them', async () => {
    await opened(async ({ sandbox, page, url }) => {
      const path = `/v1/accounts/${sandbox.fixtures.accountId}/quotes`;
      const body = `{"from":{"symbol":"USD","type":"fiat","amount":100.00,"colour":"red"},"to":{"type":"crypto"}}`;
      await send(sandbox, url, { method: 'POST', path, body, key: 'no-uuid' });
      let details = await openNewest({ page, sandbox }, /quotes\.create/);
      const headers = await openTab(details, 'Headers');
      await headers.locator('mark', { hasText: 'idempotency-key' }).waitFor();
      await send(sandbox, url, { method: 'POST', path, body, key: randomUUID() });
      details = await openNewest({ page, sandbox }, /from\.amount/);
      const marks = (await openTab(details, 'Request')).locator('mark');
      // The number stands there as it was sent.
      await expect
        .poll(async () => (await marks.allInnerTexts()).map(flat))
        .toEqual([
          expect.stringMatching(/^"amount": 100\.00, ← broken rule: must be a decimal string/),
          expect.stringMatching(/^"colour": "red" ← broken rule: is not known/),
          expect.stringMatching(/^"to": \{ ← broken rule: to\.symbol: is missing/),
        ]);
      await send(sandbox, url, { path: '/v1/webhooks?page_size=0&page_token=x' });
      details = await openNewest({ page, sandbox }, /webhooks\.list/);
      const target = (await openTab(details, 'Request')).getByRole('region', { name: 'Path and query' });
      await expect
        .poll(async () => flat(await target.locator('mark').first().innerText()))
        .toMatch(/^\?page_size=0 ← /);
    });
  });
});

describe('two requests', () => {
  it('that share an idempotency key stand side by side, member by member', async () => {
    await opened(async ({ sandbox, page, url }) => {
      const path = `/v1/accounts/${sandbox.fixtures.accountId}/quotes`;
      const key = randomUUID();
      for (const amount of ['"100.00"', '"150.00"']) {
        await send(sandbox, url, { method: 'POST', path, body: quote(amount), key });
      }
      const details = await openNewest({ page, sandbox }, /quotes\.create/);
      await details.getByText(/^Rejected: another request had the key/).waitFor();
      const difference = await openTab(details, 'Difference');
      const row = difference.getByRole('row', { name: /from\.amount/ });
      await expect.poll(async () => flat(await row.innerText())).toMatch(/"100\.00" "150\.00"$/);
      // And the head.
      await expect.poll(() => difference.getByRole('row').count()).toBe(2);
      await difference.getByRole('link', { name: /first request with this idempotency key, entry 1/ }).waitFor();
      expect(await barriers(page)).toEqual([]);
      await send(sandbox, url, { method: 'POST', path, body: quote('"100.00"'), key });
      await details.getByText('3 attempts, one effect. Nothing was doubled.').waitFor();
      await details.getByText('The later requests had the same idempotency key').waitFor();
    });
  });

  it('of any kind are compared, what always differs last, and the address knows both', async () => {
    await opened(async ({ client, sandbox, page, url }) => {
      await client.users.get(sandbox.fixtures.userId);
      await send(sandbox, url, { path: '/v1/users/none' });
      await rowsOf(page).filter({ hasText: '200' }).click();
      await page.getByRole('button', { name: 'Compare', exact: true }).click();
      await rowsOf(page).first().click();
      const details = page.getByRole('region', { name: 'Entry 2', exact: true });
      const difference = details.getByRole('tabpanel', { name: 'Difference' });
      const names = async () =>
        difference.getByRole('row').evaluateAll((rows) => rows.map((row) => row.firstChild?.textContent));
      await expect.poll(async () => (await names())[1]).toBe('path');
      expect((await names()).slice(-4)).toEqual(expect.arrayContaining(['header api-nonce', 'header api-sign']));
      expect(await names()).not.toContain('method');
      await page.reload();
      await difference.getByRole('row', { name: /^path \/v1/ }).waitFor();
      await page.getByRole('button', { name: 'Stop comparing' }).click();
      await details.getByRole('tab', { name: 'Difference' }).waitFor({ state: 'detached' });
    });
  });
});

describe('a call again', () => {
  it('is sent with its idempotency key and with a new one', async () => {
    await opened(async ({ client, sandbox, page }) => {
      await client.accounts.quotes.create(sandbox.fixtures.accountId, SIDES);
      const details = await openNewest({ page, sandbox }, /quotes\.create/);
      await details.getByRole('button', { name: 'Send again', exact: true }).click();
      const repeated = page.getByRole('region', { name: /^Entry/ });
      await repeated.getByText('2 attempts, one effect. Nothing was doubled.').waitFor();
      await repeated.getByRole('button', { name: 'Send with a new idempotency key' }).click();
      await repeated.getByText('1 attempt, one effect.').waitFor();
      expect(sandbox.journal.map(({ verdict }) => verdict)).toEqual(['accepted', 'replayed', 'accepted']);
    });
  });

  it('takes effect anew once its idempotency key is forgotten', async () => {
    await opened(async ({ client, sandbox, page }) => {
      await client.accounts.quotes.create(sandbox.fixtures.accountId, SIDES);
      const details = await openNewest({ page, sandbox }, /quotes\.create/);
      await (await openTab(details, 'Request')).getByRole('button', { name: 'Forget the idempotency key' }).click();
      await expect.poll(() => sandbox.idempotency.list()).toEqual([]);
      await details.getByRole('button', { name: 'Send again', exact: true }).click();
      await page.getByText('2 attempts, 2 effects. It happened more than once.').waitFor();
    });
  });

  it('fails as often as the reader wants, and leads to the fault', async () => {
    await opened(async ({ client, sandbox, page }) => {
      const { userId } = sandbox.fixtures;
      await client.users.get(userId);
      const details = await openNewest({ page, sandbox }, /users\.get/);
      await details.getByRole('button', { name: 'Fail the next one' }).click();
      const sentence = page.getByRole('dialog', { name: 'Fail the next one' });
      await sentence.getByLabel('Number of calls').fill('2');
      await sentence.getByRole('button', { name: 'Fail them' }).click();
      await expect.poll(() => sandbox.troubles.list()).toMatchObject([{ match: { operation: 'users.get' }, left: 2 }]);
      await page.keyboard.press('Escape');
      await client
        .withOptions({ maxRetries: 0 })
        .users.get(userId)
        .catch(() => {});
      const failed = await openNewest({ page, sandbox }, /503/);
      const fault = (await openTab(failed, 'Headers')).getByRole('link', { name: 'trouble_1', exact: true });
      await expect.poll(() => fault.getAttribute('href')).toBe('#/faults/trouble_1');
    });
  });
});
