import { describe, expect, it } from 'vitest';
import { WEBHOOK_KINDS } from '../../src/resources/webhook-kinds.js';
import { opened } from './support/browser.js';
import { chromiumOfFile } from './support/chromium.js';
import { AT, arrived, details, panel, registerInbox, rows, sendWith } from './support/webhooks.js';

const browser = chromiumOfFile();

describe('the whole way of a first try', () => {
  it('registers an inbox, sees an event arrive, sees it fail, and puts it right', async () => {
    await opened(
      browser,
      async ({ sandbox, page }) => {
        await page.getByText('No webhook receives anything yet').waitFor();
        await page.getByRole('button', { name: 'Register an inbox', exact: true }).click();
        await page.getByText('Registered. Now send an event.').waitFor();
        await panel(page, 'Webhooks').getByText('no attempts yet').waitFor();
        await sendWith(page, 'quote.executed');
        await arrived(page).getByText('✓ verified').waitFor();
        await rows(page)
          .getByText(/delivered/)
          .waitFor();

        await page.getByRole('button', { name: 'Set the answer', exact: true }).click();
        await page.getByText('Every other inbox answers 500 at once.').waitFor();
        await sendWith(page, 'deposit.completed');
        await rows(page)
          .filter({ hasText: /pending.*deposit\.completed.*500.*next in 1 s/ })
          .click();
        await details(page).getByText('the receiver answered 500: only 2xx counts as received').first().waitFor();

        await page.getByRole('button', { name: 'Answer 200 again', exact: true }).click();
        await page.getByText('Every other inbox answers 200 at once.').waitFor();
        await details(page).getByRole('button', { name: 'Redeliver', exact: true }).click();
        await details(page).getByText('the receiver answered 200', { exact: true }).waitFor();
        expect(sandbox.webhooks.listDeliveries().map(({ status }) => status)).toEqual(['delivered', 'delivered']);
        await expect.poll(() => arrived(page).count()).toBe(3);
      },
      AT,
    );
  });
});

describe('webhooks', () => {
  it('are registered with their kinds, and their secret is shown when it is asked for', async () => {
    await opened(
      browser,
      async ({ sandbox, page }) => {
        await page.getByText('Register a webhook of your own').click();
        const form = panel(page, 'Webhooks');
        await form.getByLabel('URL', { exact: true }).fill('http://127.0.0.1:9/hooks');
        await form.getByLabel('swap.failed').check();
        await form.getByRole('button', { name: 'Register a webhook of your own', exact: true }).click();
        await form.locator('.webhook-cards').getByText('http://127.0.0.1:9/hooks').waitFor();
        const made = sandbox.webhooks.list().find(({ receives }) => receives);
        expect(made).toMatchObject({ url: 'http://127.0.0.1:9/hooks', events: ['swap.failed'] });
        const [newest] = sandbox.webhooks.secrets(made?.id ?? '') ?? [];
        expect(await page.content()).not.toContain(newest?.secret);
        await form
          .locator('.webhook-cards')
          .getByRole('button', { name: 'Show the signing secret', exact: true })
          .click();
        await form
          .locator('.webhook-cards')
          .getByText(newest?.secret ?? 'none')
          .waitFor();
      },
      AT,
    );
  });

  it('are disabled, enabled, given a new secret, changed and removed', async () => {
    await opened(
      browser,
      async ({ sandbox, page }) => {
        const { id } = registerInbox(sandbox);
        const now = () => sandbox.webhooks.list().find((one) => one.id === id);
        const button = (name: string) => panel(page, 'Webhooks').getByRole('button', { name, exact: true });
        await button('Disable').click();
        await button('Enable').waitFor();
        expect(now()?.disabled).toBe(true);
        await button('Enable').click();
        await button('Disable').waitFor();
        expect(now()?.disabled).toBe(false);
        await button('Rotate the secret').click();
        await page.getByText('The old secret is valid for one more day.').waitFor();
        expect(now()?.secrets).toHaveLength(2);
        await page.getByText('Change the webhook').click();
        const card = page.locator('.webhook-cards > li');
        await card.getByLabel('URL', { exact: true }).fill('http://127.0.0.1:9/other');
        await card.getByLabel('webhook.test').uncheck();
        await card.getByLabel('Form', { exact: true }).selectOption('flat');
        await card.getByLabel('Scheme', { exact: true }).selectOption('standard');
        await card.getByRole('button', { name: 'Change the webhook', exact: true }).click();
        await card.getByText('http://127.0.0.1:9/other').waitFor();
        await card.getByText('flat payloads · signs as standardwebhooks.com').waitFor();
        expect(now()).toMatchObject({
          url: 'http://127.0.0.1:9/other',
          events: { length: WEBHOOK_KINDS.length - 1 },
          form: 'flat',
          scheme: 'standard',
        });
        await button('Remove').click();
        await expect.poll(now).toBeUndefined();
        await page.getByText('No webhook receives anything yet').waitFor();
      },
      AT,
    );
  });

  it('that the service refuses are refused in its words', async () => {
    await opened(
      browser,
      async ({ page }) => {
        await page.getByLabel('Name of the inbox').fill('no such / name');
        await page.getByRole('button', { name: 'Register an inbox', exact: true }).click();
        await page.getByText('name must be 1 to 64 letters').waitFor();
      },
      { ...AT, expected: /status of 400/ },
    );
  });
});

describe('deliveries', () => {
  it('show as they happen, and are narrowed by status, kind, webhook and text', async () => {
    await opened(
      browser,
      async ({ sandbox, page }) => {
        await page.getByText('Nothing was delivered yet').waitFor();
        const { id } = registerInbox(sandbox, 'one');
        const other = registerInbox(sandbox, 'other');
        await sandbox.webhooks.trigger('quote.executed', { note: 'a needle' }, { webhookId: id });
        await rows(page).filter({ hasText: 'quote.executed' }).waitFor();
        sandbox.inbox.answer({ status: 500 });
        await sandbox.webhooks.trigger('swap.failed', {}, { webhookId: other.id });
        await expect.poll(() => rows(page).count()).toBe(2);
        const narrowed = async (label: string, value: string, expected: RegExp): Promise<void> => {
          await page.getByLabel(label, { exact: true }).selectOption(value);
          await expect.poll(() => rows(page).allInnerTexts()).toEqual([expect.stringMatching(expected)]);
          await page.getByLabel(label, { exact: true }).selectOption('');
          await expect.poll(() => rows(page).count()).toBe(2);
        };
        await narrowed('Status of the delivery', 'pending', /swap/);
        await narrowed('Kind of the event', 'quote.executed', /quote/);
        await narrowed('Webhook of the delivery', other.id, /swap/);
        await page.getByLabel('Search the deliveries').fill('A NEEDLE');
        await expect.poll(() => rows(page).allInnerTexts()).toEqual([expect.stringContaining('quote')]);
        await page.getByLabel('Search the deliveries').fill('nowhere');
        await page.getByText('No delivery matches the filters.').waitFor();
      },
      AT,
    );
  });

  it('count down to the next attempt by the clock of the sandbox, and the page moves it there', async () => {
    await opened(
      browser,
      async ({ sandbox, page }) => {
        registerInbox(sandbox);
        sandbox.inbox.answer({ status: 503, times: 3 });
        await sandbox.webhooks.trigger('quote.executed');
        await sandbox.clock.advance(3_000, { deliver: true });
        await rows(page).filter({ hasText: 'next in 4 s' }).waitFor();
        const [sent] = sandbox.webhooks.listDeliveries();
        sandbox.advance(1_000);
        await rows(page).filter({ hasText: 'next in 3 s' }).click();
        await details(page).getByRole('button', { name: 'Move the clock to the next attempt', exact: true }).click();
        await details(page).getByText('the receiver answered 200', { exact: true }).waitFor();
        expect(sandbox.clock.now()).toBe(sent?.nextAttemptAt);
      },
      AT,
    );
  });

  it('tell in words why no answer came', async () => {
    await opened(
      browser,
      async ({ sandbox, page }) => {
        sandbox.webhooks.register({ url: 'http://127.0.0.1:9/hooks' });
        await sandbox.webhooks.trigger('quote.executed');
        await rows(page).filter({ hasText: 'nothing listens at this address' }).click();
        await details(page)
          .getByText(/nothing listens at this address \(connect ECONNREFUSED/)
          .first()
          .waitFor();
      },
      AT,
    );
  });

  it('are all attempted at once', async () => {
    await opened(
      browser,
      async ({ sandbox, page }) => {
        registerInbox(sandbox);
        sandbox.inbox.answer({ status: 500, times: 3 });
        for (const kind of ['quote.executed', 'swap.failed', 'deposit.completed']) await sandbox.webhooks.trigger(kind);
        await rows(page).nth(2).waitFor();
        await page.getByRole('button', { name: 'Retry all failed', exact: true }).click();
        await expect.poll(() => rows(page).filter({ hasText: 'delivered' }).count()).toBe(3);
        expect(sandbox.webhooks.listDeliveries().every(({ status }) => status === 'delivered')).toBe(true);
      },
      AT,
    );
  });
});

describe('a signature', () => {
  it('is taken apart: its time, each part, and the secret that made it', async () => {
    await opened(
      browser,
      async ({ sandbox, page }) => {
        const { id, signing_secret: old } = registerInbox(sandbox);
        const { signing_secret: fresh } = sandbox.webhooks.rotateSecret(id);
        await sandbox.webhooks.trigger('quote.executed');
        await rows(page).click();
        for (const text of [
          `made by the newest secret …${fresh.slice(-4)} of ${id}`,
          `made by the replaced secret …${old.slice(-4)} of ${id}, valid until 2026-01-16`,
          'fresh when it arrived',
        ]) {
          await details(page).getByText(text).waitFor();
        }
      },
      AT,
    );
  });

  it.each(['timestamped', 'body', 'standard'] as const)('by the scheme %s is verified in the form', async (scheme) => {
    await opened(
      browser,
      async ({ sandbox, page }) => {
        sandbox.webhooks.update(registerInbox(sandbox).id, { scheme });
        await sandbox.webhooks.trigger('quote.executed');
        await rows(page).click();
        await details(page).getByRole('button', { name: 'Verify this delivery' }).click();
        const form = panel(page, 'Verify a signature');
        await form.getByRole('button', { name: 'Verify', exact: true }).click();
        await form.getByText('✓ valid').waitFor();
        await arrived(page).getByText('quote.executed').waitFor();
        const body = form.getByLabel('Body', { exact: true });
        await body.fill((await body.inputValue()).replace('quote.executed', 'quote.changed'));
        await form.getByRole('button', { name: 'Verify', exact: true }).click();
        await form.getByText('✗ not valid').waitFor();
        await form.getByText('no valid secret makes this from the body').waitFor();
      },
      AT,
    );
  });
});
