import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { CHROMIUM, launchChromium } from '../../../tools/chromium.js';

const LAUNCH_TIMEOUT_MS = 50_000;

/** Launches that are tried: a machine that is short of memory or time may kill one. */
const LAUNCHES = 2;

/** As `expect.poll` waits: it ends what hangs, and measures nothing. */
const WAIT_TIMEOUT_MS = 45_000;

/** A page that is alive answers within this time, or is only busy. */
const ANSWER_MS = 10_000;

async function launch(): Promise<Browser> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await launchChromium({ timeout: LAUNCH_TIMEOUT_MS });
    } catch (cause) {
      const how = `${CHROMIUM} does not start: is it installed? Another is named by the variable CHROMIUM.`;
      if (tried === LAUNCHES) throw new Error(how, { cause });
    }
  }
}

/** A browser. One that has died is started again. */
class Chromium {
  #browser: Browser | undefined;

  async running(): Promise<Browser> {
    if (this.#browser?.isConnected() === true) return this.#browser;
    const browser = await launch();
    this.#browser = browser;
    return browser;
  }

  /** Uses a new page. If the browser dies meanwhile, then `work` begins anew with another page, once. */
  async use(work: (page: Page) => Promise<void>, options: BrowserContextOptions = {}): Promise<void> {
    if (await this.#isDone(work, options)) return;
    console.warn(`${CHROMIUM} has died. The test begins anew.`);
    if (!(await this.#isDone(work, options))) throw new Error(`${CHROMIUM} has died twice in this test.`);
  }

  /** Returns false if the browser, or the process of the page, has died. */
  async #isDone(work: (page: Page) => Promise<void>, options: BrowserContextOptions): Promise<boolean> {
    const browser = await this.running();
    let page: Page | undefined;
    try {
      page = await browser.newPage(options);
      page.setDefaultTimeout(WAIT_TIMEOUT_MS);
      await work(page);
      return true;
    } catch (error) {
      if (browser.isConnected() && page !== undefined && !(await isDead(page))) throw error;
      return false;
    } finally {
      // A dead page need not be closed.
      await page?.close().catch(() => {});
    }
  }
}

/** Asks the page: what it was doing may have failed before the browser tells that its process has died. */
async function isDead(page: Page): Promise<boolean> {
  const dead = page.evaluate('false').catch(() => true);
  const silent = new Promise<false>((resolve) => setTimeout(resolve, ANSWER_MS, false).unref());
  return Boolean(await Promise.race([dead, silent]));
}

/**
 * Chromium for all tests of a worker: modules live through its files. The first test starts it, and it ends with the
 * worker's process.
 */
export const chromium = new Chromium();
