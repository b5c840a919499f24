import type { Sandbox } from 'partner-sdk/sandbox';
import type { Page } from 'playwright-core';

const rowsOf =
  (name: string) =>
  (page: Page, text: RegExp | string = '') =>
    page.getByRole('list', { name }).getByRole('link').filter({ hasText: text });
export const rows = rowsOf('Events, newest first');
export const endpoints = rowsOf('Endpoints');
export const arrived = rowsOf('Messages, newest first');

/** What is open: an item of a list, or a form. */
export const details = (page: Page) => page.getByRole('region', { name: /^(Event|Endpoint|Message) \w+_|^(Send|Reg)/ });

export const says = (page: Page, text: string | RegExp) => details(page).getByText(text).first().waitFor();

export const button = (page: Page, name: string | RegExp) =>
  details(page).getByRole('button', { name, exact: true }).first();
export const registerInbox = (sandbox: Sandbox, name = 'first-try') =>
  sandbox.webhooks.register({ url: sandbox.inbox.url(name) });

/** Shows one of the lists of the view, and opens a form if one is named: `Endpoints`, `Register`. */
export async function go(page: Page, list: string, form?: string): Promise<void> {
  await page.getByRole('group', { name: 'Shown' }).getByRole('button', { name: list }).click();
  if (form !== undefined) await page.getByRole('link', { name: form, exact: true }).click();
}

/** Clicks a button that asks first, and answers the question. */
export async function asked(page: Page, name: string, question: string, answer: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Are you sure?' });
  await dialog.getByText(question).waitFor();
  await dialog.getByRole('button', { name: answer }).click();
}
