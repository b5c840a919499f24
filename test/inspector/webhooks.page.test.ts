import { expect, it } from 'vitest';
import { opened, type Setting } from './support/browser.js';
import { arrived, asked, button, details, endpoints, go, registerInbox, rows, says } from './support/webhooks.js';

/** A test of what a person does in the view. */
const job = (name: string, use: (setting: Setting) => Promise<void>) =>
  it(name, () => opened({ at: '#/webhooks' }, use));

job('an inbox is registered, an event arrives, another fails, and is put right', async ({ sandbox, page }) => {
  await page.getByText('No event was delivered yet').waitFor();
  await go(page, 'Endpoints', 'Register');
  await button(page, 'Register').click();
  await endpoints(page, /inbox first-try.*all \d+ kinds.*no attempts yet/).waitFor();
  await go(page, 'Events', 'Send');
  await button(page, 'Send').click();
  await rows(page, /quote\.executed.*USD → .*BTC.*delivered/).waitFor();

  await go(page, 'Inbox', 'Responses');
  await arrived(page, /quote\.executed.*first-try.*verified/).waitFor();
  await page.getByRole('button', { name: 'Set the response', exact: true }).click();
  await page.getByText('Every other inbox responds 500 at once.').waitFor();
  await sandbox.webhooks.trigger('deposit.completed');
  await go(page, 'Events');
  await rows(page, /deposit\.completed.*failing: 500/).click();
  await says(page, 'Not delivered to inbox first-try.');
  await says(page, 'it responded 500, but only 2xx counts; next attempt in 1 s.');
  sandbox.inbox.clear();
  await button(page, /^Redeliver/).click();
  await says(page, 'Delivered to inbox first-try.');
  await says(page, /200 · \d+ ms · redelivery/);
});

job('an endpoint is disabled, enabled, changed, made to fail, and removed', async ({ sandbox, page }) => {
  const { id } = registerInbox(sandbox);
  const now = () => sandbox.webhooks.list().find((one) => one.id === id);
  await go(page, 'Endpoints 1');
  await endpoints(page).click();
  await button(page, 'Disable').click();
  await says(page, 'Disabled.');
  await button(page, 'Enable').click();
  await expect.poll(() => now()?.disabled).toBe(false);
  await button(page, 'Rotate the secret').click();
  await says(page, 'secret until 2026-01-16');
  const [newest] = sandbox.webhooks.secrets(id) ?? [];
  expect(await page.content()).not.toContain(newest?.secret);
  await button(page, 'Show the signing secret').click();
  await says(page, newest?.secret ?? 'none');
  await details(page).getByText('Change it …').click();
  await details(page).getByLabel('URL', { exact: true }).fill('http://127.0.0.1:9/other');
  await details(page).getByLabel('webhook.test').uncheck();
  await details(page).getByLabel('Scheme', { exact: true }).selectOption('standard');
  await button(page, 'Change it').click();
  await endpoints(page, '127.0.0.1:9/other').waitFor();
  expect(now()).toMatchObject({ scheme: 'standard', events: expect.not.arrayContaining(['webhook.test']) });
  await details(page).getByText('Make its deliveries go wrong …').click();
  await details(page).getByLabel('Duplicate', { exact: true }).fill('1');
  await button(page, 'Make its deliveries go wrong').click();
  await expect
    .poll(() => sandbox.troubles.list())
    .toMatchObject([{ does: { delivery: { duplicate: 1 } }, match: { webhookId: id } }]);
  await asked(page, 'Remove', 'Removes the endpoint. 0 pending deliveries will fail.', 'Cancel');
  expect(now()).toBeDefined();
  await asked(page, 'Remove', 'Removes the endpoint.', 'Remove');
  await page.getByText('No endpoint is registered yet.').waitFor();
});

job('an event is one row, at its time, with what each receiver made of it', async ({ sandbox, page }) => {
  const events = ['quote.executed', 'swap.failed'];
  const urls = [sandbox.inbox.url('up'), sandbox.inbox.url('down'), 'http://127.0.0.1:9/hooks'];
  for (const url of urls) sandbox.webhooks.register({ url, events });
  sandbox.inbox.answer({ name: 'down', status: 500 });
  sandbox.troubles.add({ does: { delivery: { delayMs: 90_000_000 } }, match: { event: 'swap.failed' }, times: 3 });
  await sandbox.webhooks.trigger('swap.failed');
  sandbox.advance(3_600_000);
  sandbox.troubles.add({ does: { delivery: { drop: true } }, match: { event: 'quote.executed' } });
  await sandbox.webhooks.trigger('quote.executed');
  const told = [
    expect.stringMatching(/13:00:00.*quote\.executed.*1 delivered, 1 lost, 1 failing: 500/s),
    expect.stringMatching(/12:00:00.*swap\.failed.*3 waiting/s),
  ];
  await expect.poll(() => rows(page).allInnerTexts()).toEqual(told);
  await sandbox.clock.advance(86_400_000, { deliver: true });
  await rows(page, /12:00:00.*1 delivered, 2 failing: no one listens at 127.0.0.1:9, 500/).waitFor();
  await page.getByText('Thursday 15 January, sandbox time').waitFor();
});

job('events are narrowed by filters, which the address has', async ({ sandbox, page }) => {
  const [one, other] = [registerInbox(sandbox, 'one'), registerInbox(sandbox, 'other')];
  await sandbox.webhooks.trigger('quote.executed', { note: 'a needle' }, { webhookId: one.id });
  sandbox.inbox.answer({ status: 500 });
  await sandbox.webhooks.trigger('swap.failed', {}, { webhookId: other.id });
  const narrowed = async (chip: string, value: string, kind: string): Promise<void> => {
    await page.getByRole('button', { name: `Filter by + ${chip}` }).click();
    await page.getByRole('button', { name: value, exact: true }).click();
    await expect.poll(() => rows(page).allInnerTexts()).toEqual([expect.stringContaining(kind)]);
    await page.goBack();
    await expect.poll(() => rows(page).count()).toBe(2);
  };
  await narrowed('status', 'pending', 'swap.failed');
  await narrowed('kind', 'quote.executed', 'quote.executed');
  await narrowed('endpoint', 'inbox other', 'swap.failed');
  await page.getByRole('searchbox', { name: 'Search the deliveries' }).fill('A NEEDLE');
  await expect.poll(() => rows(page).allInnerTexts()).toEqual([expect.stringContaining('quote.executed')]);
  expect(page.url()).toContain('q=A+NEEDLE');
});

job('an event opens by the address of a delivery, and counts down to its next attempt', async ({ sandbox, page }) => {
  for (const name of ['up', 'down']) registerInbox(sandbox, name);
  sandbox.inbox.answer({ name: 'down', status: 503, body: 'too busy', times: 3 });
  await sandbox.webhooks.trigger('quote.executed');
  await sandbox.clock.advance(3_000, { deliver: true });
  const [pending] = sandbox.webhooks.listDeliveries({ status: 'pending' });
  await page.evaluate((id) => location.assign(`#/webhooks/${id}`), pending?.id);
  await says(page, 'Delivered to 1 of 2 endpoints.');
  await says(page, 'next attempt in 4 s.');
  await rows(page).and(page.locator('[aria-current="true"]')).waitFor();
  await details(page).getByRole('link', { name: 'Attempt 1' }).first().click();
  expect(page.url()).toContain(`/${pending?.eventId}/`);
  await details(page).getByRole('tab', { name: 'Response' }).click();
  await says(page, 'too busy');
  await button(page, 'Move the clock to the next attempt').click();
  await says(page, 'Delivered to all 2 endpoints.');
  expect(sandbox.clock.now()).toBe(pending?.nextAttemptAt);
});

job('many are redelivered once the reader agrees, and what has arrived stays delivered', async ({ sandbox, page }) => {
  for (const name of ['one', 'other']) registerInbox(sandbox, name);
  sandbox.inbox.answer({ status: 500, times: 4 });
  for (const kind of ['quote.executed', 'swap.failed']) await sandbox.webhooks.trigger(kind);
  const attempts = () => sandbox.webhooks.listDeliveries().map((one) => one.attempts.length);
  await rows(page).first().click();
  await asked(page, 'Redeliver to all 2', 'Sends this swap.failed again to 2 endpoints.', 'Cancel');
  const all = 'Redelivers 0 failed and 4 pending deliveries of 2 events to 2 endpoints.';
  await asked(page, 'Redeliver all failed', all, 'Cancel');
  expect(attempts()).toEqual([1, 1, 1, 1]);
  await asked(page, 'Redeliver to all 2', 'Sends this swap.failed again', 'Redeliver');
  await expect.poll(attempts).toEqual([1, 1, 2, 2]);
  await asked(page, 'Redeliver all failed', '2 pending deliveries of 1 events', 'Redeliver');
  await expect.poll(() => rows(page, '2 delivered').count()).toBe(2);
  sandbox.inbox.answer({ status: 503 });
  await button(page, 'Redeliver to inbox one').click();
  await says(page, /503 · \d+ ms · redelivery/);
  await rows(page, /swap\.failed.*2 delivered$/).waitFor();
});

for (const scheme of ['timestamped', 'body', 'standard'] as const)
  job(`a signature by the scheme ${scheme} is taken apart`, async ({ sandbox, page }) => {
    const { id, signing_secret: old } = registerInbox(sandbox);
    const { signing_secret: fresh } = sandbox.webhooks.rotateSecret(id);
    sandbox.webhooks.update(id, { scheme });
    await sandbox.webhooks.trigger('quote.executed');
    await rows(page).click();
    await details(page).getByRole('tab', { name: 'Signature' }).click();
    await says(page, 'The signature is valid.');
    await says(page, `made by the newest secret …${fresh.slice(-4)} of inbox first-try`);
    const more = [`replaced secret …${old.slice(-4)} of inbox first-try, valid until 2026-01-16`, '0 s old'];
    for (const text of scheme === 'body' ? [] : more) await says(page, text);
  });

job('an event is sent wrongly, and a strict inbox rejects it', async ({ sandbox, page }) => {
  registerInbox(sandbox);
  sandbox.inbox.answer({ strict: true });
  await go(page, 'Events', 'Send');
  await details(page).getByRole('combobox', { name: 'Kind', exact: true }).selectOption('wallet.whitelisted');
  const payload = details(page).getByLabel('Payload', { exact: true });
  await expect.poll(() => payload.inputValue()).toContain(sandbox.fixtures.accountId);
  await payload.fill('{"status": "mine"}');
  await details(page).locator('summary').click();
  await details(page).getByLabel('Signature', { exact: true }).selectOption('wrong');
  await button(page, 'Send').click();
  await rows(page, /wallet\.whitelisted.*failing: 401/).click();
  await says(page, '"mine"');
  await go(page, 'Inbox 1');
  await arrived(page, 'not valid: The signature does not fit').click();
  await says(page, 'the inbox first-try responded 401.');
});
