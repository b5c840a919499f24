import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PartnerClient } from 'partner-sdk';
import { createSandbox, type Sandbox, type SandboxOptions } from 'partner-sdk/sandbox';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { chromium } from './chromium.js';

/** Times that the page is slower than this machine allows; 1 leaves it as it is. */
const SLOWNESS = Number(process.env['PAGE_SLOWNESS'] ?? 1);

/** Time in ms that each answer of the sandbox takes longer. */
const LATENCY_MS = Number(process.env['PAGE_LATENCY_MS'] ?? 0);

/** What a test does not wait for shows on a slow page. */
async function slowDown(page: Page): Promise<void> {
  if (SLOWNESS === 1 && LATENCY_MS === 0) return;
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWNESS });
  await session.send('Network.enable');
  const conditions = { offline: false, latency: LATENCY_MS, downloadThroughput: -1, uploadThroughput: -1 };
  await session.send('Network.emulateNetworkConditions', conditions);
}

/** The page of a sandbox in a browser. */
export interface Setting {
  readonly sandbox: Sandbox;
  readonly client: PartnerClient;
  readonly page: Page;
  readonly url: string;
}

interface Look {
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
  /** Behind `/_sandbox/`, for example `#/requests/3`. */
  readonly at?: string;
  readonly options?: SandboxOptions;
  /** Reports of the browser that the test brings about. */
  readonly expected?: RegExp;
}

type Use = (setting: Setting) => Promise<void>;

/** Opens the page. Expects that it reports no error, opens no dialog, and reaches nothing but the sandbox. */
export function opened(use: Use): Promise<void>;
export function opened(look: Look, use: Use): Promise<void>;
export async function opened(...given: [use: Use] | [look: Look, use: Use]): Promise<void> {
  const [look, use] = given.length === 1 ? [{}, given[0]] : given;
  await chromium.use((page) => openedIn(page, look, use), {
    viewport: { width: look.width ?? 1_200, height: 800 },
    colorScheme: look.scheme ?? 'light',
  });
}

async function openedIn(page: Page, { at = '', options = {}, expected = /^$/ }: Look, use: Use): Promise<void> {
  await using sandbox = createSandbox({ inspect: true, ...options });
  const { url } = await sandbox.listen();
  // No socket: a test may make thousands of requests, and it is the page that is tested.
  await using client = new PartnerClient({ baseUrl: url, transport: sandbox.transport(), ...sandbox.credentials });
  const troubles: string[] = [];
  page.on('console', (message) => {
    const isTrouble = message.type() === 'error' || message.type() === 'warning';
    if (isTrouble && !expected.test(message.text())) troubles.push(message.text());
  });
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('dialog', (dialog) => {
    troubles.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!/^(data:|blob:)/.test(request.url()) && !request.url().startsWith(`${url}/_sandbox/`))
      troubles.push(request.url());
  });
  await slowDown(page);
  await page.goto(`${url}/_sandbox/${at}`);
  await page.getByText('The page is live', { exact: true }).waitFor();
  await use({ sandbox, client, page, url });
  expect(troubles).toEqual([]);
}

/** The rows of calls, or of entries, newest first. */
export const rowsOf = (page: Page): Locator =>
  page.getByRole('list', { name: /^(Calls|Entries), newest first$/ }).getByRole('link');

/** Opens the newest row that is named so, once the page shows the newest request. Returns its details. */
export async function openNewest({ page, sandbox }: Pick<Setting, 'page' | 'sandbox'>, name: RegExp): Promise<Locator> {
  const newest = sandbox.journal.at(-1);
  if (newest !== undefined) await page.locator(`.rows a[href^="#/requests/${newest.seq}"]`).waitFor();
  const row = rowsOf(page).filter({ hasText: name }).first();
  const [, seq] = /requests\/(\d+)/.exec((await row.getAttribute('href')) ?? '') ?? [];
  await row.click();
  return page.getByRole('region', { name: `Entry ${seq}`, exact: true });
}

/** Chooses a tab of the details. Returns what it shows. */
export async function openTab(details: Locator, name: string): Promise<Locator> {
  await details.getByRole('tab', { name, exact: true }).click();
  return details.getByRole('tabpanel', { name, exact: true });
}

/** Follows an address of the page, for example `#/money`. */
export const go = (page: Page, hash: string): Promise<void> => page.evaluate((to) => location.assign(to), hash);

/** Clicks a button, and returns what it has put on the clipboard. */
export async function copiedBy(page: Page, button: Locator): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await button.click();
  const read = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(read).not.toBe('');
  return read();
}

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What a screen reader, a keyboard or weak eyes could not use. */
export async function barriers(page: Page): Promise<string[]> {
  // The page's policy lets no script in; a test may go around it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await readFile(axe, 'utf8'));
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: AxeViolation[] }> } };
    return (await axe.run({ resultTypes: ['violations'] })).violations;
  });
  return violations
    .filter(({ impact }) => impact !== 'minor')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

interface AxeViolation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Opens a menu, if it is closed: `Clock` or `Sandbox`. Returns what it shows. */
export async function openMenu(page: Page, name: string): Promise<Locator> {
  const menu = page.getByRole('dialog', { name, exact: true });
  if (!(await menu.isVisible())) await page.getByRole('button', { name: new RegExp(`^${name}\\b`) }).click();
  await menu.waitFor();
  return menu;
}

/** Lets the page show commands for a shell beside what it does. */
export async function showCurl(page: Page): Promise<void> {
  await (await openMenu(page, 'Sandbox')).getByLabel('Show as curl').check();
  await page.keyboard.press('Escape');
}
