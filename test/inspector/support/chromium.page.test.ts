import type { Page } from 'playwright-core';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { chromiumOfFile } from './chromium.js';

const browser = chromiumOfFile();
const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
afterEach(() => warned.mockClear());
afterAll(() => warned.mockRestore());

/** Ends the process of the page, or the whole browser. */
const CRASHES = {
  page: (page: Page) => page.goto('chrome://crash'),
  browser: async (page: Page) => (await page.context().browser()?.newBrowserCDPSession())?.send('Browser.crash'),
};

it.each(['page', 'browser'] as const)('a test in which the %s dies begins anew, once', async (what) => {
  let begun = 0;
  await browser.use(async (page) => {
    begun += 1;
    if (begun === 1) await CRASHES[what](page);
    await page.setContent('<p>here</p>');
    await page.getByText('here').waitFor();
  });
  expect(begun).toBe(2);
  expect(warned).toHaveBeenCalledOnce();
  const dying = browser.use(async (page) => {
    await CRASHES[what](page);
    await page.setContent('');
  });
  await expect(dying).rejects.toThrow('has died twice in this test');
  // The next test has a browser.
  await browser.use((page) => page.setContent(''));
});

it('a test that fails is not tried again', async () => {
  let begun = 0;
  const failing = browser.use(async () => {
    begun += 1;
    throw new Error('not as expected');
  });
  await expect(failing).rejects.toThrow('not as expected');
  expect([begun, warned.mock.calls]).toEqual([1, []]);
});
