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

/** Sends an event by the form, with a value in a field of its fault. */
export async function sendWith(
  page: Page,
  kind: string,
  fault?: readonly [field: string, value: string],
): Promise<void> {
  const form = panel(page, 'Send an event');
  await form.getByRole('combobox', { name: 'Kind', exact: true }).selectOption(kind);
  if (fault !== undefined) {
    const [name, value] = fault;
    const field = form.getByLabel(name, { exact: true });
    if (!(await field.isVisible())) await form.locator('summary').click();
    if ((await field.getAttribute('type')) === 'checkbox') await field.check();
    else if ((await field.evaluate((one) => one.tagName)) === 'SELECT') await field.selectOption(value);
    else await field.fill(value);
  }
  await form.getByRole('button', { name: 'Send', exact: true }).click();
  await form.getByText('done', { exact: true }).waitFor();
}

/** Empties a field of the fault. */
export async function withoutFault(page: Page, field: string): Promise<void> {
  const known = panel(page, 'Send an event').getByLabel(field, { exact: true });
  if ((await known.getAttribute('type')) === 'checkbox') await known.uncheck();
  else if ((await known.evaluate((one) => one.tagName)) === 'SELECT') await known.selectOption('');
  else await known.fill('');
}
