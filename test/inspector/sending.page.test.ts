import type { Sandbox } from 'partner-sdk/sandbox';
import { describe, expect, it } from 'vitest';
import { opened } from './support/browser.js';
import { chromiumOfFile } from './support/chromium.js';
import { AT, arrived, details, panel, registerInbox, rows, sendWith, withoutFault } from './support/webhooks.js';

const browser = chromiumOfFile();

describe('an event', () => {
  it('is sent with a payload that begins with ids of the sandbox', async () => {
    await opened(
      browser,
      async ({ sandbox, page }) => {
        registerInbox(sandbox);
        const form = panel(page, 'Send an event');
        const kind = form.getByRole('combobox', { name: 'Kind', exact: true });
        await kind.selectOption('wallet.whitelisted');
        const payload = form.getByLabel('Payload', { exact: true });
        await expect.poll(() => payload.inputValue()).toContain(sandbox.fixtures.accountId);
        await payload.fill('{"status":');
        await form.getByRole('button', { name: 'Send', exact: true }).click();
        expect(await payload.evaluate((one: HTMLTextAreaElement) => one.validationMessage)).toMatch(
          /^This is not JSON: /,
        );
        expect(sandbox.webhooks.listDeliveries()).toEqual([]);
        await kind.selectOption('swap.failed');
        await expect.poll(() => payload.inputValue()).toContain('"status": "failed"');
        await kind.selectOption('wallet.whitelisted');
        await payload.fill(JSON.stringify({ ...JSON.parse(await sampleOf(sandbox)), status: 'mine' }));
        await form.getByRole('button', { name: 'Send', exact: true }).click();
        await form.getByRole('link', { name: /wallet\.whitelisted: delivered/ }).click();
        await details(page).getByText('"status": "mine"').waitFor();
      },
      AT,
    );
  });

  it('is sent with a stale time, and the inbox tells it', async () => {
    await opened(
      browser,
      async ({ sandbox, page }) => {
        registerInbox(sandbox);
        await sendWith(page, 'quote.executed', ['Timestamp (ms)', 'stale']);
        await arrived(page)
          .filter({ hasText: /✗ not valid/ })
          .locator('summary')
          .click();
        await arrived(page)
          .getByText(/The signature fits, but its time is 60\d s old/)
          .waitFor();
        // It was for this event alone.
        expect(sandbox.troubles.list()).toEqual([]);
        await withoutFault(page, 'Timestamp (ms)');
        await sendWith(page, 'quote.executed');
        await arrived(page).getByText('✓ verified').waitFor();
      },
      AT,
    );
  });

  it('wrongly signed is refused by a strict inbox, and taken when it comes rightly signed', async () => {
    await opened(
      browser,
      async ({ sandbox, page }) => {
        registerInbox(sandbox);
        await page.getByRole('button', { name: 'Refuse invalid deliveries', exact: true }).click();
        await page.getByText('Every other inbox answers 200 at once; 401 to an invalid delivery.').waitFor();
        await sendWith(page, 'quote.executed', ['Signature', 'wrong']);
        await rows(page)
          .filter({ hasText: /pending.*401/ })
          .click();
        await details(page).getByRole('button', { name: 'Redeliver', exact: true }).click();
        await rows(page)
          .filter({ hasText: /delivered.*200.*2 attempts/ })
          .waitFor();
      },
      AT,
    );
  });

  it('is sent twice, late, lost and out of order', async () => {
    await opened(
      browser,
      async ({ sandbox, page }) => {
        const events = ['swap.completed', 'swap.failed', 'transfer.failed', 'webhook.test'];
        sandbox.webhooks.register({ url: sandbox.inbox.url(), events });
        const kindsOf = () => sandbox.inbox.list().map(({ headers }) => headers['x-webhook-event']);
        await sendWith(page, 'swap.completed', ['Duplicate', '1']);
        await expect.poll(() => arrived(page).count()).toBe(2);
        await withoutFault(page, 'Duplicate');
        await sendWith(page, 'swap.failed', ['Drop', 'true']);
        await rows(page).filter({ hasText: 'lost' }).waitFor();
        await withoutFault(page, 'Drop');
        await sendWith(page, 'transfer.failed', ['Delay (ms)', '30 s']);
        await rows(page).filter({ hasText: 'not attempted yet · next in 30 s' }).waitFor();
        expect(kindsOf()).toEqual(['swap.completed', 'swap.completed']);
        sandbox.advance(30_000);
        await expect.poll(() => arrived(page).count()).toBe(3);
        await withoutFault(page, 'Delay (ms)');
        await sendWith(page, 'webhook.test', ['Reorder', 'true']);
        await panel(page, 'Send an event').getByText('webhook.test: pending, held back').waitFor();
        await withoutFault(page, 'Reorder');
        await sendWith(page, 'webhook.test');
        await expect.poll(() => arrived(page).count()).toBe(5);
        const [first, second] = sandbox.webhooks.listDeliveries().slice(-2);
        const ids = sandbox.inbox.list().slice(-2);
        expect(ids.map(({ body }) => JSON.parse(body).id)).toEqual([second?.eventId, first?.eventId]);
      },
      AT,
    );
  });
});

describe('future deliveries that go wrong', () => {
  it('are added, listed, and taken back one by one', async () => {
    await opened(
      browser,
      async ({ sandbox, page }) => {
        const form = panel(page, 'Future deliveries that go wrong');
        await form.getByText('None: all deliveries are correct.').waitFor();
        await form.getByLabel('Duplicate', { exact: true }).fill('1');
        await form.getByText('Match', { exact: true }).click();
        await form.getByRole('combobox', { name: 'Event', exact: true }).selectOption('swap.failed');
        await form.getByLabel('Times', { exact: true }).fill('always');
        await form.getByRole('button', { name: 'Add', exact: true }).click();
        await form.getByRole('row', { name: /duplicate 1 deliveries · event swap\.failed 0 always/ }).waitFor();
        const [made] = sandbox.troubles.list();
        const does = { delivery: { duplicate: 1 } };
        expect(made).toMatchObject({ does, match: { event: 'swap.failed' }, left: 'always' });
        sandbox.troubles.add({ does: { delivery: { delayMs: 3_000 } } });
        await form.getByRole('row', { name: /delay 3 s/ }).waitFor();
        await form
          .getByRole('row', { name: /duplicate 1/ })
          .getByRole('button', { name: 'Remove', exact: true })
          .click();
        await expect.poll(() => sandbox.troubles.list()).toMatchObject([{ does: { delivery: { delayMs: 3_000 } } }]);
        await expect.poll(() => form.getByRole('row').count()).toBe(2);
      },
      AT,
    );
  });
});

async function sampleOf(sandbox: Sandbox): Promise<string> {
  const sample = sandbox.webhooks.samples().find(({ kind }) => kind === 'wallet.whitelisted');
  return JSON.stringify(sample?.data);
}
