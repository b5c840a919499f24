import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { barriers, opened, openNewest as openNewestEntry } from './support/browser.js';
import { chromiumOfFile } from './support/chromium.js';
import { send } from './support/signed.js';

const browser = chromiumOfFile();

const quote = (amount: string): string =>
  `{"from":{"symbol":"USD","type":"fiat","amount":${amount}},"to":{"symbol":"BTC","type":"crypto"}}`;

/** Opens the newest request, with all that was sent and answered. */
async function openNewest(at: Parameters<typeof openNewestEntry>[0], name: RegExp) {
  const details = await openNewestEntry(at, name);
  await details.getByRole('region', { name: 'As code' }).waitFor();
  return details;
}

describe('a request', () => {
  it('that was signed wrongly shows the likely mistake first, then what was signed', async () => {
    await opened(browser, async ({ sandbox, page, url }) => {
      await send(sandbox, url, { path: '/v1/webhooks?page_size=3', signedPath: '/v1/webhooks' });
      const details = await openNewest({ page, sandbox }, /webhooks\.list/);
      const [entry] = sandbox.journal;
      const signing = sandbox.requests.get(entry?.seq ?? 0)?.signing;
      const values = details.getByRole('region', { name: 'The signature taken apart' }).locator('.value code');
      await expect
        .poll(() => values.allInnerTexts())
        .toEqual([
          signing?.sha256,
          `/v1/webhooks?page_size=3 ‖ ${signing?.sha256}`,
          signing?.expected,
          signing?.received,
        ]);
      await expect
        .poll(() => details.innerText())
        .toMatch(/not the signature[\s\S]*you signed the path without its query[\s\S]*String to sign/);
      expect(await details.innerText()).not.toContain(sandbox.credentials.apiSecret);
    });
  });

  it('that was taken shows what is probably a mistake', async () => {
    await opened(browser, async ({ sandbox, page, url }) => {
      await send(sandbox, url, { path: '/v1/ramp/checkout?in_ammount=100&in_asset_symbol=USD' });
      const details = await openNewest({ page, sandbox }, /ramp\.checkout/);
      await expect
        .poll(() => details.innerText())
        .toMatch(
          /accepted and answered 200[\s\S]*Probably mistakes\s+in_ammount is not known: did you mean in_amount\?/i,
        );
    });
  });

  it('that was refused for its nonce shows the nonce before it', async () => {
    await opened(browser, async ({ sandbox, page, url }) => {
      await send(sandbox, url, { path: '/v1/webhooks', nonce: '1900000000000000000' });
      await send(sandbox, url, { path: '/v1/webhooks', nonce: '1800000000000000000' });
      const details = await openNewest({ page, sandbox }, /nonce_not_rising/);
      await details.getByText('Likely mistake').waitFor();
      await details.getByText(/^1800000000000000000 \(2027-01-15/).waitFor();
      await details.getByText(/^1900000000000000000/).waitFor();
      await details.getByRole('link', { name: 'entry 1' }).waitFor();
    });
  });

  it('folds its headers, unless one breaks a rule', async () => {
    await opened(browser, async ({ sandbox, page, url }) => {
      await send(sandbox, url, { path: '/v1/webhooks' });
      let details = await openNewest({ page, sandbox }, /webhooks\.list/);
      const headers = () => details.locator('section[aria-label="Headers of the request"]');
      await headers().waitFor({ state: 'hidden' });
      await details
        .getByText(/^\d+ headers$/)
        .first()
        .click();
      await headers().getByText('api-sign').waitFor();
      const path = `/v1/accounts/${sandbox.fixtures.accountId}/quotes`;
      await send(sandbox, url, { method: 'POST', path, body: '{}', key: 'no-uuid' });
      details = await openNewest({ page, sandbox }, /quotes\.create/);
      await headers().locator('mark', { hasText: 'idempotency-key' }).waitFor();
    });
  });

  it('has its broken rules beside the members of the body and the parameters that break them', async () => {
    await opened(browser, async ({ sandbox, page, url }) => {
      const path = `/v1/accounts/${sandbox.fixtures.accountId}/quotes`;
      const body = `{"from":{"symbol":"USD","type":"fiat","amount":100.00,"colour":"red"},"to":{"type":"crypto"}}`;
      await send(sandbox, url, { method: 'POST', path, body, key: randomUUID() });
      let details = await openNewest({ page, sandbox }, /quotes\.create/);
      const marks = details.getByRole('region', { name: 'Body of the request' }).locator('mark');
      // The number stands there as it was sent.
      const told = async () => (await marks.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
      await expect
        .poll(told)
        .toEqual([
          expect.stringMatching(/^"amount": 100\.00, ← broken rule: must be a decimal string/),
          expect.stringMatching(/^"colour": "red" ← broken rule: is not known/),
          expect.stringMatching(/^"to": \{ ← broken rule: to\.symbol: is missing/),
        ]);
      await send(sandbox, url, { path: '/v1/webhooks?page_size=0&page_token=x' });
      details = await openNewest({ page, sandbox }, /webhooks\.list/);
      const query = details.getByRole('region', { name: 'Path and query' }).locator('mark').first();
      await expect
        .poll(() => query.innerText())
        .toMatch(/^\?page_size=0\s+← broken rule: must be a whole number from 1 to/);
    });
  });

  it('that reused a key stands beside the first one, member by member', async () => {
    await opened(browser, async ({ sandbox, page, url }) => {
      const path = `/v1/accounts/${sandbox.fixtures.accountId}/quotes`;
      const key = randomUUID();
      await send(sandbox, url, { method: 'POST', path, body: quote('"100.00"'), key });
      await send(sandbox, url, { method: 'POST', path, body: quote('"150.00"'), key });
      let details = await openNewest({ page, sandbox }, /key_reused/);
      const row = details.getByRole('row', { name: /from\.amount/ });
      await expect.poll(() => row.innerText()).toMatch(/"100\.00"\s+"150\.00"\s+different/);
      await expect.poll(() => details.getByRole('row', { name: /different/ }).count()).toBe(1);
      await details.getByRole('link', { name: /first request with this key, entry 1/ }).waitFor();
      // Other bytes with the same members are another request, too.
      await send(sandbox, url, { method: 'POST', path, body: `${quote('"100.00"')} `, key });
      details = await openNewest({ page, sandbox }, /key_reused/);
      await details.getByRole('row', { name: /body as it was sent .* different/ }).waitFor();
      // Beside a second difference, each has its own name.
      await page.goto(`${url}/_sandbox/?timeline.with=1${new URL(page.url()).hash}`);
      await page
        .getByRole('region', { name: 'Difference from the compared request' })
        .getByRole('row')
        .first()
        .waitFor();
      expect(await barriers(page)).toEqual([]);
    });
  });

  it('is sent again with its key and with a new one', async () => {
    await opened(browser, async ({ client, sandbox, page }) => {
      const sides = { from: { symbol: 'USD', type: 'fiat', amount: '9.00' }, to: { symbol: 'BTC', type: 'crypto' } };
      await client.accounts.quotes.create(sandbox.fixtures.accountId, sides);
      const details = await openNewest({ page, sandbox }, /quotes\.create/);
      await details.getByRole('button', { name: 'Send again, same key', exact: true }).click();
      await details.getByRole('link', { name: /entry \d+: 200 replayed/ }).waitFor();
      await details.getByRole('button', { name: 'Send again, new key', exact: true }).click();
      await details.getByRole('link', { name: /entry \d+: 200 accepted/ }).waitFor();
      expect(sandbox.journal.map(({ verdict }) => verdict)).toEqual(['accepted', 'replayed', 'accepted']);
      await details.getByRole('heading', { name: 'Sent again from here' }).waitFor();
      await details.getByRole('heading', { name: 'Other requests with the same idempotency key' }).waitFor();
    });
  });

  it('lets the next one like it fail, once, and leads to the fault', async () => {
    await opened(browser, async ({ client, sandbox, page }) => {
      const { userId } = sandbox.fixtures;
      await client.users.get(userId);
      let details = await openNewest({ page, sandbox }, /users\.get/);
      await details.getByText('Fail the next users.get …').click();
      await details.getByLabel('Fault', { exact: true }).selectOption('429');
      await details.getByRole('button', { name: 'Fail the next users.get', exact: true }).click();
      await details.getByText('the next one fails').waitFor();
      expect(sandbox.troubles.list()).toMatchObject([
        { match: { operation: 'users.get' }, does: { fault: 429 }, left: 1 },
      ]);
      await client.users.get(userId);
      details = await openNewest({ page, sandbox }, /429 fault_before/);
      await details.getByText(/The fault trouble_1 \(429\) applied before/).waitFor();
      const fault = details.getByRole('link', { name: 'trouble_1', exact: true });
      await expect.poll(() => fault.getAttribute('href')).toBe('#/faults/trouble_1');
    });
  });
});
