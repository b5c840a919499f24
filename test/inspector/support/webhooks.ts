import type { Sandbox } from 'partner-sdk/sandbox';
import type { Page } from 'playwright-core';

/** The view of webhooks. */
export const AT = { at: '#/webhooks' };

export const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
export const rows = (page: Page) => page.getByRole('list', { name: 'Deliveries, newest first' }).getByRole('link');
export const arrived = (page: Page) =>
  page.getByRole('list', { name: 'Arrived deliveries, newest first' }).locator('> li');
export const details = (page: Page) => page.getByRole('region', { name: /^Delivery dlv_/ });

export const registerInbox = (sandbox: Sandbox, name = 'first-try') =>
  sandbox.webhooks.register({ url: sandbox.inbox.url(name) });

/** Sends an event by the form. */
export async function sendWith(page: Page, trouble: string, kind = 'quote.executed'): Promise<void> {
  const form = panel(page, 'Send an event');
  await form.getByRole('combobox', { name: 'Event' }).selectOption(kind);
  await form.getByLabel('What goes wrong').selectOption(trouble);
  await form.getByRole('button', { name: 'Send', exact: true }).click();
  await form.getByText('sent', { exact: true }).waitFor();
}
