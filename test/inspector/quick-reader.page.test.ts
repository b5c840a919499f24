import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { opened, openNewest, openTab } from './support/browser.js';

/** Acts in the page as soon as an element is there: sooner than effects that wait for the next frame. */
const asSoonAs = <T>(page: Page, selector: string, act: (element: Element) => T): Promise<T> =>
  page.evaluate(`new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      if (element === null) return;
      observer.disconnect();
      resolve((${act})(element));
    });
    observer.observe(document, { childList: true, subtree: true, attributes: true });
  })`);

const at = (page: Page, hash: string) =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);

describe('a reader who is faster than the page', () => {
  it('is heard by a view that was drawn a moment ago', async () => {
    await opened(async ({ page }) => {
      for (const [view, field] of [
        ['#/try', 'Search the operations'],
        ['#/requests', 'Search the requests'],
      ] as const) {
        const selector = `input[aria-label="${field}"]`;
        await at(page, '#/time');
        await page.locator(selector).waitFor({ state: 'detached' });
        const isFocused = asSoonAs(page, selector, (element) => {
          dispatchEvent(new KeyboardEvent('keydown', { key: '/' }));
          return document.activeElement === element;
        });
        await at(page, view);
        expect(await isFocused, view).toBe(true);
      }
    });
  });

  it('is followed to an address that came with the first drawing', async () => {
    await opened(async ({ page }) => {
      await page.addInitScript(() => {
        const observer = new MutationObserver(() => {
          if (document.querySelector('nav') === null) return;
          observer.disconnect();
          location.hash = '#/time';
        });
        observer.observe(document, { childList: true, subtree: true });
      });
      await page.reload();
      await page.getByText(/\d+ to come/).waitFor();
    });
  });

  it('presses g and a letter while the page is busy', async () => {
    await opened(async ({ page }) => {
      await page.evaluate(async () => {
        const [g, k] = ['g', 'k'].map((key) => new KeyboardEvent('keydown', { key }));
        dispatchEvent(g as Event);
        await new Promise((resolve) => setTimeout(resolve, 2_100));
        dispatchEvent(k as Event);
      });
      await page.getByRole('region', { name: 'API keys', exact: true }).first().waitFor();
    });
  });

  it('finds again what he typed just before he went', async () => {
    await opened({ at: '#/try/webhooks.list' }, async ({ page }) => {
      const field = page.getByLabel('page_size');
      await field.evaluate((element: HTMLInputElement) => {
        element.value = '3';
        element.dispatchEvent(new Event('input', { bubbles: true }));
        location.hash = '#/time';
      });
      await field.waitFor({ state: 'detached' });
      await page.goBack();
      await expect.poll(() => field.inputValue()).toBe('3');
    });
  });

  it('goes while a form is sent, and finds the answer when he is back', async () => {
    await opened({ at: '#/try/webhooks.list' }, async ({ page, sandbox }) => {
      const send = page.getByRole('button', { name: 'Send', exact: true });
      await send.evaluate((button: HTMLButtonElement) => {
        button.click();
        location.hash = '#/time';
      });
      await expect.poll(() => sandbox.journal.length).toBe(1);
      await page.getByText(/\d+ to come/).waitFor();
      await page.goBack();
      await page
        .getByRole('region', { name: /^Response/ })
        .getByText('The request was accepted')
        .waitFor();
    });
  });

  it('scrolls on from an entry that was opened a moment ago', async () => {
    await opened(async ({ client, sandbox, page }) => {
      for (let count = 0; count < 100; count += 1) await client.users.get(sandbox.fixtures.userId);
      const list = page.locator('.rows');
      await page.locator('a[href="#/requests/100"]').waitFor();
      const scrolled = asSoonAs(page, '[aria-label="Entry 100"]', () => {
        const element = document.querySelector('.rows');
        if (element !== null) element.scrollTop = 1_500;
      });
      await page.locator('a[href="#/requests/100"]').click();
      await scrolled;
      await page.getByRole('tab', { name: 'Response' }).waitFor();
      await expect.poll(() => list.evaluate((element) => element.scrollTop)).toBe(1_500);
    });
  });

  it('never reads one language under the name of another', async () => {
    await opened(async ({ client, sandbox, page }) => {
      await client.users.get(sandbox.fixtures.userId);
      const code = await openTab(await openNewest({ page, sandbox }, /users\.get/), 'Code');
      await code.getByRole('region', { name: 'The request as curl' }).waitFor();
      const shown = asSoonAs(page, '[aria-label="The request as python"]', (element) => element.textContent);
      await code.getByRole('button', { name: 'Python', exact: true }).click();
      expect(await shown).toContain('# Python 3');
    });
  });
});
